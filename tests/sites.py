"""Sites made of pages alone, for tests of the core without a generator."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Report
from sitemaps import read_sitemap

BASE = "https://example.org/"


class Pages:
    """A plugin that contributes the pages it was given."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = list(pages)

    @hookimpl
    def sitemap_pages(self, site: Site) -> Iterator[Page]:  # noqa: ARG002 - the hook's argument
        """Yield the pages."""
        yield from self._pages


def page(path: str, metadata: Mapping[str, Any] | None = None, **fields: Any) -> Page:
    """Return a page whose source path is its URL path with ``.md``."""
    fields.setdefault("source_path", f"{path.strip('/') or 'index'}.md")
    return Page(BASE + path, metadata=metadata or {}, **fields)


def build_pages(
    folder: Path,
    pages: Iterable[Page],
    options: Mapping[str, Any] | None = None,
    plugins: Iterable[object] = (),
    **site: Any,
) -> Report:
    """Run the pipeline over pages."""
    config, _ = parse_config(options or {}, generator="folder")
    where = Site(**{"base_url": BASE, "output_dir": folder, "config": config, **site})
    return build(where, [*plugins, Pages(pages)])


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
