"""What a build does to the files that are there already."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from write.folders import remove_sitemap, write_sitemap
from write.folders import BASE, entries, published, state, write


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def with_twins(*files: str) -> set[str]:
    return {*files, *(f"{name}.gz" for name in files)}


INDEX_OF_3 = with_twins("sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml")


def age(folder: Path) -> None:
    for path in folder.iterdir():
        os.utime(path, (1_000_000, 1_000_000))


class TestUnchangedFiles:
    @pytest.mark.parametrize("max_urls", [3, 50_000])
    def test_keep_their_bytes_and_times(self, tmp_path: Path, max_urls: int) -> None:
        assert write(tmp_path, entries(7), max_urls=max_urls).changed
        age(tmp_path)
        before = state(tmp_path)

        written = write(tmp_path, entries(7), max_urls=max_urls)

        assert written.changed == []
        assert state(tmp_path) == before

    def test_keep_them_beside_one_that_changed(self, tmp_path: Path) -> None:
        """The index says the same as before too, for no entry has a date."""
        write(tmp_path, entries(7), max_urls=3)
        age(tmp_path)
        before = state(tmp_path)

        written = write(tmp_path, entries(6), max_urls=3)
        assert written.changed == [tmp_path / "sitemap.xml"]
        written = write(tmp_path, [*entries(6), entries(1, 8)[0]], max_urls=3)

        assert [path.name for path in written.changed] == ["sitemap.xml", "sitemap-3.xml"]
        after = state(tmp_path)
        same = {name for name in before if after[name] == before[name]}
        assert same == with_twins("sitemap-1.xml", "sitemap-2.xml")

    def test_an_index_that_says_the_same_keeps_its_time(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=3)
        age(tmp_path)
        before = state(tmp_path)

        written = write(tmp_path, [*entries(6), entries(1, 8)[0]], max_urls=3)

        assert written.changed == [tmp_path / "sitemap-3.xml"]
        after = state(tmp_path)
        assert {name for name in before if after[name] != before[name]} == with_twins(
            "sitemap-3.xml"
        )

    def test_a_missing_twin_is_added(self, tmp_path: Path) -> None:
        write(tmp_path, entries(3))
        age(tmp_path)
        before = state(tmp_path)
        (tmp_path / "sitemap.xml.gz").unlink()

        assert write(tmp_path, entries(3)).changed == []

        assert state(tmp_path)["sitemap.xml"] == before["sitemap.xml"]
        assert published(tmp_path).locs
        assert names(tmp_path) == with_twins("sitemap.xml")


class TestEarlierParts:
    def test_that_are_no_longer_written_are_removed(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=2)
        by_hand = tmp_path / "sitemap-news.xml"
        by_hand.write_text("<urlset/>")

        write(tmp_path, entries(7), max_urls=3)

        assert names(tmp_path) == INDEX_OF_3 | {"sitemap-news.xml"}
        assert by_hand.read_text() == "<urlset/>"

    def test_are_removed_when_one_file_is_enough_again(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=2)
        write(tmp_path, entries(7))

        assert names(tmp_path) == with_twins("sitemap.xml")

    def test_are_removed_when_sections_come_and_go(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=2)
        write_sitemap({"a": entries(2), None: entries(1)}, folder=tmp_path, base_url=BASE)
        assert names(tmp_path) == with_twins("sitemap.xml", "sitemap-a.xml", "sitemap-pages.xml")

        write(tmp_path, entries(1))
        assert names(tmp_path) == with_twins("sitemap.xml")

    def test_are_removed_when_the_site_has_moved(self, tmp_path: Path) -> None:
        write_sitemap(
            {None: []} | {"a&b c": entries(1)}, folder=tmp_path, base_url="https://example.org"
        )
        assert "sitemap-a&b c.xml" in names(tmp_path)

        write(tmp_path, entries(1))
        assert names(tmp_path) == with_twins("sitemap.xml")

    def test_that_were_replaced_by_hand_stay(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=2)
        (tmp_path / "sitemap-4.xml").write_text("<urlset/>")

        write(tmp_path, entries(1))

        assert names(tmp_path) == {*with_twins("sitemap.xml"), "sitemap-4.xml"}

    def test_that_a_hand_written_index_names_stay(self, tmp_path: Path) -> None:
        index = f"<sitemapindex><sitemap><loc>{BASE}sitemap-9.xml</loc></sitemap></sitemapindex>"
        (tmp_path / "sitemap.xml").write_text(index)
        write(tmp_path, entries(1), filename="sitemap-9.xml")

        write(tmp_path, entries(1))

        assert "sitemap-9.xml" in names(tmp_path)

    @pytest.mark.parametrize(
        "name",
        ["../other/sitemap-1.xml", "..%2Fother%2Fsitemap-1.xml", "sitemap-%2F..%2Fx.xml", "x.xml"],
    )
    def test_outside_the_folder_or_the_naming_are_never_touched(
        self, tmp_path: Path, name: str
    ) -> None:
        folder, other = tmp_path / "site", tmp_path / "other"
        for place in (folder, other):
            write(place, entries(3), max_urls=2)
            (place / "sitemap-1.xml").rename(place / "x.xml")
        write(other, entries(3), max_urls=2)
        top = folder / "sitemap.xml"
        top.write_text(top.read_text().replace("sitemap-1.xml", name))

        write(folder, entries(1))

        assert (folder / "x.xml").exists()
        assert published(other).locs


class TestTwins:
    def test_hold_the_same_and_neither_name_nor_time(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=3)

        for name in ("sitemap.xml", "sitemap-1.xml"):
            twin = (tmp_path / f"{name}.gz").read_bytes()
            assert gzip.decompress(twin) == (tmp_path / name).read_bytes()
            assert twin[3:8] == bytes(5)

    def test_are_not_written_when_not_wanted(self, tmp_path: Path) -> None:
        write(tmp_path, entries(3), max_urls=2, gzip=False)

        assert names(tmp_path) == {"sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"}

    def test_of_earlier_builds_are_removed_then(self, tmp_path: Path) -> None:
        write(tmp_path, entries(3), max_urls=2)
        write(tmp_path, entries(3), max_urls=2, gzip=False)

        assert names(tmp_path) == {"sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"}


class TestFilesOfTheUsers:
    def test_are_kept_under_another_name(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").write_text("<urlset>mine</urlset>")
        (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b"<urlset>mine</urlset>"))
        (tmp_path / "sitemap-1.xml").write_bytes(b"\xff not XML")

        written = write(tmp_path, entries(3), max_urls=2)

        assert published(tmp_path).locs
        assert (tmp_path / "sitemap.xml.bak").read_text() == "<urlset>mine</urlset>"
        assert (tmp_path / "sitemap-1.xml.bak").read_bytes() == b"\xff not XML"
        assert gzip.decompress((tmp_path / "sitemap.xml.gz.bak").read_bytes()).endswith(
            b"mine</urlset>"
        )
        assert {(problem.severity, problem.where) for problem in written.problems} == {
            ("notice", "sitemap.xml"),
            ("notice", "sitemap.xml.gz"),
            ("notice", "sitemap-1.xml"),
        }
        assert "kept as sitemap.xml.bak" in next(
            problem.message for problem in written.problems if problem.where == "sitemap.xml"
        )

    def test_never_take_the_name_of_another_kept_file(self, tmp_path: Path) -> None:
        for text in ("first", "second", "third", "second"):
            (tmp_path / "sitemap.xml").write_text(text)
            write(tmp_path, entries(3), gzip=False)

        kept = {path.name: path.read_text() for path in tmp_path.glob("*.bak*")}
        assert kept == {
            "sitemap.xml.bak": "first",
            "sitemap.xml.bak1": "second",
            "sitemap.xml.bak2": "third",
        }

    def test_are_kept_where_there_are_no_hard_links(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "link", refuse)
        write(tmp_path, entries(7), max_urls=3)
        (tmp_path / "sitemap-2.xml").write_text("mine")
        (tmp_path / "sitemap-2.xml.bak").write_text("mine too")

        write(tmp_path, entries(7, 1), max_urls=3)

        assert published(tmp_path).locs == [entry.loc for entry in entries(7, 1)]
        assert names(tmp_path) == INDEX_OF_3 | {"sitemap-2.xml.bak", "sitemap-2.xml.bak1"}
        assert (tmp_path / "sitemap-2.xml.bak1").read_text() == "mine"

    def test_behind_a_symbolic_link_are_not_written_to(self, tmp_path: Path) -> None:
        folder, source = tmp_path / "site", tmp_path / "source.xml"
        folder.mkdir()
        source.write_text("mine")
        (folder / "sitemap.xml").symlink_to(source)

        write(folder, entries(1))

        assert source.read_text() == "mine"
        assert not (folder / "sitemap.xml").is_symlink()
        assert published(folder).locs

    def test_a_twin_of_theirs_does_not_stay_beside_our_file(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b"old"))

        write(tmp_path, entries(1), gzip=False)

        assert names(tmp_path) == {"sitemap.xml", "sitemap.xml.gz.bak"}


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    write(tmp_path, entries(5), max_urls=2)
    for path in tmp_path.iterdir():
        path.chmod(0o640)

    write(tmp_path, entries(5, 1), max_urls=2)

    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o640}


def test_a_new_file_has_the_mode_that_the_system_gives(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    write(tmp_path, entries(5), max_urls=2)

    assert len({path.stat().st_mode for path in tmp_path.iterdir()}) == 1


def test_an_output_folder_is_made(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b", entries(1))

    assert names(tmp_path / "a" / "b") == with_twins("sitemap.xml")


class TestRemoval:
    def test_takes_all_files_of_an_earlier_build_and_no_other(self, tmp_path: Path) -> None:
        write(tmp_path, entries(7), max_urls=3)
        for name in ("sitemap-2.xml", "sitemap-news.xml", "index.html", "sitemap.xml.bak"):
            (tmp_path / name).write_text("mine")

        removed = remove_sitemap(tmp_path)

        assert names(tmp_path) == {
            "sitemap-2.xml",
            "sitemap-news.xml",
            "index.html",
            "sitemap.xml.bak",
        }
        assert {path.name for path in removed} == INDEX_OF_3 - {"sitemap-2.xml"}

    def test_leaves_a_sitemap_of_the_users(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").write_text("<urlset/>")

        assert remove_sitemap(tmp_path) == []
        assert names(tmp_path) == {"sitemap.xml"}

    def test_of_nothing_does_nothing(self, tmp_path: Path) -> None:
        assert remove_sitemap(tmp_path) == []
        assert remove_sitemap(tmp_path / "none") == []
        assert names(tmp_path) == set()

    def test_finds_a_sitemap_by_its_name(self, tmp_path: Path) -> None:
        write(tmp_path, entries(3), max_urls=2, filename="map.xml")
        write(tmp_path, entries(3))

        remove_sitemap(tmp_path, "map.xml")

        assert names(tmp_path) == with_twins("sitemap.xml")
