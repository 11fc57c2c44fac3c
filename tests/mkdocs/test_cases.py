"""Whole MkDocs sites as data: one file for each case, with the files of the site and what is right.

A line ``=== name`` begins a file of the site, or one of these sections: ``build`` (the arguments of
each build), ``sitemap`` (a line for each entry: path, date, other fields) and ``log`` (the plugin's
lines in the first build). What stands before the first such line says what is shown.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mkdocs_sites import Built, run_build
from sitemaps import Url

CASES = sorted(Path(__file__).parent.joinpath("cases").glob("*.txt"))
SITE = "site_name: Site\nsite_url: https://kiln.example/\ntheme: {name: mkdocs}\n"


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_case(path: Path, tmp_path: Path) -> None:
    _, *parts = re.split(r"^=== (.+)\n", path.read_text(), flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    expected = [sections.pop(name, "").strip().splitlines() for name in ("sitemap", "log")]
    builds = sections.pop("build", "\n").splitlines()
    for name, content in sections.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        given = {line.partition(":")[0] for line in content.splitlines()}
        missing = [line for line in SITE.splitlines() if line.partition(":")[0] not in given]
        file.write_text("\n".join([*missing, content]) if name == "mkdocs.yml" else content)

    for number, arguments in enumerate(builds):
        built = run_build(tmp_path, *arguments.split())

        assert "Traceback" not in built.log
        assert _entries(built) == expected[0], built.log
        if number == 0:
            assert _own_lines(built) == expected[1], built.log


def _entries(built: Built) -> list[str]:
    file = built.site / "sitemap.xml"
    if not file.exists() or "<sitemapindex" in file.read_text():
        return []
    return [_entry(url) for url in built.urls.values()]


def _entry(url: Url) -> str:
    path = url.loc.removeprefix("https://kiln.example") or "/"
    links = [f"{code}={href}" for code, href in url.alternates]
    return " ".join(part for part in (path, url.lastmod, url.priority, *links) if part)


def _own_lines(built: Built) -> list[str]:
    lines = [line for line in built.log.splitlines() if "sitemap: " in line or "skipped" in line]
    return [re.sub(r" +-  (sitemap: )?", " ", line.replace(f"{built.root}/", "")) for line in lines]
