"""Sites made of pages alone, for tests of the core without a generator."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Report

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
