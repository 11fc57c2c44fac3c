"""Build sites of linked pages, and look at their hreflang links."""

from pathlib import Path
from typing import Any

from sitemap_plugin.models import Page
from sitemaps import read_sitemap
from sites import BASE, build_pages, page


def links(
    folder: Path, *pages: Page, options: dict[str, Any] | None = None, **site: Any
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return each entry's links, code to path, and the warnings."""
    report = build_pages(folder, pages, options, **{"language": "en", **site})
    urls = read_sitemap(folder / "sitemap.xml")
    for url in urls:
        assert list(url.alternates) == sorted(url.alternates)
    found = {
        url.loc.removeprefix(BASE): {code: href.removeprefix(BASE) for code, href in url.alternates}
        for url in urls
    }
    return found, [str(item) for item in report.problems if item.severity == "warning"]


def version(path: str, language: str | None, key: str | None = "k", **fields: Any) -> Page:
    """Return a page in a language, one of the set that its key names."""
    metadata = fields.pop("metadata", None)
    return page(path, metadata, language=language, translation_key=key, **fields)
