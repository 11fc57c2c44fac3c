"""The images of a page's main content, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemap_plugin.errors import Problem
from sitemap_plugin.write.protocol import MAX_IMAGES
from sites import BASE, build_pages, page

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


@pytest.mark.parametrize(
    ("tag", "listed"),
    [
        ("<img src=here.png>", ["a/here.png"]),
        ('<img src="../top.png">', ["top.png"]),
        ('<img src="/top.png?v=1#x">', ["top.png?v=1"]),
        ('<img src="../ü b.png">', ["%C3%BC%20b.png"]),
        ('<IMG SRC="here.png">', ["a/here.png"]),
        ('<img src="gone.png">', []),
        ('<img src="https://cdn.example/x.png">', ["https://cdn.example/x.png"]),
        ('<img src="//cdn.example/x.png?a=1&amp;b=2">', ["https://cdn.example/x.png?a=1&b=2"]),
        ('<img src="data:image/png;base64,AAAA">', []),
        ('<img src="data:image/gif;base64,AA" data-src="here.png">', ["a/here.png"]),
        ('<img src="gone.png" data-src="here.png">', ["a/here.png"]),
        ('<img data-srcset="here.png 1x, ../big.png 2x">', ["big.png"]),
        ('<img srcset="here.png 480w, ../big.png 800w">', ["big.png"]),
        ('<img srcset="here.png, ../big.png 2x">', ["big.png"]),
        ('<img src="here.png" srcset="../big.png 2x">', ["a/here.png"]),
        ('<picture><source srcset="x.webp"><img src="here.png"></picture>', ["a/here.png"]),
        ('<img src="here.png" alt="">', ["a/here.png"]),
        ('<img src="here.png" role="presentation">', []),
        ('<img src="here.png" aria-hidden="true">', []),
        ('<img src="here.png" width="1" height="1">', []),
        ('<img src="here.png" width="24px">', []),
        ('<img src="here.png" height=" 16.5">', []),
        ('<img src="here.png" style="width: 20px">', []),
        ('<img src="here.png" style="margin:0;height:1.2em">', []),
        ('<img src="here.png" style="display:none">', []),
        ('<img src="here.png" style="border: 0; Visibility: Hidden">', []),
        ('<img src="here.png" hidden>', []),
        ('<img src="here.png" width="300">', ["a/here.png"]),
        ('<img src="here.png" width="600px">', ["a/here.png"]),
        ('<img src="here.png" width="20%">', ["a/here.png"]),
        ('<img src="here.png" width="auto">', ["a/here.png"]),
        ('<img src="here.png" style="width: 30em; display: block">', ["a/here.png"]),
        ('<img src="here.png" style="border-width: 2px; width: 30%">', ["a/here.png"]),
        ('<img src="here.png" width="100%">', ["a/here.png"]),
        ('<img class="twemoji big" src="here.png">', []),
        ('<img class="status-badge" src="here.png">', []),
        ('<img class="rounded user_avatar" src="here.png">', []),
        ('<img class="link-icon" src="here.png">', []),
        ('<img class="emojis badger iconic" src="here.png">', ["a/here.png"]),
        ('<img data-lazy-src="here.png" src="../big.png">', ["a/here.png"]),
        ('<!-- <img src="here.png"> -->', []),
        ('<script>"<img src=here.png>"</script>', []),
        ("<pre><code>&lt;img src=here.png&gt;</code></pre>", []),
        ('<img src="">', []),
        ("<img>", []),
        ('<img src="../../../etc/passwd">', []),
        ('<img src="javascript:x">', []),
        ('<img src="here.png"><img src="./here.png">', ["a/here.png"]),
    ],
)
def test_an_image_of_the_content_is_listed_if_it_can_be_shown(
    tmp_path: Path, tag: str, listed: list[str]
) -> None:
    assert images(tmp_path, f"<main><p>{tag}</p></main>") == listed


@pytest.mark.parametrize(
    "url",
    [
        "https://img.shields.io/pypi/v/djangorestframework.svg",
        "https://github.com/o/r/actions/workflows/main.yml/badge.svg",
        "https://github.com/o/r/workflows/CI/badge.svg?branch=main",
        "https://readthedocs.org/projects/x/badge/?version=latest",
        "https://badge.fury.io/py/x.svg",
        "https://badges.gitter.im/o/r.svg",
        "https://codecov.io/gh/o/r/branch/main/graph/badge.svg",
        "https://api.codacy.com/project/badge/Grade/0123456789abcdef",
        "https://sonarcloud.io/api/project_badges/measure?project=x",
        "https://colab.research.google.com/assets/colab-badge.svg",
        "https://flat.badgen.net/npm/v/x",
        "https://travis-ci.org/o/r.svg?branch=main",
        "https://app.travis-ci.com/o/r.svg",
        "https://circleci.com/gh/o/r.svg?style=svg",
        "https://ci.appveyor.com/api/projects/status/0123",
        "https://dev.azure.com/o/r/_apis/build/status/r",
        "https://avatars.githubusercontent.com/u/1?v=4",
        "https://avatars0.githubusercontent.com/u/1",
        "https://www.gravatar.com/avatar/0123?s=80",
        "https://seccdn.libravatar.org/avatar/0123",
    ],
)
def test_badges_and_avatars_that_services_draw_are_not_listed(tmp_path: Path, url: str) -> None:
    assert images(tmp_path, f'<main><img src="{url}"></main>') == []


@pytest.mark.parametrize(
    "url",
    [
        "https://cdn.example/badger.png",
        "https://cdn.example/2024/police-badge.jpg",
        "https://user-images.githubusercontent.com/1/2.png",
        "https://shields.io.example/a.png",
        "https://example.com/gravatar.com/a.png",
    ],
)
def test_other_pictures_of_other_hosts_are_listed(tmp_path: Path, url: str) -> None:
    assert images(tmp_path, f'<main><img src="{url}"></main>') == [url]


@pytest.mark.parametrize(
    "body",
    [
        "<header>{logo}</header><main>{own}</main><footer>{logo}</footer>",
        "<main><aside>{logo}</aside><div class='x md-content'><p>{own}</div></main>",
        "<nav>{logo}</nav><article>{own}</article>",
        "<div>{logo}</div><div role=main><div>{own}</div></div>{logo}",
        "<nav>{logo}</nav><div><p>{own}</div>",
        "<article>{own}</article><div>{logo}</div><article><p></article>",
        "<main><div><section>{own}</main>{logo}</div>",
        "<div></section></article>{own}</div><aside>{logo}</aside>",
        "<nav><div>{logo}<main>{own}</main>",
        "<main>{own}<nav>{logo}</nav></main>",
        "<div class=md-content><div class='md-sidebar x'><div>{logo}</div></div>{own}</div>",
        "<article><header><nav>{logo}</nav>{own}</header></article>",
    ],
)
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


@pytest.mark.parametrize(
    ("setting", "listed"),
    [
        (["../top.png"], ["top.png"]),
        ("https://cdn.example/y.png", ["https://cdn.example/y.png"]),
        ({"add": ["../top.png", "here.png"]}, ["a/here.png", "top.png"]),
        (["here.png"], ["a/here.png"]),
        (["top.png"], ["top.png"]),
        (["/top.png"], ["top.png"]),
        (["gone.png", "https://cdn.example/x.png", 7], ["https://cdn.example/x.png"]),
        ([], []),
        (False, []),
    ],
)
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
