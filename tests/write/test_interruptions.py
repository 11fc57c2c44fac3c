"""Builds that are killed, interrupted or refused something at any step, and builds at once.

A build sees its own file system calls through an audit hook, which ends it at exactly the n-th of
them. Once it is killed, every later call fails as well, so that nothing is tidied up.
"""

import errno
import gzip
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from itertools import count, permutations
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemap_plugin.errors import WriteError
from sitemaps import SITEMAP, validate
from sites import BASE, build_pages, page

posix = pytest.mark.skipif(sys.platform == "win32", reason="builds are forked and killed")

EVENTS = frozenset(("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.chmod"))

SITES: Mapping[str, tuple[int, int, dict[str, Any]]] = {
    "single": (3, 0, {}),
    "plain": (4, 20, {"gzip": False, "stylesheet": False, "text": True}),
    "index": (7, 1, {"max_urls": 3, "indexnow_key": "0123456789abcdef"}),
    "sections": (7, 0, {"max_urls": 2, "sections": {"blog": "page-00*"}}),
    "nothing": (0, 0, {}),
}
# 1 takes minutes; 12 disturbs thousands of builds of each kind, for a note on a release.
ROUNDS = int(os.environ.get("SITEMAP_PLUGIN_KILL_ROUNDS", "1"))


class Killed(BaseException):
    """The process has ended: nothing that it does reaches the disk any more."""


class Disturber:
    """Disturbs the file system calls below a folder, from the n-th on; counts them."""

    def __init__(self) -> None:
        self.folder, self.step, self.taken = "", 0, 0
        self.disturb: Callable[[bool], None] = lambda _: None
        sys.addaudithook(self._see)

    def _see(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.step and event in EVENTS and self.folder in str(arguments[0]):
            self.taken += 1
            if self.taken >= self.step:
                self.disturb(self.taken == self.step)


DISTURBER = Disturber()  # A hook cannot be taken away again.


def kill(_is_first: bool) -> None:
    raise Killed


def kill_for_good(_is_first: bool) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt(is_first: bool) -> None:
    if is_first:
        raise KeyboardInterrupt


def fill_disk(is_first: bool) -> None:
    if is_first:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


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
        for loc in root.iter(f"{SITEMAP}loc") if validate(root) else ():
            assert (folder / str(loc.text).removeprefix(BASE)).is_file()
        twin = folder / f"{path.name}.gz"
        assert not twin.exists() or gzip.decompress(twin.read_bytes()) == path.read_bytes()
    robots = folder / "robots.txt"
    assert not robots.exists() or robots.read_text() == f"Sitemap: {BASE}sitemap.xml\n"


def disturb_build(name: str, folder: Path, step: int, disturb: Callable[[bool], None]) -> bool:
    """Build, and disturb that at a step; return whether it came so far."""
    DISTURBER.folder, DISTURBER.step, DISTURBER.taken = str(folder.parent), step, 0
    DISTURBER.disturb = disturb
    try:
        build(name, folder)
    except (WriteError, KeyboardInterrupt, Killed):
        pass
    finally:
        DISTURBER.step = 0
    return DISTURBER.taken >= step


def in_a_process(name: str, folder: Path, step: int, disturb: Callable[[bool], None]) -> bool:
    """Do that in a process of its own."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 3 if disturb_build(name, folder, step, disturb) else 0
        finally:
            os._exit(status)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 3, -signal.SIGKILL)
    return code != 0


def check(
    names: tuple[str, str],
    folder: Path,
    disturb: Callable[[bool], None],
    run: Callable[..., bool] = disturb_build,
    stride: int = 1,
) -> int:
    """Disturb a build at every step; the next one has to leave what an undisturbed one leaves."""
    before, after = names
    original, undisturbed = folder / "original" / "site", folder / "undisturbed" / "site"
    build(before, original)
    shutil.copytree(original, undisturbed)
    build(after, undisturbed)
    expected = contents(undisturbed)
    site = folder / "disturbed" / "site"
    for done, step in enumerate(count(1, stride)):
        shutil.copytree(original, site)
        if not run(after, site, step, disturb):
            return done
        assert_whole(site)
        build(after, site)
        assert contents(site) == expected, f"step {step}"
        shutil.rmtree(site.parent)
    raise AssertionError


CHANGES = [("single", "index"), ("index", "single"), ("sections", "index"), ("index", "nothing")]
CHANGES += [("index", "sections"), ("nothing", "index"), ("single", "plain"), ("plain", "index")]


@pytest.mark.parametrize(
    ("names", "disturb"),
    [(("single", "index"), kill), (("index", "single"), interrupt),
     (("index", "sections"), fill_disk)],
)  # fmt: skip
def test_a_disturbed_build_leaves_whole_files_and_the_next_one_the_rest(
    tmp_path: Path, names: tuple[str, str], disturb: Callable[[bool], None]
) -> None:
    assert check(names, tmp_path, disturb, stride=4) > 5


@pytest.mark.slow
@pytest.mark.parametrize("disturb", [kill, interrupt, fill_disk])
def test_so_it_is_between_kinds_of_sitemaps(
    tmp_path: Path, disturb: Callable[[bool], None]
) -> None:
    changes = CHANGES if ROUNDS == 1 else [*permutations(SITES, 2)]
    counts = [check(names, tmp_path / "-".join(names), disturb) for names in changes]

    print(f"{sum(counts)} builds disturbed: {disturb.__name__}")  # noqa: T201 - for a note
    assert sum(counts) > 200


@posix
@pytest.mark.slow
def test_so_it_is_when_a_process_is_killed(tmp_path: Path) -> None:
    stride = max(1, 5 // ROUNDS)
    counts = [
        check(names, tmp_path / "-".join(names), kill_for_good, in_a_process, stride)
        for names in CHANGES[: 4 * ROUNDS]
    ]

    print(f"{sum(counts)} processes killed")  # noqa: T201 - for a note
    assert sum(counts) >= 20


@posix
def test_two_builds_at_once_end_well(tmp_path: Path) -> None:
    for _ in range(2):
        children = []
        for name in ("index", "index", "sections"):
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

    assert contents(tmp_path / "site") == contents(tmp_path / "fresh")
