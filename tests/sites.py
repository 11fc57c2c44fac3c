"""Sites made of pages alone, for tests of the core without a generator."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.report import Report
from sitemaps import read_sitemap

# ruff: noqa: ARG005 - pluggy calls hooks by the names of their arguments

BASE = "https://example.org/"


def plugin(hook: str, function: Callable[..., Any], name: str = "given") -> ModuleType:
    """Return a plugin that implements one hook."""
    module = ModuleType(name)
    setattr(module, hook, hookimpl(function))
    return module


def transforming(function: Callable[[Page, Entry], Any], name: str = "given") -> ModuleType:
    """Return a plugin that changes entries."""
    return plugin("sitemap_transform", lambda site: function, name)


def giving(pages: Iterable[Page]) -> ModuleType:
    """Return a plugin that contributes pages."""
    return plugin("sitemap_pages", lambda site: iter([*pages]), "pages")


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
    return build(where, [*plugins, giving(pages)])


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
