"""The date source ``state`` with real themes: what surrounds a page is no change of the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mkdocs_sites import Builder

DAYS = ("1749513600", "1752105600", "1754784000")
OPTIONS = {"lastmod": ["state"], "state_file": "state.json"}
EXTENSIONS: list[Any] = [
    "admonition",
    "tables",
    "footnotes",
    "def_list",
    {"toc": {"permalink": True}},
]
PAGES = {
    "index.md": "# Kettles\n\nAll about *kettles*, [how to boil](guide/boil.md) & `more`.\n",
    "guide/boil.md": (
        "# Boil\n\nIntroduction.[^1]\n\n## Steps\n\n1. Fill it\n2. Switch it on\n\n"
        "```python\nkettle.boil()\n```\n\n!!! note\n    Mind the steam.\n\n[^1]: Short.\n"
    ),
    "guide/clean.md": (
        "# Clean\n\n| what | how |\n|---|---|\n| lime | acid |\n\nTerm\n:   Meaning\n\n"
        "![A kettle](kettle.png)\n\n> Said somebody\n"
    ),
    "guide/kettle.png": "no real picture",
}
OTHER_FRAME = """{% extends "base.html" %}
{% block site_nav %}<nav>Another menu of {{ config.site_name }}</nav>{{ super() }}{% endblock %}
{% block footer %}<footer>Built with version 2. <a href="/impressum/">Imprint</a></footer>
{% endblock %}
"""


def dates(
    build_site: Builder, day: str, changes: dict[str, str], theme: Any, **config: Any
) -> dict[str, str]:
    """Build on a day; return the dates of the pages that have one."""
    built = build_site(
        {**PAGES, **changes},
        OPTIONS,
        environment={"SOURCE_DATE_EPOCH": day},
        theme=theme,
        **{"markdown_extensions": EXTENSIONS, **config},
    )
    assert built.status == 0, built.log
    return {path: url.lastmod for path, url in built.urls.items() if url.lastmod}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mkdocs", "readthedocs"),
        pytest.param("mkdocs", "material", marks=pytest.mark.slow),
        pytest.param("material", "readthedocs", marks=pytest.mark.slow),
    ],
)
def test_another_theme_changes_no_date_and_an_edit_changes_one(
    build_site: Builder, before: str, after: str
) -> None:
    edit = {"guide/boil.md": PAGES["guide/boil.md"] + "\nMore.\n"}
    dates(build_site, DAYS[0], {}, before)

    assert dates(build_site, DAYS[1], {}, after) == {}
    assert dates(build_site, DAYS[2], edit, after) == {"guide/boil/": "2025-08-10T00:00:00+00:00"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mkdocs", "material"])
def test_a_theme_with_another_frame_around_each_page_changes_no_date(
    build_site: Builder, name: str, tmp_path: Path
) -> None:
    page = tmp_path / "site" / "site" / "guide" / "boil" / "index.html"
    dates(build_site, DAYS[0], {}, name)
    before = page.read_text()
    override = tmp_path / "site" / "overrides"
    override.mkdir()
    (override / "main.html").write_text(OTHER_FRAME)
    more = {"about.md": "# About\n\nA page more in each menu.\n"}
    edit = {**more, "index.md": "# Kettles\n\nAll about kettles.\n"}
    theme = {"name": name, "custom_dir": "overrides"}

    assert dates(build_site, DAYS[1], more, theme) == {}
    assert "Imprint" in page.read_text()
    assert "Imprint" not in before
    assert dates(build_site, DAYS[2], edit, theme) == {"": "2025-08-10T00:00:00+00:00"}
