"""Contents of every generator count, with what authors and plugins say of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pelican_sites import Site
from sitemaps import Url

TALKS = """
from pelican import signals
from pelican.contents import Article, Content
from pelican.generators import ArticlesGenerator, Generator

class {name}({base}):
    mandatory_properties = ()
    default_template = "page"
    default_status = "published"

class Talks(ArticlesGenerator):
    def generate_context(self):
        self.talks = []
        for path in self.get_files(["talks"]):
            talk = self.readers.read_file(
                base_path=self.path, path=path, content_class={name}, context=self.context
            )
            self.talks.append(talk)

    def generate_output(self, writer):
        template = self.env.from_string("<!doctype html><html><title>T</title><p>Talk")
        for talk in self.talks:
            writer.write_file(
                "talks/" + talk.slug + ".html", template, self.context, {key}=talk,
                category=getattr(talk, "category", None),
            )

def add(pelican):
    return Talks

def register():
    signals.get_generators.connect(add)
"""


@pytest.mark.parametrize(
    ("name", "base", "key"),
    [("Talk", "Article", "talk"), ("Project", "Content", "project"), ("Event", "Article", "page")],
)
def test_contents_of_other_generators_are_read_like_articles(
    site: Site, name: str, base: str, key: str
) -> None:
    site.settings.update(
        PLUGINS=["sitemap_plugin", "talks"], ARTICLE_EXCLUDES=["talks"],
        SITEMAP={"report": "report.json"},
    )  # fmt: skip
    site.write("talks.py", TALKS.format(name=name, base=base, key=key))
    headers = {
        "draft": "Status: draft", "hidden": "Status: hidden", "out": "Sitemap: false",
        "noindex": "Robots: noindex", "private": "Private: true",
    }  # fmt: skip
    for slug, header in headers.items():
        site.article(f"talks/{slug}.md", header)
    site.article("talks/good.md", "Modified: 2024-06-07\nPriority: 0.9\nChangefreq: weekly")
    site.article("talks/dated.md", date="2023-02-01")
    site.article("hello.md")
    build = site.build()
    records = json.loads((site.folder / "report.json").read_text())["pages"]

    good, dated = build.entries["talks/good.html"], build.entries["talks/dated.html"]
    assert [path for path in build.paths if "talks/" in path] == [
        "talks/dated.html", "talks/good.html"
    ]  # fmt: skip
    assert (good.lastmod, good.priority, good.changefreq) == ("2024-06-07", "0.9", "weekly")
    assert (dated.lastmod, dated.priority) == ("2023-02-01", None)
    assert {record["reason"] for record in records if not record["listed"]} == {
        "draft", "hidden", "sitemap: false", "noindex", "private"
    }  # fmt: skip


SETTER = """
import datetime as dt
from pelican import signals
from pelican.utils import SafeDatetime

def change(content):
    if getattr(content, "slug", "") == "hello":
        {change}

def register():
    signals.content_object_init.connect(change)
"""


@pytest.mark.parametrize(
    ("change", "attribute", "expected"),
    [
        ("content.modified = SafeDatetime(2024, 8, 9, tzinfo=dt.UTC)", "lastmod", "2024-08-09"),
        ("content.modified = SafeDatetime(2024, 8, 9, 10, tzinfo=dt.UTC)", "lastmod",
         "2024-08-09T10:00:00+00:00"),
        ("content.date = SafeDatetime(2024, 8, 9, tzinfo=dt.UTC)", "lastmod", "2024-08-09"),
        ("content.metadata['modified'] = '2024-08-09'", "lastmod", "2024-08-09"),
        ("content.priority = 0.3", "priority", "0.3"),
        ("content.changefreq = 'never'", "changefreq", "never"),
        ("content.sitemap = False", "", None),
        ("content.status = 'hidden'", "", None),
        ("content.robots = 'noindex'", "", None),
    ],
)  # fmt: skip
def test_what_plugins_set_on_the_object_is_read(
    site: Site, change: str, attribute: str, expected: str | None
) -> None:
    site.settings["PLUGINS"] = ["sitemap_plugin", "setter"]
    site.write("setter.py", SETTER.format(change=change))
    site.article("hello.md", date="2024-01-02")
    site.article("other.md", date="2024-01-02")
    entries = site.build().entries

    found = entries.get("hello.html")
    assert (found and getattr(found, attribute)) == expected
    assert entries["other.html"].lastmod == "2024-01-02"


COPIES = """
from pelican import signals

def write(generator, writer):
    stub = '<html><head><meta http-equiv="refresh" content="0; url=/{{ article.url }}">'
    for article in generator.articles:
        for name, text in (("original_url", stub), ("print_as", "<html><p>{{ article.title }}")):
            if target := article.metadata.get(name):
                template = generator.env.from_string(text)
                writer.write_file(target, template, generator.context, article=article)

def register():
    signals.article_writer_finalized.connect(write)
"""


@pytest.mark.parametrize(
    ("header", "copy"),
    [
        ("Original_url: old/hello.html", None),
        ("Original_url: zz/index.html", None),
        ("Print_as: print/hello.html", "print/hello.html"),
    ],
)
def test_a_content_in_several_files_dates_its_listings(
    site: Site, header: str, copy: str | None
) -> None:
    site.settings["PLUGINS"] = ["sitemap_plugin", "copies"]
    site.write("copies.py", COPIES)
    site.article("hello.md", f"{header}\nTags: t", date="2024-05-06")
    site.article("older.md", "Tags: t", date="2023-05-06")
    build = site.build()
    entries = build.entries

    assert "hello.html" in entries
    assert {path for path in entries if path.startswith(("old/", "zz/", "print/"))} == (
        {copy} if copy else set()
    )
    listings = ("", "archives.html", "author/ada.html", "category/misc.html", "tag/t.html")
    assert {entries[path].lastmod for path in listings} == {"2024-05-06"}
    assert "WARNING" not in build.text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{% for article in articles %}{{ article.title }}{% endfor %}", "2024-05-06"),
        ("{{ articles[0].title }}", "2024-05-06"),
        ("{% for a in dates[:3] %}{{ a }}{% endfor %}", "2024-05-06"),
        ("<p>About our articles", None),
        ("{{ SITENAME }}: articles", None),
    ],
)
def test_a_template_page_that_shows_articles_is_as_new_as_they_are(
    site: Site, template: str, expected: str | None
) -> None:
    site.settings.update(
        READERS={"html": None}, TEMPLATE_PAGES={"home.html": "start.html"},
        DIRECT_TEMPLATES=["index"],
    )  # fmt: skip
    site.write("content/home.html", f"<!doctype html><title>H</title>{template}")
    site.article("hello.md", date="2024-05-06")
    site.article("draft.md", "Status: draft", date="2024-06-06")

    assert site.build().entries["start.html"].lastmod == expected


CLASHES: list[tuple[dict[str, Any], list[str], dict[str, str | None], list[str]]] = [
    (
        {"ARTICLE_URL": "{date:%Y}/05/", "ARTICLE_SAVE_AS": "{date:%Y}/{date:%m}/{slug}.html"},
        ["", ""],
        {"2024/05/a0.html": "2024-05-06", "2024/05/a1.html": "2024-05-07"},
        ["2024/05/ is the URL of 2 files", "a0.html", "a1.html", "ARTICLE_URL and ARTICLE_SAVE_AS"],
    ),
    (
        {"AUTHOR_URL": "author/"},
        ["Author: Ada", "Author: Eve"],
        {"author/ada.html": "2024-05-06", "author/eve.html": "2024-05-07"},
        ["author/ is the URL of 2 files", "ada.html", "eve.html", "AUTHOR_URL and AUTHOR_SAVE_AS"],
    ),
    (
        {"CATEGORY_URL": "c/", "CATEGORY_SAVE_AS": "c/{slug}/index.html"},
        ["Category: x", "Category: y"],
        {"c/x/": "2024-05-06", "c/y/": "2024-05-07"},
        ["c/ is the URL of 2 files", "CATEGORY_URL and CATEGORY_SAVE_AS"],
    ),
    ({}, ["Url: short", ""], {"a0.html": "2024-05-06"},
     ["no file is served at https://example.org/short", "a0.html", "headers url and save_as"]),
    ({"ARTICLE_URL": "post/{slug}"}, ["", ""],
     {"a0.html": "2024-05-06", "a1.html": "2024-05-07"},
     ["no file is served at https://example.org/post/a0", "ARTICLE_URL and ARTICLE_SAVE_AS"]),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "headers", "expected", "said"), CLASHES)
def test_urls_that_are_no_files_own_are_warnings_and_the_files_addresses_are_listed(
    site: Site,
    settings: dict[str, Any],
    headers: list[str],
    expected: dict[str, str | None],
    said: list[str],
) -> None:
    site.settings.update(settings)
    for number, header in enumerate(headers):
        site.article(f"a{number}.md", header, date=f"2024-05-0{6 + number}")
    build = site.build()
    dates = {path: entry.lastmod for path, entry in build.entries.items()}

    assert {path: dates.get(path, "missing") for path in expected} == expected
    assert dates[""] == dates["archives.html"] == "2024-05-07"
    assert build.said("WARNING", *said)
    assert not {"2024/05/", "author/", "c/", "short", "post/a0"} & dates.keys()


@pytest.mark.parametrize(
    ("settings", "path", "names"),
    [
        ({"TAG_URL": "tags/{slug}", "TAG_SAVE_AS": "tags/{slug}/index.html"}, "tags/x",
         "TAG_URL and TAG_SAVE_AS"),
        ({"ARTICLE_URL": "{slug}", "ARTICLE_SAVE_AS": "{slug}/index.html"}, "a",
         "ARTICLE_URL and ARTICLE_SAVE_AS"),
        ({"ARCHIVES_URL": "archives", "ARCHIVES_SAVE_AS": "archives/index.html"}, "archives",
         "ARCHIVES_URL and ARCHIVES_SAVE_AS"),
    ],
)  # fmt: skip
def test_an_address_that_hosts_redirect_is_a_notice_that_names_the_setting(
    site: Site, settings: dict[str, Any], path: str, names: str
) -> None:
    site.settings.update(settings)
    site.article("a.md", "Tags: x, y")
    site.configure()
    build = site.run()

    assert path in build.paths
    assert build.said(f"https://example.org/{path} lies in", "redirect", names)
    assert build.text.count("redirect") == 1
    assert "WARNING" not in build.text


def test_the_notice_of_a_hidden_start_page_names_the_option(site: Site) -> None:
    site.article("hello.md")
    site.page("home.md", "save_as: index.html\nurl:\nStatus: hidden")

    assert site.build().said("the home page is left out: hidden", "option 'hidden'")


ARTICLE = (
    '<!doctype html><html><head><title>A</title><link rel="canonical" '
    'href="{{{{ SITEURL }}}}/{link}"></head><body>'
)


@pytest.mark.parametrize(
    ("settings", "link", "expected"),
    [
        ({"ARTICLE_URL": "{slug}/", "ARTICLE_SAVE_AS": "{slug}/index.html"},
         "{{ output_file }}", "hello/index.html"),
        ({}, "{{ article.url.replace('.html', '') }}", "hello"),
        ({}, "{{ article.slug }}/", "hello/"),
        ({}, "", None),
        ({}, "gone/", None),
    ],
)  # fmt: skip
def test_a_page_is_listed_as_its_canonical_link_spells_it(
    site: Site, settings: dict[str, Any], link: str, expected: str | None
) -> None:
    site.settings.update(settings, THEME_TEMPLATES_OVERRIDES=["theme"])
    site.write("theme/article.html", ARTICLE.format(link=link))
    site.article("hello.md")
    site.configure()
    build = site.run()

    assert build.status == 0, build.text
    found = [path for path in build.paths if path.startswith("hello")]
    assert found == ([expected] if expected else [])
    assert build.said("1 canonical elsewhere") == (expected is None)
    gone = build.said("WARNING", "hello.md", "https://example.org/gone/", "no such file")
    assert gone == (link == "gone/")
    if expected:
        assert build.entries[""].lastmod == build.entries["archives.html"].lastmod == "2024-05-06"


SEO = """
from pathlib import Path
from pelican import signals

def add(path, context):
    content = context.get("article") or context.get("page")
    if content:
        link = context["SITEURL"] + "/" + content.url
        file = Path(path)
        text = file.read_text().replace("</head>", f'<link rel="canonical" href="{link}"></head>')
        file.write_text(text)

def register():
    signals.content_written.connect(add)
"""


@pytest.mark.parametrize("siteurl", ["https://example.org", "https://example.org/"])
def test_the_home_page_of_pelicans_faq_stays_with_canonical_links(site: Site, siteurl: str) -> None:
    site.settings |= {"PLUGINS": ["sitemap_plugin", "seo"], "SITEURL": siteurl}
    site.write("seo.py", SEO)
    site.page("home.md", "URL:\nsave_as: index.html\nModified: 2024-02-03")
    site.article("hello.md")
    build = site.build()
    entries: dict[str, Url] = build.entries

    assert entries[""].lastmod == "2024-02-03"
    assert "hello.html" in entries
    assert not build.said("canonical elsewhere")
