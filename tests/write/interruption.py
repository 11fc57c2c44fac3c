"""Builds that are killed, or refused something by the operating system, at any step they take.

A build runs in a forked process that sees its own file system calls through an audit hook, so
that it can be ended, or failed, at exactly the n-th of them. As a script this kills builds at
random moments instead: ``python tests/writer/interruption.py --rounds 300``.
"""

from __future__ import annotations

import argparse
import errno
import gzip
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from sitemap_plugin.errors import WriteError
from sitemap_plugin.models import Entry
from write.folders import write_sitemap
from sitemaps import SITEMAP
from write.folders import BASE, entries, index_schema, published, state, urlset_schema

__all__ = ["BUILDS", "Build", "assert_whole", "failed_at_every_step", "killed_at_every_step"]

Build = Callable[[Path], object]

EVENTS = frozenset(
    ("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.chmod", "os.utime")
)


def _write(listed: list[Entry], **options: object) -> Build:
    def build(folder: Path) -> object:
        return write_sitemap({None: listed}, folder=folder, base_url=BASE, **options)  # type: ignore[arg-type]  # passed through

    return build


def _sections(folder: Path) -> object:
    return write_sitemap(
        {"blog": entries(3), None: entries(4, 10)}, folder=folder, base_url=BASE, max_urls=3
    )


def _by_hand(folder: Path) -> None:
    """Write an index by hand whose parts have the names that ours will have."""
    _write(entries(5, 50), max_urls=3)(folder)
    for path in folder.glob("*.xml"):
        path.write_bytes(path.read_bytes().replace(b"Written by sitemap-plugin", b"By hand"))
    for path in folder.glob("*.gz"):
        path.unlink()


BUILDS: dict[str, Build] = {
    "single": _write(entries(3)),
    "other single": _write(entries(4, 20)),
    "index": _write(entries(7), max_urls=3),
    "changed index": _write(entries(7, 1), max_urls=3),
    "index with one change": _write([*entries(6), Entry(f"{BASE}z")], max_urls=3),
    "large index": _write(entries(9, 2), max_urls=2, gzip=False),
    "sections": _sections,
    "by hand": _by_hand,
}


def assert_whole(folder: Path, *allowed: list[str]) -> list[str]:
    """Check that each file is whole and that the folder publishes one of several sitemaps.

    Returns the URLs of that one.
    """
    locs: dict[str, list[str]] = {}
    for path in folder.glob("*.xml"):
        root = etree.fromstring(path.read_bytes())
        is_index = root.tag == f"{SITEMAP}sitemapindex"
        (index_schema() if is_index else urlset_schema()).assertValid(root)
        locs[path.name] = [element.text or "" for element in root.iter(f"{SITEMAP}loc")]
        twin = folder / f"{path.name}.gz"
        assert not twin.exists() or gzip.decompress(twin.read_bytes()) == path.read_bytes()
    top = locs["sitemap.xml"]
    if all(loc.endswith(".xml") for loc in top):
        top = [loc for part in top for loc in locs[part.removeprefix(BASE)]]
    assert top in allowed
    return top


def killed_at_every_step(before: Build, after: Build, folder: Path) -> Iterator[Path]:
    """Yield the folder after each kill, brought back to its state before in between."""
    yield from _at_every_step(before, after, folder, _kill)


def failed_at_every_step(before: Build, after: Build, folder: Path) -> Iterator[Path]:
    """Yield the folder after each failure; the build has to report it as a WriteError."""
    yield from _at_every_step(before, after, folder, _fail)


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _at_every_step(
    before: Build, after: Build, folder: Path, interrupt: Callable[[], None]
) -> Iterator[Path]:
    original = folder / "before"
    before(original)
    for step in range(1, 10_000):
        site = folder / "site"
        shutil.copytree(original, site)
        if _run(after, site, step, interrupt):
            return
        yield site
        shutil.rmtree(site)
    raise AssertionError("the build takes too many steps")


def _run(build: Build, folder: Path, step: int, interrupt: Callable[[], None]) -> bool:
    """Run a build in a process of its own; return whether it came to its end undisturbed."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = _count_and_build(build, folder, step, interrupt)
        except BaseException:  # noqa: BLE001 - it must not go on as a second test run
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 3, -signal.SIGKILL)
    return code == 0


def _count_and_build(build: Build, folder: Path, step: int, interrupt: Callable[[], None]) -> int:
    taken = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal taken
        if event in EVENTS and str(folder) in str(arguments[0]):
            taken += 1
            if taken == step:
                interrupt()

    sys.addaudithook(hook)
    try:
        build(folder)
    except WriteError:
        return 3
    return 3 if taken >= step else 0


def kill_at_random(rounds: int, seed: int) -> None:
    """Kill builds at random moments and check what each leaves; the next goes on from there."""
    random.seed(seed)
    builds = [build for name, build in BUILDS.items() if name != "by hand"]
    locs = []
    for build in builds:
        with tempfile.TemporaryDirectory() as name:
            build(Path(name))
            locs.append(published(Path(name)).locs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builds[0](folder)
        allowed = locs[0]
        for _ in range(rounds):
            which = random.randrange(len(builds))
            _kill_after(builds[which], folder, random.uniform(0, 0.012))
            allowed = assert_whole(folder, allowed, locs[which])
        builds[0](folder)
        found = set(state(folder))
        assert found == {"sitemap.xml", "sitemap.xml.gz"}, found


def _kill_after(build: Build, folder: Path, seconds: float) -> None:
    child = os.fork()
    if child == 0:
        try:
            build(folder)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Kill builds at random moments.")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    kill_at_random(options.rounds, options.seed)
    print(f"{options.rounds} builds killed, nothing torn")  # noqa: T201 - a script's output
