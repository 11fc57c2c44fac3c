"""URLs are made safe, joined and compared; base URLs are judged."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.common.urls import (
    check_base_url,
    encode_path,
    encode_url,
    host_root,
    is_below,
    is_host_root,
    is_local_host,
    join_url,
    origin,
    path_below,
    same_page,
)

LEGAL = re.compile(
    r"https?://[A-Za-z0-9._~!$&'()*+,;=:@%\[\]-]+/"
    r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*"
    r"(?:\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?"
)
BASE = "https://example.org/docs/"


def full(url: str, base: str = "https://example.org/") -> str:
    """Return a URL whose beginning a table writes as ``~``."""
    return url.replace("~", base, 1) if url.startswith("~") else url


slow = settings(deadline=None)
any_text = st.text(st.characters(exclude_categories=["Cs"]))
url_like_text = st.text(st.sampled_from("abZ09%25/2Fé日 .?&=#;@:~'()<>\"\\[]|^`{}+\t"))
file_names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1
).filter(lambda name: name.strip(".") != "")


@pytest.mark.parametrize(
    "url",
    [
        "~", "http://example.org/a/b.html", "https://example.org:8443/a",
        "https://example.org:443/a", "~it's(a)!~;@&=+,$*:/x", "~terms%26policies/", "~C%23/",
        "~50%25/", "~%e4%BD%a0/", "~a//b/../c/.",
        "https://example.org/?a=1&b[c]".replace("[c]", "%5Bc%5D"), "~a?x=/?&y=%20+",
        "https://xn--strae-oqa.de/", "https://exa_mple.org/", "https://r3---sn.example.org/",
        "https://127.0.0.1:8000/", "https://[2001:db8::1]/", "https://user:p%40ss@example.org/",
        "https://1and1.example/", "https://example.org./", "/docs/a.html", "a.html",
    ],
)  # fmt: skip
def test_a_url_that_is_right_already_stays_byte_equal(url: str) -> None:
    assert encode_url(full(url)) == full(url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org?a", "https://example.org/?a"), ("~a b", "~a%20b"),
        ("~a?b c+d", "~a?b%20c+d"), ("~50%", "~50%25"), ("~%zz%4", "~%25zz%254"),
        ("~%%41", "~%25%41"), ("~a#b", "~a"), ("~a#b?c", "~a"), ("~a?#", "~a?"), ("~ü", "~%C3%BC"),
        ("~u\N{COMBINING DIAERESIS}", "~u%CC%88"),
        ("~日本?語=本", "~%E6%97%A5%E6%9C%AC?%E8%AA%9E=%E6%9C%AC"),
        ("~\N{PILE OF POO}", "~%F0%9F%92%A9"), ("~\udce9t\udce9", "~%E9t%E9"),
        ('~"<>\\^`{|}[]', "~%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D"), ("~a\nb\0", "~a%0Ab%00"),
        (" https://example.org/a\n", "https://example.org/a"),
        ("HTTPS://Example.ORG/Path", "https://Example.ORG/Path"),
        ("https://Straße.de/", "https://xn--strae-oqa.de/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://MÜNCHEN.de:8080/", "https://xn--mnchen-3ya.de:8080/"),
        ("https://mu\N{COMBINING DIAERESIS}nchen.de/", "https://xn--mnchen-3ya.de/"),
        ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("https://stra%C3%9Fe.de/", "https://xn--strae-oqa.de/"),
        ("https://ex%61mple.org/", "https://example.org/"),
        ("https://example.org:/a", "https://example.org/a"),
        ("https://example.org:0443/a", "https://example.org:443/a"),
        ("https://[2001:DB8:0:0::1]:80/", "https://[2001:db8::1]:80/"),
        ("https://１２７.0.0.1/", "https://127.0.0.1/"),
        ("https://us er:p%@ss@example.org/", "https://us%20er:p%25%40ss@example.org/"),
        ("/a b/ü", "/a%20b/%C3%BC"),
    ],
)  # fmt: skip
def test_a_url_is_made_safe(url: str, expected: str) -> None:
    assert encode_url(full(url)) == full(expected)


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://exa mple.org/", "exa mple.org"), ("https://a..b/", "a..b"),
        ("https://.example.org/", ".example.org"), (f"https://{'a' * 64}.org/", "a" * 64),
        (f"https://{'a.' * 130}org/", "a.a.a."), ("https://exa<mple.org/", "exa<mple.org"),
        ("https://ex%2Fample.org/", "ex%2Fample.org"),
        ("https://ex%FFample.org/", "ex%FFample.org"), ("https://256.1.1.1/", "256.1.1.1"),
        ("https://1.2.3/", "1.2.3"), ("https://[::1/", "[::1"), ("https://[::g]/", "[::g]"),
        ("https://[127.0.0.1]/", "[127.0.0.1]"), ("https://[fe80::1%25eth0]/", "[fe80::1%25eth0]"),
        ("https://2001:db8::1/", "2001:db8::1"), ("https://example.org:80a/", "example.org:80a"),
        ("https://example.org:65536/", "65536"), ("https://example.org:٨٠/", "example.org"),
        ("https://\N{HEAVY BLACK HEART}.example/", "\N{HEAVY BLACK HEART}.example"),
        ("https://a\u200db.example/", "a\\u200db.example"),
        ("https://ex\udce9mple.org/", "mple.org"), ("https:///path", "https:///path"),
        ("https:path", "https:path"), ("http://", "http://"),
        ("https://example.org/\ud800", "\\ud800"),
    ],
)  # fmt: skip
def test_a_url_that_cannot_be_one_is_refused_by_name(url: str, named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        encode_url(url)


def test_a_refused_url_does_not_show_its_password() -> None:
    for url in ("https://me:secret@exa mple.org/", "https://me:secret@a:b:c/"):
        with pytest.raises(ValueError, match=r"mple|a:b:c") as caught:
            encode_url(url)

        assert "secret" not in str(caught.value)


@slow
@given(url_like_text | any_text)
def test_an_encoded_url_is_legal_and_needs_no_more_encoding(text: str) -> None:
    encoded = encode_url("https://example.org/" + text)

    assert LEGAL.fullmatch(encoded)
    assert encode_url(encoded) == encoded


@slow
@given(st.text(st.sampled_from("abZ09%25/2Fé日 .?&=#;@:~'()<>\"\\[]|^`{}+")))
def test_the_standard_library_reads_the_same_path_and_query(text: str) -> None:
    url = f"http://h/{text}#x"
    before = urlsplit(re.sub("%(?![0-9A-Fa-f]{2})", "%25", url))
    after = urlsplit(encode_url(url))

    assert unquote(after.path) == unquote(before.path)
    assert unquote(after.query) == unquote(before.query)


def test_only_illegal_characters_change() -> None:
    for character in map(chr, range(0x21, 0x7F)):
        if character in "%#?":
            continue
        encoded = encode_url(f"https://example.org/a{character}b")

        legal = character in string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@/"
        assert (encoded == f"https://example.org/a{character}b") == legal
        assert unquote(encoded) == f"https://example.org/a{character}b"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("terms&policies/", "terms%26policies/"), ("C#/index.html", "C%23/index.html"),
        ("50%/", "50%25/"), ("100%25/", "100%2525/"), ("what?.html", "what%3F.html"),
        ("a b+c/", "a%20b%2Bc/"), ("it's (me)!/", "it%27s%20%28me%29%21/"),
        ("~user/a-b_c.html", "~user/a-b_c.html"), ("guide\\start.html", "guide/start.html"),
        ("../a/./b", "../a/./b"), ("/ü/日本", "/%C3%BC/%E6%97%A5%E6%9C%AC"), ("a:b", "a%3Ab"),
        ("caf\udce9.html", "caf%E9.html"), ("", ""),
    ],
)  # fmt: skip
def test_a_file_name_is_encoded(path: str, expected: str) -> None:
    assert encode_path(path) == expected


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\\ud800"):
        encode_path("\ud800")


@slow
@given(file_names)
def test_a_file_name_below_a_base_is_what_mkdocs_links(name: str) -> None:
    """MkDocs quotes the file's URL and joins it to site_url."""
    canonical = urljoin(BASE, quote(name) + "/")

    assert join_url(BASE, encode_path(name) + "/") == canonical
    assert encode_url(canonical) == canonical
    assert path_below(canonical, BASE) == name + "/"


@pytest.mark.parametrize(
    ("relative", "expected"),
    [
        ("feed.xml", "~docs/feed.xml"), ("a/b/", "~docs/a/b/"), ("a b/ü", "~docs/a%20b/%C3%BC"),
        (" feed.xml\n", "~docs/feed.xml"), ("/feed.xml", "~feed.xml"),
        ("//cdn.example.org/x", "https://cdn.example.org/x"),
        ("http://Other.example/x y", "http://Other.example/x%20y"),
        ("http://other.example", "http://other.example/"),
        ("http://other.example/a/../b", "http://other.example/b"), ("?page=2", "~docs/?page=2"),
        ("", "~docs/"), ("#top", "~docs/"), ("./", "~docs/"), ("../", "~"), ("../../../x", "~x"),
        ("a/../b", "~docs/b"), ("a/%2e%2E/b", "~docs/b"), ("a//b", "~docs/a//b"),
        ("a/..", "~docs/"), ("...", "~docs/..."), ("50%/", "~docs/50%25/"),
    ],
)  # fmt: skip
def test_a_reference_is_resolved(relative: str, expected: str) -> None:
    assert join_url(BASE, relative) == full(expected)


@pytest.mark.parametrize(
    ("relative", "expected"),
    [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g/"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/../x", "http://a/b/c/g?y/../x"),
    ],
)  # fmt: skip
def test_references_resolve_as_in_the_rfc(relative: str, expected: str) -> None:
    """RFC 3986, sections 5.4.1 and 5.4.2, without the fragments."""
    assert join_url("http://a/b/c/d;p?q", relative) == expected


@pytest.mark.parametrize("base", ["https://example.org?x=/", "https://example.org/d/#/"])
def test_a_slash_in_the_query_of_a_base_is_no_folder(base: str) -> None:
    assert join_url(base, "a") == urljoin(base.partition("#")[0].replace("?", "/?"), "a")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.org/", "https://example.org/"),
        ("https://example.org", "https://example.org/"),
        ("https://example.org/docs", "https://example.org/docs/"),
        ("https://example.org/docs/", "https://example.org/docs/"),
        ("  http://Example.ORG:8080/Docs \n", "http://Example.ORG:8080/Docs/"),
        ("https://straße.de/ü b", "https://xn--strae-oqa.de/%C3%BC%20b/"),
        ("HTTP://localhost:8000", "http://localhost:8000/"),
        ("https://[::1]:8000", "https://[::1]:8000/"),
        ("https://example.org/a@b", "https://example.org/a@b/"),
    ],
)
def test_a_base_url_is_normalised(text: str, expected: str) -> None:
    assert check_base_url(text) == expected
    assert check_base_url(expected) == expected


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("www.example.org", "https://www.example.org/"),
        ("example.org/docs", "https://example.org/docs/"),
        ("//example.org/docs", "https://example.org/docs/"),
        ("://example.org", "https://example.org/"), ("https:/example.org", "https://example.org/"),
        ("https:example.org", "https://example.org/"),
        ("http//example.org", "https://example.org/"),
        ("https//:example.org", "https://example.org/"),
        ("https:\\\\example.org\\docs", "https://example.org/docs/"),
        ("htps://example.org", "https://example.org/"),
        ("ftp://example.org/a", "https://example.org/a/"),
        ("httpbin.example.org", "https://httpbin.example.org/"),
        ("localhost:8000", "http://localhost:8000/"),
        ("127.0.0.1:8000/docs", "http://127.0.0.1:8000/docs/"),
        ("Straße.de", "https://xn--strae-oqa.de/"),
        ("https://example.org/?a=1", "https://example.org/"),
        ("https://example.org/docs?", "https://example.org/docs/"),
        ("https://example.org/docs#top", "https://example.org/docs/"),
        ("http://me:secret@example.org/docs", "http://example.org/docs/"),
        ("me:secret@example.org", "https://example.org/"),
        ("ftp://me:secret@example.org", "https://example.org/"),
        ("/docs/", "https://www.example.org/"), ("https:///docs/", "https://www.example.org/"),
        ("https://", "https://www.example.org/"),
        ("https://exa mple.org", "https://www.example.org/"),
        ("https://me:secret@exa mple.org", "https://www.example.org/"),
        ("", "https://www.example.org/"), (".", "https://www.example.org/"),
        (None, "https://www.example.org/"), (7, "https://www.example.org/"),
        (["https://example.org/"], "https://www.example.org/"),
    ],
)  # fmt: skip
def test_a_bad_base_url_is_refused_with_one_that_works(text: object, corrected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{corrected}'")) as caught:
        check_base_url(text)

    assert check_base_url(corrected) == corrected
    assert "secret" not in str(caught.value)


@slow
@given(any_text | url_like_text)
def test_any_base_url_is_normal_or_refused(text: str) -> None:
    for candidate in (text, "https://" + text):
        try:
            base = check_base_url(candidate)
        except ValueError as error:
            assert str(error)  # noqa: PT017 - either outcome is fine
            continue

        assert LEGAL.fullmatch(base)
        assert base.endswith("/")
        assert check_base_url(base) == base


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost/", True), ("http://LOCALHOST:8000/docs/", True),
        ("http://localhost./", True), ("http://docs.localhost/", True), ("http://127.0.0.1/", True),
        ("http://127.255.0.9:8000/", True), ("http://0.0.0.0:8000/", True),
        ("http://[::1]:8000/", True), ("http://[::]/", True), ("http://[::ffff:127.0.0.1]/", True),
        ("http://me@localhost/", True), ("https://example.org/", False),
        ("https://localhost.org/", False), ("https://notlocalhost/", False),
        ("https://128.0.0.1/", False), ("https://192.168.0.1/", False),
        ("https://[2001:db8::1]/", False), ("https://example.org/localhost", False),
        ("localhost", False), ("http://exa mple/", False),
    ],
)  # fmt: skip
def test_a_local_host_is_recognised(url: str, local: bool) -> None:
    assert is_local_host(url) is local


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/a/b?c#d", "https://example.org"),
        ("HTTPS://Example.org:443", "https://example.org"),
        ("http://example.org:80/", "http://example.org"),
        ("http://example.org:443/", "http://example.org:443"),
        ("https://me@example.org:8443/", "https://example.org:8443"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("http://[::1]:80/", "http://[::1]"),
    ],
)
def test_the_origin_is_scheme_host_and_port(url: str, expected: str) -> None:
    assert origin(url) == expected
    assert host_root(url) == expected + "/"


@pytest.mark.parametrize("text", ["example.org", "/docs/", "mailto:a@b", ""])
def test_what_is_not_absolute_has_no_origin(text: str) -> None:
    with pytest.raises(ValueError, match="is not an absolute URL"):
        origin(text)


@pytest.mark.parametrize(
    ("url", "root"),
    [
        ("https://example.org/", True), ("https://example.org", True),
        ("https://example.org:443/", True), ("https://example.org:8443/", True),
        ("https://example.org/docs/", False), ("https://example.org/?x", False),
    ],
)  # fmt: skip
def test_the_root_of_a_host_is_recognised(url: str, root: bool) -> None:
    assert is_host_root(url) is root


@pytest.mark.parametrize(
    ("url", "base", "below"),
    [
        ("https://example.org/docs/", BASE, True), ("https://example.org/docs/a/", BASE, True),
        ("https://example.org/docs/?q", BASE, True), ("https://example.org/docs/%20a", BASE, True),
        ("https://example.org/docs/.well-known/a", BASE, True),
        ("HTTPS://EXAMPLE.org:443/docs/a", BASE, True),
        ("https://example.org/%64ocs/a", BASE, True),
        ("https://example.org/docs/a/../b", BASE, True),
        ("https://example.org", "https://example.org/", True),
        ("https://example.org/caf%c3%a9/x", "https://example.org/caf%C3%A9/", True),
        ("https://example.org/docs", BASE, False), ("https://example.org/docsx/", BASE, False),
        ("https://example.org/Docs/", BASE, False), ("https://example.org/", BASE, False),
        ("https://example.org/docs/../a", BASE, False),
        ("https://example.org/docs/%2e%2E/a", BASE, False),
        ("https://example.org/docs%2Fa", BASE, False), ("http://example.org/docs/a", BASE, False),
        ("https://www.example.org/docs/a", BASE, False),
        ("https://example.org.evil.example/docs/a", BASE, False),
        ("https://example.org:8443/docs/a", BASE, False),
        ("https://example.org@evil.example/docs/a", BASE, False), ("/docs/a", BASE, False),
        ("https://exa mple.org/docs/a", BASE, False),
        ("https://example.orgx/", "https://example.org", False),
    ],
)  # fmt: skip
def test_a_url_is_below_its_folder_only(url: str, base: str, below: bool) -> None:
    assert is_below(url, base) is below


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("~", ""), ("~a/b.html?c#d", "a/b.html"), ("~a#b?c", "a"), ("~C%23/", "C#/"),
        ("~%E6%97%A5/50%25", "日/50%"), ("https://example.org:443/docs/a/", "a/"),
        ("https://example.org/%64ocs/a", "a"), ("https://example.org/other/a", "other/a"),
        ("https://de.example.org/docs/a", "docs/a"), ("https://example.org/docs", "docs"),
        ("https://example.org", ""),
    ],
)  # fmt: skip
def test_the_path_below_a_base_is_decoded(url: str, expected: str) -> None:
    assert path_below(full(url, BASE), BASE) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://example.org", "https://example.org/"),
        ("HTTPS://EXAMPLE.ORG/", "https://example.org/"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:80/a", "http://example.org/a"), ("~%7Eme", "~~me"),
        ("~%c3%a9", "~%C3%A9"), ("~é", "~%C3%A9"), ("~it's", "~it%27s"), ("~a#b", "~a#c"),
        ("~a/./b/../c", "~a/c"), ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("~?%7e=%c3%a9", "~?~=%C3%A9"), (" https://example.org/a\n", "https://example.org/a"),
    ],
)  # fmt: skip
def test_two_spellings_are_the_same_page(a: str, b: str) -> None:
    assert same_page(full(a), full(b))
    assert same_page(full(b), full(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("~a", "~a/"), ("~a", "~A"), ("https://example.org/a", "http://example.org/a"),
        ("https://example.org/a", "https://www.example.org/a"),
        ("https://example.org/a", "https://example.org:8443/a"), ("~a", "~a?b"), ("~a?", "~a"),
        ("~?a=b%26c", "~?a=b&c"), ("~a%2Fb", "~a/b"), ("~a%3Fb", "~a?b"), ("~a%252Fb", "~a%2Fb"),
        ("https://example.org/", "/"), ("https://example.org/", "https://exa mple.org/"),
        ("a", "b"),
    ],
)  # fmt: skip
def test_two_urls_are_different_pages(a: str, b: str) -> None:
    assert not same_page(full(a), full(b))
    assert not same_page(full(b), full(a))


def test_common_urls_do_not_load_the_tables_for_rare_ones() -> None:
    program = (
        "import sys; from sitemap_plugin.common import urls;"
        "urls.encode_url('https://example.org/ü'); urls.check_base_url('https://example.org');"
        "sys.exit('idna' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("https://example.org//", "https://example.org/"),
        ("https://example.org/docs//v1/", "https://example.org/docs/v1/"),
        ("https://example.org/a/../b/.", "https://example.org/b/"),
    ],
)
def test_a_base_url_whose_path_is_not_plain_is_refused_with_the_plain_form(
    text: str, cure: str
) -> None:
    with pytest.raises(ValueError, match=f"write '{cure}'$"):
        check_base_url(text)
