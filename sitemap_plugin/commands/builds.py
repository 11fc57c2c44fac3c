"""The sitemaps of the builds in a folder: find, read, and judge what an index may list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.folder import sample_locs
from sitemap_plugin.commands.check.published_folder import PublishedFolder, derive_base
from sitemap_plugin.commands.reading.reader import READ_LIMIT, read_sitemap
from sitemap_plugin.commands.versions import Tree, alias_in_address, find_trees, select_versions
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.urls import is_below, join_url, path_below, same_page
from sitemap_plugin.dates.parse import DateError, Lastmod, newest, parse_w3c
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.html import read_head
from sitemap_plugin.pages.patterns import Patterns

_SAMPLE = 50
_MOST_NAMED = 5
_BROKEN, _OUTSIDE, _COPIES = "broken", "with addresses outside its folder", "with copies of pages"


class Builds(NamedTuple):
    """The sitemaps in a folder, as paths below it, and why others are left out, by their paths."""

    publication: PublishedFolder
    trees: Sequence[Tree]
    paths: list[str]
    left_out: dict[str, str]


class Listed(NamedTuple):
    """A sitemap to list: how many addresses it has, and their newest date."""

    entries: int
    newest: Lastmod | None


class _Contents(NamedTuple):
    is_index: bool
    locs: Sequence[str]
    newest: Lastmod | None


class _UnfitError(Exception):
    """A sitemap that is not to be listed; ``kind`` is what the summary calls it."""

    def __init__(self, message: str, kind: str = _BROKEN) -> None:
        super().__init__(message)
        self.kind = kind


def find_builds(
    folder: Path, versions: Sequence[str], skip: Patterns, also: Iterable[str]
) -> Builds:
    """Find the sitemaps in a folder, those in the folders of other versions aside.

    ``skip`` are patterns of paths to leave out, ``also`` further paths. Raises SitemapError.
    """
    publication = PublishedFolder(folder)
    paths = list(without_companions(publication.sitemaps))
    trees = list(find_trees(folder, paths))
    if versions and not trees:
        raise SitemapError(
            f"--versions: {folder} has no versions.json of mike and no switcher.json; "
            "name the folder that has one, or leave the option out"
        )
    left_out = {path: "skipped" for path in paths if skip.match(path, path)}
    for tree in trees:
        chosen = {None, *select_versions(tree, versions)}
        others = (path for path in paths if tree.version_of(path) not in chosen)
        left_out.update(dict.fromkeys(others, "another version"))
    taken = [path for path in paths if path not in left_out]
    for path in also:
        root, file = folder.resolve(), (folder / path).resolve()
        if not file.is_relative_to(root) or not file.is_file():
            raise SitemapError(f"--also: there is no file {path} in {folder}, and it is no URL")
        taken.append(file.relative_to(root).as_posix())
    return Builds(publication, trees, list(dict.fromkeys(taken)), left_out)


def without_companions(paths: Iterable[str]) -> Iterator[str]:
    """Leave out the gzipped twins of files, and texts beside XML that say the same."""
    known = set(paths)
    for path in sorted(known):
        is_twin = path.endswith(".gz") and path[:-3] in known
        text = path.removesuffix(".gz")
        beside = {f"{text[:-4]}.xml", f"{text[:-4]}.xml.gz"} if text.endswith(".txt") else set()
        if not is_twin and not beside & known:
            yield path


def derive_base_url(builds: Builds) -> str:
    """Return the base URL on which all sitemaps agree that give any hint of it.

    Raises SitemapError where they say nothing, or not the same.
    """
    bases: dict[str, str] = {}
    for path in builds.paths:
        locs = sample_locs(builds.publication.folder / path)
        if base := derive_base(locs, builds.publication.find_path):
            bases.setdefault(base, path)
    if len(bases) == 1:
        return next(iter(bases))
    said = "; ".join(f"{base} by {path}" for base, path in list(bases.items())[:_MOST_NAMED])
    fault = "the sitemaps do not tell where they are published"
    if said:
        fault = f"the sitemaps do not agree on where they are published: {said}"
    raise SitemapError(f"{builds.publication.folder}: {fault}; give --base-url")


def read_builds(builds: Builds, base_url: str, problems: list[Problem]) -> dict[str, Listed]:
    """Read the sitemaps of a folder that is published at ``base_url``; return them by URL.

    Those that are unfit go from ``paths`` to ``left_out``, and ``problems`` tells why; an earlier
    root index goes without a word.
    """
    builds.publication.publish(base_url)
    listed: dict[str, Listed] = {}
    for path in list(builds.paths):
        try:
            contents = _read(builds.publication.folder / path)
            if "/" not in path and _is_root_index(contents, base_url):
                builds.paths.remove(path)
                continue
            url = _own_url(builds, path, contents.locs)
            if not contents.is_index:
                listed[url] = _judge(builds.publication, contents)
                continue
        except _UnfitError as error:
            builds.paths.remove(path)
            builds.left_out[path] = error.kind
            is_fault = error.kind == _BROKEN
            problems.append(Problem("error" if is_fault else "notice", str(error), path))
            continue
        for part in dict.fromkeys(contents.locs):
            try:
                listed[part] = _read_part(builds.publication, part)
            except _UnfitError as error:
                problems.append(Problem("error", f"it lists {part}, which {error}", path))
    return listed


def _is_root_index(contents: _Contents, base_url: str) -> bool:
    """Tell an earlier root index from the index of a build at the root, whose files lie beside."""
    below = (loc for loc in contents.locs if is_below(loc, base_url))
    return contents.is_index and any("/" in path_below(loc, base_url) for loc in below)


def _read(path: Path) -> _Contents:
    """Read a sitemap or an index; raise _UnfitError for a file that cannot be used."""
    try:
        document = read_sitemap(read_file(path, limit=READ_LIMIT), path.name)
    except OSError as error:
        raise _UnfitError(f"cannot be read: {error.strerror or error}") from error
    if document.kind is None or not document.complete:
        said = [f"{note.fault.message} {note.fault.cure}" for note in document.notes]
        raise _UnfitError(f"cannot be listed. {said[0] if said else 'It is no sitemap.'}")
    locs = [entry.loc for entry in document.entries if entry.loc]
    if not locs:
        raise _UnfitError(
            "lists nothing; tell the generator where the site is (site_url in MkDocs) and build "
            "that part of the site again, or remove the file"
        )
    dates = {entry.lastmod for entry in document.entries}
    return _Contents(document.kind == "index", locs, newest(map(_read_date, dates)))


def _read_date(text: str | None) -> Lastmod | None:
    try:
        return parse_w3c(text).value if text else None
    except DateError:
        return None  # The check has more to say about it.


def _own_url(builds: Builds, path: str, locs: Sequence[str]) -> str:
    """Return the sitemap's address: of those it has through links, the one it speaks from."""
    for tree in builds.trees:
        wrong = [(alias, loc) for loc in locs if (alias := alias_in_address(tree, path, loc))]
        if 2 * len(wrong) > len(locs):
            alias, loc = wrong[0]
            raise _UnfitError(
                f"lists {loc}, where no page is: the site's address ends in the alias {alias!r} "
                f"of {tree.file}; set site_url without it, and deploy again"
            )
    urls = list(builds.publication.urls_of(path))
    strangers = [[loc for loc in locs if not is_below(loc, join_url(url, "."))] for url in urls]
    fewest = min(strangers, key=len)
    if 2 * len(fewest) >= len(locs):
        raise _UnfitError(f"{_OUTSIDE}, as {fewest[0]}, so it is not listed", _OUTSIDE)
    return urls[strangers.index(fewest)]


def _read_part(publication: PublishedFolder, url: str) -> Listed:
    located = publication.find(url)
    if located is None or located.is_page or located.outside:
        raise _UnfitError("is not there; build that part of the site again")
    contents = _read(publication.folder / located.path)
    if contents.is_index:
        raise _UnfitError("is an index itself; list its sitemaps instead")
    return _judge(publication, contents)


def _judge(publication: PublishedFolder, contents: _Contents) -> Listed:
    """Raise _UnfitError if most pages, of some that are looked at, say that they are copies."""
    strangers, read = [], 0
    for loc in contents.locs[:: max(1, len(contents.locs) // _SAMPLE)]:
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
        message = f"is taken for an old version, {_COPIES} such as {strangers[0]}, and not listed"
        raise _UnfitError(message, _COPIES)
    return Listed(len(contents.locs), contents.newest)
