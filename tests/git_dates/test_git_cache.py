"""A rebuild reads the history only where HEAD, or what counts of it, is another."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from git_repositories import Repo, ask, note_commands
from sitemap_plugin.dates.git import cache as cache_module
from sitemap_plugin.dates.git.cache import Cache, FileDate, cache_folder

DATES = {
    b"a.md": FileDate("1" * 40, 1),
    b"b.md": None,
    b"\xff.md": FileDate("2" * 40, -2),
    b" c\n 1.md": FileDate("1" * 40, 1),
}


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the commands that git is started with from now on."""
    return note_commands(monkeypatch)


@pytest.fixture
def history(repo: Repo) -> Repo:
    repo.commit(1, {"a.md": "a", "b.md": "b"})
    repo.commit(2, {"b.md": "b2"})
    return repo


def test_a_rebuild_does_not_read_the_history(history: Repo, commands: list[str]) -> None:
    files: list[Path | None] = [history.path / name for name in ("a.md", "b.md")]
    first = ask(files).dates
    commands.clear()

    assert ask(files).dates == first
    assert sorted(commands) == ["config", "rev-parse", "status"]


def test_the_working_tree_is_asked_each_time(history: Repo) -> None:
    before = history.days(["a.md", "b.md"])
    history.write({"a.md": "changed"})

    assert [before, history.days(["a.md", "b.md"])] == [[1, 2], [None, 2]]


def test_a_new_commit_is_seen(history: Repo) -> None:
    before = history.days(["a.md", "b.md"])
    history.commit(3, {"a.md": "a3"})

    assert [before, history.days(["a.md", "b.md"])] == [[1, 2], [3, 2]]


def test_a_new_list_of_ignored_revisions_is_seen(history: Repo) -> None:
    before = history.days(["a.md", "b.md"])
    history.write({".git-blame-ignore-revs": history.git("rev-parse", "HEAD")})

    assert [before, history.days(["a.md", "b.md"])] == [[1, 2], [1, 1]]


def test_files_that_were_not_asked_for_before_are_looked_up(
    history: Repo, commands: list[str]
) -> None:
    history.write({"new.md": "n"})
    first = history.days(["a.md", "new.md"])
    second = history.days(["a.md", "b.md", "new.md"])
    commands.clear()
    third = history.days(["a.md", "b.md", "new.md"])

    assert [first, second, third] == [[1, None], [1, 2, None], [1, 2, None]]
    assert "log" not in commands


def test_two_clones_of_one_history_share_their_entry(
    history: Repo, commands: list[str], tmp_path: Path
) -> None:
    history.git("clone", "--quiet", history.path, tmp_path / "clone")
    history.days(["a.md", "b.md"])
    commands.clear()

    assert type(history)(tmp_path / "clone").days(["a.md", "b.md"]) == [1, 2]
    assert "log" not in commands


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:0],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content.replace(b"a.md", b"b.md"),
        lambda content: content + b" ",
        lambda content: b"0" * 64 + content[64:],
        lambda content: bytes(len(content)),
        lambda content: content[::-1],
        lambda content: b"\n" + content,
    ],
)
def test_a_damaged_entry_is_made_anew(
    history: Repo, cache: Path, damage: Callable[[bytes], bytes]
) -> None:
    history.days(["a.md", "b.md"])
    [entry] = cache.rglob("dates-*")
    content = entry.read_bytes()
    entry.write_bytes(damage(content))

    assert history.days(["a.md", "b.md"]) == [1, 2]
    assert entry.read_bytes() == content


def test_a_cache_that_cannot_be_written_is_none(history: Repo, cache: Path) -> None:
    cache.write_text("This is no folder.")

    answer = ask([history.path / "a.md"])

    assert answer.days == [1]
    assert answer.problems == []


def test_a_cache_without_room_is_none(
    history: Repo, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sitemap_plugin.dates.git.cache.tempfile.NamedTemporaryFile", fail)

    assert history.days(["a.md", "b.md"]) == [1, 2]
    assert not list(cache.rglob("dates-*"))


def test_an_entry_that_is_a_folder_is_left_alone(history: Repo, cache: Path) -> None:
    history.days(["a.md"])
    [entry] = cache.rglob("dates-*")
    entry.unlink()
    entry.mkdir()

    assert history.days(["a.md"]) == [1]
    assert entry.is_dir()


def test_what_was_stored_is_loaded(tmp_path: Path) -> None:
    Cache(tmp_path, [b"state"]).store(DATES)

    assert Cache(tmp_path, [b"state"]).load() == DATES
    assert Cache(tmp_path, [b"other"]).load() == {}


@pytest.mark.parametrize("dates", [{}, {b"a.md": None}])
def test_an_entry_without_dates_is_an_entry(
    tmp_path: Path, dates: dict[bytes, FileDate | None]
) -> None:
    Cache(tmp_path, [b"state"]).store(dates)

    assert Cache(tmp_path, [b"state"]).load() == dates


def test_an_entry_is_readable_for_its_owner_only(tmp_path: Path) -> None:
    Cache(tmp_path / "new", [b"state"]).store(DATES)

    [entry] = (tmp_path / "new").iterdir()
    assert entry.stat().st_mode & 0o077 == 0
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_the_entries_that_were_not_used_for_long_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "MOST_FILES", 3)
    other = tmp_path / "other.json"
    other.write_text("Not ours.")
    for number in range(3):
        Cache(tmp_path, [b"%d" % number]).store(DATES)
        [entry] = (entry for entry in tmp_path.glob("dates-*") if entry.stat().st_mtime > 9)
        os.utime(entry, (number, number))
    Cache(tmp_path, [b"0"]).load()

    Cache(tmp_path, [b"new"]).store(DATES)

    assert len(list(tmp_path.glob("dates-*"))) == 3
    known = {name: Cache(tmp_path, [name]).load() for name in (b"0", b"1", b"2", b"new")}
    assert known == {b"0": DATES, b"1": {}, b"2": DATES, b"new": DATES}
    assert other.exists()


def test_the_cache_stays_below_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_BYTES", 1000)
    for number in range(20):
        Cache(tmp_path, [b"%d" % number]).store(DATES)

    sizes = [entry.stat().st_size for entry in tmp_path.iterdir()]
    assert 0 < sum(sizes) <= 1000


def test_builds_at_the_same_time_never_see_half_an_entry(tmp_path: Path) -> None:
    many = {b"%d.md" % number: FileDate(f"{number:040}", number) for number in range(2000)}
    few = dict.fromkeys(many, FileDate("f" * 40, 9))
    seen: list[dict[bytes, FileDate | None]] = []

    def work(dates: dict[bytes, FileDate | None]) -> None:
        for _ in range(30):
            Cache(tmp_path, [b"state"]).store(dates)
            seen.append(Cache(tmp_path, [b"state"]).load())

    threads = [threading.Thread(target=work, args=[dates]) for dates in (many, few, many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(seen) == 90
    assert all(dates in (many, few) for dates in seen)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/a/.cache/sitemap-plugin/git-dates"),
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/sitemap-plugin/git-dates"),
        ("linux", {"XDG_CACHE_HOME": "x"}, "/home/a/.cache/sitemap-plugin/git-dates"),
        ("darwin", {}, "/home/a/Library/Caches/sitemap-plugin/git-dates"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/sitemap-plugin/git-dates"),
        ("win32", {}, None),
        ("linux", {"SITEMAP_PLUGIN_CACHE_DIR": "/own"}, "/own/git-dates"),
        ("win32", {"SITEMAP_PLUGIN_CACHE_DIR": "/own"}, "/own/git-dates"),
        ("linux", {"SITEMAP_PLUGIN_CACHE_DIR": ""}, "/home/a/.cache/sitemap-plugin/git-dates"),
    ],
)
def test_the_cache_lies_where_the_platform_keeps_caches(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: str | None
) -> None:
    monkeypatch.setenv("HOME", "/home/a")

    assert cache_folder(environment, platform) == (Path(folder) if folder else None)
