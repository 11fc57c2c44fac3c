"""The images of a page's main content, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemap_plugin.images import LIMIT
from sites import BASE, build_pages, page

NAMESPACE = {"i": "http://www.google.com/schemas/sitemap-image/1.1"}
DOCUMENT = "<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def images(
    folder: Path,
    body: str,
    metadata: dict[str, Any] | None = None,
    head: str = "",
    **options: Any,
) -> list[str]:
    """Build a site with one page in a folder; return its images' paths below the base."""
    output = folder / "a" / "index.html"
    output.parent.mkdir(exist_ok=True)
    output.write_text(DOCUMENT.format(head=head, body=body), encoding="utf-8")
    for name in ("a/here.png", "top.png", "ü b.png", "big.png"):
        (folder / name).write_bytes(b"x")
    build_pages(folder, [page("a/", metadata, output=output)], {"images": True, **options})
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
        ('<img src="here.png" width="300">', ["a/here.png"]),
        ('<img src="here.png" width="100%">', ["a/here.png"]),
        ('<img class="twemoji big" src="here.png">', []),
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
    ],
)
def test_the_main_content_is_found_in_usual_and_broken_markup(tmp_path: Path, body: str) -> None:
    filled = body.format(logo='<img src="/top.png">', own='<img src="here.png">')

    assert images(tmp_path, filled) == ["a/here.png"]


def test_images_are_resolved_against_the_base_of_the_page(tmp_path: Path) -> None:
    assert images(tmp_path, "<main><img src=top.png></main>", head="<base href=/>") == ["top.png"]


def test_a_page_lists_at_most_a_thousand(tmp_path: Path) -> None:
    tags = "".join(f'<img src="https://cdn.example/{n}.png">' for n in range(LIMIT + 5))

    assert len(images(tmp_path, f"<main>{tags}</main>")) == LIMIT


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
