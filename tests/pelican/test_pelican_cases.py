"""Whole Pelican sites as data: one file for each case, with the site and what is right.

A line ``=== name`` begins a file of the site (``pelicanconf.py`` is added to the usual settings, a
text gets a title and a body), a file of the output, or one of these sections: ``sitemap`` (a line
for each entry: path, date, other fields) and ``log`` (the plugin's lines). What stands before the
first such line says what is shown.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pelican_sites import Build, Site
from sitemaps import Url

CASES = sorted(Path(__file__).parent.joinpath("cases").glob("*.txt"))
LISTINGS = {"DIRECT_TEMPLATES": ["index"], "AUTHOR_SAVE_AS": "", "CATEGORY_SAVE_AS": "",
            "TAG_SAVE_AS": ""}  # fmt: skip
LINE = re.compile(r"(WARNING|CRITICAL|) *Sitemap: (.*?)(?: +\w+\.py:\d+)?$", re.MULTILINE)


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_case(path: Path, site: Site, has_plugin: Callable[[str], None]) -> None:
    _, *parts = re.split(r"^=== (.+)\n", path.read_text("utf-8"), flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    expected = {name: sections.pop(name, "") for name in ("sitemap", "log")}
    outputs = {name: sections.pop(name) for name in [*sections] if name.startswith("output/")}
    extra = sections.pop("pelicanconf.py")
    if "i18n_subsites" in extra:
        has_plugin("i18n_subsites")
    site.settings = LISTINGS
    for name, content in sections.items():
        site.write(name, _text(name, content))
    build = site.build(extra=extra)
    said = LINE.findall(build.text.replace(f"{site.folder}/", ""))
    log = [f"{level or 'NOTICE'} {text}\n" for level, text in said]

    assert {"sitemap": _entries(build), "log": "".join(log)} == expected
    assert {name: (site.folder / name).read_text("utf-8") for name in outputs} == outputs


def _text(name: str, content: str) -> str:
    """Return a Markdown file of nothing but headers with a title and a body."""
    if not name.endswith(".md") or "\n\n" in content:
        return content
    return f"Title: {Path(name).stem}\n{content}\nText.\n"


def _entries(build: Build) -> str:
    file = build.sitemap
    if not file.exists() or "<url>" not in file.read_text("utf-8"):
        return ""
    return "".join(f"{_entry(path, url)}\n" for path, url in build.entries.items())


def _entry(path: str, url: Url) -> str:
    links = [f"{code}={href.removeprefix('https://example.org')}" for code, href in url.alternates]
    fields = (url.lastmod, url.changefreq, url.priority, *links)
    return " ".join([f"/{path}", *(field for field in fields if field)])
