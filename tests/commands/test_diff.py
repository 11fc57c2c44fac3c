"""``sitemap-plugin diff`` tells in what two sitemaps differ."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.pair import BASE, diff, entry, index, urlset, write
from sitemap_plugin.commands.cli import main
from sitemap_plugin.commands.compared import State, open_target
from sitemap_plugin.commands.diff import Difference, compare
from sitemap_plugin.commands.web.client import RetryPolicy
from sitemap_plugin.commands.web.fetcher import Fetcher
from sitemap_plugin.errors import SitemapError
from sites import build_pages, page


def read_states(path: Path) -> Iterator[tuple[str, State]]:
    """Yield what a file says."""
    return open_target(str(path), BASE, Fetcher(RetryPolicy(), print)).states()


OLD = [entry(), entry("gone/", "2024-01-01"), entry("same/", "2024-01-01")]
NEW = [entry("", "2024-05-05"), entry("same/", "2024-01-01"), entry("more/")]

BOMB = '<!DOCTYPE u [<!ENTITY a "b">]>'


@pytest.fixture
def compared(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that compares two lists of entries and returns the JSON."""

    def run(old: list[str], new: list[str]) -> Any:
        write(tmp_path, {"old.xml": urlset(*old), "new.xml": urlset(*new)})
        return diff(tmp_path / "old.xml", tmp_path / "new.xml", output=tmp_path / "out.json")

    return run


def test_addresses_are_added_removed_and_changed(compared: Callable[..., Any]) -> None:
    found = compared(OLD, NEW)

    assert found["added"] == [f"{BASE}more/"]
    assert found["removed"] == [f"{BASE}gone/"]
    assert found["changed"] == [{"loc": BASE, "lastmod": {"old": None, "new": "2024-05-05"}}]
    assert found["unchanged"] == 1


@pytest.mark.parametrize(
    ("old", "new", "differ"),
    [
        ("2024-05-01", "2024-05-02", True),
        ("2024-05-01", None, True),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00+00:00", False),
        ("2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00", False),
        ("2024-05-01T10:00:00Z", "2024-05-01T12:00:00Z", True),
        ("2024-05-01T10:00Z", "2024-05-01T10:00:00Z", False),
        ("2024-05-01T10:00:00.000Z", "2024-05-01T10:00:00Z", False),
        ("2024-05-01T10:00:00.500Z", "2024-05-01T10:00:00Z", True),
        ("2024", "2024-01-01", True),
        ("2024-05-01", "2024-05-01T00:00:00Z", True),
        ("nonsense", "nonsense", False),
        ("nonsense", "other nonsense", True),
    ],
)
def test_a_date_differs_when_it_is_another_moment(
    compared: Callable[..., Any], old: str | None, new: str | None, differ: bool
) -> None:
    found = compared([entry("a", old)], [entry("a", new)])

    assert bool(found["changed"]) is differ
    assert found["unchanged"] == int(not differ)


@pytest.mark.parametrize(
    ("old", "new", "added", "removed"),
    [
        ({"de": "de/", "en": ""}, {"en": "", "de": "de/"}, [], []),
        ({"pt-BR": "pt/"}, {"pt-br": "pt/"}, [], []),
        ({}, {"de": "de/"}, [("de", "de/")], []),
        ({"de": "de/"}, {}, [], [("de", "de/")]),
        ({"de": "de/", "en": ""}, {"de": "neu/", "en": ""}, [("de", "neu/")], [("de", "de/")]),
        ({"de": "de/"}, {"de-AT": "de/"}, [("de-at", "de/")], [("de", "de/")]),
    ],
)
def test_a_set_of_translations_differs_by_its_members(
    compared: Callable[..., Any],
    old: dict[str, str],
    new: dict[str, str],
    added: list[tuple[str, str]],
    removed: list[tuple[str, str]],
) -> None:
    def links(pairs: list[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"hreflang": code, "href": BASE + to} for code, to in pairs]

    found = compared([entry("a", links=old)], [entry("a", links=new)])
    expected = {"loc": f"{BASE}a", "alternates": {"added": links(added), "removed": links(removed)}}

    assert found["changed"] == ([expected] if added or removed else [])


def test_images_differ_by_their_addresses(compared: Callable[..., Any]) -> None:
    old = [entry("a", images=("1.png", "2.png")), entry("b", images=("1.png",)), entry("c")]
    new = [entry("a", images=("2.png", "1.png")), entry("b", images=("3.png",)), entry("c")]
    images = {"added": [f"{BASE}3.png"], "removed": [f"{BASE}1.png"]}

    assert compared(old, new)["changed"] == [{"loc": f"{BASE}b", "images": images}]


def test_images_belong_to_their_entries_however_these_are_mixed(tmp_path: Path) -> None:
    entries, expected = [], {}
    for number in range(3000):
        links = {"de": f"de/{number}"} if number % 3 else {}
        images = tuple(f"{number}-{n}.png" for n in range(number % 4))
        entries.append(entry(str(number), "2024-01-01", links, images))
        expected[f"{BASE}{number}"] = tuple(f"{BASE}{image}" for image in images)
    path = write(tmp_path, {"sitemap.xml": urlset(*entries)}) / "sitemap.xml"

    assert {loc: state.images for loc, state in read_states(path)} == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%c3%a4", "%C3%A4"),
        ("ä b", "%C3%A4%20b"),
        ("a&b", "a&b"),
        ("?a=b&c=d", "?a=b&c=d"),
    ],
)
def test_two_spellings_of_an_address_are_one(
    compared: Callable[..., Any], old: str, new: str
) -> None:
    assert compared([entry(old)], [entry(new)])["unchanged"] == 1


@pytest.mark.parametrize(
    ("base", "same"),
    [
        ("https://Example.ORG/", True),
        ("https://example.org:443/", True),
        ("HTTPS://EXAMPLE.org:/", True),
        ("https://example.org", True),
        ("http://example.org/", False),
        ("https://example.org:80/", False),
        ("https://example.org:4430/", False),
        ("https://example.org.net/", False),
    ],
)
def test_two_spellings_of_a_host_are_one(
    compared: Callable[..., Any], base: str, same: bool
) -> None:
    for others in ([], [entry("a"), entry("b")]):
        found = compared([entry(base=base), *others], [entry(), *others])

        assert found["unchanged"] == len(others) + same
        assert found["added"] == ([] if same else [BASE])


def test_of_several_entries_for_an_address_the_first_counts(compared: Callable[..., Any]) -> None:
    twice = [entry("a", "2024-01-01"), entry("a", "2025-01-01")]

    assert compared(twice, [entry("a", "2024-01-01")])["unchanged"] == 1
    assert compared([entry("a", "2024-01-01")], twice)["unchanged"] == 1
    assert compared([], [*twice, entry("a")])["added"] == [f"{BASE}a"]


def test_what_one_entry_does_not_say_another_one_for_the_address_says(
    compared: Callable[..., Any],
) -> None:
    page = entry("a", "2024-01-01", {"de": "de"}, ("1.png",))
    changed = entry("a", "2025-01-01", {"de": "de"}, ("1.png",))

    assert compared([entry("a"), page], [page])["unchanged"] == 1
    assert compared([page], [entry("a"), page])["unchanged"] == 1
    assert compared([page, entry("a")], [entry("a"), page])["unchanged"] == 1
    for new in ([entry("a"), changed], [changed, entry("a")]):
        (found,) = compared([entry("a"), page], new)["changed"]
        assert found["lastmod"] == {"old": "2024-01-01", "new": "2025-01-01"}


def test_frequency_and_priority_are_no_difference(compared: Callable[..., Any]) -> None:
    more = entry("a").replace("</url>", "<priority>0.5</priority></url>")

    assert compared([entry("a")], [more])["unchanged"] == 1


def _as_index(folder: Path, entries: list[str]) -> Path:
    parts = {f"sitemap-{n}.xml": urlset(part) for n, part in enumerate(entries)}
    listed = index(*(BASE + name for name in parts))
    return write(folder, {"sitemap.xml": listed, **parts}) / "sitemap.xml"


def _as_index_of_gzipped(folder: Path, entries: list[str]) -> Path:
    parts = {f"part-{n}.xml.gz": urlset(part) for n, part in enumerate(entries)}
    return write(folder, {"s.xml": index(*(BASE + name for name in parts)), **parts}) / "s.xml"


def _as_gzipped(folder: Path, entries: list[str]) -> Path:
    return write(folder, {"sitemap.xml.gz": urlset(*entries)}) / "sitemap.xml.gz"


def _as_folder(folder: Path, entries: list[str]) -> Path:
    text = "\n".join(part.split("<loc>")[1].split("</loc>")[0] for part in entries)
    files = {"sitemap.xml": urlset(*entries), "sitemap.xml.gz": urlset(*entries)}
    pages = {f"{line.removeprefix(BASE)}index.html": "" for line in text.split("\n")}
    return write(folder, {**files, **pages, "sitemap.txt": text})


def _as_folder_with_robots(folder: Path, entries: list[str]) -> Path:
    _as_folder(folder, [entry("wrong/")])
    robots = f"User-agent: *\nSitemap: {BASE}right/map.xml\n"
    return write(folder, {"right/map.xml": urlset(*entries), "robots.txt": robots})


def _as_folders(folder: Path, entries: list[str]) -> Path:
    files = {f"{n}/sitemap.xml": urlset(part) for n, part in enumerate(entries)}
    return write(folder, files)


@pytest.mark.parametrize(
    "form",
    [
        _as_index,
        _as_index_of_gzipped,
        _as_gzipped,
        _as_folder,
        _as_folder_with_robots,
        _as_folders,
    ],
)
def test_every_form_of_a_site_says_the_same(
    form: Callable[[Path, list[str]], Path], tmp_path: Path
) -> None:
    old, new = form(tmp_path / "old", OLD), form(tmp_path / "new", NEW)
    plain = write(tmp_path, {"new.xml": urlset(*NEW)}) / "new.xml"
    found = diff(old, new, output=tmp_path / "out.json")

    assert (found["added"], found["removed"]) == ([f"{BASE}more/"], [f"{BASE}gone/"])
    assert [change["loc"] for change in found["changed"]] == [BASE]
    assert diff(new, plain, output=tmp_path / "out.json")["unchanged"] == 3


def test_a_text_sitemap_is_compared_by_its_addresses(tmp_path: Path) -> None:
    lines = f"{BASE}\r\n{BASE}gone/\n\n{BASE}same/"
    write(tmp_path, {"old.txt": lines, "new.xml": urlset(*NEW)})
    found = diff(tmp_path / "old.txt", tmp_path / "new.xml", output=tmp_path / "out.json")

    assert found["added"] == [f"{BASE}more/"]
    assert found["removed"] == [f"{BASE}gone/"]
    assert found["unchanged"] == 2


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
        ("empty.xml", "", "The file is empty."),
        ("page.xml", "<!doctype html><html><body>Not found</body></html>", "an HTML page"),
        ("page.html", "<!doctype html><html><body>Not found</body></html>", "nor a report as HTML"),
        ("data.json", '{"a": 1}', "this is no report"),
        ("data.json", '{"a": 1', "neither JSON nor"),
        ("bytes.xml", b"\x89PNG\r\n\x1a\n" * 99, "binary data"),
        (
            "cut.xml",
            urlset(*NEW).replace("</urlset>", ""),
            "The file ends before its root element does",
        ),
        ("broken.xml", urlset(*NEW).replace("more/", "a&b"), "An '&' is not escaped."),
        ("feed.xml", "<?xml version='1.0'?><rss><channel/></rss>", "is a feed"),
        ("words.txt", "Not found\n", "lists 'Not found' and no absolute URL"),
        ("paths.xml", urlset(entry("a", base="/")), "lists '/a' and no absolute URL"),
        ("index.xml", index(f"{BASE}part.xml"), "is listed, and no file of it is in the folder"),
        ("bomb.xml", urlset(entry()).replace("<urls", BOMB + "<urls"), "declares entities"),
    ],
)
def test_what_cannot_be_read_as_a_whole_is_no_side_of_a_comparison(
    tmp_path: Path,
    name: str,
    content: str | bytes | None,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {"good.xml": urlset(*OLD), **({name: content} if content is not None else {})})

    for pair in (
        (tmp_path / name, tmp_path / "good.xml"),
        (tmp_path / "good.xml", tmp_path / name),
    ):
        assert main(["diff", *map(str, pair)]) == 2
        shown = capsys.readouterr()
        assert message in shown.err
        assert name in shown.err
        assert shown.out == ""


def test_a_gzipped_file_that_ends_too_early_is_no_side_of_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    urls = "".join(f"{BASE}{number * 7919}\n" for number in range(20_000))
    packed = gzip.compress(urls.encode())
    (tmp_path / "urls.txt.gz").write_bytes(packed[: len(packed) // 2])

    assert main(["diff", str(tmp_path / "urls.txt.gz"), str(tmp_path / "urls.txt.gz")]) == 2
    assert "ends too early" in capsys.readouterr().err


def test_indexes_within_indexes_are_read_but_not_without_end(tmp_path: Path) -> None:
    def chain(length: int) -> Path:
        names = ["sitemap", *(f"sitemap-{number}" for number in range(1, length))]
        files = {
            f"{name}.xml": index(f"{BASE}{below}.xml")
            for name, below in zip(names, [*names[1:], "last"], strict=True)
        }
        return write(tmp_path / str(length), {**files, "last.xml": urlset(entry())})

    assert diff(chain(1), chain(3), output=tmp_path / "out.json")["unchanged"] == 1
    assert main(["diff", str(chain(1)), str(chain(4))]) == 2


def test_a_folder_without_a_sitemap_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", str(tmp_path), str(tmp_path)]) == 2
    assert "the folder has no sitemap" in capsys.readouterr().err


def test_the_parts_of_an_index_are_found_where_the_base_url_says(tmp_path: Path) -> None:
    parts = {"sitemap.xml": index(f"{BASE}docs/p.xml"), "p.xml": urlset(*NEW)}
    write(tmp_path, parts)
    found = diff(
        tmp_path / "sitemap.xml", tmp_path / "p.xml", "--base-url", f"{BASE}docs/",
        output=tmp_path / "out.json",
    )  # fmt: skip

    assert found["unchanged"] == 3


@pytest.mark.parametrize(
    ("new", "flags", "status"),
    [(NEW, [], 0), (NEW, ["--exit-code"], 1), (OLD, ["--exit-code"], 0), (OLD, [], 0)],
)
def test_the_exit_status_tells_of_differences_if_asked_to(
    tmp_path: Path, new: list[str], flags: list[str], status: int
) -> None:
    write(tmp_path, {"old.xml": urlset(*OLD), "new.xml": urlset(*new)})

    assert main(["diff", str(tmp_path / "old.xml"), str(tmp_path / "new.xml"), *flags]) == status


def test_the_text_names_each_address_and_what_has_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = [*OLD, entry("a", "2024-01-01", {"de": "de"}, ("1.png",))]
    new = [*NEW, entry("a", None, {"fr": "fr"}, ("2.png",))]
    write(tmp_path, {"old.xml": urlset(*old), "new.xml": urlset(*new)})
    main(["diff", str(tmp_path / "old.xml"), str(tmp_path / "new.xml")])

    assert (
        capsys.readouterr().out
        == f"""\
+ {BASE}more/
- {BASE}gone/
~ {BASE}
    lastmod: none -> 2024-05-05
~ {BASE}a
    lastmod: 2024-01-01 -> none
    translation removed: de {BASE}de
    translation added: fr {BASE}fr
    image removed: {BASE}1.png
    image added: {BASE}2.png
1 added, 1 removed, 2 changed, 1 unchanged
"""
    )


def test_the_list_of_addresses_has_all_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"old.xml": urlset(*OLD), "new.xml": urlset(*NEW)})
    main(["diff", str(tmp_path / "old.xml"), str(tmp_path / "new.xml"), "--format", "urls"])

    assert capsys.readouterr().out == f"{BASE}\n{BASE}gone/\n{BASE}more/\n"


def test_two_sites_without_a_common_address_are_wondered_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = urlset(entry("a", base="https://preview.example/"))
    write(tmp_path, {"old.xml": urlset(*OLD), "new.xml": there})
    main(["diff", str(tmp_path / "old.xml"), str(tmp_path / "new.xml")])

    assert "no address in common" in capsys.readouterr().err


def test_addresses_do_nothing_to_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = f"{BASE}\n\x1b[31m\nhttp://[\x85\n"
    write(tmp_path, {"old.xml": urlset(entry()), "new.txt": lines.replace("\x1b", "\u202e")})
    for form in ("text", "urls"):
        main(["diff", str(tmp_path / "old.xml"), str(tmp_path / "new.txt"), "--format", form])
        assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each path is a text")
def test_a_path_that_is_no_text_does_not_keep_the_output_from_being_written(
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / os.fsdecode(b"caf\xe9"), {"a.xml": urlset(*OLD)})

    found = diff(folder / "a.xml", folder / "a.xml", output=tmp_path / "out.json")
    assert found["old"].endswith("caf\udce9/a.xml")


def test_an_output_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write(tmp_path, {"a.xml": urlset(*OLD)}) / "a.xml")

    assert main(["diff", path, path, "--output", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err


_LOCS = st.text("ab", max_size=3)
_STATES = st.builds(
    State,
    st.sampled_from([None, "", "2024-01-01", "2024-01-02"]),
    st.sampled_from([None, (), (("de", BASE),)]),
    st.sampled_from([None, (), (BASE,)]),
)
_SIDES = st.lists(st.tuples(_LOCS, _STATES), max_size=8)


@given(_SIDES, _SIDES)
def test_every_address_is_counted_once_and_the_sides_mirror_each_other(
    old: list[tuple[str, State]], new: list[tuple[str, State]]
) -> None:
    found, back = compare(old, new), compare(new, old)
    before, after = dict(reversed(old)), dict(reversed(new))

    assert set(found.added) == after.keys() - before.keys()
    assert set(found.removed) == before.keys() - after.keys()
    assert len(found.changed) + found.unchanged == len(before.keys() & after.keys())
    assert (back.added, back.removed, back.unchanged) == (
        found.removed, found.added, found.unchanged
    )  # fmt: skip
    assert bool(compare(old, old)) is False
    assert not Difference(unchanged=3)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        urlset(entry("", "2024-01-01"), entry("a", None, {"de": "de"}, ("1.png",)), entry("b")),
        urlset(entry(), entry("a&b")).replace("<url>", "<url><!-- one -->", 1),
        index(f"{BASE}1.xml", f"{BASE}2.xml"),
    ],
)
def test_no_beginning_of_a_sitemap_is_taken_for_the_whole(
    tmp_path: Path, text: str, packed: bool
) -> None:
    data = gzip.compress(text.strip().encode(), mtime=0) if packed else text.strip().encode()
    path = tmp_path / ("sitemap.xml.gz" if packed else "sitemap.xml")
    for end in range(0, len(data), 3):
        path.write_bytes(data[:end])
        with pytest.raises(SitemapError):
            list(read_states(path))
    path.write_bytes(data)
    if "<sitemapindex" in text:
        write(tmp_path, {"1.xml": urlset(entry("a")), "2.xml": urlset(entry("b"))})

    assert len(list(read_states(path))) > 1
