"""All ways to read a sitemap lead to the same entries and the same findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from usp.tree import sitemap_from_str

from check.example import BASE, NAMESPACE, entry, findings, links, urlset, write
from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.decoding import to_utf8
from sitemap_plugin.commands.check.document import Document
from sitemap_plugin.commands.check.findings import Finding, Findings
from sitemap_plugin.commands.check.lines import read_text
from sitemap_plugin.commands.check.reader import XmlReader
from sitemap_plugin.commands.check.shortcut import read_xml

HERE = Path("sitemap.xml")
XHTML = "{http://www.w3.org/1999/xhtml}"
FIELDS = ("loc", "lastmod", "changefreq", "priority")


class Reading:
    """Entries and findings, in a form that can be compared."""

    def __init__(self, batches: Iterator[Batch], findings: Findings) -> None:
        rows = [
            row
            for batch in batches
            for row in zip(
                batch.lines,
                batch.locs,
                batch.lastmods,
                batch.changefreqs,
                batch.priorities,
                [tuple(links.pairs) for links in batch.links],
                strict=True,
            )
        ]
        self.lines = [row[0] for row in rows]
        self.entries = [row[1:] for row in rows]
        self.findings: list[Finding] = findings.sorted()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(str(vars(self)))


def _chunks(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def read_with_shortcut(data: bytes, size: int) -> Reading:
    """Read XML in chunks, by whatever way is quickest."""
    findings = Findings()
    batches = read_xml(XmlReader(findings.for_file(HERE)), _chunks(data, size), lambda: True)
    return Reading(batches, findings)


def read_with_expat(data: bytes, size: int) -> Reading:
    """Read XML in chunks, with expat alone."""
    findings = Findings()
    reader = XmlReader(findings.for_file(HERE))

    def batches() -> Iterator[Batch]:
        for chunk in _chunks(data, size):
            reader.feed(chunk)
            if batch := reader.take():
                yield batch
        reader.feed(b"", final=True)
        if batch := reader.take():
            yield batch

    return Reading(batches(), findings)


SPACE = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", "\r"])
URL = st.text("abz09-._~/?&'=%2\xe9 ", max_size=8).map(lambda text: BASE + text)
CODE = st.sampled_from(["de", "en-GB", "x-default", "zh_CN"])
DATE = st.sampled_from(["2024-05-01", "2024-05-01T10:00:00+02:00", "soon & late"])
ODDITIES = st.sampled_from(
    ["<!-- <url> </url> -->", "<?php ?>", "<![CDATA[</url>]]>", "<x:y xmlns:x='z'>text</x:y>",
     "<b/>", "text", "<xhtml:link/>", "<lastmod/>"]
)  # fmt: skip


@st.composite
def links_of_a_shape(draw: st.DrawFn) -> st.SearchStrategy[str]:
    """Draw a way to write links, as one program writes all of its own."""
    names = draw(st.permutations(["rel", "hreflang", "href"]))
    quote, space = draw(st.sampled_from("\"'")), draw(st.sampled_from([" ", "\n "]))
    end = draw(st.sampled_from(["/>", " />", "></xhtml:link>", "> </xhtml:link>"]))

    def render(code: str, url: str) -> str:
        values = {"rel": "alternate", "hreflang": code, "href": url}
        escaped = {
            name: escape(value, {'"': "&quot;"} if quote == '"' else {"'": "&apos;"})
            for name, value in values.items()
        }
        attributes = "".join(f"{space}{name}={quote}{escaped[name]}{quote}" for name in names)
        return f"<xhtml:link{attributes}{end}"

    return st.builds(render, CODE, URL)


@st.composite
def sitemaps(draw: st.DrawFn) -> str:
    """Draw sitemaps that are all nearly usual, each in a way of its own."""
    one_link = draw(links_of_a_shape())
    odd = draw(st.booleans())

    def maybe(name: str, values: st.SearchStrategy[str]) -> str:
        value = draw(st.none() | values)
        return "" if value is None else f"<{name}>{escape(value)}</{name}>"

    def one_entry() -> str:
        parts = [
            f"<loc>{escape(draw(URL))}</loc>",
            maybe("lastmod", DATE),
            maybe("changefreq", st.sampled_from(["daily", "Never!"])),
            maybe("priority", st.sampled_from(["0.5", "1e0"])),
            *draw(st.lists(one_link, max_size=3)),
        ]
        if odd and draw(st.booleans()):
            parts.insert(draw(st.integers(0, len(parts))), draw(ODDITIES))
        return "<url>" + draw(SPACE).join(["", *parts, ""]) + "</url>"

    body = draw(SPACE).join(["", *(one_entry() for _ in range(draw(st.integers(0, 6)))), ""])
    declaration = draw(st.sampled_from(["", '<?xml version="1.0" encoding="UTF-8"?>\n']))
    comment = draw(st.sampled_from(["", "<!-- made by hand -->\r\n"]))
    prefix = draw(st.sampled_from(["xhtml", "xhtml", "html"]))
    root = f'<urlset xmlns="{NAMESPACE}"\n xmlns:{prefix}="http://www.w3.org/1999/xhtml">'
    return f"{declaration}{comment}{root}{body}</urlset>{draw(SPACE)}"


@settings(max_examples=300, deadline=None)
@given(sitemaps(), st.integers(1, 400))
def test_the_shortcut_reads_what_expat_reads(text: str, size: int) -> None:
    data = text.encode()

    assert read_with_shortcut(data, size) == read_with_expat(data, len(data))


@settings(max_examples=150, deadline=None)
@given(sitemaps(), st.data())
def test_the_shortcut_reads_damaged_files_as_expat_does(text: str, data: st.DataObject) -> None:
    damaged = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from([b"", b"<", b">", b"&", b'"', b"</url>", b"<!--", b"]]>", b"\0", b"x"])
        )
    valid = damaged.decode("utf-8", "replace").encode()
    size = data.draw(st.integers(1, 400))

    assert read_with_shortcut(valid, size) == read_with_expat(valid, size)


@settings(max_examples=150, deadline=None)
@given(sitemaps(), st.integers(1, 400))
def test_entries_are_those_that_lxml_reads(text: str, size: int) -> None:
    reading = read_with_shortcut(text.encode(), size)
    try:
        root = etree.fromstring(text.encode())
    except etree.XMLSyntaxError:
        assert "xml-broken" in {finding.code for finding in reading.findings}
        return
    expected = []
    for url in root.findall(f"{{{NAMESPACE}}}url"):
        values = [url.find(f"{{{NAMESPACE}}}{name}") for name in FIELDS]
        texts = [None if value is None else _text_of(value) for value in values]
        pairs = [
            (link.get("hreflang", ""), link.get("href", ""))
            for link in url.findall(f"{XHTML}link")
            if link.get("href") is not None
        ]
        expected.append((*texts, tuple((code, href.strip()) for code, href in pairs)))

    assert reading.entries == expected
    assert all(finding.code != "xml-broken" for finding in reading.findings)


def _text_of(element: etree._Element) -> str:
    return "".join(map(str, element.itertext())).strip(" \t\r\n")


def test_lines_are_those_of_the_entries() -> None:
    pages = [entry(str(number), links(en=str(number))) for number in range(1000)]
    text = urlset(*pages[:500], "\n<!-- half -->\n" + pages[500], *pages[501:])
    lines = text.splitlines()
    reading = read_with_shortcut(text.encode(), 1000)

    assert len(reading.lines) == 1000
    assert all("<url>" in lines[line - 1] for line in reading.lines)
    assert len(set(reading.lines)) == 1000


def test_another_reader_finds_as_many_pages() -> None:
    text = urlset(*(entry(str(number), links(en=str(number))) for number in range(700)))
    pages = [page.url for page in sitemap_from_str(text).all_pages()]

    assert [row[0] for row in read_with_shortcut(text.encode(), 5000).entries] == pages


TEXT_LINES = st.lists(st.text("ab:/ \t\xe9\u2028", max_size=8), max_size=8)


@given(TEXT_LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 9))
def test_text_sitemaps_are_read_line_by_line(lines: list[str], newline: str, size: int) -> None:
    data = newline.join(lines).encode()
    chunks = to_utf8(_chunks(data, size), HERE, Findings().for_file(HERE))
    reading = Reading(read_text(chunks), Findings())
    numbered = [(number, line.strip(" \t")) for number, line in enumerate(lines, start=1)]

    assert reading.lines == [number for number, line in numbered if line]
    assert [row[0] for row in reading.entries] == [line for _, line in numbered if line]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_a_file_in_another_encoding_is_read_all_the_same(encoding: str, tmp_path: Path) -> None:
    text = urlset(entry("caf\xe9"), entry("b")).replace("UTF-8", encoding)
    write(tmp_path, {"sitemap.xml": text.encode(encoding)})
    findings = Findings()
    batches = Document(tmp_path / "sitemap.xml", findings.for_file(HERE)).batches()

    assert [loc for batch in batches for loc in batch.locs] == [f"{BASE}caf\xe9", f"{BASE}b"]
    assert set(findings.counts) == {"not-utf-8"}


def test_an_invalid_byte_is_reported_with_its_line(tmp_path: Path) -> None:
    good = [entry(str(number)) for number in range(20_000)]
    text = urlset(*good, entry("caf\xe9"), *good)
    write(tmp_path, {"sitemap.xml": text.encode("latin-1")})
    findings = Findings()
    document = Document(tmp_path / "sitemap.xml", findings.for_file(HERE))

    assert sum(len(batch.locs) for batch in document.batches()) == 40_001
    [finding] = findings.sorted()
    assert finding.line == text[: text.index("\xe9")].count("\n") + 1
    assert "0xE9" in finding.message


@pytest.mark.parametrize("quote", ['"', "'"])
def test_values_with_quotes_are_read(quote: str) -> None:
    href = quoteattr(f"{BASE}l'a&b")
    text = urlset(
        entry("a", f"<xhtml:link rel='alternate' hreflang={quote}fr{quote} href={href}/>")
    )

    assert read_with_shortcut(text.encode(), 99).entries[0][4] == (("fr", f"{BASE}l'a&b"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\x01b", "The character U+0001 is not allowed"),
        ("\x1f", "The character U+001F is not allowed"),
        ("a&b c\x08", "An '&' is not escaped"),
        ("&#xD800;", "A reference such as &#1; stands for"),
        ("a&#0;", "A reference such as &#1; stands for"),
        ("a&b", "An '&' is not escaped"),
    ],
)
def test_the_reason_why_xml_breaks_is_told_in_words(text: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": urlset(entry(f"{BASE}{text}"), entry())})

    (finding,) = findings(tmp_path / "sitemap.xml")
    assert (finding.code, finding.line) == ("xml-broken", 3)
    assert finding.message.startswith(said)
