"""What stands in the settings is understood, or said to be wrong; and what ends a build."""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from files import read_table
from pelican_sites import Build, Site

CASES = read_table(__file__, "pelican_settings.yaml")


def listed(build: Build, path: str) -> tuple[str | None, str | None]:
    entry = build.entries[path]
    return entry.changefreq, entry.priority


@pytest.mark.parametrize(
    "plugins", [None, ["pelican.plugins.sitemap_plugin"], ["sitemap_plugin", "sitemap_plugin"]]
)
def test_the_plugin_is_found_and_works_once(site: Site, plugins: Any) -> None:
    site.settings["PLUGINS"] = plugins
    site.article("hello.md", "Tags: a")
    site.page("about.md")
    build = site.build()

    assert set(build.paths) == {
        "", "archives.html", "authors.html", "categories.html", "tags.html", "author/ada.html",
        "category/misc.html", "hello.html", "tag/a.html", "pages/about.html",
    }  # fmt: skip
    assert build.text.count("URLs in") == 1


def printed(build: Build) -> dict[str, Any]:
    """Return the settings that a build has printed to be copied."""
    line = next(line for line in build.text.splitlines() if "SITEMAP = {" in line)
    value = re.sub(r"\}[^}]*$", "}", line[line.index("SITEMAP = {") + 10 :])
    found: dict[str, Any] = ast.literal_eval(value)
    return found


PRIORITIES = {"articles": 0.7, "pages": 0.5, "indexes": 0.1}
CHANGEFREQS = {"articles": "weekly", "pages": "yearly", "indexes": "daily"}


@pytest.mark.parametrize(
    ("sitemap", "settings"),
    [
        ({"exclude": ["^tag/"], "hidden": True, "priorities": PRIORITIES,
          "changefreqs": {"articles": "weekly", "pages": "yearly"}}, {}),
        ({"priorities": PRIORITIES, "changefreqs": CHANGEFREQS}, {}),
        ({"priorities": {"indexes": 0.1}}, {}),
        ({"priorities": {"indexes": 0.1}, "changefreqs": {"pages": "daily"}},
         {"TAG_SAVE_AS": "{slug}.html", "CATEGORY_SAVE_AS": "c/{slug}/index.html"}),
        ({"changefreqs": {"articles": "weekly"}}, {"ARTICLE_PATHS": ["", "blog"]}),
        ({"format": "txt", "priorities": {"pages": 0.2}, "changefreq": "monthly"},
         {"PAGE_PATHS": ["pages", "more"], "PAGE_SAVE_AS": "{slug}.html"}),
    ],
)  # fmt: skip
def test_the_printed_settings_give_the_same_entries(
    site: Site, sitemap: dict[str, Any], settings: dict[str, Any]
) -> None:
    site.settings |= {
        "TEMPLATE_PAGES": {"src/a.html": "landing.html"}, "READERS": {"html": None},
        "YEAR_ARCHIVE_SAVE_AS": "{date:%Y}/index.html", "ARTICLE_EXCLUDES": ["src", "more"],
        **settings, "SITEMAP": sitemap,
    }  # fmt: skip
    site.article("hello.md", "Tags: a")
    site.article("own.md", "Priority: 0.9\nChangeFreq: never")
    site.write("content/blog/[1].rst", "One\n###\n\n:date: 2024-01-01\n\nText\n")
    site.page("about.md")
    site.article("more/us.md", date=None)
    site.write("content/src/a.html", "<!doctype html><title>L</title>")
    old = site.build()
    site.settings["SITEMAP"] = printed(old)
    new = site.build()

    assert not {"format", "priorities", "changefreqs"} & set(site.settings["SITEMAP"])
    assert old.entries == new.entries
    assert listed(old, "own.html") == ("never", "0.9")
    assert old.text.count("pelican-sitemap") == 1
    assert "WARNING" not in old.text + new.text
    assert "pelican-sitemap" not in new.text
    wanted = sitemap.get("priorities", {}), sitemap.get("changefreqs", {})
    for path, group in {"": "indexes", "hello.html": "articles", "landing.html": "indexes",
                        "2024/": "indexes"}.items():  # fmt: skip
        priority, changefreq = wanted[0].get(group), wanted[1].get(group)
        assert listed(old, path) == (
            changefreq or sitemap.get("changefreq"), priority and str(priority)
        )  # fmt: skip


EXTENDED = {
    "priorities": {"index": 1.0, "articles": 0.8, "pages": 0.5, "others": 0.4},
    "changefrequencies": {"index": "daily", "articles": "weekly", "pages": "monthly"},
}


@pytest.mark.parametrize("is_active", [False, True])
def test_pelican_extended_sitemap_is_named_with_what_says_the_same(
    site: Site, is_active: bool
) -> None:
    site.settings["EXTENDED_SITEMAP_PLUGIN"] = EXTENDED
    if is_active:
        site.settings["PLUGINS"] = ["sitemap_plugin", "extended_sitemap"]
        site.write("extended_sitemap.py", "def register():\n    pass\n")
    site.article("hello.md")
    site.page("about.md")
    first = site.build()
    site.settings["SITEMAP"] = printed(first)
    second = site.build()

    said = [line for line in first.text.splitlines() if "pelican-extended-sitemap" in line]
    assert len(said) == 1
    assert ("WARNING" in said[0]) == is_active
    assert first.said("PLUGINS" if is_active else "EXTENDED_SITEMAP_PLUGIN: ", "remove")
    found = [listed(second, path) for path in ("", "hello.html", "pages/about.html", "tags.html")]
    assert found == [("daily", "1.0"), ("weekly", "0.8"), ("monthly", "0.5"), (None, "0.4")]


def test_pelican_sitemap_beside_us_is_a_warning_also_where_plugins_is_not_set(
    site: Site, has_plugin: Callable[[str], None]
) -> None:
    has_plugin("sitemap")
    site.article("a.md")
    site.settings["PLUGINS"] = None
    build = site.build()

    assert build.said("WARNING", "pelican-sitemap is active too", "uninstall pelican-sitemap")
    assert "Written by sitemap-plugin" in build.sitemap.read_text()


@pytest.mark.parametrize("conf", ["conf/pelicanconf.py", "conf/publishconf.py"])
def test_paths_in_the_options_start_at_the_settings_file(site: Site, conf: str) -> None:
    site.settings.update(
        PATH="../content", OUTPUT_PATH="../output", SITEMAP={"report": "report.json"}
    )
    site.article("hello.md")
    (site.folder / "conf").mkdir()
    site.configure().rename(site.folder / "conf" / "pelicanconf.py")
    publish = 'import sys\nsys.path.append("conf")\nfrom pelicanconf import *\n'
    site.write("conf/publishconf.py", publish)
    build = site.run("-s", conf)

    assert build.status == 0, build.text
    assert "hello.html" in (site.folder / "conf" / "report.json").read_text()


@pytest.mark.parametrize(("sitemap", "said"), CASES["wrong"])
def test_wrong_settings_fail_the_build_with_one_message(
    site: Site, sitemap: Any, said: list[str]
) -> None:
    site.settings["SITEMAP"] = sitemap
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 1
    assert all(word in build.text for word in said)
    assert "Traceback" not in build.text
    assert build.text.count("CRITICAL") == 1
    assert not build.output.exists()


@pytest.mark.parametrize(("settings", "said", "is_written"), CASES["useless"])
def test_one_warning_says_why_there_is_no_useful_sitemap(
    site: Site, settings: Mapping[str, Any], said: list[str], is_written: bool
) -> None:
    site.settings.update(settings)
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 0
    assert build.text.count("WARNING") == 1
    assert build.said("WARNING", *said)
    assert build.sitemap.exists() == (build.output / "robots.txt").exists() == is_written
    assert "None" not in build.text


@pytest.mark.parametrize(
    ("strict", "arguments", "status"),
    [(False, (), 0), (True, (), 1), (False, ("--fatal", "warnings"), 1)],
)
def test_warnings_fail_a_strict_build(
    site: Site, strict: bool, arguments: tuple[str, ...], status: int
) -> None:
    site.settings["SITEMAP"] = {"strict": strict}
    site.article("hello.md", "Priority: 10000")
    site.configure()
    build = site.run(*arguments)

    assert build.status == status
    assert build.said("WARNING", "hello.md", "priority")
    assert arguments or "Traceback" not in build.text


def test_a_notice_never_fails_a_build_and_a_line_to_be_copied_is_not_broken(site: Site) -> None:
    url = "https://example.org/" + "long-path/" * 9
    site.settings.update(SITEURL=f"{url}[b]x[/b]", SITEMAP={"strict": True})
    site.article("hello.md")
    site.configure()
    build = site.run("--fatal", "warnings", COLUMNS="60")

    assert build.status == 0
    assert build.said(f"Sitemap: {url}%5Bb%5Dx%5B/b%5D/sitemap.xml")


def test_a_sitemap_that_cannot_be_written_fails_the_build_and_says_why(site: Site) -> None:
    (site.folder / "output" / "sitemap.xml").mkdir(parents=True)
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 1
    assert build.said("CRITICAL", "sitemap.xml")
    assert "Traceback" not in build.text
    assert not (build.output / "robots.txt").exists()


@pytest.mark.parametrize("links", [False, True])
def test_the_source_of_robots_txt_is_never_changed(site: Site, links: bool) -> None:
    site.settings.update(
        STATIC_PATHS=["extra"],
        STATIC_CREATE_LINKS=links,
        EXTRA_PATH_METADATA={"extra/robots.txt": {"path": "robots.txt"}},
    )
    source = site.write("content/extra/robots.txt", "User-agent: *\nDisallow: /a")
    site.article("hello.md")
    for _ in range(2):
        build = site.build()

        assert source.read_bytes() == b"User-agent: *\nDisallow: /a"
        assert (build.output / "robots.txt").read_bytes() == (
            b"User-agent: *\nDisallow: /a\nSitemap: https://example.org/sitemap.xml\n"
        )
