"""What a build does to the files that are there already, and what it tells when it cannot write."""

import gzip
import os
import stat
import sys
from pathlib import Path

import pytest

from files import read_table
from sitemap_plugin.common.files import MARKER
from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Entry
from write.folders import BASE, entries, published, state, write, write_sitemap

TABLE = read_table(__file__, "placement.yaml")

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, links and limits are POSIX's")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def with_twins(*files: str) -> set[str]:
    return {*files, *(f"{name}.gz" for name in files)}


THREE = ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]


def age(folder: Path) -> dict[str, tuple[bytes, int]]:
    for path in folder.iterdir():
        os.utime(path, (1_000_000, 1_000_000))
    return state(folder)


def changes(folder: Path, before: dict[str, tuple[bytes, int]]) -> set[str]:
    after = state(folder)
    return {name for name in before | after if before.get(name) != after.get(name)}


def test_files_that_do_not_change_keep_their_time(tmp_path: Path) -> None:
    write(tmp_path, entries(7), max_urls=3)
    before = age(tmp_path)

    write(tmp_path, entries(7), max_urls=3)
    assert changes(tmp_path, before) == set()
    write(tmp_path, [*entries(6), Entry(f"{BASE}z")], max_urls=3)
    assert changes(tmp_path, before) == with_twins("sitemap-3.xml")
    (tmp_path / "sitemap-3.xml.gz").unlink()
    write(tmp_path, [*entries(6), Entry(f"{BASE}z")], max_urls=3)
    assert published(tmp_path).parts == THREE


def test_twins_have_the_same_bytes_on_every_day(tmp_path: Path) -> None:
    write(tmp_path, entries(3))
    data = (tmp_path / "sitemap.xml.gz").read_bytes()

    assert data[4:8] == bytes(4)  # The time that gzip stores.
    assert gzip.decompress(data) == (tmp_path / "sitemap.xml").read_bytes()


class TestEarlierParts:
    def test_are_removed_when_the_sitemap_shrinks(self, tmp_path: Path) -> None:
        for most in (2, 3):
            write(tmp_path, entries(7), max_urls=most)
        assert names(tmp_path) == with_twins("sitemap.xml", *THREE)
        write_sitemap({"a b": entries(2), None: entries(1)}, folder=tmp_path)
        assert names(tmp_path) == with_twins("sitemap.xml", "sitemap-a b.xml", "sitemap-pages.xml")
        write(tmp_path, entries(1))
        assert names(tmp_path) == with_twins("sitemap.xml")

    def test_are_removed_also_if_no_index_names_them(self, tmp_path: Path) -> None:
        """An interrupted build leaves such parts, and what it was writing."""
        write(tmp_path, entries(7), max_urls=2)
        (tmp_path / "sitemap.xml").unlink()
        (tmp_path / ".sitemap-9.xml.0123abcd.tmp").write_bytes(b"<?xml")
        write(tmp_path, entries(1))

        assert names(tmp_path) == with_twins("sitemap.xml")

    @pytest.mark.parametrize(("name", "content"), TABLE["others"])
    def test_are_known_by_name_and_comment(self, tmp_path: Path, name: str, content: str) -> None:
        (tmp_path / name).write_bytes(content.encode("latin-1"))
        write(tmp_path, entries(1))
        assert (tmp_path / name).read_bytes() == content.encode("latin-1")

    @posix
    def test_are_no_pipes_or_folders_nor_the_sites_own(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "sitemap-4.xml")
        (tmp_path / "sitemap-5.xml").mkdir()
        for name in ("sitemap-6.xml", "sitemap-7.xml"):
            (tmp_path / name).write_bytes(MARKER)
        written = write(tmp_path, entries(1), protected={"sitemap-7.xml"})

        assert written.problems == []
        own = {"sitemap-4.xml", "sitemap-5.xml", "sitemap-7.xml"}
        assert names(tmp_path) == with_twins("sitemap.xml") | own


class TestForeignFiles:
    def test_are_kept_once(self, tmp_path: Path) -> None:
        message = "notice sitemap.xml: there was one that this plugin did not write; it is kept as"
        for text, told in {"first": [f"{message} sitemap.xml.bak"], "second": []}.items():
            (tmp_path / "sitemap.xml").write_text(text)
            problems = write(tmp_path, entries(1)).problems
            assert [f"{problem.severity} {problem}" for problem in problems] == told

        assert names(tmp_path) == {*with_twins("sitemap.xml"), "sitemap.xml.bak"}
        assert (tmp_path / "sitemap.xml.bak").read_text() == "first"

    def test_are_not_kept_in_folders_that_a_generator_has_made(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").write_text("the generator's")
        (tmp_path / "sitemap.xml.gz").write_text("the generator's")
        written = write(tmp_path, entries(1), keep_foreign=False, gzip=False)

        assert written.problems == []
        assert names(tmp_path) == {"sitemap.xml"}

    def test_are_copied_where_there_are_no_second_names(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "link", refuse)
        (tmp_path / "sitemap.xml").write_text("mine")
        write(tmp_path, entries(1))

        assert (tmp_path / "sitemap.xml.bak").read_text() == "mine"

    @posix
    def test_that_are_links_are_replaced_and_what_they_lead_to_stays(self, tmp_path: Path) -> None:
        secret, site = tmp_path / "secret", tmp_path / "site"
        secret.write_text("secret")
        site.mkdir()
        (site / "sitemap.xml").symlink_to(secret)
        (site / "sitemap.xml.gz").symlink_to(tmp_path / "nowhere")
        write(site, entries(1))

        assert names(site) == with_twins("sitemap.xml")
        assert not (site / "sitemap.xml").is_symlink()
        assert secret.read_text() == "secret"


@posix
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    write(tmp_path, entries(1))
    (tmp_path / "sitemap.xml").chmod(0o640)
    write(tmp_path, entries(2))

    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o640}


def test_removal_takes_all_files_of_an_earlier_build_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "sitemap-news.xml").write_text("<urlset/>")
    write(tmp_path, entries(7), max_urls=2)
    write(tmp_path, [])
    assert names(tmp_path) == {"sitemap-news.xml"}
    (tmp_path / "sitemap.xml").write_text("<urlset/>")
    write(tmp_path, [])
    assert names(tmp_path) == {"sitemap-news.xml", "sitemap.xml"}
    write(tmp_path / "nowhere", [])


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-2.xml", "sitemap-2.xml.gz"])
@pytest.mark.parametrize("kind", [os.mkdir, getattr(os, "mkfifo", os.mkdir)])
def test_what_is_no_file_is_an_error_with_path_and_cure(
    tmp_path: Path, name: str, kind: object
) -> None:
    (tmp_path / name).mkdir() if kind is os.mkdir else os.mkfifo(tmp_path / name)
    if name.endswith(".gz") and kind is not os.mkdir:
        return  # A pipe in the place of a twin is removed as a twin would be.
    with pytest.raises(WriteError, match=rf"{name}: cannot be .*remove") as caught:
        write(tmp_path, entries(3), max_urls=1)

    assert str(tmp_path / name) in str(caught.value)
    assert not list(tmp_path.glob(".*"))


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("mine")

    for folder in (tmp_path / "site", tmp_path / "site" / "docs"):
        with pytest.raises(WriteError, match=r"sitemap\.xml: cannot be written"):
            write(folder, entries(1))
    with pytest.raises(WriteError, match="File name too long"):
        write(tmp_path, entries(1), filename=f"{'x' * 300}.xml")
