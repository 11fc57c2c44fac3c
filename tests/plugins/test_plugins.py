"""Third-party plugins: what they can do, and how their faults are told."""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from files import write_files
from sitemap_plugin import Alternate, ConfigError, Entry, Page, PluginError, Report, Site
from sitemap_plugin.config import Config
from sitemap_plugin.plugins import HOOKS
from sitemaps import read_locs, read_sitemap
from sites import BASE, build_pages, page, plugin, transforming

# The hooks' own argument types say less than the plugins' names do.
# ruff: noqa: ARG001, ARG005


def dating(source: str, date_of: Callable[[Page], Any]) -> ModuleType:
    """Return a plugin that provides a date source."""
    return plugin("sitemap_lastmod_source", lambda site, name: date_of if name == source else None)


def lastmods(folder: Path) -> list[str | None]:
    return [url.lastmod for url in read_sitemap(folder / "sitemap.xml")]


def priorities(folder: Path) -> list[str | None]:
    return [url.priority for url in read_sitemap(folder / "sitemap.xml")]


def test_a_plugin_contributes_pages(tmp_path: Path) -> None:
    def pages(site: Site) -> Iterator[Page]:
        yield Page(site.base_url + "added/")
        yield Page(site.base_url + "a/", source_path="other.md")

    (tmp_path / "b.html").write_text('<meta name="robots" content="noindex">')
    given = [page("a/"), page("b/", output=tmp_path / "b.html")]
    report = build_pages(tmp_path, given, plugins=[plugin("sitemap_pages", pages)])

    assert read_locs(tmp_path / "sitemap.xml") == [f"{BASE}a/", f"{BASE}added/"]
    assert report.reasons() == {"noindex": 1, "same URL as another page": 1}


def test_a_plugin_leaves_pages_out_and_its_reasons_are_counted(tmp_path: Path) -> None:
    def exclusion(site: Site) -> Callable[[Page], str | None]:
        return lambda page: "archived (long ago)" if "old" in page.url else None

    pages = [page("a/"), page("old/"), page("older/", {"sitemap": True})]
    report = build_pages(tmp_path, pages, plugins=[plugin("sitemap_exclusion", exclusion)])

    assert report.reasons() == {"archived": 2}
    assert read_locs(tmp_path / "sitemap.xml") == [f"{BASE}a/"]


def test_a_plugin_provides_a_date_source_by_name(tmp_path: Path) -> None:
    chosen = Config(lastmod=("always",))
    with pytest.raises(ConfigError, match="lastmod: unknown date source 'always'"):
        build_pages(tmp_path, [page("a/")], config=chosen)
    assert list(tmp_path.iterdir()) == []

    dates = dating("always", lambda page: dt.date(2020, 1, 1))
    build_pages(tmp_path, [page("a/")], None, [dates], config=chosen)
    assert lastmods(tmp_path) == ["2020-01-01"]


def test_plugins_change_and_drop_entries_in_turn_the_last_registered_first(tmp_path: Path) -> None:
    half = transforming(lambda page, entry: entry.replace(priority=entry.priority / 2))  # type: ignore[operator]
    drops = transforming(lambda page, entry: None if "drop" in page.url else entry, "drops")
    sets = transforming(lambda page, entry: entry.replace(priority=0.9), "sets")
    report = build_pages(tmp_path, [page("a/"), page("drop/")], plugins=[half, drops, sets])

    assert priorities(tmp_path) == ["0.45"]
    assert report.reasons() == {"dropped by plugin": 1}


def test_functions_see_pages_in_order_and_hear_when_all_files_are_in_place(tmp_path: Path) -> None:
    seen: list[str] = []
    told: list[tuple[Report, bool]] = []
    watches = plugin("sitemap_exclusion", lambda site: lambda page: seen.append(page.url))

    def listen(site: Site, report: Report) -> None:
        told.append((report, (site.output_dir / "robots.txt").exists()))

    plugins = [watches, plugin("sitemap_written", listen, "listens")]
    report = build_pages(tmp_path, [page("c/"), page("a/"), page("b/")], plugins=plugins)
    build_pages(tmp_path / "none", [page("a/", {"draft": True})], plugins=plugins[1:])

    assert seen == [f"{BASE}a/", f"{BASE}b/", f"{BASE}c/"]
    assert told == [(report, True)]


@pytest.mark.parametrize(
    ("hook", "result", "message"),
    [
        ("sitemap_exclusion", "draft", "returned str, not a function"),
        ("sitemap_transform", [1], "returned list, not a function"),
        ("sitemap_pages", 7, "TypeError: 'int' object is not iterable"),
        ("sitemap_pages", ["a"], "expected a Page, got 'a'"),
        ("sitemap_pages", [Page(7)], "expected a text as url, got 7"),  # type: ignore[arg-type]
        ("sitemap_pages", [page("a/").replace(metadata=[])], "expected a mapping as metadata"),
        ("sitemap_pages", [page("a/").replace(members=(1, 2))], "expected texts as members"),
        ("sitemap_pages", [page("a/").replace(source="a")], "expected a path or None as source"),
        ("sitemap_exclusion", lambda page: "", "expected a text or None, got ''"),
        ("sitemap_transform", lambda page, entry: "x", "expected an Entry or None, got 'x'"),
        ("sitemap_transform", lambda page, entry: entry.replace(loc=None), "an Entry or None, got"),
        ("sitemap_exclusion", lambda page: 7, "expected a text or None, got 7"),
    ],
)
def test_a_result_of_the_wrong_type_is_told(
    tmp_path: Path, hook: str, result: object, message: str
) -> None:
    with pytest.raises(PluginError, match=f"plugin 'given', hook {hook}.*{re.escape(message)}"):
        build_pages(tmp_path, [page("a/")], plugins=[plugin(hook, lambda site: result)])


@pytest.mark.parametrize(
    "date",
    [dt.datetime(2020, 1, 1), "2020-01-01", 7, dt.date(1960, 1, 1), dt.date(2999, 1, 1)],  # noqa: DTZ001
)
@pytest.mark.parametrize(("source", "warnings"), [("modified", 1), ("git", 0)])
def test_a_date_that_cannot_be_written_is_told_and_the_next_source_is_asked(
    tmp_path: Path, date: Any, source: str, warnings: int
) -> None:
    pages = [page("a/", {"date": "2021-01-01"})]
    report = build_pages(tmp_path, pages, plugins=[dating(source, lambda page: date)])

    assert report.warnings == warnings  # Nobody can mend the clock of who committed.
    assert f"date source '{source}'" in report.problems[0].message
    assert lastmods(tmp_path) == ["2021-01-01"]


@pytest.mark.parametrize(
    "changes",
    [
        {"loc": "https://other.example/"}, {"loc": "not a url"}, {"loc": ""},
        {"lastmod": dt.datetime(2020, 1, 1)}, {"lastmod": "yesterday"}, {"changefreq": "often"},  # noqa: DTZ001
        {"priority": 7}, {"priority": "high"}, {"alternates": (Alternate("fr", "relative"),)},
        {"images": ("x",)},
    ],
)  # fmt: skip
def test_nothing_invalid_that_a_plugin_makes_gets_into_the_file(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    breaks = transforming(lambda p, entry: entry.replace(**changes) if "bad" in p.url else entry)
    report = build_pages(tmp_path, [page("a/"), page("bad/")], plugins=[breaks])

    urls = read_sitemap(tmp_path / "sitemap.xml")
    assert {url.loc for url in urls} <= {f"{BASE}a/", f"{BASE}bad/"}
    assert all(url == (url.loc, None, None, None, ()) for url in urls)
    assert report.warnings == 1


@pytest.mark.parametrize(
    ("hook", "message"),
    [("sitemap_writen", "unknown hook 'sitemap_writen'.* sitemap_written"), (HOOKS[0], "pages")],
)
def test_a_misspelt_hook_or_argument_is_an_error(tmp_path: Path, hook: str, message: str) -> None:
    with pytest.raises(PluginError, match=f"plugin 'given': .*{message}"):
        build_pages(tmp_path, [page("a/")], plugins=[plugin(hook, lambda site, pages: None)])


PREFERS = """from sitemap_plugin import hookimpl
@hookimpl
def sitemap_transform(site):
    return lambda page, entry: entry.replace(priority=0.1)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install a plugin, as pip would, by its line of the entry points."""

    def install(line: str) -> None:
        info = "prefers-1.dist-info"
        files = {
            f"{info}/METADATA": "Metadata-Version: 2.1\nName: prefers\nVersion: 1\n",
            f"{info}/entry_points.txt": f"[sitemap_plugin]\n{line}\n",
            "prefers_plugin.py": PREFERS,
            "module_that_raises.py": "class P:\n    def __init__(self): 1 / 0\n",
        }
        write_files(tmp_path / "installed", files)
        monkeypatch.syspath_prepend(str(tmp_path / "installed"))

    return install


def test_an_installed_plugin_is_found_and_can_be_disabled(
    tmp_path: Path, install: Callable[[str], None]
) -> None:
    install("prefers = prefers_plugin\nbroken = no_such_module")
    build_pages(tmp_path, [page("a/")], {"disable_plugins": ["broken"]})
    assert priorities(tmp_path) == ["0.1"]

    options = {"disable_plugins": ["broken", "prefers", "absent"]}
    report = build_pages(tmp_path, [page("a/")], options)
    assert priorities(tmp_path) == [None]
    assert str(report.problems[0]) == "disable_plugins: no plugin 'absent' is installed"


@pytest.mark.parametrize(
    ("entry_point", "message"),
    [
        ("no_such_module", r"from 'no_such_module': .*_plugins: \[broken\]"),
        ("module_that_raises:P", "ZeroDivisionError"),
    ],
)
def test_an_installed_plugin_that_cannot_be_made_is_an_error_with_a_cure(
    tmp_path: Path, install: Callable[[str], None], entry_point: str, message: str
) -> None:
    install(f"broken = {entry_point}")
    with pytest.raises(PluginError, match=f"plugin 'broken' cannot be loaded .*{message}"):
        build_pages(tmp_path, [page("a/")])


def _raise(*_: object) -> Any:
    raise RuntimeError


class UnspeakableError(Exception):
    """An exception that cannot even say what it is."""

    __str__ = __repr__ = _raise


class Odd:
    """An object that raises whatever is asked of it."""

    __repr__ = __eq__ = __hash__ = _raise


class OddZone(dt.tzinfo):
    """A time zone that raises."""

    utcoffset = dst = tzname = _raise


LATE = ("sitemap_exclusion", "sitemap_lastmod_source", "sitemap_transform", "sitemap_pages")


@pytest.mark.parametrize(
    "told",
    [
        (ValueError("no\nluck"), "ValueError: no luck"),
        (SystemExit(0), "SystemExit: 0"),
        (UnspeakableError(), "UnspeakableError: its message cannot be shown"),
        (KeyError("\x1b[31m\n::error::"), r"KeyError: '\x1b[31m\n::error::'"),
    ],
)
@pytest.mark.parametrize(
    ("hook", "is_late"), [*((hook, False) for hook in HOOKS), *((hook, True) for hook in LATE)]
)
def test_whatever_a_plugin_raises_is_one_message_with_plugin_hook_and_page(
    tmp_path: Path, hook: str, is_late: bool, told: tuple[BaseException, str]
) -> None:
    error, text = told

    def fail(*_: object) -> Any:
        raise error

    def generate() -> Iterator[Page]:
        yield Page(f"{BASE}0/")
        fail()

    def implementation() -> Any:
        if not is_late:
            fail()
        return generate() if hook == "sitemap_pages" else fail

    with pytest.raises(PluginError) as caught:
        build_pages(tmp_path, [page("a/")], plugins=[plugin(hook, implementation)])

    place = ", page a.md" if is_late and hook != "sitemap_pages" else ""
    assert str(caught.value) == f"plugin 'given', hook {hook}{place}: {text}"


JUNK = (7, Odd(), [Odd()], (Odd(),), (1, 2, 3), b"x", {"a": Odd()}, -0.5)


@pytest.mark.parametrize(
    "name", [name for name in Page._fields if name not in ("in_nav", "fallback")]
)
def test_junk_in_a_page_is_refused_or_harmless(tmp_path: Path, name: str) -> None:
    for junk in JUNK:
        given: Page = page("a/").replace(**{name: junk})
        try:
            build_pages(tmp_path, [given, page("b/")], {"report": str(tmp_path / "r.json")})
        except PluginError as error:
            assert f" as {name}, got " in str(error)  # noqa: PT017 - harmless junk raises nothing
        else:
            assert f"{BASE}b/" in read_locs(tmp_path / "sitemap.xml")


@pytest.mark.parametrize("name", Entry._fields[1:])
@pytest.mark.parametrize("alternates", [True, False])
def test_junk_in_an_entry_is_left_out_with_a_warning(
    tmp_path: Path, name: str, alternates: bool
) -> None:
    given = {f"{BASE}{number}/": junk for number, junk in enumerate(JUNK)}
    breaks = transforming(lambda page, entry: entry.replace(**{name: given[page.url]}))
    options = {"alternates": alternates, "report": str(tmp_path / "report.json")}
    pages = [page(url.removeprefix(BASE)) for url in given]
    report = build_pages(tmp_path, pages, options, plugins=[breaks])

    assert read_locs(tmp_path / "sitemap.xml") == list(given)
    text = " ".join(map(str, report.problems))
    assert all(url in text for url in given)
    assert text.isprintable()


@pytest.mark.parametrize("by_source", [True, False])
def test_a_date_that_raises_is_a_warning(tmp_path: Path, by_source: bool) -> None:
    dates = [dt.datetime(2020, 1, 1, tzinfo=OddZone()), *JUNK]
    given = {f"{BASE}{number}/": date for number, date in enumerate(dates)}
    source = dating("modified", lambda page: given[page.url])
    change = transforming(lambda page, entry: entry.replace(lastmod=given[page.url]))
    options = {"report": str(tmp_path / "report.json")}
    pages = [page(url.removeprefix(BASE)) for url in given]
    report = build_pages(tmp_path, pages, options, plugins=[source if by_source else change])

    assert report.warnings == len(given)
    assert set(lastmods(tmp_path)) == {None}
