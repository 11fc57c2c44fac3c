"""The date source ``state``: a page keeps its date until what it says changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from files import read_table
from sitemap_plugin.errors import ConfigError
from sitemap_plugin.report import Report
from sitemaps import read_sitemap
from sites import BASE, build_pages, page

CASES = read_table(__file__, "state.yaml")

FRAME = "<!doctype html><html><head><title>T</title></head><body>{}</body></html>"
DAYS = {"2024-01-01": "1704067200", "2024-02-02": "1706832000", "2024-03-03": "1709424000"}


class Site:
    """A site that is built again and again, on days of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self.report = Report()
        self.metadata: dict[str, Any] = {}
        self.options: dict[str, Any] = {"lastmod": ["state"], "state_file": "state.json"}

    def build(self, day: str, pages: dict[str, str], *, preview: bool = False) -> dict[str, str]:
        """Build on a day; return the dates of the pages that have one."""
        self._monkeypatch.setenv("SOURCE_DATE_EPOCH", DAYS[day])
        listed = []
        for name, content in pages.items():
            output = self.folder / "out" / f"{name}.html"
            output.parent.mkdir(exist_ok=True)
            output.write_text(content, encoding="utf-8")
            listed.append(page(f"{name}/", output=output, metadata=self.metadata))
        self.report = build_pages(
            self.folder / "out", listed, self.options, config_dir=self.folder, preview=preview
        )
        urls = read_sitemap(self.folder / "out" / "sitemap.xml")
        return {
            url.loc.removeprefix(BASE).rstrip("/"): url.lastmod.removesuffix("T00:00:00+00:00")
            for url in urls
            if url.lastmod
        }


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path, monkeypatch)


def framed(text: str) -> str:
    return FRAME.format(f"<main><p>{text}</p></main>")


def test_a_page_has_no_date_on_first_sight_and_the_builds_day_when_it_changes(site: Site) -> None:
    first = site.build("2024-01-01", {"a": framed("one"), "b": framed("two"), "gone": framed("x")})
    second = site.build("2024-02-02", {"b": framed("two"), "a": framed("changed")})
    third = site.build("2024-03-03", {"a": framed("changed"), "b": framed("two"), "c": framed("x")})

    assert [first, second, third] == [{}, {"a": "2024-02-02"}, {"a": "2024-02-02"}]
    lines = (site.folder / "state.json").read_text().splitlines()
    assert [line.split(":")[0].strip() for line in lines[1:-1]] == ['"a/"', '"b/"', '"c/"']
    assert json.loads("\n".join(lines))["pages"]["a/"][1] == "2024-02-02T00:00:00+00:00"


@pytest.mark.parametrize(
    "damage",
    ["", " \n", "\0\0\0", '{"version": 1, "pages": 7}',
     '{"version": 1, "pages": {"a/": ["x", "2024-13-45"]}}', '{"version": 1, "pages": {"a/": 7}}',
     '{"version": 1, "pages": {\n<<<<<<< HEAD\n  "a/": ["x", null]\n=======\n}}\n',
     '{\n  "version": 1,\n  "pages": {'],
)  # fmt: skip
def test_a_damaged_file_is_a_warning_and_a_fresh_start(site: Site, damage: str) -> None:
    site.build("2024-01-01", {"a": framed("one")})
    (site.folder / "state.json").write_text(damage)
    dates = site.build("2024-02-02", {"a": framed("changed")})

    assert dates == {}
    assert [problem.severity for problem in site.report.problems].count("warning") == 1
    assert site.build("2024-03-03", {"a": framed("changed again")}) == {"a": "2024-03-03"}


def test_a_preview_does_not_write_the_file(site: Site) -> None:
    site.build("2024-01-01", {"a": framed("one")}, preview=True)
    assert not (site.folder / "state.json").exists()


def test_a_change_counts_on_its_day_though_another_source_dated_the_page_then(site: Site) -> None:
    site.options["lastmod"] = ["modified", "state"]
    site.build("2024-01-01", {"a": framed("one")})
    site.metadata = {"modified": "2020-05-05"}
    assert site.build("2024-02-02", {"a": framed("changed")}) == {"a": "2020-05-05"}
    site.metadata = {}

    assert site.build("2024-03-03", {"a": framed("changed")}) == {"a": "2024-02-02"}


def test_two_changes_on_one_day_are_two_moments(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DAYS, "later", "1706874300")
    site.build("2024-01-01", {"a": framed("one")})

    assert site.build("2024-02-02", {"a": framed("two")}) == {"a": "2024-02-02"}
    assert site.build("later", {"a": framed("three")}) == {"a": "2024-02-02T11:45:00+00:00"}
    assert site.build("2024-03-03", {"a": framed("three")}) == {"a": "2024-02-02T11:45:00+00:00"}


@pytest.mark.parametrize(("text", "changed"), [("one, two!", False), ("one twx", True)])
def test_only_words_count(site: Site, text: str, changed: bool) -> None:
    site.build("2024-01-01", {"a": framed("one two")})
    assert bool(site.build("2024-02-02", {"a": framed(text)})) is changed


def test_the_source_needs_its_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'state' needs the option 'state_file'"):
        build_pages(tmp_path, [page("a/")], {"lastmod": ["state"]})


@pytest.mark.parametrize(("name", "content"), CASES["another file is not replaced"])
def test_another_file_is_not_replaced(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    options = {"lastmod": ["state"], "state_file": name}

    with pytest.raises(ConfigError, match=rf"state_file: .*{name} .*; .*another file"):
        build_pages(tmp_path / "out", [page("a/")], options, config_dir=tmp_path)
    assert (tmp_path / name).read_text() == content
    assert not (tmp_path / "out" / "sitemap.xml").exists()


def test_a_file_that_cannot_be_read_or_that_the_build_writes_is_not_replaced(
    tmp_path: Path,
) -> None:
    (tmp_path / "state.json").symlink_to("state.json")
    for name, fault in (
        ("state.json", r"state\.json cannot be read: "),
        ("out/sitemap.xml", r"sitemap\.xml is there already, and is no state file"),
    ):
        options = {"lastmod": ["state"], "state_file": name}
        with pytest.raises(ConfigError, match=f"state_file: .*{fault}"):
            build_pages(tmp_path / "out", [page("a/")], options, config_dir=tmp_path)

    assert (tmp_path / "state.json").is_symlink()
    assert read_sitemap(tmp_path / "out" / "sitemap.xml")


def test_a_byte_order_mark_is_no_damage(site: Site) -> None:
    site.build("2024-01-01", {"a": framed("one")})
    path = site.folder / "state.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert site.build("2024-02-02", {"a": framed("two")}) == {"a": "2024-02-02"}


def test_a_link_leads_to_the_file_and_stays(site: Site) -> None:
    (site.folder / "cache").mkdir()
    (site.folder / "state.json").symlink_to(Path("cache", "kept.json"))
    site.build("2024-01-01", {"a": framed("one")})
    site.build("2024-02-02", {"a": framed("two")})

    assert (site.folder / "state.json").is_symlink()
    assert "2024-02-02" in (site.folder / "cache" / "kept.json").read_text()


def test_a_file_in_the_published_folder_gets_a_notice(site: Site) -> None:
    site.options["state_file"] = "out/state.json"
    site.build("2024-01-01", {"a": framed("one")})

    assert [str(p) for p in site.report.problems if p.where == "state_file"] == [
        f"state_file: {site.folder / 'out' / 'state.json'} is in the folder that is published, and "
        "lost when that is emptied; name a place beside it"
    ]


def test_a_date_to_come_is_forgotten(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DAYS, "2100-01-01", "4102444800")
    site.build("2024-01-01", {"a": framed("one"), "b": framed("two")})
    site.build("2100-01-01", {"a": framed("changed"), "b": framed("two")})
    site.build("2024-02-02", {"a": framed("changed"), "b": framed("new")})

    assert site.build("2024-03-03", {"a": framed("x"), "b": framed("new")}) == {
        "a": "2024-03-03", "b": "2024-02-02",
    }  # fmt: skip
