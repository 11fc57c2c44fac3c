"""The images of a page's main content, and no others."""

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from files import read_table
from sitemap_plugin.errors import Problem
from sitemap_plugin.write.protocol import MAX_IMAGES
from sites import BASE, build_pages, page

TABLE = read_table(__file__, "images.yaml")

NAMESPACE = {"i": "http://www.google.com/schemas/sitemap-image/1.1"}
DOCUMENT = "<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def images(
    folder: Path,
    body: str,
    metadata: dict[str, Any] | None = None,
    head: str = "",
    problems: list[Problem] | None = None,
    **options: Any,
) -> list[str]:
    """Build a site with one page in a folder; return its images' paths below the base."""
    output = folder / "a" / "index.html"
    output.parent.mkdir(exist_ok=True)
    output.write_text(DOCUMENT.format(head=head, body=body), encoding="utf-8")
    for name in ("a/here.png", "top.png", "ü b.png", "big.png"):
        (folder / name).write_bytes(b"x")
    pages = [page("a/", metadata, output=output)]
    report = build_pages(folder, pages, {"images": True, **options})
    if problems is not None:
        problems += report.problems
    locs = etree.parse(folder / "sitemap.xml").findall(".//i:image/i:loc", NAMESPACE)
    return [str(loc.text).removeprefix(BASE) for loc in locs]


def test_no_images_are_listed_unless_asked_for(tmp_path: Path) -> None:
    assert images(tmp_path, "<main><img src=here.png></main>", images=False) == []


@pytest.mark.parametrize(("tag", "listed"), TABLE["images"])
def test_an_image_of_the_content_is_listed_if_it_can_be_shown(
    tmp_path: Path, tag: str, listed: list[str]
) -> None:
    assert images(tmp_path, f"<main><p>{tag}</p></main>") == listed


@pytest.mark.parametrize("url", TABLE["badges"])
def test_badges_and_avatars_that_services_draw_are_not_listed(tmp_path: Path, url: str) -> None:
    assert images(tmp_path, f'<main><img src="{url}"></main>') == []


@pytest.mark.parametrize("url", TABLE["pictures"])
def test_other_pictures_of_other_hosts_are_listed(tmp_path: Path, url: str) -> None:
    assert images(tmp_path, f'<main><img src="{url}"></main>') == [url]


@pytest.mark.parametrize("body", TABLE["bodies"])
def test_the_main_content_is_found_in_usual_and_broken_markup(tmp_path: Path, body: str) -> None:
    filled = body.format(logo='<img src="/top.png">', own='<img src="here.png">')

    assert images(tmp_path, filled) == ["a/here.png"]


def test_images_are_resolved_against_the_base_of_the_page(tmp_path: Path) -> None:
    assert images(tmp_path, "<main><img src=top.png></main>", head="<base href=/>") == ["top.png"]


@pytest.mark.parametrize(
    ("own", "left_out"), [([], "5"), (["top.png", "big.png"], "7"), (["a/here.png"], "6")]
)
def test_a_page_lists_at_most_a_thousand_and_says_so(
    tmp_path: Path, own: list[str], left_out: str
) -> None:
    tags = "".join(f'<img src="https://cdn.example/{n}.png">' for n in range(MAX_IMAGES + 5))
    metadata = {"sitemap": {"images": {"add": own}}}

    problems: list[Problem] = []
    found = images(tmp_path, f"<main>{tags}</main>", metadata, problems=problems)

    assert len(found) == MAX_IMAGES
    assert found[MAX_IMAGES - len(own) :] == own
    assert [(problem.severity, problem.where) for problem in problems] == [("notice", "a.md")]
    assert problems[0].message == (
        f"search engines read 1,000 images of a page; {left_out} are left out"
    )


@pytest.mark.parametrize(("setting", "listed"), TABLE["settings"])
def test_front_matter_replaces_images_or_adds_to_them(
    tmp_path: Path, setting: Any, listed: list[str]
) -> None:
    body = "<main><img src=here.png></main>"

    assert images(tmp_path, body, {"sitemap": {"images": setting}}) == listed


def test_an_image_that_an_extra_url_names_and_is_nowhere_is_told_with_its_place(
    tmp_path: Path,
) -> None:
    extra = ["feed.xml", {"loc": "a.pdf", "images": ["top.png", "gone.png"]}]

    problems: list[Problem] = []
    assert images(tmp_path, "<p>", problems=problems, extra_urls=extra) == ["top.png"]
    assert [str(problem) for problem in problems] == [
        "extra_urls[1].images: 'gone.png': there is no such file; write its path"
    ]


def test_a_name_that_no_file_can_have_keeps_no_other_image_from_being_listed(
    tmp_path: Path,
) -> None:
    body = f'<main><img src="{"x" * 5000}.png"><img src="%00.png"><img src="here.png"></main>'
    problems: list[Problem] = []
    named = {"sitemap": {"images": {"add": ["y" * 5000, "/top.png"]}}}

    assert images(tmp_path, body, named, problems=problems) == ["a/here.png", "top.png"]
    assert ["there is no such file" in problem.message for problem in problems] == [True]
