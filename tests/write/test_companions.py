"""The text sitemap and IndexNow's key file."""

from __future__ import annotations

from pathlib import Path

import pytest
from usp.tree import sitemap_from_str

from sitemap_plugin import Site
from sitemap_plugin.build import build
from sitemap_plugin.config import parse_config
from sites import BASE, Pages, build_pages, page

TEXT = {"text": True}


def test_the_text_sitemap_has_a_url_a_line_and_nothing_else(tmp_path: Path) -> None:
    report = build_pages(tmp_path, [page("b&c/"), page("ü/"), page("a/")], TEXT)

    text = (tmp_path / "sitemap.txt").read_bytes()
    assert text == f"{BASE}%C3%BC/\n{BASE}a/\n{BASE}b&c/\n".encode()
    assert len(list(sitemap_from_str(text.decode()).all_pages())) == 3
    assert tmp_path / "sitemap.txt" in report.files
    assert "3 URLs in " in report.summary()


def test_it_lists_what_all_parts_list(tmp_path: Path) -> None:
    pages = [page(f"{n}/") for n in range(5)]
    build_pages(tmp_path, pages, {**TEXT, "max_urls": 2})

    assert len((tmp_path / "sitemap.txt").read_text().splitlines()) == 5


@pytest.mark.parametrize(
    "content",
    [
        "my own notes",
        f"{BASE}a/\n{BASE}only-here/\n\n# mine\n",
        f"{BASE}b/\n{BASE}a/\n",
        f"{BASE}a/\n{BASE}a/\n",
        f"{BASE}a/\n\n{BASE}b/\n",
        f"{BASE}a/\r\n{BASE}\r\n",
        f"{BASE}a/\n{BASE}b/",
    ],
)
def test_a_file_of_the_users_is_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / "sitemap.txt").write_bytes(content.encode())
    report = build_pages(tmp_path, [page("a/")], TEXT)

    kept = [path.read_bytes() for path in tmp_path.glob("sitemap.txt.bak*")]
    assert kept == [content.encode()]
    assert any(problem.where == "sitemap.txt" for problem in report.problems)


def test_a_text_sitemap_that_nobody_wants_any_more_is_left_alone(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/"), page("b/")], TEXT)
    before = (tmp_path / "sitemap.txt").read_bytes()
    report = build_pages(tmp_path, [page("a/")])

    assert (tmp_path / "sitemap.txt").read_bytes() == before
    assert tmp_path / "sitemap.txt" not in report.files


def test_what_an_earlier_build_wrote_is_replaced(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("b/"), page(""), page("ü/"), page("a/")], TEXT)
    report = build_pages(tmp_path, [page("a/")], TEXT)

    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE}a/\n"
    assert not list(tmp_path.glob("*.bak*"))
    assert not report.problems


def test_the_key_file_holds_the_key(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")], {"indexnow_key": "0123456789abcdef"})

    assert (tmp_path / "0123456789abcdef.txt").read_bytes() == b"0123456789abcdef"


def test_a_preview_announces_no_key(tmp_path: Path) -> None:
    build_pages(tmp_path, [page("a/")], {"indexnow_key": "0123456789abcdef"}, preview=True)

    assert not (tmp_path / "0123456789abcdef.txt").exists()


@pytest.mark.parametrize("content", ["my notes", "0123456789abcdef and more", "\ufeff"])
def test_another_file_with_the_name_of_the_keys_is_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / "0123456789abcdef.txt").write_text(content, encoding="utf-8")
    report = build_pages(tmp_path, [page("a/")], {"indexnow_key": "0123456789abcdef"})

    assert (tmp_path / "0123456789abcdef.txt").read_text(encoding="utf-8") == content
    assert [str(problem) for problem in report.problems] == [
        "indexnow_key: 0123456789abcdef.txt is there already and holds something else, so it is "
        "kept; choose another key, or remove that file"
    ]


@pytest.mark.parametrize("content", ["", "0123456789abcdef\n"])
def test_a_key_file_made_by_hand_serves(tmp_path: Path, content: str) -> None:
    (tmp_path / "0123456789abcdef.txt").write_text(content)
    report = build_pages(tmp_path, [page("a/")], {"indexnow_key": "0123456789abcdef"})

    assert (tmp_path / "0123456789abcdef.txt").read_text().strip() == "0123456789abcdef"
    assert not report.problems


def test_a_key_file_among_the_sites_own_files_serves_too(tmp_path: Path) -> None:
    name = "0123456789abcdef.txt"
    config, _ = parse_config({"indexnow_key": "0123456789abcdef"}, generator="folder")
    site = Site(base_url=BASE, output_dir=tmp_path, config=config)
    texts = {}
    for content in ("0123456789abcdef\n", "another"):
        (tmp_path / name).write_text(content)
        report = build(site, [Pages([page("a/")])], protected={name})
        texts[content] = [str(problem) for problem in report.problems]
        assert (tmp_path / name).read_text() == content

    assert texts == {
        "0123456789abcdef\n": [],
        "another": [
            f"indexnow_key: {name} is there already and holds something else, so it is kept; "
            "choose another key, or remove that file"
        ],
    }
