"""An independent parser, html5lib, sees in any head what we see."""

from importlib import import_module
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.html.head import parse_head

NOINDEX = "<meta name=robots content=noindex>"
CANONICAL = "<link rel=canonical href=/c>"


PIECES = [
    "<meta ", "<link ", "<base ", "<html ", "<title>", "</title>", "<script>", "</script>",
    "</TITLE>", "</Script>", "</STYLE>", "</noScript>",
    "<script ", "<style>", "</style>", "<noscript>", "</noscript>", "<template>", "</template>",
    "<!--", "-->", "--!>", "<!-->", "<!", "<?", "</", "<head>", "</head>", "<body>", "<p>", "</p>",
    " ", "\n", "\r\n", "\0", ">", "/>", "/", "=", '"', "'", "<", "text", "é", "&amp;", "&copy",
    " name=robots", ' name="robots"', ' content="noindex, follow"', " content=none",
    ' rel="canonical"', " rel=canonical", ' rel="stylesheet"', ' href="/a?b&amp;c"', " href='x>y'",
    ' name="description"', ' content="<!--"', " http-equiv=refresh", ' content="0;url=/r"',
]  # fmt: skip
WHOLE = [
    NOINDEX, CANONICAL, '<meta name="description" content="a > b">', '<meta charset="utf-8">',
    '<link rel="stylesheet" href="a.css">', '<link href="a.css" rel="icon" REL="canonical">',
    '<script src="x"></script>', "<style>a>b{}</style>", "<title>A &amp; B</title>", "\n  ",
    "<!-- <meta name=robots content=none> -->", "<script>if (a<b) {'<link'}</script>",
    '<link rel="alternate" hreflang="de" href="/de/">', "<base href=/b/>", "<base target=x>",
    '<script type="application/ld+json">{"dateModified": "2024-05-01"}</script>',
    '<meta property="article:modified_time" content="2024-05-02">', "<meta name=Viewport>",
    '<meta http-equiv="refresh" content="0; url=/r">', "<noscript><img></noscript>",
    '<noscript><meta http-equiv="refresh" content="0; url=/r"></noscript>',
    "<script>location='/r'</script>", '<meta itemprop="dateModified" content="2024-05-03">',
    '<meta name="viewport" content="a">', "<?xml version='1.0'?>", "<HEAD>", "</meta>",
]  # fmt: skip
ORDINARY = st.lists(st.sampled_from(WHOLE), max_size=8).map("".join)
ODD = st.lists(st.sampled_from(PIECES + WHOLE), max_size=10).map("".join)
PAGES = st.builds(
    "<!doctype html><html lang=en><head>{}</head>\n<body><meta name=robots content=none>".format,
    ORDINARY | ODD,
)


class Seen(NamedTuple):
    """What is compared between parsers."""

    robots: set[str]
    canonicals: list[str]
    base: str | None
    language: str | None
    title: str


def html5lib_sees(page: str) -> Seen:
    """Read a page with a complete implementation of the standard's parser."""
    html5lib: Any = import_module("html5lib")
    builder = html5lib.getTreeBuilder("etree")
    document = html5lib.HTMLParser(builder, namespaceHTMLElements=False).parse(page, scripting=True)
    elements = [child for child in document.find("head") if isinstance(child.tag, str)]
    metas = [each.attrib for each in elements if each.tag == "meta"]
    links = [each.attrib for each in elements if each.tag == "link"]
    bases = [each.get("href") for each in elements if each.tag == "base" and "href" in each.attrib]
    titles = [each.text or "" for each in elements if each.tag == "title"]
    robots = [each.get("content", "") for each in metas if each.get("name", "").lower() == "robots"]
    canonicals = [
        each["href"].strip()
        for each in links
        if "canonical" in each.get("rel", "").lower().split() and each.get("href", "").strip()
    ]
    return Seen(
        {rule for content in robots for rule in content.lower().replace(",", " ").split()},
        list(dict.fromkeys(canonicals)),
        (bases[0].strip() or None) if bases else None,
        document.get("lang"),
        " ".join(titles[0].split()) if titles else "",
    )


@settings(max_examples=50)
@given(PAGES | ODD)
def test_a_complete_parser_finds_the_same(page: str) -> None:
    # html5lib knows no template elements.
    page = page.replace("template", "title")
    found = parse_head(page.encode())
    seen = html5lib_sees(page)

    title = " ".join((found.title or "").split())
    own = Seen(set(found.robots), list(found.canonicals), found.base, found.language, title)
    assert own == seen
