"""The plugins that large MkDocs sites use beside this one."""

from __future__ import annotations

import pytest

from mkdocs_sites import COMMANDS, Builder

HOME = {"index.md": "# Home"}
MATERIAL = {"name": "material", "font": False}


def test_blog_views_are_listings_of_their_posts(build_site: Builder) -> None:
    posts = {
        "a": "date:\n  created: 2020-03-01\n  updated: 2021-04-02\ncategories: [Tea]",
        "b": "date: 2023-05-06\ncategories: [Tea, Pots]\nauthors: [someone]",
        "c": "date: 2019-01-02\nsitemap: false\ncategories: [Pots]",
        "d": "date: 2024-01-01\ndraft: true",
    }
    files = {f"blog/posts/{name}.md": f"---\n{meta}\n---\n# {name}" for name, meta in posts.items()}
    authors = (
        "authors:\n  someone:\n    name: Someone\n    description: Writes\n    avatar: x.png\n"
    )
    built = build_site(
        {**HOME, **files, "blog/index.md": "# Blog", "blog/.authors.yml": authors},
        plugins=[{"blog": {"pagination_per_page": 1, "authors_profiles": True}}],
        theme=MATERIAL,
    )

    assert built.status == 0, built.log
    assert {path: url.lastmod for path, url in built.urls.items()} == {
        "": None,
        "blog/": "2023-05-06",
        "blog/2020/03/01/a/": "2021-04-02",
        "blog/2023/05/06/b/": "2023-05-06",
        "blog/archive/2019/": None,
        "blog/archive/2020/": "2021-04-02",
        "blog/archive/2023/": "2023-05-06",
        "blog/author/someone/": "2023-05-06",
        "blog/category/pots/": "2023-05-06",
        "blog/category/tea/": "2023-05-06",
    }
    assert "4 later page of a listing, 1 sitemap: false" in built.log


def test_listings_and_their_later_pages_can_be_chosen(build_site: Builder) -> None:
    files = {
        f"blog/posts/{name}.md": f"---\ndate: 2020-01-0{number}\n---\n# {name}"
        for number, name in enumerate("abc", 1)
    }
    files = {**HOME, **files, "blog/index.md": "# Blog"}
    blog = [{"blog": {"pagination_per_page": 2}}]
    none = build_site(files, {"listings": False}, plugins=blog, theme=MATERIAL, name="none")
    every = build_site(files, {"pagination": True}, plugins=blog, theme=MATERIAL, name="every")

    posts = {f"blog/2020/01/0{number}/{name}/" for number, name in enumerate("abc", 1)}
    assert set(none.urls) == {"", *posts}
    assert set(every.urls) - posts - {""} == {
        "blog/", "blog/page/2/", "blog/archive/2020/", "blog/archive/2020/page/2/",
    }  # fmt: skip


def test_a_blog_that_is_the_home_page_is_always_listed(build_site: Builder) -> None:
    files = {"index.md": "# Blog", "posts/a.md": "---\ndate: 2020-01-01\n---\n# A"}
    built = build_site(
        files, {"listings": False}, plugins=[{"blog": {"blog_dir": "."}}], theme=MATERIAL
    )

    assert {path: url.lastmod for path, url in built.urls.items()} == {
        "": "2020-01-01",
        "2020/01/01/a/": "2020-01-01",
    }


def test_generated_pages_are_listed(build_site: Builder) -> None:
    script = (
        "import mkdocs_gen_files\n"
        "with mkdocs_gen_files.open('made/up.md', 'w') as file:\n"
        "    file.write('---\\nmodified: 2022-02-02\\n---\\n# Made up')\n"
        "with mkdocs_gen_files.open('index.md', 'a') as file:\n"
        "    file.write('More')\n"
    )
    built = build_site(
        {**HOME, "gen.py": script},
        plugins=[{"gen-files": {"scripts": ["docs/gen.py"]}}],
        exclude_docs="gen.py",
    )

    assert built.status == 0, built.log
    assert {path: url.lastmod for path, url in built.urls.items()} == {
        "": None,
        "made/up/": "2022-02-02",
    }


def test_the_navigation_file_of_literate_nav_is_not_listed(build_site: Builder) -> None:
    files = {**HOME, "a.md": "# A", "b.md": "# B", "SUMMARY.md": "* [Home](index.md)\n* [A](a.md)"}
    built = build_site(files, {"nav_only": True}, plugins=["literate-nav"])

    assert set(built.urls) == {"", "a/"}


def test_section_pages_of_section_index_are_in_the_navigation(build_site: Builder) -> None:
    files = {**HOME, "guide/index.md": "# Guide", "guide/a.md": "# A", "b.md": "# B"}
    nav = [{"Home": "index.md"}, {"Guide": ["guide/index.md", {"A": "guide/a.md"}]}]
    built = build_site(files, {"nav_only": True}, plugins=["section-index"], nav=nav)

    assert set(built.urls) == {"", "guide/", "guide/a/"}


def test_redirects_are_left_out_even_where_they_overwrite_a_page(build_site: Builder) -> None:
    files = {**HOME, "new.md": "# New", "both.md": "# A page and a redirect"}
    redirects = {"redirect_maps": {"old.md": "new.md", "both.md": "new.md"}}
    built = build_site(files, plugins=[{"redirects": redirects}])

    assert (built.site / "old" / "index.html").exists()
    assert set(built.urls) == {"", "new/"}
    assert "left out (1 " in built.log


@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # In the plugin's own code.
def test_pages_of_a_monorepo_are_listed_below_their_part(build_site: Builder) -> None:
    part = "site_name: part\nnav:\n  - Start: index.md\n"
    built = build_site(
        {
            **HOME,
            "../part/mkdocs.yml": part,
            "../part/docs/index.md": "---\nmodified: 2021-01-01\n---\n# Part",
        },
        plugins=["monorepo"],
        nav=[{"Home": "index.md"}, {"Part": "!include ./part/mkdocs.yml"}],
    )

    assert built.status == 0, built.log
    assert {path: url.lastmod for path, url in built.urls.items()} == {
        "": None,
        "part/": "2021-01-01",
    }


def test_the_present_is_not_taken_for_the_date_of_an_untracked_page(build_site: Builder) -> None:
    options = {"git-revision-date-localized": {"fallback_to_build_date": True}}
    built = build_site(HOME, plugins=[options])

    assert built.status == 0, built.log
    assert built.urls[""].lastmod is None


@pytest.mark.parametrize("command", COMMANDS)
def test_material_sites_build_strictly(build_site: Builder, command: str) -> None:
    built = build_site(
        {**HOME, "blog/index.md": "# Blog", "blog/posts/a.md": "---\ndate: 2020-01-01\n---\n# A"},
        None,
        "--strict",
        plugins=["blog", "search", "tags"],
        theme=MATERIAL,
        command=command,
    )

    assert built.status == 0, built.log
    assert "blog/2020/01/01/a/" in built.urls
