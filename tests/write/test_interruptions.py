"""Builds that are killed, interrupted or refused something at any step, and builds at once.

A build runs in a forked process that sees its own file system calls through an audit hook, so that
it can be ended at exactly the n-th of them.
"""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemap_plugin.errors import WriteError
from sitemaps import SITEMAP
from sites import BASE, build_pages, page
from write.folders import index_schema, urlset_schema

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="builds are forked and killed")

EVENTS = frozenset(("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.chmod"))

SITES: Mapping[str, tuple[int, int, dict[str, Any]]] = {
    "single": (3, 0, {}),
    "other single": (4, 20, {"robots": False}),
    "plain": (4, 20, {"gzip": False, "stylesheet": False, "text": True}),
    "index": (7, 0, {"max_urls": 3, "indexnow_key": "0123456789abcdef"}),
    "changed index": (7, 1, {"max_urls": 3, "text": True}),
    "large index": (9, 2, {"max_urls": 2, "gzip": False}),
    "sections": (7, 0, {"max_urls": 2, "sections": {"blog": "page-00*"}}),
    "nothing": (0, 0, {}),
}


def build(name: str, folder: Path) -> None:
    count, start, options = SITES[name]
    pages = [page(f"page-{number:02}/") for number in range(start, start + count)]
    folder.mkdir(parents=True, exist_ok=True)
    build_pages(folder, pages, {"report": str(folder.parent / "report.json"), **options})


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file; a robots.txt and texts once written stay."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def assert_whole(folder: Path) -> None:
    """Check that every file is whole, that no index names a missing file, and that twins agree."""
    for path in folder.glob("*.xml"):
        root = etree.fromstring(path.read_bytes())
        is_index = root.tag == f"{SITEMAP}sitemapindex"
        (index_schema() if is_index else urlset_schema()).assertValid(root)
        for loc in root.iter(f"{SITEMAP}loc") if is_index else ():
            assert (folder / str(loc.text).removeprefix(BASE)).is_file()
        twin = folder / f"{path.name}.gz"
        assert not twin.exists() or gzip.decompress(twin.read_bytes()) == path.read_bytes()
    robots = folder / "robots.txt"
    assert not robots.exists() or robots.read_text() == f"Sitemap: {BASE}sitemap.xml\n"


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> None:
    raise KeyboardInterrupt


def fill_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def at_every_step(
    before: str, after: str, folder: Path, disturb: Callable[[], None]
) -> Iterator[Path]:
    """Yield the folder after a build that was disturbed at its first step, its second, ..."""
    original = folder / "before"
    build(before, original)
    for step in range(1, 10_000):
        site = folder / "site"
        shutil.copytree(original, site)
        if run(after, site, step, disturb):
            return
        yield site
        shutil.rmtree(site)


def run(name: str, folder: Path, step: int, disturb: Callable[[], None]) -> bool:
    """Run a build in a process of its own; return whether it came to its end undisturbed."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = count_and_build(name, folder, step, disturb)
        except BaseException:  # noqa: BLE001 - it must not go on as a second test run
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 3, -signal.SIGKILL)
    return code == 0


def count_and_build(name: str, folder: Path, step: int, disturb: Callable[[], None]) -> int:
    taken = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal taken
        if event in EVENTS and str(folder.parent) in str(arguments[0]):
            taken += 1
            if taken == step:
                disturb()

    sys.addaudithook(hook)
    try:
        build(name, folder)
    except (WriteError, KeyboardInterrupt):
        return 3
    return 3 if taken >= step else 0


ALL = [(before, after) for before in SITES for after in SITES if before != after]


def check(before: str, after: str, folder: Path, disturb: Callable[[], None]) -> int:
    """Disturb a build at every step; the next one has to leave what an undisturbed one leaves."""
    undisturbed = folder / "undisturbed" / "site"
    build(before, undisturbed)
    build(after, undisturbed)
    count = 0
    for site in at_every_step(before, after, folder / "disturbed", disturb):
        assert_whole(site)
        build(after, site)
        assert contents(site) == contents(undisturbed), f"step {count + 1}"
        count += 1
    return count


@pytest.mark.parametrize(
    ("before", "after", "disturb"),
    [
        ("single", "index", kill),
        ("index", "single", interrupt),
        ("index", "changed index", fill_disk),
    ],
)
def test_a_disturbed_build_leaves_whole_files_and_the_next_one_the_rest(
    tmp_path: Path, before: str, after: str, disturb: Callable[[], None]
) -> None:
    assert check(before, after, tmp_path, disturb) > 20


@pytest.mark.slow
def test_so_it_is_between_all_kinds_of_sitemaps(tmp_path: Path) -> None:
    killed = sum(check(*names, tmp_path / f"k{i}", kill) for i, names in enumerate(ALL))
    interrupted = sum(check(*names, tmp_path / f"i{i}", interrupt) for i, names in enumerate(ALL))
    assert killed >= 1000
    assert interrupted >= 300


def test_two_builds_at_once_end_well(tmp_path: Path) -> None:
    for _ in range(5):
        children = []
        for name in ("changed index", "changed index", "large index"):
            child = os.fork()
            if child == 0:
                try:
                    build(name, tmp_path / "site")
                    os._exit(0)
                finally:
                    os._exit(1)
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
        for path in (tmp_path / "site").glob("*.xml"):
            etree.fromstring(path.read_bytes())
    build("index", tmp_path / "site")
    build("index", tmp_path / "fresh")

    left = contents(tmp_path / "site")
    assert left.pop("sitemap.txt")
    assert left == contents(tmp_path / "fresh")
