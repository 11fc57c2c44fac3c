"""Whatever reads foreign text takes time in proportion to it: none of it is quadratic."""

import datetime as dt
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from files import read_table, write_files
from sitemap_plugin.commands.check.values import url_fault
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.common.robots import Robots
from sitemap_plugin.common.text import plain_title, shown
from sitemap_plugin.common.urls import check_base_url, encode_url, join_url, normal_form, path_below
from sitemap_plugin.dates.parse import parse_date, parse_w3c
from sitemap_plugin.dates.words import same_words
from sitemap_plugin.describe.entries import Transformed
from sitemap_plugin.html.content import is_decoration, is_mark, main_images, main_text
from sitemap_plugin.html.head import parse_head
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.languages.links import link_translations
from sitemap_plugin.models import Entry, Page, Site
from sitemap_plugin.pages.front_matter import Settings, read_settings
from sitemap_plugin.pages.patterns import Patterns, regex_spelling
from sitemap_plugin.write.robots_line import add_sitemap_line
from sitemap_plugin_folder.build_command import build_folder
from sitemap_plugin_folder.folder_pages import FolderFiles, read_redirects
from sites import BASE, build_pages, page

# Characters that are read; then four times as many. A pattern in quadratic time needs 0.5 s.
SMALL = 4096
SLOW = pytest.mark.slow

Work = Callable[[str], object]


def of_settings(key: str) -> Work:
    def work(text: str) -> object:
        metadata = {"sitemap": {key: text}, key: text}
        return read_settings(page("a/", metadata), dt.UTC)

    return work


def of_words(name: bytes) -> Work:
    def work(text: str) -> None:
        data = text.encode()
        same_words(b"q" + data, b"y" + data + b"z", name)
        same_words(data, data + b"z", name)

    return work


def xml(text: str) -> object:
    return read_sitemap(f"<urlset xmlns:xhtml='http://www.w3.org/1999/xhtml'>{text}".encode())


def robots(text: str) -> None:
    add_sitemap_line(text.encode(), f"{BASE}sitemap.xml")
    Robots(text.encode()).allows(f"{BASE}{text[:2000]}")


def urls(text: str) -> None:
    for work in (encode_url, normal_form, check_base_url, url_fault):
        with suppress(ValueError):
            work(BASE + text)
            work(text)
            work(f"https://{text}/")
    with suppress(ValueError):
        join_url(BASE, text)
        path_below(BASE + text, BASE)


def dates(text: str) -> None:
    for start in ("", "2024-01-01", "Mon, 1 Jan 2024 ", "2024-01-01T00:00:00"):
        value = start + text
        with suppress(ValueError):
            parse_date(value)
        with suppress(ValueError):
            parse_w3c(value)


def patterns(text: str) -> None:
    regex_spelling(text)
    with suppress(ValueError):
        Patterns([text])
    Patterns(["/a/*.md", "re:^a.*b$"]).match("a/b.md", text)


def texts(text: str) -> None:
    shown(text)
    plain_title(text)
    for name in ("", "en-", "en_US.", "en@"):
        normalize(name + text, {"cn": "zh"})


def decoration(text: str) -> None:
    for name in ("style", "class", "width", "height", "role"):
        is_decoration({name: text})
    for start in ("", "https://", "https://ci.example//circleci.com/", "//dev.azure.com/"):
        is_mark(start + text)


WORDS = ("md", "rst", "html", "adoc", "ipynb")
KEYS = ("robots", "lastmod", "priority", "changefreq", "images", "canonical")
UNITS = read_table(__file__, "growth.yaml")
UNITS["content"][0].append("<b>" * 999 + "<p>")
WORKS: dict[str, tuple[Work, str]] = {
    "head": (lambda text: parse_head(text.encode()), "head"),
    "content": (lambda text: main_text(text.encode()), "content"),
    "images": (lambda text: [*main_images(text.encode())], "content"),
    "decoration": (decoration, "decoration"),
    **{f"a.{name}": (of_words(f"a.{name}".encode()), "words") for name in WORDS},
    "xml": (xml, "xml"),
    "robots.txt": (robots, "robots.txt"),
    "urls": (urls, "urls"),
    "dates": (dates, "dates"),
    "patterns": (patterns, "patterns"),
    "texts": (texts, "texts"),
    **{f"front matter {key}": (of_settings(key), "front matter") for key in KEYS},
}
TEXTS = {name: (work, *UNITS[kind]) for name, (work, kind) in WORKS.items()}


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times as much CPU the work takes at four times the size."""

    def cost(size: int) -> float:
        started = time.process_time()
        work(size)
        return time.process_time() - started

    small, large = (min(cost(each) for _ in range(3)) for each in (size, 4 * size))
    return large / max(small, 0.002)


SLOW_NAMES = ("head", "content", "images", "urls", "patterns", "a.md", "a.rst", "a.html", "a.adoc")
STARTS = [
    pytest.param(name, start, marks=SLOW if name in SLOW_NAMES else ())
    for name, (_, starts, _) in TEXTS.items()
    for start in starts
]


@pytest.mark.parametrize(("name", "start"), STARTS)
def test_four_times_the_text_takes_at_most_ten_times_the_time(name: str, start: str) -> None:
    read, _, units = TEXTS[name]
    for unit in units:

        def work(size: int, unit: str = unit) -> object:
            return read(start + unit * (size // len(unit)))

        assert growth(work, SMALL) < 10, unit


PAGE = "<!doctype html><title>T</title><p>x"
FILES = UNITS.pop("files")


@SLOW
@pytest.mark.parametrize("name", FILES)
def test_four_times_the_file_takes_at_most_ten_times_the_time(tmp_path: Path, name: str) -> None:
    start, unit, end = (text.replace("PAGE", PAGE) for text in FILES[name])
    write_files(tmp_path, {"out/index.html": PAGE, "source/x": ""})
    options = {"robots": False, "gzip": False, "images": True, "source": str(tmp_path / "source")}

    def work(size: int) -> None:
        units = (unit.replace("NUMBER", str(number)) for number in range(size))
        (tmp_path / "out" / name).write_text(f"{start}{''.join(units)}{end}")
        build_folder(tmp_path / "out", BASE, options)

    assert growth(work, 1000) < 10


def test_building_four_times_the_pages_takes_at_most_ten_times_the_time(tmp_path: Path) -> None:
    def work(size: int) -> None:
        build_pages(tmp_path, [page(f"{number}/", source_path=None) for number in range(size)])

    assert growth(work, 500) < 10


@pytest.mark.parametrize("rule", ["/{}/:a /y 301", "/{}/* /y 301!", "/{} /y"])
def test_redirecting_four_times_the_pages_takes_at_most_ten_times_the_time(
    tmp_path: Path, rule: str
) -> None:
    files = FolderFiles(tmp_path)

    def work(size: int) -> None:
        text = "\n".join(rule.format(f"x{number}") for number in range(4 * size))
        (tmp_path / "_redirects").write_text(text)
        files.names = [f"p/{number}.html" for number in range(size)]
        assert read_redirects(files) == ({}, [])

    assert growth(work, 400) < 10


CODES = ("en", "fr", "de", "it", "es")
FOLLOWING = dict(zip(CODES, CODES[1:] + CODES[:1], strict=True))
JOINED: dict[str, Callable[[int, str], Settings]] = {
    "keys": lambda number, _: Settings(translation_key=str(number)),
    "star": lambda number, _: Settings(translations={"en": f"en/{number}/"}),
    "chain": lambda n, code: Settings(translations={FOLLOWING[code]: f"{FOLLOWING[code]}/{n}.md"}),
    "left out": lambda number, _: Settings(translations={"pt": f"pt/{number}.md"}),
    "missing": lambda number, _: Settings(translations={"nl": f"nl/{number}.md"}),
    "twice": lambda number, _: Settings(translation_key=str(number), language="en"),
    "one x-default": lambda n, _: Settings(translation_key=str(n), translations={"x-default": "/"}),
    "one long set": lambda n, code: Settings(translations={code: f"{code}/{n + 1}.md"}),
    "one set": lambda number, code: Settings(translation_key="k", language=f"{code}-{number}"),
    "codes": lambda _, __: Settings(translations={f"x{n}": "https://e.org/" for n in range(20)}),
}


@pytest.mark.parametrize("name", JOINED)
def test_linking_four_times_the_pages_takes_at_most_ten_times_the_time(name: str) -> None:
    def work(sets: int) -> None:
        pages, said = [Page(BASE)], [Settings()]
        for code in sorted(CODES):
            for number in range(sets):
                url, source = f"{BASE}{code}/{number}/", f"{code}/{number}.md"
                pages.append(Page(url, source_path=source, language=code))
                said.append(JOINED[name](number, code))
        left_out = [Page(f"{BASE}pt/{n}/", source_path=f"pt/{n}.md") for n in range(sets)]
        changed = Transformed(pages, said, [Entry(page.url) for page in pages], [], {}, [])
        linked, problems = link_translations(Site(BASE, language="en"), changed, left_out)
        assert len(linked) == len(pages)
        assert problems or name in {"keys", "star", "chain", "left out"}

    assert growth(work, 60) < 10
