"""What Pelican writes is listed, each page once, and what is no page is not."""

from __future__ import annotations

import json

from pelican_sites import Site

LISTINGS = {"", "archives.html", "authors.html", "categories.html", "tags.html",
            "author/ada.html", "category/misc.html"}  # fmt: skip


def test_plain_use_lists_everything_that_is_served(site: Site) -> None:
    site.article("hello.md", "Tags: a")
    site.page("about.md")

    assert set(site.build().paths) == {*LISTINGS, "hello.html", "tag/a.html", "pages/about.html"}


def test_drafts_and_hidden_pages_are_left_out(site: Site) -> None:
    site.article("draft.md", "Status: draft")
    site.article("hidden.md", "Status: hidden")
    site.page("draft-page.md", "Status: draft")
    site.page("pricing.md", "Status: Hidden")
    site.article("skipped.md", "Status: skip")
    site.article("hello.md")
    build = site.build()
    site.settings["SITEMAP"] = {"hidden": True}

    assert set(build.paths) == {*LISTINGS, "hello.html"}
    assert build.said("2 draft", "2 hidden")
    assert set(site.build().paths) == {
        *LISTINGS, "hello.html", "hidden.html", "pages/pricing.html"
    }  # fmt: skip


REASONS = {
    "Sitemap: false": "sitemap: false",
    "Sitemap: False": "sitemap: false",
    "Private: True": "private",
    "Robots: NOINDEX, follow": "noindex",
    "Robots: none": "noindex",
    "noindex: true": "noindex",
    "Canonical: https://elsewhere.example/": "canonical elsewhere",
    "save_as: 404.html": "error page",
    "save_as: 404/index.html": "error page",
    "save_as: de/404.html": "error page",
}


def test_a_page_is_left_out_for_what_its_header_says(site: Site) -> None:
    site.settings["SITEMAP"] = {"report": "report.json"}
    site.article("hello.md")
    for number, header in enumerate(REASONS):
        site.page(f"{number}.md", header)
    build = site.build()
    pages = json.loads((site.folder / "report.json").read_text())["pages"]
    found = {page["source"]: page["reason"] for page in pages if page["source"]}

    assert set(build.paths) == {*LISTINGS, "hello.html"}
    for number, reason in enumerate(REASONS.values()):
        assert found[f"pages/{number}.md"].startswith(reason)


BAD_VALUES = {
    "priority: 10000": ("priority", "10000"),
    "priority: high": ("priority", "high"),
    "changefreq:": ("changefreq", "weekly"),
    "changefreq: fortnightly": ("changefreq", "fortnightly"),
    "sitemap: perhaps": ("sitemap", "perhaps"),
}


def test_a_bad_value_is_a_warning_that_names_the_file(site: Site) -> None:
    for number, header in enumerate(BAD_VALUES):
        site.article(f"blog/a{number}.md", header)
    build = site.build()
    entries = build.entries

    for number, words in enumerate(BAD_VALUES.values()):
        assert build.said("WARNING", f"blog/a{number}.md", *words)
        entry = entries[f"a{number}.html"]
        assert (entry.changefreq, entry.priority) == (None, None)


def test_a_page_that_takes_the_place_of_another_is_listed_once(site: Site) -> None:
    site.article("hello.md", date="2024-01-01")
    site.page("home.md", "save_as: index.html\nurl:\nModified: 2020-01-01")
    site.page("tags.md", "save_as: tags.html\nModified: 2020-01-02")
    entries = site.build().entries

    assert set(entries) == {*LISTINGS, "hello.html"}
    assert entries[""].lastmod == "2020-01-01"
    assert entries["tags.html"].lastmod == "2020-01-02"


def test_a_skipped_write_does_not_hide_the_page_that_was_written_before(site: Site) -> None:
    site.settings.update(TEMPLATE_PAGES={"home.html": "index.html"})
    site.article("a.md", "save_as: archives.html\nModified: 2020-01-01")
    site.write("content/home.html", "<html><head><title>H</title></head><body></body></html>")
    site.settings["ARTICLE_EXCLUDES"] = ["home.html"]
    site.settings["READERS"] = {"html": None}
    build = site.build()

    assert build.entries["archives.html"].lastmod == "2020-01-01"
    assert build.entries[""].lastmod is None
    assert "<title>H</title>" in (build.output / "index.html").read_text()


def test_template_pages_are_pages(site: Site) -> None:
    site.settings.update(
        READERS={"html": None},
        TEMPLATE_PAGES={"src/landing.html": "landing/index.html", "src/lost.html": "404.html"},
        SITEMAP={"listings": False, "rules": [{"match": "src/landing.html", "priority": 0.7}]},
    )
    site.write("content/src/landing.html", "<!doctype html><title>L</title>")
    site.write("content/src/lost.html", "<!doctype html><title>L</title>")
    site.article("hello.md")
    entries = site.build().entries

    assert set(entries) == {"", "hello.html", "landing/"}
    assert entries["landing/"].priority == "0.7"


def test_only_html_is_a_page(site: Site) -> None:
    theme = "theme/templates"
    site.write(f"{theme}/robots.html", "User-agent: *")
    site.write(f"{theme}/feed.html", '<?xml version="1.0"?>\n<rss><channel></channel></rss>')
    site.write(f"{theme}/search.html", "[1, 2]")
    site.write(f"{theme}/app.html", "\n<!-- x -->\n<?xml version='1.0'?><!DOCTYPE HTML>\n<p>")
    site.write(f"{theme}/v1.html", "<html lang=en><p>")
    site.settings.update(
        THEME_TEMPLATES_OVERRIDES=[theme],
        DIRECT_TEMPLATES=["index", "robots", "feed", "search", "app", "v1"],
        ROBOTS_SAVE_AS="robots.txt",
        FEED_SAVE_AS="feed.rss",
        SEARCH_SAVE_AS="search.json",
        APP_SAVE_AS="app",
        V1_SAVE_AS="v1.0",
        CATEGORY_SAVE_AS="",
        AUTHOR_SAVE_AS="",
    )
    site.article("hello.md")

    assert set(site.build().paths) == {"", "hello.html", "app", "v1.0"}


def test_without_listings_the_home_page_and_other_templates_stay(site: Site) -> None:
    site.settings.update(
        DIRECT_TEMPLATES=["index", "tags", "categories", "authors", "archives", "contact", "news"],
        THEME_TEMPLATES_OVERRIDES=["theme"],
        PAGINATED_TEMPLATES=dict.fromkeys(["index", "tag", "category", "author", "news"], 1),
        YEAR_ARCHIVE_SAVE_AS="{date:%Y}/index.html",
        SITEMAP={"listings": False},
    )
    site.write("theme/contact.html", "<html><p>Contact")
    site.write("theme/news.html", "<html><p>News")
    site.article("hello.md", "Tags: a")
    site.article("hi.md")

    assert set(site.build().paths) == {"", "hello.html", "hi.html", "contact.html"}


def test_static_files_and_feeds_are_no_pages(site: Site) -> None:
    site.settings.update(
        STATIC_PATHS=["extra", "images"],
        EXTRA_PATH_METADATA={"extra/google.html": {"path": "google.html"}},
        READERS={"html": None},
        FEED_ALL_ATOM="feeds/all.atom.xml",
        OUTPUT_SOURCES=True,
    )
    site.write("content/extra/google.html", "<html><p>Token")
    site.write("content/images/a.html", "<html><p>Picture")
    site.article("hello.md")

    build = site.build()
    assert (build.output / "google.html").exists()
    assert (build.output / "feeds/all.atom.xml").exists()
    assert set(build.paths) == {*LISTINGS, "hello.html"}


def test_pages_that_other_plugins_write_are_pages(site: Site) -> None:
    site.settings["PLUGINS"] = ["sitemap_plugin", "gallery"]
    site.write(
        "gallery.py",
        """
        from pelican import signals
        from pelican.generators import Generator

        class Gallery(Generator):
            def generate_output(self, writer):
                template = self.env.from_string("<html><p>Pictures")
                items = list("abc")
                writer.write_file(
                    "gallery/index.html", template, self.context, url="gallery/",
                    paginated={"pictures": items}, template_name="gallery",
                )
                writer.write_file("map/index.html", template, self.context)

        def add(pelican):
            pelican.settings["PAGINATED_TEMPLATES"]["gallery"] = 2
            return Gallery

        def register():
            signals.get_generators.connect(add)
        """,
    )
    site.article("hello.md")

    assert set(site.build().paths) == {*LISTINGS, "hello.html", "gallery/", "map/"}


def test_files_are_read_after_all_other_plugins_have_finished_with_them(site: Site) -> None:
    site.settings["PLUGINS"] = ["sitemap_plugin", "redirector"]
    site.write(
        "redirector.py",
        """
        from pathlib import Path
        from pelican import signals

        def redirect(pelican):
            stub = '<html><head><meta http-equiv="refresh" content="0; url=/new.html">'
            Path(pelican.output_path, "hello.html").write_text(stub)
            Path(pelican.output_path, "gone.html").unlink()

        def register():
            signals.finalized.connect(redirect)
        """,
    )
    for name in ("hello.md", "gone.md", "new.md"):
        site.article(name)
    build = site.build()

    assert set(build.paths) == {*LISTINGS, "new.html"}
    assert build.said("1 redirect", "1 not written")
