"""Sites made of pages alone, given as such or described by YAML; no generator is needed."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from files import write_files
from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sitemap_plugin.hookspecs import hookimpl
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.report import Report
from sitemaps import read_sitemap

# ruff: noqa: ARG005 - pluggy calls hooks by the names of their arguments

BASE = "https://example.org/"
HTML = "<!doctype html><html><head>{}</head><body>x</body></html>"


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


def described(
    folder: Path, url: str, file: str | None = None, canonical: str | None = None, **fields: Any
) -> Page:
    """Return a page, written to a file with a canonical link or what else its ``head`` holds.

    ``meta`` is its front matter; ``url`` and ``members`` are relative to the base.
    """
    if file is not None:
        link = "" if canonical is None else f'<link rel="canonical" href="{canonical}">'
        head = fields.pop("head", link)
        write_files(folder, {} if head is None else {file: HTML.format(head)})
        fields = {"source_path": f"{file}.md", "output": folder / file, **fields}
    if "members" in fields:
        fields["members"] = tuple(map(_absolute, fields["members"]))
    return page(url, fields.pop("meta", None), **fields)._replace(url=_absolute(url))


def _absolute(url: str) -> str:
    return url if "://" in url else BASE + url


def check_site(folder: Path, case: Mapping[str, Any]) -> None:
    """Build a site, and compare what is listed, left out and said with what the case expects."""
    site = {"config_dir": folder, **case.get("site", {})}
    bases = {base: folder / path for base, path in site.pop("other_bases", {}).items()}
    write_files(folder, case.get("files", {}))
    pages = [described(folder, **said) for said in case["pages"]]
    options = {"robots": False, **case.get("options", {})}
    report = build_pages(folder, pages, options, other_bases=bases, **site)

    said = [f"{item.severity} {item}".replace(f"{folder}{os.sep}", "") for item in report.problems]
    listed = {"sitemap.xml": case["listed"], **case.get("elsewhere", {})}
    assert {path: _lines(folder / path) for path in listed} == listed
    left = {page.url.removeprefix(BASE): reason for page, reason in report.left_out.items()}
    assert left == case.get("left", {})
    assert said == case.get("said", [])


def _lines(path: Path) -> list[str]:
    """Return what a sitemap says of each page; the home page is a slash."""
    urls = read_sitemap(path) if path.exists() else []
    parts = [(url.loc.removeprefix(BASE) or "/", *url[1:4]) for url in urls]
    return [" ".join(filter(None, each)) for each in parts]
