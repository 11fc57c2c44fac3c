from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import read_table
from sitemap_plugin.html.head import LIMIT, Head, parse_head, read_head

NOINDEX = "<meta name=robots content=noindex>"
CANONICAL = "<link rel=canonical href=/c>"
LONG = [f'<link rel="canonical" href="/&#{"1" * 9999};">', "/\ufffd"]
OVERFLOW = [f"<title>&#{'0' * 9999}65;&#{'1' * 9999};</title>", "A\ufffd"]
DEEP = ["[" * 100_000, '{"a":' * 100_000, "9" * 10_000]
TABLE = read_table(__file__, "head.yaml")


def head(markup: str) -> Head:
    """Read markup that stands in the head of an otherwise ordinary page."""
    page = f'<!doctype html>\n<html lang="en">\n<head>\n{markup}\n</head>\n<body>\n<p>x</p>\n'
    return parse_head(page.encode())


class TestRobots:
    @pytest.mark.parametrize("content", TABLE["noindex"])
    @pytest.mark.parametrize("name", ["robots", "Robots", "GoogleBot"])
    def test_noindex_or_none_keeps_a_page_out(self, name: str, content: str) -> None:
        assert head(f'<meta name="{name}" content="{content}">').noindex
        assert head(f"<meta content='{content}' name='{name}' />").noindex

    @pytest.mark.parametrize("markup", TABLE["indexed"])
    def test_other_rules_and_what_is_addressed_to_others_do_not(self, markup: str) -> None:
        assert not head(markup).noindex

    def test_rules_of_several_elements_add_up(self) -> None:
        markup = (
            '<meta name="robots" content="index, Max-Snippet: 5">'
            '<meta name="googlebot" content="nofollow"><meta name="robots" content="noindex">'
        )

        assert head(markup).robots == {"index", "max-snippet:5", "nofollow", "noindex"}


class TestCanonical:
    @pytest.mark.parametrize(("markup", "expected"), [*TABLE["canonicals"], LONG])
    def test_it_is_read_as_written(self, markup: str, expected: str | None) -> None:
        assert head(markup).canonical == expected

    @pytest.mark.parametrize("attribute", ["hreflang=en", "lang=en", "media=print", "type=a/b"])
    def test_a_link_for_some_readers_only_is_none(self, attribute: str) -> None:
        assert head(f"<link rel=canonical href=/a/ {attribute}>").canonical is None

    def test_links_that_agree_are_one(self) -> None:
        assert head(CANONICAL + CANONICAL).canonical == "/c"

    def test_links_that_contradict_each_other_are_none(self) -> None:
        found = head(CANONICAL + "<link rel=canonical href=/d><link rel=canonical href=''>")
        assert found.canonical is None
        assert found.canonicals == ("/c", "/d")


class TestRefresh:
    @pytest.mark.parametrize(("content", "expected"), TABLE["refreshes"])
    def test_the_target_is_found_as_browsers_find_it(
        self, content: str, expected: str | None
    ) -> None:
        assert head(f'<meta http-equiv="refresh" content="{content}">').refresh == expected
        assert head(f'<meta content="{content}" http-equiv="REFRESH">').refresh == expected

    def test_the_first_one_that_browsers_obey_counts(self) -> None:
        refresh = '<meta http-equiv="refresh" content="{}">'.format
        markup = "".join(map(refresh, ("x", "0;/a", "0;/b")))

        assert head(markup).refresh == "/a"
        assert head('<meta http-equiv=refresh content="60">' + markup).refresh is None

    def test_one_without_script_is_no_redirect(self) -> None:
        markup = '<noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript>'
        markup += "<title>A page</title>"

        assert head(markup).refresh is None
        assert head(f"<script>location.search</script>{markup}").refresh is None
        assert head(f'<script>track("/plain")</script>{markup}').refresh is None

    @pytest.mark.parametrize("last", [True, False])
    def test_a_stub_that_goes_there_with_and_without_script_is_a_redirect(self, last: bool) -> None:
        """As mike writes them for its aliases."""
        script = '<script>\nwindow.location.replace("../2.0/" + window.location.hash);\n</script>'
        noscript = '<noscript><meta http-equiv="refresh" content="1; url=../2.0/" /></noscript>'
        assert head(noscript + script if last else script + noscript).refresh == "../2.0/"

    def test_a_stub_without_a_title_is_a_redirect(self) -> None:
        """As sphinxext-rediraffe writes them, with the script in the body."""
        markup = '<noscript><meta http-equiv="refresh" content="0; url=a/index.html"/></noscript>'
        assert head(markup).refresh == "a/index.html"


class TestOtherFields:
    def test_language_is_the_documents(self) -> None:
        assert parse_head(b'<html lang=" de-CH "><head></head><body lang=fr>').language == "de-CH"
        assert parse_head(b"<html xml:lang=de><head></head><body>").language is None
        assert parse_head(b"<html lang=''><head></head><body>").language is None
        assert parse_head(b"<html><head><html lang=de></head><body>").language == "de"

    @pytest.mark.parametrize(("markup", "expected"), [*TABLE["titles"], OVERFLOW])
    def test_title_is_text(self, markup: str, expected: str | None) -> None:
        assert head(markup).title == expected

    def test_first_base_with_an_href_counts(self) -> None:
        assert head("<base target=x><base href=' /a/ '><base href=/b/>").base == "/a/"
        assert head("<base href><base href=/b/>").base is None

    def test_alternates_are_pairs_in_order(self) -> None:
        markup = (
            '<link rel="alternate" hreflang="de" href="/de/"><link rel=ALTERNATE hreflang=x-default'
            ' href=/><link rel="alternate" type="text/html" hreflang="fr" href="/fr/">'
            '<link rel="alternate" type="application/rss+xml" hreflang="en" href="/feed.xml">'
            '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
            '<link rel="alternate" hreflang="" href="/x/"><link rel="alternate" hreflang="it">'
            '<link hreflang="en" href="/y/">'
        )

        assert head(markup).alternates == (("de", "/de/"), ("x-default", "/"), ("fr", "/fr/"))

    @pytest.mark.parametrize("markup", TABLE["dates"])
    def test_dates_are_found_in_meta_and_in_json_ld(self, markup: str) -> None:
        found = head(markup)
        assert (found.modified, found.published) == ("2024-05-01", "2023-01-02T03:04:05Z")

    @pytest.mark.parametrize("json", [*TABLE["dateless"], *DEEP])
    def test_json_ld_about_something_else_or_broken_gives_no_date(self, json: str) -> None:
        assert head(f'<script type="application/ld+json">{json}</script>').modified is None
        assert head('<script type="text/javascript">{"dateModified": "2024"}</script>') == head("")

    @pytest.mark.parametrize(("base", "href", "expected"), TABLE["resolved"])
    def test_urls_are_resolved_against_the_base(
        self, base: str | None, href: str, expected: str | None
    ) -> None:
        assert Head(base=base).resolve("https://e.org/a/", href) == expected


class TestExtent:
    """What a browser puts into the head, by the HTML standard's tree builder."""

    @pytest.mark.parametrize("around", TABLE["elsewhere"])
    def test_tags_elsewhere_do_not_count(self, around: str) -> None:
        found = head(around.replace("{}", NOINDEX + CANONICAL))
        assert found._replace(title=None) == head("")

    @pytest.mark.parametrize("around", TABLE["odd"])
    def test_odd_markup_before_them_does_not_hide_tags(self, around: str) -> None:
        found = head(around.replace("{}", NOINDEX + CANONICAL))
        assert found._replace(title=None) == head(NOINDEX + CANONICAL)

    @pytest.mark.parametrize("page", TABLE["bare"])
    def test_tags_may_be_missing_or_shouted(self, page: str) -> None:
        found = parse_head(page.replace("{}", NOINDEX + CANONICAL).encode())
        assert (found.noindex, found.canonical) == (True, "/c")


class TestDocument:
    @pytest.mark.parametrize("page", TABLE["documents"])
    def test_a_page_has_a_doctype_or_a_tag_that_parts_lack(self, page: str) -> None:
        assert parse_head(page.encode()).is_document

    @pytest.mark.parametrize("page", TABLE["parts"])
    def test_a_part_of_a_page_has_none(self, page: str) -> None:
        assert not parse_head(page.encode()).is_document


class TestEncoding:
    @pytest.mark.parametrize(
        ("before", "title", "expected"),
        [
            (b"", b"\xc3\xa9", "é"), (b"", b"\xe9", "\ufffd"), (b"\xef\xbb\xbf", b"\xc3\xa9", "é"),
            (b"<meta charset=windows-1252>", b"\xe9\x80", "é€"),
            (b"<meta charset=iso-8859-1>", b"\xe9\x80", "é€"),
            (b"<META CHARSET=' Latin1 '>", b"\xe9\x80", "é€"),
            (b"<meta charset='utf-8'>", b"\xc3\xa9", "é"),
            (b"<meta charset='utf-16'>", b"\xc3\xa9", "é"),
            (b"<meta charset=koi8-r>", b"\xc1", "а"), (b"<meta charset=shift_jis>", b"\x83A", "ア"),
            (b"<meta charset=gb2312>", b"\xd6\xd0", "中"),
            (b"<meta http-equiv=x content='text/html; charset=iso-8859-15'>", b"\xa4", "€"),
            (b"<meta content='charset=iso-8859-15'>", b"\xc3\xa9", "é"),
            (b"<!-- <meta charset=koi8-r> --><meta charset=utf-8>", b"\xc3\xa9", "é"),
            (b"<meta charset=nonsense>", b"\xc3\xa9", "é"),
            (b"<meta charset=nonsense><meta charset=latin1>", b"\xe9", "é"),
            (b"<meta charset=rot13>", b"\xc3\xa9", "é"),
            (b"<meta charset=unicode_escape>", b"\xc3\xa9", "é"),
            (b"<meta charset=utf-7>", b"+AOk-", "+AOk-"),
            (b"<meta charset=\xe9\0>", b"\xc3\xa9", "é"),
            (b" " * 1024 + b"<meta charset=latin1>", b"\xc3\xa9", "é"),
        ],
    )  # fmt: skip
    def test_the_declared_encoding_is_used_and_utf_8_without_one(
        self, before: bytes, title: bytes, expected: str
    ) -> None:
        assert parse_head(before + b"<title>" + title + b"</title>").title == expected

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    def test_a_byte_order_mark_declares_utf_16(self, encoding: str) -> None:
        assert parse_head("\ufeff<title>é</title>".encode(encoding)).title == "é"

    @settings(max_examples=30)
    @given(st.binary(max_size=60))
    def test_any_label_is_a_label(self, label: bytes) -> None:
        assert parse_head(b"<title>x</title><meta charset='" + label + b"'>").title is not None


class TestReading:
    def test_a_file_is_read_as_its_bytes_are(self, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        path.write_bytes(b"<title>x</title><p>")
        assert read_head(path) == parse_head(b"<title>x</title><p>") == Head(title="x")

    @pytest.mark.parametrize("end", ["<body>", "<p>", "text", ""])
    def test_no_place_to_cut_a_file_changes_what_is_read(self, tmp_path: Path, end: str) -> None:
        page = f"<title>x</title><!-- c --></p>{CANONICAL}</head><base href=b>{end}"
        path = tmp_path / "page.html"
        for offset in range(0, len(page), 4):
            path.write_text("<style>" + " " * ((1 << 16) - offset - 15) + "</style>" + page)

            assert read_head(path) == Head(title="x", canonical="/c", canonicals=("/c",), base="b")

    def test_a_head_without_end_is_read_up_to_a_limit(self, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        path.write_bytes(b"<title>x</title>" + b" " * LIMIT + CANONICAL.encode())
        assert read_head(path) == parse_head(path.read_bytes()) == Head(title="x")

    @pytest.mark.parametrize("name", ["missing.html", "."])
    def test_what_cannot_be_read_is_an_os_error(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(OSError, match=r"No such file|not a regular file"):
            read_head(tmp_path / name)

    @settings(max_examples=30)
    @given(st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode)))
    def test_any_bytes_are_a_page(self, data: bytes) -> None:
        assert parse_head(data)
        assert parse_head(b"<html><head><title>" + data)
