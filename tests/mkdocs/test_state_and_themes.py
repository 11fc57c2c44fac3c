"""The date source ``state`` with real themes: what surrounds a page is no change of the page."""

from typing import Any

import pytest

from mkdocs_sites import Builder

DAYS = ("1749513600", "1752105600", "1754784000")
OPTIONS = {"lastmod": ["state"], "state_file": "state.json"}
EXTENSIONS = ["admonition", "tables", "footnotes", "def_list", {"toc": {"permalink": True}}]
BOIL = (
    "# Boil\n\nIntroduction.[^1]\n\n## Steps\n\n1. Fill it\n2. Switch it on\n\n"
    "```python\nkettle.boil()\n```\n\n!!! note\n    Mind the steam.\n\n[^1]: Short.\n"
)
PAGES = {
    "index.md": "# Kettles\n\nAll about *kettles*, [how to boil](guide/boil.md) & `more`.\n",
    "guide/boil.md": BOIL,
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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mkdocs", "readthedocs"),
        pytest.param("mkdocs", "material", marks=pytest.mark.slow),
        pytest.param("material", "readthedocs", marks=pytest.mark.slow),
        pytest.param("mkdocs", {"name": "mkdocs", "custom_dir": "frame"}, marks=pytest.mark.slow),
        pytest.param(
            "material", {"name": "material", "custom_dir": "frame"}, marks=pytest.mark.slow
        ),
    ],
)
def test_another_theme_changes_no_date_and_an_edit_changes_one(
    build_site: Builder, before: str, after: Any
) -> None:
    def dates(day: str, theme: Any, changes: dict[str, str]) -> dict[str, str]:
        built = build_site(
            {**PAGES, "../frame/main.html": OTHER_FRAME, **changes},
            OPTIONS,
            environment={"SOURCE_DATE_EPOCH": day},
            theme=theme,
            markdown_extensions=EXTENSIONS,
        )
        assert built.status == 0, built.log
        return {path: url.lastmod for path, url in built.urls.items() if url.lastmod}

    edit = {"guide/boil.md": f"{BOIL}\nMore.\n"}
    # A page more is an entry more in each menu.
    more = {"about.md": "# About\n"} if isinstance(after, dict) else {}
    dates(DAYS[0], before, {})

    assert dates(DAYS[1], after, more) == {}
    assert dates(DAYS[2], after, edit) == {"guide/boil/": "2025-08-10T00:00:00+00:00"}
