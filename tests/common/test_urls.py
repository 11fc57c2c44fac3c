"""URLs are made safe, joined and compared; base URLs are judged."""

import re
import string
import subprocess
import sys
from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import read_table
from sitemap_plugin.common import urls

URLS = read_table(__file__, "urls.yaml")
LEGAL = re.compile(
    r"https?://[A-Za-z0-9._~!$&'()*+,;=:@%\[\]-]+/"
    r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*"
    r"(?:\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?"
)
BASE = "https://example.org/docs/"


def full(url: str, base: str = "https://example.org/") -> str:
    """Return a URL whose beginning a table writes as ``~``."""
    return url.replace("~", base, 1) if url.startswith("~") else url


few = settings(max_examples=40)
any_text = st.text(st.characters(exclude_categories=["Cs"]))
url_like_text = st.text(st.sampled_from("abZ09%25/2Fé日 .?&=#;@:~'()<>\"\\[]|^`{}+\t"))
file_names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1
).filter(lambda name: name.strip(".") != "")


@pytest.mark.parametrize(
    ("url", "expected"), [*((url, url) for url in URLS["right"]), *URLS["made_safe"]]
)
def test_a_url_is_made_safe_and_one_that_is_right_stays_byte_equal(url: str, expected: str) -> None:
    assert urls.encode_url(full(url)) == full(expected)


@pytest.mark.parametrize(("url", "named"), URLS["refused"])
def test_a_url_that_cannot_be_one_is_refused_by_name(url: str, named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)) as caught:
        urls.encode_url(url)
    assert "secret" not in str(caught.value)


@few
@given(url_like_text | any_text)
def test_an_encoded_url_is_legal_and_needs_no_more_encoding(text: str) -> None:
    encoded = urls.encode_url("https://example.org/" + text)
    assert LEGAL.fullmatch(encoded)
    assert urls.encode_url(encoded) == encoded


@few
@given(st.text(st.sampled_from("abZ09%25/2Fé日 .?&=#;@:~'()<>\"\\[]|^`{}+")))
def test_the_standard_library_reads_the_same_path_and_query(text: str) -> None:
    url = f"http://h/{text}#x"
    before = urlsplit(re.sub("%(?![0-9A-Fa-f]{2})", "%25", url))
    after = urlsplit(urls.encode_url(url))

    assert unquote(after.path) == unquote(before.path)
    assert unquote(after.query) == unquote(before.query)


def test_only_illegal_characters_change() -> None:
    legal = string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@/"
    for character in set(map(chr, range(0x21, 0x7F))) - set("%#?"):
        url = f"https://example.org/a{character}b"

        assert (urls.encode_url(url) == url) == (character in legal)
        assert unquote(urls.encode_url(url)) == url


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\\ud800"):
        urls.encode_path("\ud800")


@few
@given(file_names)
def test_a_file_name_below_a_base_is_what_mkdocs_links(name: str) -> None:
    """MkDocs quotes the file's URL and joins it to site_url."""
    canonical = urljoin(BASE, quote(name) + "/")

    assert urls.join_url(BASE, urls.encode_path(name) + "/") == canonical
    assert urls.encode_url(canonical) == canonical
    assert urls.path_below(canonical, BASE) == name + "/"


@pytest.mark.parametrize(
    ("base", "relative", "expected"),
    [
        *((BASE, relative, full(expected)) for relative, expected in URLS["references"]),
        *(("http://a/b/c/d;p?q", *pair) for pair in URLS["references_of_the_rfc"]),
        ("https://example.org?x=/", "a", "https://example.org/a"),
        ("https://example.org/d/#/", "a", "https://example.org/d/a"),
    ],
)
def test_a_reference_is_resolved(base: str, relative: str, expected: str) -> None:
    assert urls.join_url(base, relative) == expected


@pytest.mark.parametrize(("text", "expected"), URLS["bases"])
def test_a_base_url_is_normalised(text: str, expected: str) -> None:
    assert urls.check_base_url(text) == expected
    assert urls.check_base_url(expected) == expected


@pytest.mark.parametrize(("text", "corrected"), URLS["bad_bases"])
def test_a_bad_base_url_is_refused_with_one_that_works(text: object, corrected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{corrected}'")) as caught:
        urls.check_base_url(text)

    assert urls.check_base_url(corrected) == corrected
    assert "secret" not in str(caught.value)


@few
@given(any_text | url_like_text)
def test_any_base_url_is_normal_or_refused(text: str) -> None:
    for candidate in (text, "https://" + text):
        try:
            base = urls.check_base_url(candidate)
        except ValueError as error:
            assert str(error)  # noqa: PT017 - either outcome is fine
            continue

        assert LEGAL.fullmatch(base)
        assert base.endswith("/")
        assert urls.check_base_url(base) == base


TOLD = ("is_local_host", "is_host_root", "origin", "encode_path")


@pytest.mark.parametrize(
    ("name", "url", "expected"), [(name, *pair) for name in TOLD for pair in URLS[name]]
)
def test_hosts_and_file_names_are_told(name: str, url: str, expected: object) -> None:
    assert getattr(urls, name)(url) == expected
    assert name != "origin" or urls.host_root(url) == f"{expected}/"


@pytest.mark.parametrize("text", ["example.org", "/docs/", "mailto:a@b", ""])
def test_what_is_not_absolute_has_no_origin(text: str) -> None:
    with pytest.raises(ValueError, match="is not an absolute URL"):
        urls.origin(text)


@pytest.mark.parametrize(("url", "base", "below"), URLS["below"])
def test_a_url_is_below_its_folder_only(url: str, base: str, below: bool) -> None:
    assert urls.is_below(url, base) is below


@pytest.mark.parametrize(("url", "expected"), URLS["paths"])
def test_the_path_below_a_base_is_decoded(url: str, expected: str) -> None:
    assert urls.path_below(full(url, BASE), BASE) == expected


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [*((*pair, True) for pair in URLS["same"]), *((*pair, False) for pair in URLS["different"])],
)
def test_spellings_are_compared(a: str, b: str, same: bool) -> None:
    assert urls.same_page(full(a), full(b)) is same
    assert urls.same_page(full(b), full(a)) is same


def test_common_urls_do_not_load_the_tables_for_rare_ones() -> None:
    program = (
        "import sys; from sitemap_plugin.common import urls;"
        "urls.encode_url('https://example.org/ü'); urls.check_base_url('https://example.org');"
        "sys.exit('idna' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
