"""The main content of a page: the short cut for ordinary markup, and the cost of odd markup."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugin.html.content import decoded, main_content, plain_content
from sitemap_plugin.html.fingerprint import fingerprint
from sitemap_plugin.html.tokens import tokens

TAG_NAMES = (
    "a", "article", "aside", "b", "br", "button", "code", "div", "footer", "h1", "header", "img",
    "li", "linearGradient", "main", "nav", "p", "section", "small", "span", "svg", "template", "td",
    "time", "x-y",
)  # fmt: skip
RAW_TEXT_NAMES = ("noscript", "script", "style", "textarea", "title")
ODD_NAMES = ("DIV", "Main", "clippath", "nAv", "plaintext", "xmp", "scripts", "İ", "a\0", "p:p")
ATTRIBUTES = (
    "", " ", "/", " /", ' class="n"', " class=md-content", ' class="x md-content"', " role='main'",
    ' class="md-sidebar"', ' class="md&#45;content"', ' class="headerlink" href="#a"',
    " id=permalink", " id=editpage", ' class="Last-Updated"', ' class="edit&#45;page"',
    ' class="edit-lin\u212a"',
    " href=/a?b=c", ' href="/b" href="/c"', ' href href="/d"', " HREF=/e", ' hreflang=en href="/f"',
    ' src="a.0123abcd.png" alt="a > b"', ' src="/x" alt', " alt='<main>'", " alt=",
    ' title="</main>"',
)  # fmt: skip
ODD_ATTRIBUTES = (
    ' ="x>"', ' a= "b>"', ' a = b="x>"', ' a="b"c="d"', " a=b`c", ' a"b', " a<b", ' a="b', "/a=b>",
    " a=b=\"c'>", ' a="b"="c>"', "\v", "\x85", "\xa0a=b", " class=md-content/",
)  # fmt: skip
TEXTS = (
    "one",
    " ",
    "\n two ",
    "\xa0",
    "&am",
    "p;",
    "&amp;lt;",
    "&#8203;",
    "\ufeff",
    "\0",
    "three >",
)
OTHER = (
    "<!-- <main> -->",
    "<!-- a -- b->c -->",
    "<!---->",
    "<!doctype html>",
    "<?xml version='1'?>",
)
ODD = (
    "<", "< ", "</", "</>", "<1>", "<!>", "<!-->", "<!--->", "<!-- a --!>", "<!--", "<?--a>b-->",
    "<!-a>", "<!--a-->-->", "</!a>", "<script><!--<script></script>--></script>",
    "<style></STYLE></style>",
    "<title></title <main>", "<script></script/a=b>", "</script>", "<plaintext>", "<main",
    "<p a='>",
)  # fmt: skip


def markup(
    names: tuple[str, ...], given: tuple[str, ...], others: tuple[str, ...]
) -> st.SearchStrategy[str]:
    """Make pages of tags, elements with raw text, texts and other markup, in any order."""
    start = st.builds("<{}{}>".format, st.sampled_from(names), st.sampled_from(given))
    end = st.builds("</{}>".format, st.sampled_from(names))
    raw = st.builds(
        "<{0}{1}>{2}</{0}>".format,
        st.sampled_from(RAW_TEXT_NAMES),
        st.sampled_from(given),
        st.sampled_from(("", "a < b", "<main>", "</p>", "</scripts>")),
    )
    return st.lists(start | end | raw | st.sampled_from(others), max_size=24).map("".join)


ORDINARY = markup(TAG_NAMES, ATTRIBUTES, TEXTS + OTHER)
ANY = markup(TAG_NAMES + ODD_NAMES, ATTRIBUTES + ODD_ATTRIBUTES, TEXTS + OTHER + ODD)


def without_short_cut(page: str) -> bytes:
    """Begin a page with a comment that says nothing, and that only the tokenizer understands."""
    page = f"<!-->{page}"
    assert plain_content(page) is None
    return page.encode()


@given(ORDINARY | ANY)
@example("<main>a<b>b</b> <time>c</time> <nav>d</nav>e")
@example("<main>&am<time></time>p;")
@example("<main><style></STYLE><p>one</style>")
@example("<main><p ='x>'>'>one")
def test_the_short_cut_finds_what_the_tokenizer_finds(page: str) -> None:
    assert main_content(page.encode()) == main_content(without_short_cut(page))
    assert fingerprint(page.encode()) == fingerprint(without_short_cut(page))


@pytest.mark.parametrize("attributes", sorted({*ATTRIBUTES} - {" alt="}))
def test_ordinary_markup_takes_the_short_cut(attributes: str) -> None:
    body = "".join(
        f"<{name}{attributes}>{other}</{name}>" for name in TAG_NAMES for other in TEXTS + OTHER
    )

    assert plain_content(f"<!doctype html>{body}<script>a < b && '<p>'</script>") is not None


def test_the_markup_of_the_main_content_is_cut_out() -> None:
    page = "a<nav>b</nav><main id=c>d<nav>e</nav>f</main>g"

    assert plain_content(page) == "<main id=c>d</nav>f"
    assert main_content(page.encode()) == list(tokens("<main id=c>d</nav>f"))
    assert decoded(page.encode()) == page


@pytest.mark.parametrize("first", ["", "<!-->"], ids=["ordinary", "unusual"])
@pytest.mark.parametrize(
    "page_of",
    [
        lambda depth: "<nav>" * depth,
        lambda depth: "<nav>" * depth + "</nav>" * depth,
        lambda depth: "<main><article><div class=md-sidebar>" * depth,
        lambda depth: "<div>" * depth + "</article>" * depth,
        lambda depth: "<main>" + "<svg>" * depth + "</svg>" * depth,
        lambda depth: "<main>" + "<p><span>a" * depth,
        lambda depth: "<main><a href='" + "?" * depth + "\n/'>",
    ],
)
def test_the_cost_grows_with_the_size_of_the_markup_and_not_its_square(
    page_of: Callable[[int], str], first: str
) -> None:
    def cost(depth: int) -> float:
        page = (first + page_of(depth)).encode()
        started = time.process_time()
        fingerprint(page)
        return time.process_time() - started

    # What else the machine does, and a search for garbage among all that other tests have left,
    # are no cost of the page: the least of several turns has little of the one, none of the other.
    gc.disable()
    try:
        turns = [(cost(2_000), cost(20_000)) for _ in range(7)]
    finally:
        gc.enable()
    small, large = map(min, zip(*turns, strict=True))

    assert large < 40 * small
