"""The sitemaps of the builds in a folder: find, read, and judge what an index may list."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import compress, pairwise
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugin.commands.check.folder import sample_locs
from sitemap_plugin.commands.check.published_folder import PublishedFolder
from sitemap_plugin.commands.reading.reader import READ_LIMIT, read_sitemap
from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import did_you_mean, quoted
from sitemap_plugin.common.urls import is_below, join_url, path_below, same_page
from sitemap_plugin.dates.parse import Lastmod, newest, parse_w3c
from sitemap_plugin.errors import Problem, Severity, SitemapError, or_none
from sitemap_plugin.html.head import read_head
from sitemap_plugin.pages.patterns import Patterns

_MIKE, _SWITCHER = "versions.json", "switcher.json"  # The latter of Sphinx' pydata theme.
_LONGEST_LIST = 1 << 20
_SOMEWHERE = "https://tree.invalid/"
_SAMPLE, _MOST_NAMED = 50, 5
_BROKEN, _OUTSIDE, _COPIES = "broken", "with addresses outside its folder", "with copies of pages"


class Tree(NamedTuple):
    """A folder of versions, and the file that lists them."""

    prefix: str  # The folder's path below the root, empty or with a final "/".
    file: str
    folders: Mapping[str, str]  # Of each version's name and aliases.
    preferred: str | None  # The name of the one to list.

    def version_of(self, path: str) -> str | None:
        """Return the folder of the version that a path below the root belongs to."""
        name = path[len(self.prefix) :].partition("/")[0]
        return self.folders.get(name) if path.startswith(self.prefix) else None


class Builds(NamedTuple):
    """The sitemaps in a folder, as paths below it, and why others are left out, by their paths."""

    publication: PublishedFolder
    trees: Sequence[Tree]
    paths: list[str]
    left_out: dict[str, str]


class Contents(NamedTuple):
    """What a sitemap or an index lists, and its newest date."""

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
    """Find the sitemaps in a folder, those of other versions aside, and ``also`` further paths."""
    publication = PublishedFolder(folder)
    paths = list(without_companions(publication.sitemaps))
    trees = list(_find_trees(folder, paths))
    if versions and not trees:
        raise SitemapError(
            f"--versions: {folder} has no versions.json of mike and no switcher.json; "
            "name the folder that has one, or leave the option out"
        )
    left_out = {path: "skipped" for path in paths if skip.match(path, path)}
    for tree in trees:
        chosen = {None, *_select_versions(tree, versions)}
        others = (path for path in paths if tree.version_of(path) not in chosen)
        left_out.update(dict.fromkeys(others, "another version"))
    taken = [path for path in paths if path not in left_out]
    for path in also:
        root, file = folder.resolve(), (folder / path).resolve()
        if not file.is_relative_to(root) or not file.is_file():
            raise SitemapError(f"--also: there is no file {path} in {folder}, and it is no URL")
        taken.append(file.relative_to(root).as_posix())
    return Builds(publication, trees, list(dict.fromkeys(taken)), left_out)


def _find_trees(folder: Path, paths: Iterable[str]) -> Iterator[Tree]:
    """Yield the trees of versions in which some files lie; ``paths`` are below ``folder``."""
    for parent in sorted({parent for path in paths for parent in PurePosixPath(path).parents}):
        place = folder / parent
        near = (place / _MIKE, place / _SWITCHER, place / "_static" / _SWITCHER)
        for file in (*near, *sorted(place.glob(f"*/_static/{_SWITCHER}"))):
            folders, preferred = _read_versions(file)
            if any((place / name).is_dir() for name in folders.values()):
                prefix = "" if parent == PurePosixPath() else f"{parent}/"
                names = (preferred, "latest", _default(place / "index.html"), "stable")
                known = [name for name in names if name in folders]
                known += folders if len(set(folders.values())) == 1 else []
                listed_in = file.relative_to(folder).as_posix()
                yield Tree(prefix, listed_in, folders, next(iter(known), None))
                break


def _read_versions(path: Path) -> tuple[Mapping[str, str], str | None]:
    """Return names with their folders, and the preferred one; nothing for a foreign file."""
    try:
        data: Any = json.loads(read_file(path, limit=_LONGEST_LIST))
        if path.name == _MIKE:
            items = [(str(item["version"]), [*item["aliases"]]) for item in data]
            return {str(name): own for own, names in items for name in (own, *names)}, None
        # The folder is the last one in a version's address.
        urls = [urlsplit(item["url"]).path.rstrip("/").rpartition("/")[2] for item in data]
        folders = {unquote(name): unquote(name) for name in urls if name}
        marks = [item.get("preferred") is True for item in data]
        return folders, next(map(unquote, compress(urls, marks)), None)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}, None


def _default(page: Path) -> str | None:
    """Return the name of the folder that the page at the root of a tree leads to."""
    with suppress(OSError, ValueError):
        url = join_url(_SOMEWHERE, read_head(page).refresh or "")
        return url.removeprefix(_SOMEWHERE).partition("/")[0]
    return None


def _select_versions(tree: Tree, wanted: Sequence[str]) -> set[str]:
    """Return the folders of the versions that are meant by names, aliases, or ``all``."""
    if "all" in wanted:
        return set(tree.folders.values())
    known = ", ".join(tree.folders)
    for name in wanted:
        if name not in tree.folders:
            fault = f"{tree.file} has no {quoted(name)}{did_you_mean(name, tree.folders)}"
            raise SitemapError(f"--versions: {fault} (it has {known})")
    if not wanted and tree.preferred is None:
        raise SitemapError(
            f"{tree.file}: no version is called 'latest', and no page leads to one; say with "
            f"--versions which to list: {known}, or all"
        )
    return {tree.folders[name] for name in wanted or [tree.preferred or ""]}


def _alias_in_address(tree: Tree, path: str, url: str) -> str | None:
    """Return the alias before a version's folder in an address: ``site_url`` must not have it."""
    version = tree.version_of(path)
    for before, name in pairwise(url.split("/")[3:]):
        if version and tree.folders.get(name) == version and before in tree.folders:
            return before
    return None


def without_companions(paths: Iterable[str]) -> Iterator[str]:
    """Leave out the gzipped twins of files, and texts beside XML that say the same."""
    known = set(paths)
    for path in sorted(known):
        plain = path.removesuffix(".gz")
        xml = {f"{plain[:-4]}.xml", f"{plain[:-4]}.xml.gz"} if plain.endswith(".txt") else set()
        if not ({plain, *xml} - {path}) & known:
            yield path


def derive_base_url(builds: Builds) -> str:
    """Return the base URL on which all sitemaps agree that give any hint of it."""
    folder, bases = builds.publication.folder, dict[str, str]()
    for path in builds.paths:
        if base := builds.publication.derive_base(sample_locs(folder / path)):
            bases.setdefault(base, path)
    if len(bases) == 1:
        return next(iter(bases))
    said = "; ".join(f"{base} by {path}" for base, path in list(bases.items())[:_MOST_NAMED])
    fault = "the sitemaps do not tell where they are published"
    if said:
        fault = f"the sitemaps do not agree on where they are published: {said}"
    raise SitemapError(f"{folder}: {fault}; give --base-url")


def read_builds(builds: Builds, base_url: str, problems: list[Problem]) -> dict[str, Contents]:
    """Read the sitemaps of a folder that is published at ``base_url``; return them by URL.

    Those that are unfit go to ``left_out`` and into the problems; an earlier root index goes.
    """
    builds.publication.base_url = base_url
    listed: dict[str, Contents] = {}
    for path in list(builds.paths):
        try:
            contents = _read(builds.publication.folder / path)
            below = (path_below(loc, base_url) for loc in contents.locs if is_below(loc, base_url))
            if contents.is_index and "/" not in path and any("/" in each for each in below):
                builds.paths.remove(path)  # The files of a build at the root lie beside its index.
                continue
            url = _own_url(builds, path, contents.locs)
            if not contents.is_index:
                listed[url] = _judge(builds.publication, contents)
        except _UnfitError as error:
            builds.paths.remove(path)
            builds.left_out[path] = error.kind
            severity: Severity = "error" if error.kind == _BROKEN else "notice"
            problems.append(Problem(severity, str(error), path))
            continue
        for part in dict.fromkeys(contents.locs) if contents.is_index else ():
            try:
                listed[part] = _read_part(builds.publication, part)
            except _UnfitError as error:
                problems.append(Problem("error", f"it lists {part}, which {error}", path))
    return listed


def _read(path: Path) -> Contents:
    """Read a sitemap or an index; raise _UnfitError for a file that cannot be used."""
    try:
        document = read_sitemap(read_file(path, limit=READ_LIMIT), path.name)
    except OSError as error:
        raise _UnfitError(f"cannot be read: {error.strerror or error}") from error
    if note := document.failure:
        raise _UnfitError(f"cannot be listed. {note.fault.message} {note.fault.cure}")
    locs = [entry.loc for entry in document.entries if entry.loc]
    if not locs:
        raise _UnfitError(
            "lists nothing; tell the generator where the site is (site_url in MkDocs) and build "
            "that part of the site again, or remove the file"
        )
    dates = {entry.lastmod for entry in document.entries}
    read = [date.value for text in dates if text and (date := or_none(parse_w3c, text))]
    return Contents(document.kind == "index", locs, newest(read))


def _own_url(builds: Builds, path: str, locs: Sequence[str]) -> str:
    """Return the sitemap's address: of those it has through links, the one it speaks from."""
    for tree in builds.trees:
        wrong = [(alias, loc) for loc in locs if (alias := _alias_in_address(tree, path, loc))]
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


def _read_part(publication: PublishedFolder, url: str) -> Contents:
    located = publication.find(url)
    if located is None or located.is_page or located.outside:
        raise _UnfitError("is not there; build that part of the site again")
    contents = _read(publication.folder / located.path)
    if contents.is_index:
        raise _UnfitError("is an index itself; list its sitemaps instead")
    return _judge(publication, contents)


def _judge(publication: PublishedFolder, contents: Contents) -> Contents:
    """Raise _UnfitError if most pages, of some that are looked at, say that they are copies."""
    strangers, read = [], 0
    for loc in contents.locs[:: max(1, len(contents.locs) // _SAMPLE)]:
        located = publication.find(loc)
        with suppress(OSError):
            if located and located.is_page:
                head = read_head(publication.folder / located.path)
                read += 1
                canonical = head.resolve(loc, head.canonical) if head.canonical else None
                if canonical and not same_page(canonical, loc):
                    strangers.append(canonical)
    if 2 * len(strangers) > read:
        message = f"is taken for an old version, {_COPIES} such as {strangers[0]}, and not listed"
        raise _UnfitError(message, _COPIES)
    return contents
