"""``sitemap-plugin diff`` tells in what two sitemaps differ."""

import gzip
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.written import BASE, Capsys, diff, entry, index_of, urlset, write
from files import read_table
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.compared import State, open_target
from sitemap_plugin.commands.diff import compare
from sitemap_plugin.commands.web import Fetcher, RetryPolicy
from sitemap_plugin.errors import SitemapError
from sites import build_pages, page

OLD = [entry(), entry("gone/", "2024-01-01"), entry("same/", "2024-01-01")]
NEW = [entry("", "2024-05-05"), entry("same/", "2024-01-01"), entry("more/")]
BOMB = '<!DOCTYPE u [<!ENTITY a "b">]>'
TABLES = read_table(__file__, "diff.yaml")
RICH = entry("a", "2024-01-01", {"de": "de"}, ("1.png",))


def compared(folder: Path, old: list[str], new: list[str]) -> Any:
    """Compare two lists of entries; return the JSON."""
    write(folder, {"old.xml": urlset(*old), "new.xml": urlset(*new)})
    return diff(folder / "old.xml", folder / "new.xml", output=folder / "out.json")


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with both states as ``old.xml`` and ``new.xml``."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"old.xml": urlset(*OLD), "new.xml": urlset(*NEW)})


@pytest.mark.parametrize(("old", "new", "change"), TABLES["changes"])
def test_dates_translations_and_images_are_compared(
    tmp_path: Path, old: dict[str, Any], new: dict[str, Any], change: Any
) -> None:
    (key,) = {*old, *new}
    found = compared(tmp_path, [entry("a", **old), entry("b")], [entry("a", **new), entry("b")])
    dates = {"old": old.get("lastmod"), "new": new.get("lastmod")}
    name = {"links": "alternates"}.get(key, key)
    record = {"loc": f"{BASE}a", name: dates if change is None else change}

    assert found["changed"] == ([] if change == {} else [record])
    assert found["unchanged"] == 1 + (change == {})


@pytest.mark.parametrize(("old", "new", "same"), TABLES["spellings"])
def test_two_spellings_of_an_address_are_one(
    tmp_path: Path, old: str, new: str, same: bool
) -> None:
    extra = entry(base=old).replace("</url>", "<priority>0.5</priority></url>")
    found = compared(
        tmp_path, [extra, entry("x"), entry("y")], [entry(base=new), entry("x"), entry("y")]
    )

    assert found["unchanged"] == 2 + same
    assert found["added"] == ([] if same else [BASE])


@pytest.mark.parametrize(
    ("old", "new", "dates"),
    [
        ([RICH, entry("a", "2025-01-01")], [RICH], []),
        ([RICH], [entry("a"), RICH], []),
        ([RICH, entry("a")], [entry("a"), RICH], []),
        ([entry("a"), RICH], [entry("a", "2025-01-01"), RICH], ["2025-01-01"]),
        ([], [RICH, entry("a")], []),
    ],
)
def test_of_several_entries_for_an_address_the_first_that_says_something_counts(
    tmp_path: Path, old: list[str], new: list[str], dates: list[str]
) -> None:
    found = compared(tmp_path, old, new)
    assert [change["lastmod"]["new"] for change in found["changed"]] == dates
    assert found["added"] == [f"{BASE}a"] * (not old)


FORMS: dict[str, Callable[[list[str]], tuple[str, dict[str, str]]]] = {
    "an index": lambda parts: ("s.xml", {
        "s.xml": index_of(*(f"{BASE}p{n}.xml{'.gz' * (n % 2)}" for n in range(len(parts)))),
        **{f"p{n}.xml{'.gz' * (n % 2)}": urlset(part) for n, part in enumerate(parts)}}),
    "a gzipped file": lambda parts: ("s.xml.gz", {"s.xml.gz": urlset(*parts)}),
    "a folder": lambda parts: ("", {
        "sitemap.xml": urlset(*parts), "sitemap.xml.gz": urlset(*parts), "index.html": "",
        "sitemap.txt": f"{BASE}wrong/", "old/sitemap.xml": urlset(entry("old/"))}),
    "a folder whose robots.txt names another file": lambda parts: ("", {
        "sitemap.xml": urlset(entry("wrong/")), "right/map.xml": urlset(*parts),
        "robots.txt": f"User-agent: *\nSitemap: {BASE}right/map.xml\n"}),
    "a text": lambda parts: ("s.txt", {
        "s.txt": "\r\n\n".join(re.findall("<loc>(.*)</loc>", "".join(parts)))}),
    "folders": lambda parts: ("", {f"{n}/sitemap.xml": urlset(part)
                                   for n, part in enumerate(parts)}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_site_says_the_same(form: str, sides: Path) -> None:
    old, new = FORMS[form](OLD), FORMS[form](NEW)
    write(sides / "old", old[1])
    write(sides / "new", new[1])
    found = diff(sides / "old" / old[0], sides / "new" / new[0], output=sides / "out.json")

    assert (found["added"], found["removed"]) == ([f"{BASE}more/"], [f"{BASE}gone/"])
    assert [change["loc"] for change in found["changed"]] == [BASE] * (form != "a text")
    same = diff(sides / "new" / new[0], sides / "new.xml", output=sides / "out.json")
    assert same["unchanged"] == 3


@pytest.mark.parametrize("name", ["report.json", "report.html"])
def test_a_report_is_compared_with_the_sitemap_of_its_build(tmp_path: Path, name: str) -> None:
    pages = [page("", {"modified": "2024-01-31"}), page("a b/"), page("no/", {"sitemap": False})]
    pages += [page("de/", language="de", translation_key="t"),
              page("en/", language="en", translation_key="t")]  # fmt: skip
    out = tmp_path / "out"
    build_pages(out, pages, {"report": name}, config_dir=tmp_path)
    same = diff(tmp_path / name, out, output=tmp_path / "out.json")
    build_pages(out, [page("", {"modified": "2025-01-31"}), *pages[1:4]], {}, config_dir=tmp_path)
    found = diff(tmp_path / name, out, output=tmp_path / "out.json")

    assert (same["added"], same["removed"], same["changed"]) == ([], [], [])
    assert same["unchanged"] == 4
    assert found["removed"] == [f"{BASE}en/"]
    assert [change["loc"] for change in found["changed"]] == [BASE, f"{BASE}de/"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.xml", None, "there is no such file or folder"),
        ("folder/empty", "", "the folder has no sitemap"),
        ("empty.xml", "", "The file is empty."),
        ("page.xml", "<!doctype html><html><body>Not found</body></html>", "an HTML page"),
        ("page.html", "<!doctype html><html><body>Not found</body></html>", "nor a report as HTML"),
        ("data.json", '{"a": 1}', "this is no report"),
        ("data.json", '{"a": 1', "neither JSON nor"),
        ("bytes.xml", b"\x89PNG\r\n\x1a\n" * 99, "binary data"),
        ("cut.xml", urlset(*NEW)[:-10], "the file ends before its root element does"),
        ("broken.xml", urlset(*NEW).replace("more/", "a&b"), "An '&' is not escaped."),
        ("feed.xml", "<?xml version='1.0'?><rss><channel/></rss>", "is a feed"),
        ("words.txt", "Not found\n", "lists 'Not found' and no absolute URL"),
        ("paths.xml", urlset(entry("a", base="/")), "lists '/a' and no absolute URL"),
        ("index.xml", index_of(f"{BASE}part.xml"), "is listed, and no file of it is in the folder"),
        ("bomb.xml", urlset(entry()).replace("<urls", BOMB + "<urls"), "declares entities"),
        ("cut.txt.gz", gzip.compress(BASE.encode() * 9, mtime=0)[:-9], "ends too early"),
    ],
)
def test_what_cannot_be_read_as_a_whole_is_no_side_of_a_comparison(
    sides: Path, name: str, content: str | bytes | None, message: str, capsys: Capsys
) -> None:
    if content is not None:
        (sides / name).parent.mkdir(exist_ok=True)
        (sides / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    named = name.partition("/")[0]

    for pair in ((named, "old.xml"), ("old.xml", named)):
        assert main(["diff", *pair]) == 2
        shown = capsys.readouterr()
        assert message in shown.err
        assert named in shown.err
        assert shown.out == ""


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "text", [urlset(RICH, entry("b")), index_of(f"{BASE}old.xml", f"{BASE}new.xml")]
)
def test_no_beginning_of_a_sitemap_is_taken_for_the_whole(
    sides: Path, text: str, packed: bool
) -> None:
    data = gzip.compress(text.strip().encode(), mtime=0) if packed else text.strip().encode()
    path = sides / ("sitemap.xml.gz" if packed else "sitemap.xml")
    target = open_target(str(sides / "old.xml"), BASE, Fetcher(RetryPolicy()))
    target = target._replace(roots=[str(path)])
    for end in range(0, len(data), 7):
        path.write_bytes(data[:end])
        with pytest.raises(SitemapError):
            list(target.states())
    path.write_bytes(data)

    assert len(list(target.states())) > 1


def test_indexes_within_indexes_are_read_but_not_without_end(tmp_path: Path) -> None:
    def chain(length: int) -> Path:
        names = ["sitemap", *(f"sitemap-{number}" for number in range(1, length))]
        files = {
            f"{name}.xml": index_of(f"{BASE}{below}.xml")
            for name, below in zip(names, [*names[1:], "last"], strict=True)
        }
        return write(tmp_path / str(length), {**files, "last.xml": urlset(entry())})

    assert diff(chain(1), chain(3), output=tmp_path / "out.json")["unchanged"] == 1
    assert main(["diff", str(chain(1)), str(chain(4))]) == 2


def test_the_parts_of_an_index_are_found_where_the_base_url_says(sides: Path) -> None:
    write(sides, {"sitemap.xml": index_of(f"{BASE}docs/new.xml")})
    flags = ["--base-url", f"{BASE}docs/"]
    assert diff("sitemap.xml", "new.xml", *flags, output=sides / "out.json")["unchanged"] == 3


def test_each_address_and_what_has_changed_is_written(sides: Path, capsys: Capsys) -> None:
    new = [*NEW, entry("a", None, {"fr": "fr"}, ("2.png",))]
    write(sides, {"old.xml": urlset(*OLD, RICH), "new.xml": urlset(*new)})
    assert main(["diff", "old.xml", "new.xml"]) == 0
    assert capsys.readouterr().out.splitlines() == TABLES["lines"]
    assert main(["diff", "old.xml", "old.xml", "--exit-code"]) == 0
    capsys.readouterr()
    assert main(["diff", "old.xml", "new.xml", "--format", "urls", "--exit-code"]) == 1
    assert capsys.readouterr().out == f"{BASE}\n{BASE}a\n{BASE}gone/\n{BASE}more/\n"


def test_two_sites_without_a_common_address_are_wondered_at(sides: Path, capsys: Capsys) -> None:
    """And their addresses do nothing to a terminal."""
    write(sides, {"new.txt": "https://preview.example/\u202e[31m\nhttp://[\x85\n"})
    for form in ("text", "urls"):
        main(["diff", "old.xml", "new.txt", "--format", form])
        shown = capsys.readouterr()
        assert "no address in common" in shown.err
        assert all(line.isprintable() for line in shown.out.splitlines())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each path is a text")
def test_a_path_that_is_no_text_does_not_keep_the_output_from_being_written(tmp_path: Path) -> None:
    folder = write(tmp_path / os.fsdecode(b"caf\xe9"), {"a.xml": urlset(*OLD)})
    found = diff(folder / "a.xml", folder / "a.xml", output=tmp_path / "out.json")
    assert found["old"].endswith("caf\udce9/a.xml")


def test_an_output_that_cannot_be_written_is_told(sides: Path, capsys: Capsys) -> None:
    assert main(["diff", "old.xml", "new.xml", "--output", str(sides)]) == 2
    assert "cannot be written" in capsys.readouterr().err


_STATES = st.builds(
    State,
    st.sampled_from([None, "", "2024-01-01", "2024-01-02"]),
    st.sampled_from([None, (), (("de", BASE),)]),
    st.sampled_from([None, (), (BASE,)]),
)
_SIDES = st.lists(st.tuples(st.text("ab", max_size=3), _STATES), max_size=8)


@given(_SIDES, _SIDES)
def test_every_address_is_counted_once_and_the_sides_mirror_each_other(
    old: list[tuple[str, State]], new: list[tuple[str, State]]
) -> None:
    found, back = compare(old, new), compare(new, old)
    before, after = dict(old), dict(new)

    assert set(found.added) == after.keys() - before.keys()
    assert set(found.removed) == before.keys() - after.keys()
    assert len(found.changed) + found.unchanged == len(before.keys() & after.keys())
    assert (found.added, found.removed, found.unchanged) == (
        back.removed, back.added, back.unchanged
    )  # fmt: skip
    assert compare(old, old).locs == []
