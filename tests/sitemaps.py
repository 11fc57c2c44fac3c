"""Read sitemaps back with two independent readers, and with the schema where it is at hand."""

import functools
import gzip
from pathlib import Path
from typing import NamedTuple

from lxml import etree
from usp.tree import sitemap_from_str

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
SCHEMAS = Path(__file__).parents[2] / "shared" / "xsd"


class Url(NamedTuple):
    """One ``url`` element as text; None for an element that is not there."""

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()


def read_sitemap(path: Path) -> list[Url]:
    """Read a urlset with lxml; check that another reader and the schema agree, and the twin too."""
    data = path.read_bytes()
    assert data.startswith(b"<?xml")
    root = etree.fromstring(data)
    assert root.tag == f"{SITEMAP}urlset"
    validate(root)
    urls = [_url(element) for element in root.findall(f"{SITEMAP}url")]

    seen = [page.url for page in sitemap_from_str(data.decode()).all_pages()]
    assert seen == [url.loc for url in urls]

    twin = path.with_name(path.name + ".gz")
    if twin.exists():
        assert gzip.decompress(twin.read_bytes()) == data
    return urls


def read_locs(path: Path) -> list[str]:
    """Read a urlset's URLs."""
    return [url.loc for url in read_sitemap(path)]


def validate(root: etree._Element) -> bool:
    """Check a document with its schema, where that is at hand; tell if it is an index."""
    name = {f"{SITEMAP}urlset": "all.xsd", f"{SITEMAP}sitemapindex": "siteindex.xsd"}[root.tag]
    if (SCHEMAS / name).is_file():
        _schema(name).assertValid(root)
    return name == "siteindex.xsd"


@functools.cache
def _schema(name: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(SCHEMAS / name))


def _url(element: etree._Element) -> Url:
    def text(name: str) -> str | None:
        return element.findtext(SITEMAP + name)

    loc = text("loc")
    assert loc is not None
    links = element.findall(f"{XHTML}link")
    assert all(link.get("rel") == "alternate" for link in links)
    return Url(
        loc,
        text("lastmod"),
        text("changefreq"),
        text("priority"),
        tuple((link.get("hreflang", ""), link.get("href", "")) for link in links),
    )
