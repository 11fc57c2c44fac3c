"""The sitemaps of the builds in a folder: find, read, and judge what an index may list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.folder import sample_locs
from sitemap_plugin.commands.check.published_folder import PublishedFolder, derive_base
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.commands.reading.unpacking import READ_LIMIT
from sitemap_plugin.commands.versions import Tree, alias_in_addresses, find_trees, select_versions
from sitemap_plugin.common.files import is_ours, read_file
from sitemap_plugin.common.urls import encode_path, is_below, join_url, path_below, same_page
from sitemap_plugin.dates.parse import DateError, newest, parse_w3c
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.html import read_head
from sitemap_plugin.models import Lastmod
from sitemap_plugin.pages.patterns import Patterns

_SAMPLE = 50
_MOST_NAMED = 5
_OTHER_VERSION, _SKIPPED, _BROKEN = "another version", "skipped", "broken"


class Sitemap(NamedTuple):
    """A file: its path below the folder, its URL, how many entries, and their newest lastmod."""

    path: str
    url: str
    entries: int
    newest: Lastmod | None


class Build(NamedTuple):
    """A sitemap that an index may list: the file itself, or for an index, those that it lists.

    ``faults`` are complaints about those among them that cannot be listed.
    """

    path: str
    sitemaps: tuple[Sitemap, ...]
    faults: tuple[str, ...] = ()


class RootIndex(NamedTuple):
    """An index at the root that lists sitemaps in folders below: its name, and what it lists."""

    name: str
    is_ours: bool
    locs: tuple[str, ...]


class Builds(NamedTuple):
    """What was found: builds, earlier root indexes, and the sitemaps left out, with reasons."""

    builds: tuple[Build, ...]
    earlier: tuple[RootIndex, ...]
    left_out: dict[str, str]
    problems: tuple[Problem, ...]


class Found(NamedTuple):
    """The sitemaps to look at, as paths below the folder, and why others are left out."""

    paths: tuple[str, ...]
    left_out: dict[str, str]
    trees: tuple[Tree, ...]
    problems: tuple[Problem, ...] = ()


class _UnfitError(Exception):
    """A sitemap that is not to be listed; ``is_fault`` tells that something is wrong with it."""

    def __init__(self, reason: str, *, is_fault: bool) -> None:
        super().__init__(reason)
        self.is_fault = is_fault


class _Contents(NamedTuple):
    is_index: bool
    locs: list[str]
    newest: Lastmod | None


def find_sitemaps(
    publication: PublishedFolder, versions: Sequence[str], skip: Patterns, also: Iterable[str]
) -> Found:
    """Return the sitemaps in a folder, those in the folders of other versions aside.

    ``skip`` are patterns of paths to leave out, ``also`` further paths. Raises SitemapError.
    """
    paths = _without_companions(publication.sitemaps)
    trees = tuple(find_trees(publication.folder, paths))
    if versions and not trees:
        raise SitemapError(
            f"--versions: {publication.folder} has no versions.json of mike and no switcher.json; "
            "name the folder that has one, or leave the option out"
        )
    left_out = {path: _SKIPPED for path in paths if skip.match(path, path)}
    problems: list[Problem] = []
    for tree in trees:
        chosen = select_versions(tree, versions)
        others = [path for path in paths if (its := tree.version_of(path)) and its not in chosen]
        left_out.update(dict.fromkeys(others, _OTHER_VERSION))
        if others and not tree.is_mikes:
            names = ", ".join(version.name for version in chosen)
            folders = ", ".join(version.name for version in tree.versions)
            message = (
                f"names the folders of versions {folders}; of these, {names} is listed. "
                "--versions names others, or all"
            )
            problems.append(Problem("notice", message, tree.file))
    taken = [path for path in paths if path not in left_out]
    taken += [_existing(publication.folder, path) for path in also]
    return Found(tuple(dict.fromkeys(taken)), left_out, trees, tuple(problems))


def _without_companions(paths: Iterable[str]) -> list[str]:
    """Leave out the gzipped twins of files, and texts beside XML that say the same."""
    known = set(paths)
    plain = {path for path in known if path.removesuffix(".gz") not in known - {path}}
    stems = {_stem(path) for path in plain if ".txt" not in path.rpartition("/")[2]}
    return sorted(path for path in plain if ".xml" in path or _stem(path) not in stems)


def _stem(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return folder + slash + name.partition(".")[0]


def _existing(folder: Path, path: str) -> str:
    root, file = folder.resolve(), (folder / path).resolve()
    if not file.is_relative_to(root) or not file.is_file():
        raise SitemapError(f"--also: there is no file {path} in {folder}, and it is no URL")
    return file.relative_to(root).as_posix()


def derive_base_url(publication: PublishedFolder, paths: Iterable[str]) -> str:
    """Return the base URL on which all sitemaps agree that give any hint of it.

    Raises SitemapError where they say nothing, or not the same.
    """
    samples = {path: _sample(publication.folder / path) for path in paths}
    exists: Callable[[str], bool] = lambda path: publication.find_path(path) is not None  # noqa: E731 - one word is enough
    bases: dict[str, list[str]] = {}
    for path, locs in samples.items():
        if base := derive_base(locs, exists) or _above(path, locs):
            bases.setdefault(base, []).append(path)
    if len(bases) == 1:
        return next(iter(bases))
    cure = "give --base-url, the address at which the folder is published"
    if not any(samples.values()):
        raise SitemapError(
            f"there is no address in {_named(list(samples))}; a generator that was not told where "
            "the site is (site_url in MkDocs) writes an empty sitemap: set that, and build again"
        )
    if not bases:
        raise SitemapError(f"the sitemaps do not tell where the folder is published; {cure}")
    ordered = sorted(bases.items(), key=lambda item: (-len(item[1]), item[0]))[:_MOST_NAMED]
    said = ", ".join(f"at {base} by {_named(some)}" for base, some in ordered)
    raise SitemapError(f"the sitemaps do not agree on where they are published: {said}; {cure}")


def _sample(path: Path) -> list[str]:
    try:
        return sample_locs(path)
    except OSError:
        return []  # It is told when the whole of it is read.


def _named(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"


def _above(path: str, locs: Sequence[str]) -> str | None:
    """Return the address above a sitemap's folder, if all it lists lies in a folder so named."""
    folder = f"/{encode_path(path.rpartition('/')[0])}/"
    start = locs[0].find(folder) if locs and folder != "//" else -1
    if start < 0:
        return None
    inside = locs[0][: start + len(folder)]
    return inside[: start + 1] if all(loc.startswith(inside) for loc in locs) else None


def find_builds(publication: PublishedFolder, found: Found, base_url: str) -> Builds:
    """Read all sitemaps that were found in a folder that is published at ``base_url``."""
    builds: list[Build] = []
    earlier: list[RootIndex] = []
    left_out = dict(found.left_out)
    problems = [*found.problems]
    for path in found.paths:
        if root := _root_index(publication, path, base_url):
            earlier.append(root)
            continue
        try:
            build = _read_build(publication, path, found.trees)
        except _UnfitError as error:
            left_out[path] = _BROKEN if error.is_fault else str(error)
            if error.is_fault:
                problems.append(Problem("error", str(error), path))
        else:
            builds.append(build)
            problems += [Problem("error", fault, path) for fault in build.faults]
    problems += _copies(left_out)
    return Builds(tuple(builds), tuple(earlier), left_out, tuple(problems))


def _copies(left_out: dict[str, str]) -> Iterator[Problem]:
    """Tell which sitemaps were taken for those of copies, since nothing is guessed in silence."""
    for path, reason in left_out.items():
        if reason.startswith("with copies"):
            message = f"is taken for an old version, {reason}, so it is not listed"
            yield Problem("notice", message, path)


def _root_index(publication: PublishedFolder, path: str, base_url: str) -> RootIndex | None:
    """Return the root index in a file; the index of a build at the root lists files beside it."""
    if "/" in path or path.endswith(".gz"):
        return None
    file = publication.folder / path
    try:
        contents = _read_contents(file)
    except _UnfitError:
        return None
    below = [loc for loc in contents.locs if is_below(loc, base_url)]
    if contents.is_index and any("/" in path_below(loc, base_url) for loc in below):
        return RootIndex(path, is_ours(file), tuple(contents.locs))
    return None


def _read_contents(path: Path) -> _Contents:
    """Read a sitemap or an index; raise _UnfitError for a file that cannot be used."""
    try:
        data = read_file(path, limit=READ_LIMIT)
    except OSError as error:
        raise _UnfitError(f"cannot be read: {error.strerror or error}", is_fault=True) from error
    document = read_sitemap(data, path.name)
    if document.kind is None or not document.complete:
        said = [f"{note.fault.message} {note.fault.cure}" for note in document.notes]
        raise _UnfitError(
            f"cannot be listed. {said[0] if said else 'It is no sitemap.'}", is_fault=True
        )
    locs = [entry.loc for entry in document.entries if entry.loc]
    if not locs:
        message = "lists nothing; build that part of the site again, or remove the file"
        raise _UnfitError(message, is_fault=True)
    dates = {entry.lastmod for entry in document.entries}
    return _Contents(document.kind == "index", locs, newest(map(_read_date, dates)))


def _read_date(text: str | None) -> Lastmod | None:
    try:
        return parse_w3c(text).value if text else None
    except DateError:
        return None  # The check has more to say about it.


def _read_build(publication: PublishedFolder, path: str, trees: Iterable[Tree]) -> Build:
    """Read the sitemap of a build and those that it lists.

    Raises _UnfitError for one that is broken, that speaks for another folder than its own, or whose
    pages say that their originals are elsewhere.
    """
    contents = _read_contents(publication.folder / path)
    url = _own_url(publication, path, contents.locs, trees)
    if not contents.is_index:
        _refuse_copies(publication, contents.locs)
        return Build(path, (Sitemap(path, url, len(contents.locs), contents.newest),))
    sitemaps, faults = [], []
    for part_url in dict.fromkeys(contents.locs):
        try:
            sitemaps.append(_read_part(publication, part_url))
        except _UnfitError as error:
            faults.append(f"it lists {part_url}, which {error}")
    if not sitemaps:
        raise _UnfitError(f"cannot be listed: {'; '.join(faults)}", is_fault=True)
    return Build(path, tuple(sitemaps), tuple(faults))


def _own_url(
    publication: PublishedFolder, path: str, locs: Sequence[str], trees: Iterable[Tree]
) -> str:
    """Return the sitemap's address: of those it has through links, the one it speaks from."""
    for tree in trees:
        wrong = [(alias_in_addresses(tree, path, loc), loc) for loc in locs]
        named = [(alias, loc) for alias, loc in wrong if alias]
        if 2 * len(named) > len(locs):
            alias, loc = named[0]
            raise _UnfitError(
                f"lists {loc}, where no page is: the site's address ends in the alias {alias!r} "
                f"of {tree.file}; set site_url without it, and deploy again",
                is_fault=True,
            )
    urls = list(publication.urls_of(path))
    inside = [sum(is_below(loc, join_url(url, ".")) for loc in locs) for url in urls]
    most = max(inside)
    if 2 * most > len(locs):
        return urls[inside.index(most)]
    folder = join_url(urls[0], ".")
    stranger = next(loc for loc in locs if not is_below(loc, folder))
    raise _UnfitError(f"with addresses outside its folder, as {stranger}", is_fault=False)


def _read_part(publication: PublishedFolder, url: str) -> Sitemap:
    located = publication.find(url)
    if located is None or located.is_page or located.outside:
        raise _UnfitError("is not there; build that part of the site again", is_fault=True)
    contents = _read_contents(publication.folder / located.path)
    if contents.is_index:
        raise _UnfitError("is an index itself; list its sitemaps instead", is_fault=True)
    _refuse_copies(publication, contents.locs)
    return Sitemap(located.path, url, len(contents.locs), contents.newest)


def _refuse_copies(publication: PublishedFolder, locs: Sequence[str]) -> None:
    """Raise _UnfitError if most pages, of some that are looked at, say that they are copies."""
    strangers, read = [], 0
    for loc in locs[:: max(1, len(locs) // _SAMPLE)]:
        located = publication.find(loc)
        if located is None or not located.is_page:
            continue
        try:
            head = read_head(publication.folder / located.path)
        except OSError:
            continue
        read += 1
        canonical = head.resolve(loc, head.canonical) if head.canonical else None
        if canonical and not same_page(canonical, loc):
            strangers.append(canonical)
    if 2 * len(strangers) > read:
        raise _UnfitError(f"with copies of other pages, as of {strangers[0]}", is_fault=False)
