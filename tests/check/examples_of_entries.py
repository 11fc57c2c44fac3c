"""Examples of what can be wrong with entries: addresses, values, translations, images."""

from __future__ import annotations

import datetime as dt

from check.example import BASE, Example, entry, image, index, link, links, urlset

__all__ = ["EXAMPLES"]

HOME = urlset(entry())
TODAY = dt.datetime.now(dt.UTC).date()
LATER = TODAY + dt.timedelta(days=3)
TEXT = {"sitemap.txt": f"{BASE}\n"}


def _field(name: str, value: str) -> str:
    return urlset(entry("", f"<{name}>{value}</{name}>"))


def _loc(code: str, loc: str, good: str, name: str = "", **more: object) -> Example:
    bad = urlset(entry(), f"<loc>{loc}</loc>")
    fine = urlset(entry(), f"<loc>{good}</loc>")
    return Example(code, bad, fine, name=name, **more)  # type: ignore[arg-type]


def _dates(*dates: str) -> str:
    entries = enumerate(dates)
    return urlset(*(entry(str(number), f"<lastmod>{date}</lastmod>") for number, date in entries))


LOCATIONS = (
    _loc("loc-not-absolute", "/about/", f"{BASE}about/"),
    _loc("loc-not-absolute", "www.example.org/about/", f"{BASE}about/", "no-scheme"),
    _loc("loc-not-absolute", "ftp://example.org/a", f"{BASE}a", "ftp"),
    _loc("loc-not-absolute", "https:///about/", f"{BASE}about/", "no-host"),
    _loc("loc-invalid", "https://example.org:99999/", f"{BASE}a", "port"),
    _loc("loc-invalid", "https://exa mple.org/", f"{BASE}a", "host"),
    _loc("loc-invalid", "https://xn--/", f"{BASE}a", "ace"),
    _loc("loc-invalid", "https://-a.example/", f"{BASE}a", "hyphen"),
    _loc("loc-invalid", "https://a-.example/", f"{BASE}a", "hyphen-end"),
    _loc("loc-invalid", "https://example.org:0/", f"{BASE}a", "port-0"),
    _loc("loc-invalid", "https://user:secret@example.org/x", f"{BASE}a@b", "password"),
    _loc(
        "loc-other-site",
        "https://example.org:000000008080/",
        "https://example.org:00000443/a",
        "zeros",
    ),
    _loc("loc-not-encoded", f"{BASE}a b", f"{BASE}a%20b", "space"),
    _loc("loc-not-encoded", f"{BASE}caf\xe9", f"{BASE}caf%C3%A9", "letter"),
    _loc("loc-not-encoded", f"{BASE}50%", f"{BASE}50%25", "percent", oracle="xsd"),
    _loc("loc-not-encoded", f"{BASE}a&quot;b", f"{BASE}a%22b", "quote"),
    _loc("loc-fragment", f"{BASE}a#b", f"{BASE}a"),
    _loc("loc-escaped", f"{BASE}?a=1&amp;amp;b=2", f"{BASE}?a=1&amp;b=2"),
    Example(
        "loc-escaped",
        {"sitemap.txt": f"{BASE}?a=1&amp;b=2"},
        {"sitemap.txt": f"{BASE}?a=1&b=2"},
        name="text",
        target="sitemap.txt",
    ),
    _loc("loc-too-long", BASE + "x" * 2029, BASE + "x" * 2027, oracle="xsd"),
    Example(
        "loc-too-long",
        urlset(f"<loc>{BASE}{chr(0xE9) * 400}</loc>"),
        urlset(f"<loc>{BASE}{'%C3%A9' * 300}</loc>"),
        name="encoded",
        also=("loc-not-encoded",),
    ),
    Example("loc-local", urlset("<loc>http://localhost:8000/</loc>"), HOME, base_url=None),
    Example("loc-local", urlset("<loc>http://localhost:8000/</loc>"), HOME, name="elsewhere"),
    Example(
        "loc-local", urlset("<loc>http://127.0.0.1/</loc>"), HOME, name="number", base_url=None
    ),
    _loc("loc-other-site", "https://www.example.org/a", f"{BASE}a", "www"),
    _loc("loc-other-site", "http://example.org/a", f"{BASE}a", "scheme"),
    _loc("loc-other-site", "https://example.org:8443/a", "https://EXAMPLE.org:443/a", "port"),
    Example(
        "loc-other-site",
        urlset(entry("a"), entry("b"), "<loc>https://example.com/c</loc>"),
        urlset(entry("a"), entry("b"), entry("c")),
        name="minority",
        base_url=None,
    ),
    Example(
        "loc-outside-folder",
        urlset(entry("docs/"), entry("blog/")),
        urlset(entry("docs/"), entry("docs/a")),
        base_url=f"{BASE}docs/",
    ),
    Example(
        "loc-outside-folder",
        urlset(entry("docs/../blog/")),
        urlset(entry("docs/x/../a")),
        name="dots",
        base_url=f"{BASE}docs/",
    ),
    Example("loc-duplicate", urlset(entry("a"), entry("b"), entry("a")), urlset(entry("a"))),
    *(
        Example(
            "loc-duplicate",
            urlset(entry("~a"), f"<loc>{other}</loc>"),
            urlset(entry("~a"), entry("~A")),
            name=name,
        )
        for name, other in (
            ("tilde", f"{BASE}%7Ea"),
            ("port", "https://example.org:443/~a"),
            ("host", "https://EXAMPLE.org/~a"),
            ("dots", f"{BASE}x/../~a"),
        )
    ),
    Example(
        "loc-duplicate",
        urlset(entry("%c3%a9"), entry("%C3%A9")),
        urlset(entry("%C3%A9")),
        name="escapes",
    ),
    Example(
        "loc-duplicate",
        urlset("<loc>https://example.org</loc>", entry()),
        urlset(entry()),
        name="home",
    ),
    Example(
        "loc-duplicate",
        {
            "sitemap.xml": index(f"{BASE}1.xml", f"{BASE}2.xml"),
            "1.xml": urlset(entry("a")),
            "2.xml": urlset(entry("a")),
        },
        {
            "sitemap.xml": index(f"{BASE}1.xml", f"{BASE}2.xml"),
            "1.xml": urlset(entry("a")),
            "2.xml": urlset(entry("b")),
        },
        name="files",
    ),
)

VALUES = (
    Example(
        "lastmod-invalid",
        _field("lastmod", "yesterday"),
        _field("lastmod", "2024-05-01"),
        oracle="xsd",
    ),
    Example(
        "lastmod-invalid",
        _field("lastmod", "2024-02-30"),
        _field("lastmod", "2024-02-29"),
        name="calendar",
        oracle="xsd",
    ),
    Example(
        "lastmod-invalid",
        _field("lastmod", "2024-05-01 10:00:00"),
        _field("lastmod", "2024-05-01T10:00:00Z"),
        name="space",
        oracle="xsd",
    ),
    Example(
        "lastmod-invalid",
        _field("lastmod", ""),
        _field("lastmod", "2024-05-01T10:00:00.5Z"),
        name="empty",
        oracle="xsd",
    ),
    Example(
        "lastmod-invalid",
        _field("lastmod", "2024-05-01T10:00:00"),
        _field("lastmod", "2024"),
        name="no-zone",
    ),
    Example(
        "lastmod-future", _field("lastmod", LATER.isoformat()), _field("lastmod", TODAY.isoformat())
    ),
    Example(
        "lastmod-before-1970", _field("lastmod", "1969-12-31"), _field("lastmod", "1970-01-01")
    ),
    Example(
        "lastmod-invalid", _dates(*["soon"] * 3), _dates("2024-05-01", "2024-05-02"), name="all"
    ),
    Example("lastmod-identical", _dates(*["2024-05-01"] * 3), _dates("2024-05-01", "2024-05-01")),
    Example(
        "lastmod-identical",
        _dates(*["2024-05-01T10:00:00Z"] * 4),
        _dates("2024-05-01", "2024-05-01", "2024-05-01", "2024-05-02"),
        name="moments",
    ),
    Example(
        "changefreq-invalid",
        _field("changefreq", "fortnightly"),
        _field("changefreq", "weekly"),
        oracle="xsd",
    ),
    Example(
        "changefreq-invalid",
        _field("changefreq", "Daily"),
        _field("changefreq", "daily"),
        name="case",
        oracle="xsd",
    ),
    Example("priority-invalid", _field("priority", "7"), _field("priority", "0.7"), oracle="xsd"),
    Example(
        "priority-invalid",
        _field("priority", "high"),
        _field("priority", "1"),
        name="word",
        oracle="xsd",
    ),
    Example(
        "priority-invalid",
        _field("priority", "-0.1"),
        _field("priority", "0"),
        name="negative",
        oracle="xsd",
    ),
    Example(
        "priority-notation", _field("priority", "1e0"), _field("priority", "1.0"), oracle="xsd"
    ),
    Example(
        "priority-notation",
        _field("priority", "0,5"),
        _field("priority", ".5"),
        name="comma",
        oracle="xsd",
    ),
)

PAIR = urlset(entry("en/", links(en="en/", de="de/")), entry("de/", links(en="en/", de="de/")))


def _code(name: str, bad: str, good: str, code: str = "hreflang-invalid") -> Example:
    return Example(
        code,
        PAIR.replace('"de"', f'"{bad}"'),
        PAIR.replace('"de"', f'"{good}"'),
        name=name,
        oracle="language" if code == "hreflang-invalid" else None,
    )


LINKS = (
    Example(
        "link-incomplete",
        PAIR.replace(' hreflang="de"', "", 1),
        PAIR,
        name="hreflang",
        also=("hreflang-no-return",),
    ),
    Example("link-incomplete", PAIR.replace(" href=", " ref="), PAIR, name="ref", oracle="xsd"),
    Example(
        "link-incomplete", PAIR.replace('rel="alternate" ', ""), PAIR, name="rel", oracle="xsd"
    ),
    Example(
        "link-rel",
        urlset(entry("a", f'<xhtml:link rel="canonical" hreflang="en" href="{BASE}a"/>')),
        urlset(entry("a", f'<xhtml:link rel="alternate" media="handheld" href="{BASE}m/a"/>')),
    ),
    _code("underscore", "de_CH", "de-CH"),
    _code("uk", "en-UK", "en-GB"),
    _code("name", "german", "de"),
    _code("country", "jp", "ja"),
    _code("order", "zh-TW-Hant", "zh-Hant-TW"),
    _code("empty", "", "x-default"),
    _code("group", "es-419", "es-MX", "hreflang-unsupported"),
    _code("letters", "fil", "tl", "hreflang-unsupported"),
    Example("hreflang-repeated", PAIR.replace('"de"', '"EN"'), PAIR),
    Example(
        "hreflang-repeated",
        urlset(entry("a", link("x-default", f"{BASE}a"), link("x-default", f"{BASE}b"))),
        urlset(entry("a", link("x-default", f"{BASE}a"), link("en", f"{BASE}a"))),
        name="x-default",
        also=("alternate-not-listed",),
    ),
    Example(
        "href-invalid",
        urlset(entry("a", link("en", f"{BASE}a"), link("de", "/de/"))),
        urlset(entry("a", link("en", f"{BASE}a"), link("de", "https://example.de/"))),
        name="relative",
    ),
    Example(
        "href-invalid",
        urlset(entry("a", link("en", f"{BASE}a"), link("de", f"{BASE}a b"))),
        urlset(entry("a", link("en", f"{BASE}a"), link("de", "https://example.de/"))),
        name="space",
        also=("alternate-not-listed",),
    ),
    Example(
        "hreflang-no-self",
        urlset(entry("en/", links(de="de/")), entry("de/", links(en="en/"))),
        PAIR,
        also=("hreflang-sets-differ",),
    ),
    Example(
        "hreflang-no-return",
        urlset(entry("en/", links(en="en/", de="de/")), entry("de/")),
        PAIR,
        name="none",
    ),
    Example(
        "hreflang-no-return",
        urlset(
            entry("en/", links(en="en/", de="de/")),
            entry("de/", links(de="de/", en="other/")),
            entry("other/", links(de="de/", en="other/")),
        ),
        PAIR,
        name="other",
    ),
    Example(
        "hreflang-sets-differ",
        urlset(
            entry("en/", links(en="en/", de="de/")),
            entry("de/", links(en="en/", de="de/", fr="fr/")),
            entry("fr/", links(en="en/", de="de/", fr="fr/")),
        ),
        urlset(
            entry("en/", links(en="en/", de="de/")),
            entry("de/", links(de="de/", en="en/")),
        ),
        also=("hreflang-no-return",),
    ),
    Example(
        "alternate-not-listed",
        urlset(entry("en/", links(en="en/", de="de/"))),
        urlset(entry("en/", links(en="en/") + link("de", "https://example.de/"))),
    ),
)

VIDEO = (
    "<video:video>"
    f"<video:thumbnail_loc>{BASE}v.png</video:thumbnail_loc><video:title>T</video:title>"
    f"<video:description>D</video:description><video:content_loc>{BASE}v.mp4</video:content_loc>"
    "<video:duration>60</video:duration>"
    "</video:video>"
)
NEWS = (
    "<news:news><news:publication><news:name>The Times</news:name>"
    "<news:language>en</news:language></news:publication>"
    f"<news:publication_date>{TODAY}</news:publication_date><news:title>T</news:title></news:news>"
)


def _media(code: str, text: str, old: str, new: str, name: str = "", **more: object) -> Example:
    bad, good = urlset(entry("v", text.replace(old, new))), urlset(entry("v", text))
    return Example(code, bad, good, name=name, **more)  # type: ignore[arg-type]


def _without(text: str, name: str) -> str:
    """Return an element of a text, to be removed."""
    prefix = "video" if "video:" in text else "news"
    start, end = text.index(f"<{prefix}:{name}>"), text.index(f"</{prefix}:{name}>")
    return text[start : end + len(f"</{prefix}:{name}>")]


MEDIA = (
    Example(
        "image-incomplete",
        urlset(entry("", "<image:image/>")),
        urlset(entry("", image(f"{BASE}a.png"))),
        oracle="xsd",
    ),
    Example(
        "media-url-invalid",
        urlset(entry("", image("/a.png"))),
        urlset(entry("", image("https://cdn.example.com/a.png"))),
        name="image",
    ),
    _media("media-url-invalid", VIDEO, f"{BASE}v.png", "v.png", "video"),
    Example(
        "too-many-images",
        urlset(entry("", image(f"{BASE}a.png") * 1001)),
        urlset(entry("", image(f"{BASE}a.png") * 1000)),
    ),
    Example(
        "image-deprecated",
        urlset(
            entry(
                "",
                image(f"{BASE}a.png").replace(
                    "</image:image>", "<image:caption>A cat</image:caption></image:image>"
                ),
            )
        ),
        urlset(entry("", image(f"{BASE}a.png"))),
    ),
    Example(
        "too-many-news",
        urlset(*(entry(str(n), NEWS) for n in range(1001))),
        urlset(*(entry(str(n), NEWS) for n in range(1000))),
    ),
    *(
        _media("news-incomplete", NEWS, _without(NEWS, name), "", name, oracle="xsd")
        for name in ("publication", "publication_date", "title")
    ),
    _media("news-old", NEWS, str(TODAY), str(TODAY - dt.timedelta(days=4))),
    _media("media-value-invalid", NEWS, ">en<", ">english<", "language", oracle="xsd"),
    _media("media-value-invalid", NEWS, str(TODAY), "today", "date", oracle="xsd"),
    *(
        _media("video-incomplete", VIDEO, _without(VIDEO, name), "", name, oracle="xsd")
        for name in ("thumbnail_loc", "title", "description")
    ),
    _media("video-incomplete", VIDEO, _without(VIDEO, "content_loc"), "", "content_loc"),
    _media(
        "video-incomplete",
        VIDEO,
        "</video:video>",
        "<video:restriction>DE</video:restriction></video:video>",
        "relationship",
        oracle="xsd",
    ),
    *(
        _media("media-value-invalid", NEWS, str(TODAY), date, f"date-{len(date)}", oracle="xsd")
        for date in (f"{TODAY:%Y}", f"{TODAY:%Y-%m}")
    ),
    _media("media-value-invalid", VIDEO, f"{BASE}v.mp4", f"{BASE}v.html", "page"),
    _media(
        "media-url-invalid",
        VIDEO,
        "</video:video>",
        '<video:uploader info="not a url">U</video:uploader></video:video>',
        "uploader",
    ),
    _media("video-is-page", VIDEO, f"{BASE}v.mp4", f"{BASE}v"),
    _media("media-value-invalid", VIDEO, ">60<", ">0<", "duration"),
    _media("media-value-invalid", VIDEO, ">60<", ">28801<", "longest", oracle="xsd"),
    _media(
        "media-value-invalid",
        VIDEO,
        "</video:video>",
        "<video:live>maybe</video:live></video:video>",
        "live",
        oracle="xsd",
    ),
    *(
        _media(
            "media-value-invalid",
            VIDEO,
            "</video:video>",
            f'<video:{name} relationship="allow">{value}</video:{name}></video:video>',
            name,
            oracle="xsd",
        )
        for name, value in (("restriction", "Germany"), ("platform", "radio"))
    ),
    _media(
        "media-value-invalid",
        VIDEO,
        "</video:video>",
        f"<video:uploader>{'x' * 256}</video:uploader></video:video>",
        "uploader",
    ),
    _media(
        "media-value-invalid",
        VIDEO,
        "</video:video>",
        "<video:tag>t</video:tag>" * 33 + "</video:video>",
        "tags",
        oracle="xsd",
    ),
    _media("repeated-element", NEWS, NEWS, NEWS * 2, "news"),
)

EXAMPLES = (*LOCATIONS, *VALUES, *LINKS, *MEDIA)
