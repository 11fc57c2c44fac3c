"""What search consoles report weeks later is found now, each class by a code of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from check.example import (
    BASE,
    Files,
    codes,
    entry,
    image,
    index,
    link,
    links,
    packed,
    page,
    urlset,
    write,
)  # fmt: skip
from sitemap_plugin.commands.check.run import check

HOME = urlset(entry())
SITE = {"index.html": page(), "a/index.html": page(), "robots.txt": f"Sitemap: {BASE}sitemap.xml\n"}
LISTED = urlset(entry(), entry("a/"))
PUBLICATION = (
    "<news:publication><news:name>T</news:name><news:language>en</news:language></news:publication>"
)
NEWS = (
    "<news:publication_date>2020-01-01</news:publication_date>"
    "<news:title>T</news:title></news:news>"
)
VIDEO = (
    f"<video:description>D</video:description><video:content_loc>{BASE}v.mp4</video:content_loc>"
)
THUMBNAIL = f"<video:thumbnail_loc>{BASE}v.png</video:thumbnail_loc>"


@dataclass(frozen=True)
class Report:
    """A class of reports, files that cause one, and the code that tells of it.

    A text or bytes alone are ``sitemap.xml``. The target is that file, or the folder if it is
    empty.
    """

    name: str
    code: str
    bad: str | bytes | Files
    target: str = "sitemap.xml"

    @property
    def files(self) -> Files:
        return {self.target: self.bad} if isinstance(self.bad, str | bytes) else self.bad


def site(**files: str) -> Files:
    """Return a site with other files: names have ``_`` for a dot, ``__`` for a slash."""
    named = {key.replace("__", "/").replace("_", "."): text for key, text in files.items()}
    return {**SITE, "sitemap.xml": LISTED, **named}


def loc(text: str) -> str:
    return urlset(f"<loc>{text}</loc>")


THE_FILE = (
    Report("parsing error", "xml-broken", HOME.replace("</loc>", "</lok>")),
    Report("parsing error", "xml-broken", HOME[:-12]),
    Report("parsing error", "xml-broken", loc(f"{BASE}?a&b")),
    Report("leading whitespace", "leading-text", f"\n {HOME}"),
    Report("incorrect namespace", "namespace", urlset(entry(), namespace="http://example.org/")),
    Report("incorrect namespace", "namespace-old",
           urlset(entry(), namespace="http://www.google.com/schemas/sitemap/0.84")),
    Report("unsupported format", "unsupported-format", "<!doctype html><title>404</title>"),
    Report("compression error", "gzip-broken", packed(HOME)[:-9], "sitemap.xml.gz"),
    Report("compression error", "gzip-mismatch", HOME, "sitemap.xml.gz"),
    Report("empty", "empty", urlset()),
    Report("empty", "empty", ""),
    Report("too large", "file-too-large",
           urlset(entry("", f"<!--{'x' * 1_048_576}-->" * 50))),
    Report("too many URLs", "too-many-urls", urlset(*(entry(str(n)) for n in range(50_001)))),
    Report("nested index", "index-nested",
           {"sitemap.xml": index(f"{BASE}b.xml"), "b.xml": index(f"{BASE}c.xml"), "c.xml": HOME}),
    Report("incomplete URL in an index", "loc-not-absolute", index("/b.xml")),
    Report("missing tag", "missing-loc", urlset("<lastmod>2024-05-01</lastmod>")),
    Report("missing tag", "image-incomplete", urlset(entry("", "<image:image/>"))),
    Report("missing attribute", "link-incomplete",
           urlset(entry("", '<xhtml:link rel="alternate" hreflang="de"/>'))),
    Report("too many of a tag", "repeated-element", urlset(entry() + f"<loc>{BASE}a</loc>")),
    Report("too many of a tag", "too-many-images",
           urlset(entry("", *(image(f"{BASE}{n}.png") for n in range(1001))))),
    Report("invalid tag value", "changefreq-invalid",
           urlset(entry("", "<changefreq>fortnightly</changefreq>"))),
    Report("invalid tag value", "priority-invalid", urlset(entry("", "<priority>7</priority>"))),
    Report("invalid tag value", "unknown-element",
           urlset(entry("", "<changefrec>daily</changefrec>"))),
    Report("invalid attribute value", "href-invalid", urlset(entry("", link("de", "/de/")))),
    Report("invalid date", "lastmod-invalid", urlset(entry("", "<lastmod>01.05.2024</lastmod>"))),
    Report("invalid date", "lastmod-invalid", urlset(entry("", "<lastmod>2024-02-30</lastmod>"))),
    Report("invalid URL", "loc-invalid", loc("https://exa mple.org/")),
    Report("invalid URL", "loc-not-encoded", loc(f"{BASE}a b")),
    Report("invalid URL", "loc-not-absolute", loc("/a")),
    Report("URL not allowed", "loc-other-site", loc("https://example.com/")),
    Report("URL not allowed", "loc-other-site", loc("http://example.org/")),
    Report("URL not allowed", "loc-other-site", loc("https://www.example.org/")),
    Report("URL not allowed", "loc-other-site", loc("https://example.org:8443/")),
    Report("URL not allowed", "loc-outside-folder",
           {"docs/sitemap.xml": urlset(entry("docs/"), entry("blog/")), "docs/index.html": page(),
            "blog/index.html": page(), "index.html": page()}, ""),
    Report("too many news URLs", "too-many-news",
           urlset(*(entry(str(n), f"<news:news>{PUBLICATION}{NEWS}") for n in range(1001)))),
    Report("missing publication", "news-incomplete", urlset(entry("", f"<news:news>{NEWS}"))),
    Report("missing video title or thumbnail", "video-incomplete",
           urlset(entry("", f"<video:video>{THUMBNAIL}{VIDEO}</video:video>"))),
    Report("missing video title or thumbnail", "video-incomplete",
           urlset(entry("", f"<video:video><video:title>T</video:title>{VIDEO}</video:video>"))),
    Report("video location equal to the page", "video-is-page",
           urlset(entry("v.mp4",
                        f"<video:video>{THUMBNAIL}<video:title>T</video:title>{VIDEO}</video:video>"))),
)  # fmt: skip
THE_PAGES = (
    Report("blocked by robots.txt", "robots-forbids-page",
           site(robots_txt="User-agent: *\nDisallow: /a/\n"), ""),
    Report("marked noindex", "page-noindex",
           site(a__index_html=page('<meta name="robots" content="noindex">')), ""),
    Report("redirect", "page-redirect",
           site(a__index_html=page('<meta http-equiv="refresh" content="0; url=/">')), ""),
    Report("not found", "page-missing", {**SITE, "sitemap.xml": urlset(entry("b/"))}, ""),
    Report("not found", "page-error",
           {**SITE, "404.html": page(), "sitemap.xml": urlset(entry(), entry("404.html"))}, ""),
    Report("canonical elsewhere", "page-canonical",
           site(a__index_html=page(f'<link rel="canonical" href="{BASE}">')), ""),
    Report("alternate with a canonical elsewhere", "alternate-not-indexable",
           {**SITE, "sitemap.xml": urlset(entry("", links(en="", de="de/"))),
            "de/index.html": page(f'<link rel="canonical" href="{BASE}">')}, ""),
    Report("hreflang without return link", "hreflang-no-return",
           urlset(entry("", links(en="", de="a/")), entry("a/", links(de="a/")))),
    Report("unknown hreflang code", "hreflang-invalid",
           urlset(entry("", links(en="", xx="a/")), entry("a/", links(en="", xx="a/")))),
    Report("unknown hreflang code", "hreflang-invalid",
           urlset(entry("", links(en="", en_UK="a/")), entry("a/", links(en="", en_UK="a/")))),
    Report("the sitemap itself blocked by robots.txt", "robots-forbids-sitemap",
           site(robots_txt="User-agent: *\nDisallow: /*.xml$\n"), ""),
)  # fmt: skip


@pytest.mark.parametrize(
    "report",
    [pytest.param(item, id=f"{item.name}-{item.code}") for item in (*THE_FILE, *THE_PAGES)],
)
def test_what_a_console_reports_is_found(report: Report, tmp_path: Path) -> None:
    write(tmp_path, report.files)

    assert report.code in codes(check(tmp_path / report.target, base_url=BASE))


@pytest.mark.parametrize(
    "files",
    [{"sitemap.xml": LISTED, **SITE}, {"sitemap.xml": urlset(entry()), "index.html": page()}],
)
def test_what_no_console_reports_is_no_error(files: Files, tmp_path: Path) -> None:
    write(tmp_path, files)

    assert check(tmp_path, base_url=BASE).findings.severities()["error"] == 0
