"""Examples of what can be wrong with a sitemap file as such, and with its elements."""

from __future__ import annotations

from check.example import BASE, Example, entry, image, links, packed, urlset

__all__ = ["EXAMPLES"]

HOME = urlset(entry())
BARE = "<!-- -->\n" + HOME.partition("\n")[2]
XHTML = """<?xml version="1.0"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>"""
MANY = 50_001
BOM = "\ufeff"
ENTITY = '<!DOCTYPE urlset [<!ENTITY home "https://example.org/">]>'


def _large(size: int) -> str:
    """Return a sitemap of so many bytes."""
    room = size - len(HOME.encode())
    comment = f"<!--{'x' * 999_993}-->"
    rest = f"<!--{'x' * (room % 1_000_000 - 7)}-->"
    return HOME.replace("</urlset>", f"{comment * (room // 1_000_000)}{rest}</urlset>")


def _many(count: int) -> str:
    return urlset(*(entry(str(number)) for number in range(count)))


def _after_declaration(text: str) -> str:
    return HOME.replace("<urlset", f"{text}<urlset", 1)


FILES = (
    Example(
        "unsupported-format",
        "<!DOCTYPE html><html><body>404</body></html>",
        HOME,
        name="html",
        oracle="xsd",
    ),
    Example("unsupported-format", XHTML, HOME, name="xhtml", oracle="xsd"),
    Example("unsupported-format", '{"urls": []}', HOME, name="json", oracle="xml"),
    Example("unsupported-format", bytes(range(256)) * 20, HOME, name="binary", oracle="xml"),
    Example(
        "unsupported-format",
        f"<sitemap><loc>{BASE}</loc></sitemap>",
        HOME,
        name="root",
        oracle="xsd",
    ),
    Example("unsupported-format", "Hello, world.\n", HOME, name="prose", oracle="xml"),
    Example(
        "unsupported-format",
        packed(packed(HOME).decode("latin-1")),
        packed(HOME),
        name="gzipped-text",
        target="sitemap.xml.gz",
    ),
    Example("unsupported-format", b"PK\x03\x04" + HOME.encode(), HOME, name="zip", oracle="xml"),
    Example("feed", '<rss version="2.0"><channel/></rss>', HOME, name="rss", oracle="xsd"),
    Example("feed", '<feed xmlns="http://www.w3.org/2005/Atom"/>', HOME, name="atom", oracle="xsd"),
    Example(
        "not-read",
        urlset("<loc>x</loc>" + "<b>" * 60 + "</b>" * 60),
        HOME,
        name="deep",
        also=("unknown-element",),
    ),
    Example(
        "gzip-broken",
        packed(HOME)[:-20],
        packed(HOME),
        name="truncated",
        target="sitemap.xml.gz",
        oracle="gzip",
    ),
    Example(
        "gzip-broken",
        packed(HOME)[:-8] + b"\0" * 8,
        packed(HOME),
        name="checksum",
        target="sitemap.xml.gz",
        oracle="gzip",
    ),
    Example(
        "gzip-broken",
        packed(HOME) + b"rubbish",
        packed(HOME) + packed(" ") + b"\0" * 100,
        name="rubbish",
        target="sitemap.xml.gz",
        oracle="gzip",
    ),
    Example(
        "gzip-mismatch", HOME, packed(HOME), name="plain", target="sitemap.xml.gz", oracle="gzip"
    ),
    Example("gzip-mismatch", packed(HOME), HOME, name="packed"),
    Example(
        "twin-differs",
        {"sitemap.xml": HOME, "sitemap.xml.gz": packed(urlset(entry("old/")))},
        {"sitemap.xml": HOME, "sitemap.xml.gz": packed(HOME)},
    ),
    Example("wrong-extension", HOME, {"sitemap.txt": f"{BASE}\n"}, target="sitemap.txt"),
    Example("wrong-extension", f"{BASE}\n", HOME, name="text"),
    Example("file-too-large", _large(52_428_801), _large(52_428_800)),
    Example("too-many-urls", _many(MANY), _many(MANY - 1)),
    Example("empty", urlset(), HOME, oracle="xsd"),
    Example("empty", "", HOME, name="no-bytes", oracle="xml"),
    Example(
        "empty", {"sitemap.txt": "\n\n"}, {"sitemap.txt": BASE}, name="text", target="sitemap.txt"
    ),
    Example("not-utf-8", HOME.replace("UTF-8", "UTF-16").encode("utf-16"), HOME, name="utf-16"),
    Example("not-utf-8", HOME.encode("utf-16-be"), HOME, name="utf-16-without-mark"),
    Example("not-utf-8", HOME.replace("UTF-8", "ISO-8859-1"), HOME, name="declared"),
    *(
        Example("not-utf-8", HOME.replace("UTF-8", name), HOME, name=f"declared-{name}")
        for name in (
            "x-user-defined",
            "cp999",
            "windows-1259",
            "utf-16",
            "utf-32-le",
            "zip",
            "idna",
        )
    ),
    Example(
        "not-utf-8",
        _after_declaration("<!-- Caf\xe9 -->").encode("latin-1"),
        _after_declaration("<!-- Caf\xe9 -->"),
        name="bytes",
        oracle="xml",
    ),
    Example("byte-order-mark", BOM + HOME, HOME),
    Example(
        "byte-order-mark",
        {"sitemap.txt": BOM + BASE},
        {"sitemap.txt": BASE},
        name="text",
        target="sitemap.txt",
    ),
    Example("leading-text", "\n" + HOME, HOME, name="newline", oracle="xml"),
    Example("leading-text", "<!-- -->" + HOME, BARE, name="comment", oracle="xml"),
    Example("leading-text", "Hi" + BARE[9:], "\n" + BARE, name="no-declaration", oracle="xml"),
    Example(
        "leading-text", "Warning: mysql_connect()\n" + HOME, HOME, name="warning", oracle="xml"
    ),
    Example("xml-broken", HOME.replace("</urlset>", ""), HOME, name="truncated", oracle="xml"),
    Example("xml-broken", HOME + "<more/>", HOME, name="junk", oracle="xml"),
    Example(
        "xml-broken",
        urlset(entry("?a=1&b=2")),
        urlset(entry("?a=1&amp;b=2")),
        name="ampersand",
        oracle="xml",
    ),
    Example(
        "xml-broken",
        urlset(entry("", links(en="")).replace("xhtml:", "x:")),
        urlset(entry("", links(en=""))),
        name="prefix",
        oracle="xml",
    ),
    Example("xml-broken", urlset(entry() + "\x08"), HOME, name="control-character", oracle="xml"),
    Example("doctype", _after_declaration("<!DOCTYPE urlset>\n"), HOME),
    Example(
        "doctype",
        _after_declaration('<!DOCTYPE urlset SYSTEM "file:///etc/passwd">'),
        HOME,
        name="external",
    ),
    Example("entity", _after_declaration(ENTITY).replace(BASE, "&home;", 2), HOME),
    Example(
        "entity",
        _after_declaration('<!DOCTYPE urlset SYSTEM "x.dtd">').replace("<loc>", "<loc>&base;"),
        HOME,
        name="undeclared",
        also=("doctype",),
    ),
)

ELEMENTS = (
    Example("namespace", HOME.replace("http://www.s", "https://www.s"), HOME, oracle="xsd"),
    Example("namespace", HOME.replace(' xmlns="', ' xmlns:s="'), HOME, name="none", oracle="xsd"),
    Example(
        "namespace",
        urlset(entry("", links(en=""))).replace("1999/xhtml", "TR/xhtml11/xhtml11_schema.html"),
        urlset(entry("", links(en=""))),
        name="links",
        oracle="xsd",
    ),
    Example(
        "namespace",
        urlset(entry("", image(f"{BASE}a.png"))).replace("image/1.1", "image/1.0"),
        urlset(entry("", image(f"{BASE}a.png"))),
        name="images",
        oracle="xsd",
    ),
    Example(
        "namespace-old",
        urlset(entry(), namespace="http://www.google.com/schemas/sitemap/0.84"),
        HOME,
        oracle="xsd",
    ),
    Example(
        "unknown-element",
        urlset(entry("", "<changefrec>daily</changefrec>")),
        urlset(entry("", "<changefreq>daily</changefreq>")),
        oracle="xsd",
    ),
    Example(
        "unknown-element",
        HOME.replace("url>", "page>"),
        HOME,
        name="entry",
        oracle="xsd",
        also=("empty",),
    ),
    Example(
        "unknown-element",
        urlset("<loc>https://example.org/<b/></loc>"),
        HOME,
        name="inner",
        oracle="xsd",
    ),
    Example(
        "misplaced-element",
        urlset(entry()).replace("</urlset>", f"{image(f'{BASE}a.png')}</urlset>"),
        urlset(entry("", image(f"{BASE}a.png"))),
        name="root",
    ),
    Example(
        "misplaced-element",
        urlset(entry("", f"<image:loc>{BASE}a.png</image:loc>")),
        urlset(entry("", image(f"{BASE}a.png"))),
        name="image-loc",
    ),
    Example(
        "misplaced-element",
        urlset(entry("", "<news:title>T</news:title>")),
        HOME,
        name="news-title",
    ),
    Example(
        "misplaced-element",
        urlset(entry()).replace("</urlset>", f"{links(en='')}</urlset>"),
        HOME,
        name="link",
    ),
    Example(
        "unknown-element",
        urlset(
            entry("", image(f"{BASE}a.png").replace("</image:image>", "<image:foo/></image:image>"))
        ),
        urlset(entry("", image(f"{BASE}a.png"))),
        name="image",
        oracle="xsd",
    ),
    Example(
        "repeated-element",
        urlset(
            entry(
                "",
                image(f"{BASE}a.png").replace(
                    "</image:image>", f"<image:loc>{BASE}b.png</image:loc></image:image>"
                ),
            )
        ),
        urlset(entry("", image(f"{BASE}a.png") * 2)),
        name="image",
        oracle="xsd",
    ),
    Example(
        "namespace",
        HOME.replace("<url>", '<url xmlns="">'),
        HOME,
        name="entry",
        also=("empty",),
        oracle="xsd",
    ),
    Example(
        "namespace",
        HOME.replace("<loc>", '<loc xmlns="">'),
        HOME,
        name="field",
        also=("missing-loc",),
        oracle="xsd",
    ),
    Example(
        "repeated-element",
        urlset(entry("", f"<loc>{BASE}a</loc>")),
        urlset(entry(), entry("a")),
        oracle="xsd",
    ),
    Example("missing-loc", urlset("<lastmod>2024-01-01</lastmod>"), HOME, oracle="xsd"),
    Example("missing-loc", urlset("<loc> </loc>"), HOME, name="blank", oracle="xsd"),
    Example(
        "element-order",
        urlset(f"<priority>0.5</priority><lastmod>2024-01-01</lastmod><loc>{BASE}</loc>"),
        urlset(entry("", "<lastmod>2024-01-01</lastmod><priority>0.5</priority>")),
        oracle="xsd",
    ),
    Example(
        "element-order",
        urlset(entry("", links(en=""), "<priority>0.5</priority>")),
        urlset(entry("", "<priority>0.5</priority>", links(en=""))),
        name="after-links",
        oracle="xsd",
    ),
    Example("unknown-attribute", HOME.replace("<url>", '<url id="1">'), HOME, oracle="xsd"),
    Example(
        "unknown-attribute",
        HOME.replace("<loc>", '<loc type="text">'),
        HOME.replace(
            "<urlset",
            '<urlset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
            'xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9 sitemap.xsd"',
        ),
        name="field",
        oracle="xsd",
    ),
    Example("stray-text", urlset(f"{entry()}, and"), HOME, oracle="xsd"),
    Example("stray-text", HOME.replace("  <url>", "pages: <url>"), HOME, name="root", oracle="xsd"),
)

EXAMPLES = (*FILES, *ELEMENTS)
