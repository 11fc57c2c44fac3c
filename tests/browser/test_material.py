"""Material's switcher of versions and instant navigation lead where they do without the plugin."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page

from mkdocs_sites import run_build

pytestmark = pytest.mark.slow

VERSION = {"provider": "mike"}
PAGES = {"index.md": "# Home\n\n[Guide](guide/start.md)", "guide/start.md": "# Start"}


def deploy(
    root: Path, served: str, plugins: list[Any], options: Mapping[str, Any] | None = None
) -> None:
    """Lay out two versions as mike does, with Material and our plugin or MkDocs' own sitemap."""
    for version in ("1.0", "2.0"):
        source = root / "sources" / version
        for name, text in PAGES.items():
            (source / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
            (source / "docs" / name).write_text(f"{text} {version}\n")
        settings = {
            "site_name": "Kiln",
            "site_url": f"{served}{version}/",
            "site_dir": str(root / version),
            "theme": {"name": "material", "font": False, "features": ["navigation.instant"]},
            "extra": {"version": VERSION},
            "plugins": plugins,
            **(options or {}),
        }
        (source / "mkdocs.yml").write_text(yaml.safe_dump(settings))
        assert run_build(source).status == 0
    versions: list[dict[str, object]] = [
        {"version": name, "title": name, "aliases": []} for name in ("2.0", "1.0")
    ]
    (root / "versions.json").write_text(json.dumps(versions))


def switched(page: Page, served: str, path: str) -> str:
    """Return where the switcher leads from a page of version 1.0."""
    page.goto(f"{served}1.0/{path}")
    link = page.locator(".md-version__link", has_text="2.0")
    link.wait_for(state="attached")
    link.dispatch_event("click")
    page.wait_for_url(f"{served}2.0/**", timeout=10_000)
    return page.url.removeprefix(served)


def loads_whole_pages(page: Page, served: str) -> bool:
    """Tell whether a link in the text loads a whole page."""
    page.goto(f"{served}1.0/")
    page.wait_for_load_state("networkidle")
    page.evaluate("window.isSame = true")
    page.click("article a:text-is('Guide')")
    page.wait_for_url("**/guide/start**", timeout=10_000)
    return page.evaluate("window.isSame") is not True


@pytest.mark.parametrize(
    ("options", "path", "reached"),
    [
        ({}, "guide/start/", "guide/start/"),
        # Without folders for pages, Material itself finds no page but the start page.
        ({"use_directory_urls": False}, "guide/start.html", ""),
        ({"extra": {"version": VERSION | {"default": "2.0"}}}, "guide/start/", "guide/start/"),
    ],
)
def test_switching_versions_and_links_lead_where_they_do_without_the_plugin(  # noqa: PLR0917 - pytest names them
    tmp_path: Path,
    served: str,
    new_page: Callable[..., Page],
    options: dict[str, Any],
    path: str,
    reached: str,
) -> None:
    found = []
    for plugins in (["search"], ["search", "sitemap"]):
        deploy(tmp_path, served, plugins, options)
        found.append((switched(new_page(), served, path), loads_whole_pages(new_page(), served)))

    assert found[0] == found[1] == (f"2.0/{reached}", False)


def test_a_page_that_is_left_out_is_what_the_notice_says(
    tmp_path: Path, served: str, new_page: Callable[..., Page]
) -> None:
    deploy(tmp_path, served, ["search", {"sitemap": {"exclude": ["guide/"]}}])
    assert switched(new_page(), served, "guide/start/") == "2.0/"
    assert loads_whole_pages(new_page(), served)
