"""A sitemap is read into the entries that other parsers see in it, whatever its form."""

from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from check.example import BASE, NAMESPACE, entry, image, links, urlset
from files import read_table
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.commands.reading.sitemap_document import Document

CASES = read_table(__file__, "reading.yaml")

XHTML = "{http://www.w3.org/1999/xhtml}"
FIELDS = ("loc", "lastmod", "changefreq", "priority")
URL = st.text("ab/?=&'\"<>\xe9 ", max_size=8).map(lambda text: BASE + text)
SPACE = st.sampled_from(["", "\n", "\r\n", "  ", "\t"])
ODDITIES = st.sampled_from(
    ["<!-- x -->", "<?x y?>", "<other xmlns='o'><loc>a</loc></other>", "<![CDATA[ ]]>", image(BASE)]
)


def codes(document: Document) -> set[str]:
    """Return the codes of what is noted."""
    return {note.fault.code for note in document.notes}


def rooted(body: str) -> str:
    """Return a sitemap with something below its root."""
    return urlset().replace("</urlset>", f"{body}</urlset>")


@st.composite
def sitemaps(draw: st.DrawFn) -> str:
    """Draw sitemaps that are all nearly usual, each in a way of its own."""
    quote = draw(st.sampled_from("\"'"))
    names = draw(st.permutations(["rel", "hreflang", "href"]))
    end = draw(st.sampled_from(["/>", " />", "></xhtml:link>"]))

    def one_link() -> str:
        code = draw(st.sampled_from(["en", "de-AT", " fr "]))
        values = {"rel": "alternate", "hreflang": code, "href": draw(URL)}
        escaped = {
            name: escape(value, {'"': "&quot;", "'": "&apos;"}) for name, value in values.items()
        }
        attributes = "".join(f" {name}={quote}{escaped[name]}{quote}" for name in names)
        return f"<xhtml:link{attributes}{end}"

    def one_entry() -> str:
        parts = [f"<loc>{escape(draw(URL))}</loc>"]
        if draw(st.booleans()):
            parts.append("<lastmod> 2024-05-01 </lastmod>")
        parts += [one_link() for _ in range(draw(st.integers(0, 3)))]
        if draw(st.booleans()):
            parts.insert(draw(st.integers(0, len(parts))), draw(ODDITIES))
        return "<url>" + draw(SPACE).join(["", *parts, ""]) + "</url>"

    return rooted(
        draw(SPACE).join(["", *(one_entry() for _ in range(draw(st.integers(0, 5)))), ""])
    )


@given(sitemaps())
def test_entries_are_those_that_lxml_reads(text: str) -> None:
    root = etree.fromstring(text.encode())
    expected = []
    for url in root.findall(f"{{{NAMESPACE}}}url"):
        values = [url.find(f"{{{NAMESPACE}}}{name}") for name in FIELDS]
        texts = [None if value is None else _text_of(value) for value in values]
        found = url.findall(f"{XHTML}link")
        pairs = [(each.get("hreflang", "").strip(), each.get("href", "").strip()) for each in found]
        expected.append((*texts, tuple(pairs)))

    document = read_sitemap(text.encode())
    read = [(*item[1:5], item.links.pairs) for item in document.entries]
    assert read == expected
    assert document.kind == "urlset"
    assert document.complete
    assert codes(document) <= {"element-order"}


def _text_of(element: etree._Element) -> str:
    return "".join(map(str, element.itertext())).strip(" \t\r\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_entries(newline: str) -> None:
    pages = [entry(str(number), links(en=str(number))) for number in range(1000)]
    text = urlset(*pages[:500], "\n<!-- half -->\n" + pages[500], *pages[501:])
    lines = text.splitlines()
    found = [item.line for item in read_sitemap(text.replace("\n", newline).encode()).entries]

    assert len(set(found)) == 1000
    assert all("<url>" in lines[line - 1] for line in found)


@given(
    st.lists(st.text("ab:/ \t\xe9\u2028\x0c", max_size=8), max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_text_sitemaps_are_read_line_by_line(lines: list[str], newline: str) -> None:
    lines = [BASE, *lines]
    document = read_sitemap(newline.join(lines).encode(), "sitemap.txt")
    numbered = [(number, line.strip(" \t")) for number, line in enumerate(lines, start=1)]

    assert document.kind == "text"
    assert [item[:2] for item in document.entries] == [item for item in numbered if item[1]]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_another_encoding_is_not_read(encoding: str) -> None:
    document = read_sitemap(urlset(entry()).encode(encoding))

    assert (document.complete, codes(document)) == (False, {"not-utf-8"})


def test_an_invalid_byte_is_reported_with_its_line() -> None:
    good = [entry(str(number)) for number in range(20_000)]
    text = urlset(*good, entry("caf\xe9"), *good)
    document = read_sitemap(text.encode("latin-1"))

    assert len(document.entries) == 40_001
    [note] = document.notes
    assert note.line == text[: text.index("\xe9")].count("\n") + 1
    assert "0xE9" in note.fault.message


@pytest.mark.parametrize(("text", "said"), CASES["the reason why xml breaks is told in words"])
def test_the_reason_why_xml_breaks_is_told_in_words(text: str, said: str) -> None:
    document = read_sitemap(urlset(entry(text), entry()).encode())

    [note] = document.notes
    assert (note.fault.code, note.line) == ("xml-broken", 3)
    assert note.fault.message.startswith(said)


@pytest.mark.parametrize(
    ("text", "message", "cure"),
    [
        (rooted(image(BASE)), "in <urlset>", "into <url>"),
        (urlset(f"<image:loc>{BASE}</image:loc>"), "'image:loc' stands in <url>", "<image:image>"),
        (urlset("<news:title>T</news:title>"), "'news:title' stands in <url>", "<news:news>"),
        (urlset("<image:image><image:foo/></image:image>"), "'image:foo' has no place", "Remove"),
        (rooted("<loc>x</loc>"), "'loc' has no place", "into <url>"),
        (rooted("<url xmlns=''/>"), "in no namespace", 'xmlns=""'),
    ],
)
def test_the_right_place_of_an_element_is_named(text: str, message: str, cure: str) -> None:
    [note] = read_sitemap(text.encode()).notes

    assert message in note.fault.message
    assert cure in note.fault.cure
