"""Examples of what can be wrong with an index, and with a sitemap in its site."""

from __future__ import annotations

from check.example import BASE, Example, Files, entry, index, link, links, page, urlset
from sitemap_plugin.common.files import MARKER

__all__ = ["EXAMPLES", "ROBOTS", "site"]

PARTS: Files = {"1.xml": urlset(entry("a")), "2.xml": urlset(entry("b"))}
ROBOTS = f"User-agent: *\nDisallow:\n\nSitemap: {BASE}sitemap.xml\n"
OTHER = f"{BASE}other/"


def _dated(date: str) -> str:
    return urlset(entry("a", f"<lastmod>{date}</lastmod>"))


def _index(*children: str, **parts: str) -> Files:
    named = {f"{name}.xml": text for name, text in parts.items()}
    return {"sitemap.xml": index(*(BASE + child for child in children)), **PARTS, **named}


def _dated_index(date: str, part: str) -> Files:
    return {"sitemap.xml": index(f"{BASE}1.xml", lastmod=date), "1.xml": _dated(part)}


INDEX = (
    Example(
        "index-nested",
        _index("1.xml", "more.xml", more=index(f"{BASE}2.xml")),
        _index("1.xml", "2.xml"),
    ),
    Example(
        "index-child-outside",
        {
            "sitemap.xml": index(f"{BASE}docs/1.xml", f"{BASE}2.xml"),
            "1.xml": urlset(entry("docs/a")),
        },
        {"sitemap.xml": index(f"{BASE}docs/1.xml"), "1.xml": urlset(entry("docs/a"))},
        name="folder",
        base_url=f"{BASE}docs/",
        also=("index-not-followed",),
    ),
    Example(
        "index-child-outside",
        {"sitemap.xml": index(f"{BASE}1.xml", "https://example.com/2.xml"), **PARTS},
        _index("1.xml", "2.xml"),
        name="host",
        also=("index-not-followed",),
    ),
    Example("index-child-missing", _index("1.xml", "3.xml"), _index("1.xml", "2.xml")),
    Example(
        "index-child-missing",
        _index("1.xml", "3.xml"),
        _index("1.xml", "2.xml"),
        name="derived",
        base_url=None,
    ),
    Example("index-not-followed", _index("x.xml"), _index("1.xml"), base_url=None),
    Example(
        "index-lastmod-old",
        _dated_index("2024-05-01", "2024-06-01"),
        _dated_index("2024-06-01", "2024-06-01"),
    ),
    Example(
        "index-lastmod-old",
        _dated_index("2024-05-01T10:00:00Z", "2024-05-01T10:00:01Z"),
        _dated_index("2024-05-01T10:00:00Z", "2024-05-01T11:00:00+02:00"),
        name="moments",
    ),
    Example(
        "loc-not-absolute",
        {"sitemap.xml": index(f"{BASE}1.xml", "2.xml"), **PARTS},
        _index("1.xml", "2.xml"),
        name="child",
        also=("index-not-followed",),
    ),
    Example("loc-duplicate", _index("1.xml", "1.xml"), _index("1.xml", "2.xml"), name="child"),
    Example(
        "empty", {**_index("1.xml", "2.xml"), "2.xml": urlset()}, _index("1.xml"), name="child"
    ),
    Example("empty", {"sitemap.xml": index()}, _index("1.xml"), name="index"),
)


def site(*entries: str, robots: str = ROBOTS, **pages: str) -> Files:
    """Return a site with a home page; names of pages are made of ``folder__name``."""
    named = {f"{name.replace('__', '/')}.html": text for name, text in pages.items()}
    return {
        "sitemap.xml": urlset(entry(), *entries),
        "index.html": page(),
        **({"robots.txt": robots} if robots else {}),
        **named,
    }


def _site(code: str, bad: Files, good: Files, name: str = "", **more: object) -> Example:
    return Example(code, bad, good, name=name, target="", **more)  # type: ignore[arg-type]


def _page(code: str, head: str, name: str = "") -> Example:
    """Return an example of a page that should not be listed."""
    bad, good = site(entry("a"), a=page(head)), site(entry("a"), a=page())
    return _site(code, bad, good, name)


def _ours(files: Files) -> Files:
    """Return a site whose sitemap says that this package wrote it."""
    text = str(files["sitemap.xml"]).replace("<urlset", f"{MARKER.decode()}\n<urlset")
    return {**files, "sitemap.xml": text}


REFRESH = f'<meta http-equiv="refresh" content="0; url={OTHER}">'
GERMAN = f'<link rel="alternate" hreflang="de" href="{BASE}de">'
BOTH = links(en="en", de="de")
DE = page(language="de")
NOINDEX = '<meta name="robots" content="noindex">'


def _canonical(path: str) -> str:
    return f'<link rel="canonical" href="{BASE}{path}">'


PAGES = (
    _site("no-sitemap", {"index.html": page()}, site()),
    _site("page-missing", site(entry("a")), site(entry("a"), a=page())),
    _site("page-missing", site(entry("a/")), site(entry("a/"), a__index=page()), "folder"),
    _site("page-missing", site(entry("..%2Fa")), site(entry("%61"), a=page()), "outside"),
    _site("page-error", site(entry("404.html"), **{"404": page()}), site(**{"404": page()})),
    _site(
        "page-error",
        site(entry("de/404/"), de__404__index=page()),
        site(de__404=page()),
        "language",
    ),
    _page("page-noindex", '<meta name="robots" content="noindex">'),
    _page("page-noindex", '<meta name="googlebot" content="none">', "googlebot"),
    _page("page-redirect", REFRESH),
    _page("page-canonical", f'<link rel="canonical" href="{OTHER}">'),
    _site("page-not-listed", site(a=page()), site(entry("a.html"), a=page())),
    _site(
        "page-not-listed",
        site(a=page(f'<link rel="canonical" href="{BASE}a">')),
        site(a=page(_canonical("")), b=page(REFRESH.replace(OTHER, BASE))),
        "canonical",
    ),
    _site(
        "page-target-missing",
        site(a=page(_canonical("gone/"))),
        site(a=page(_canonical(""))),
        "canonical",
    ),
    _site(
        "page-target-missing",
        site(a=page(REFRESH)),
        site(a=page(REFRESH), other__index=page(NOINDEX)),
        "redirect",
    ),
    _site(
        "hreflang-language-differs",
        site(entry("en", BOTH), entry("de", BOTH), en=page(), de=page(language="ko")),
        site(entry("en", BOTH), entry("de", BOTH), en=page(language="EN-us"), de=DE),
    ),
    _site(
        "page-not-listed",
        site(a__index=page()),
        site(a=page('<meta name="robots" content="noindex">'), search=page(), part="<p>Hi</p>"),
        "folder",
    ),
    _site("page-left-out", _ours(site(a=page())), _ours(site(entry("a"), a=page()))),
    _site(
        "page-slash",
        site(entry("a"), a__index=page()),
        site(entry("a/"), a__index=page()),
    ),
    _site(
        "page-hreflang-differs",
        site(entry("en", BOTH), entry("de", BOTH), en=page(GERMAN.replace("/de", "/x")), de=DE),
        site(entry("en", BOTH), entry("de", BOTH), en=page(GERMAN), de=DE),
    ),
    _site(
        "alternate-not-indexable",
        site(entry("en", BOTH), en=page(), de=page(NOINDEX, language="de")),
        site(entry("en", BOTH), entry("de", BOTH), en=page(), de=DE),
        "noindex",
    ),
    _site(
        "alternate-not-indexable",
        site(
            entry("en", BOTH),
            en=page(),
            de=page(f'<link rel="canonical" href="{BASE}en">', language="de"),
        ),
        site(entry("en", BOTH), entry("de", BOTH), en=page(), de=DE),
        "canonical",
    ),
    _site(
        "alternate-not-indexable",
        site(entry("en", BOTH), en=page()),
        site(entry("en", link("en", f"{BASE}en"), link("de", "https://example.de/")), en=page()),
        "missing",
    ),
)

CRAWLING = (
    _site(
        "robots-forbids-page",
        site(entry("a"), a=page(), robots=ROBOTS.replace("Disallow:", "Disallow: /a")),
        site(entry("a"), a=page(), robots=ROBOTS.replace("Disallow:", "Disallow: /b")),
        oracle="robots",
    ),
    _site(
        "robots-forbids-page",
        site(entry("a"), a=page(), robots=ROBOTS.replace("Disallow:", "Disallow: /*a$")),
        site(entry("a"), a=page(), robots=ROBOTS.replace("Disallow:", "Disallow: /a\nAllow: /a")),
        "wildcard",
        oracle="robots",
    ),
    _site(
        "robots-forbids-page",
        site(entry("a"), a=page(), robots=f"User-agent: googlebot\n\nDisallow: /a\n{ROBOTS}"),
        site(entry("a"), a=page(), robots=f"User-agent: bingbot\nDisallow: /a\n{ROBOTS}"),
        "google",
        oracle="robots",
    ),
    _site(
        "robots-forbids-page",
        site(entry("a"), a=page(), robots=f"User-agent: Googlebot/2.1\nDisallow: /a\n{ROBOTS}"),
        site(entry("a"), a=page(), robots=f"User-agent: bingbot/2.0\nDisallow: /a\n{ROBOTS}"),
        "version",
        oracle="robots",
    ),
    _site(
        "robots-forbids-sitemap",
        site(robots=ROBOTS.replace("Disallow:", "Disallow: /*.xml")),
        site(robots=ROBOTS.replace("Disallow:", "Disallow: /*.pdf")),
    ),
    _site("robots-no-sitemap", site(robots=""), site(), "no-file"),
    _site("robots-no-sitemap", site(robots="User-agent: *\nDisallow:\n"), site()),
    _site(
        "robots-no-sitemap",
        site(robots=f"# Sitemap: {BASE}sitemap.xml\n"),
        site(robots=f"sitemap : {BASE}sitemap.xml # the only one\n"),
        "comment",
    ),
    _site("robots-sitemap-relative", site(robots="Sitemap: /sitemap.xml\n"), site()),
    _site(
        "robots-sitemap-elsewhere",
        site(robots="Sitemap: https://www.example.com/sitemap.xml\n"),
        site(robots=f"Sitemap: https://www.example.com/sitemap.xml\n{ROBOTS}"),
        "host",
    ),
    _site(
        "robots-sitemap-elsewhere",
        site(robots=f"{ROBOTS}Sitemap: {BASE}old.xml\n"),
        {
            **site(robots=f"{ROBOTS}Sitemap: {BASE}old.xml\n"),
            "old.xml": urlset(entry("index.html")),
        },
        "missing",
    ),
    _site("robots-unreadable", site(robots=f"{ROBOTS}# {'x' * 512_000}"), site(), "long"),
    _site(
        "robots-unreadable",
        {**site(), "robots.txt": ROBOTS.encode("utf-16")},
        {**site(), "robots.txt": ROBOTS.encode("utf-8-sig")},
        "utf-16",
        also=("robots-no-sitemap",),
    ),
)

EXAMPLES = (*INDEX, *PAGES, *CRAWLING)
