"""Sites made of pages alone, as YAML describes them: what is listed, left out and said."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from files import write_files
from sitemap_plugin.models import Page
from sitemaps import read_sitemap
from sites import BASE, build_pages, page

HTML = "<!doctype html><html><head>{}</head><body>x</body></html>"


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
