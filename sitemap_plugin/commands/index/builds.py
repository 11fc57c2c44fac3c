"""Read the sitemap of a build: the files it consists of, and whether an index may list them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.check.batch import Kind
from sitemap_plugin.commands.check.document import Document
from sitemap_plugin.commands.check.findings import Findings
from sitemap_plugin.commands.check.publication import Publication
from sitemap_plugin.common.urls import is_below, join_url, same_page
from sitemap_plugin.dates.parse import DateError, newest, parse_w3c
from sitemap_plugin.html import read_head
from sitemap_plugin.models import Lastmod

__all__ = ["Build", "Contents", "Sitemap", "UnfitError", "read_build", "read_contents"]

_SAMPLE = 50


class UnfitError(Exception):
    """A sitemap that is not to be listed; ``is_fault`` tells that something is wrong with it."""

    def __init__(self, reason: str, *, is_fault: bool) -> None:
        super().__init__(reason)
        self.is_fault = is_fault


class Sitemap(NamedTuple):
    """A file: its path below the folder, its URL, how many entries, and their newest lastmod."""

    path: str
    url: str
    entries: int
    newest: Lastmod | None


class Build(NamedTuple):
    """The sitemap of one build; if it is an index, ``sitemaps`` are those that it lists.

    ``faults`` are complaints about such that cannot be listed.
    """

    path: str
    url: str
    sitemaps: tuple[Sitemap, ...]
    is_index: bool = False
    faults: tuple[str, ...] = ()

    @property
    def folder_url(self) -> str:
        """The address of the folder that it speaks for."""
        return join_url(self.url, ".")


class Contents(NamedTuple):
    """What a sitemap file lists."""

    kind: Kind
    locs: list[str]
    newest: Lastmod | None


def read_contents(path: Path) -> Contents:
    """Read a sitemap or an index; raise UnfitError for a file that cannot be used."""
    findings = Findings()
    document = Document(path, findings.for_file(path))
    locs: list[str] = []
    dates: set[str | None] = set()
    try:
        for batch in document.batches():
            locs += filter(None, batch.locs)
            dates.update(batch.lastmods)
    except OSError as error:
        raise UnfitError(f"cannot be read: {error.strerror}", is_fault=True) from error
    if document.kind is None or not document.complete:
        errors = [found for found in findings.sorted() if found.severity == "error"]
        said = f"{errors[0].message} {errors[0].cure}" if errors else "It is no sitemap."
        raise UnfitError(f"cannot be listed. {said}", is_fault=True)
    if not locs:
        message = "lists nothing; build that part of the site again, or remove the file"
        raise UnfitError(message, is_fault=True)
    return Contents(document.kind, locs, newest(map(_read_date, dates)))


def _read_date(text: str | None) -> Lastmod | None:
    try:
        return parse_w3c(text).value if text else None
    except DateError:
        return None  # The check has more to say about it.


def read_build(publication: Publication, path: str) -> Build:
    """Read the sitemap of a build and those that it lists.

    Raises UnfitError for one that is broken, that speaks for another folder than its own, or whose
    pages say that their originals are elsewhere.
    """
    contents = read_contents(publication.folder / path)
    url = _own_url(publication, path, contents.locs)
    if contents.kind != "index":
        _check_canonical(publication, contents.locs)
        its = Sitemap(path, url, len(contents.locs), contents.newest)
        return Build(path, url, (its,))
    sitemaps, faults = [], []
    for part_url in dict.fromkeys(contents.locs):
        try:
            sitemaps.append(_read_part(publication, part_url))
        except UnfitError as error:
            faults.append(f"it lists {part_url}, which {error}")
    if not sitemaps:
        raise UnfitError(f"cannot be listed: {'; '.join(faults)}", is_fault=True)
    return Build(path, url, tuple(sitemaps), is_index=True, faults=tuple(faults))


def _own_url(publication: Publication, path: str, locs: Sequence[str]) -> str:
    """Return the sitemap's address: of those it has through links, the one it speaks from."""
    urls = list(publication.urls_of(path))
    inside = [sum(is_below(loc, join_url(url, ".")) for loc in locs) for url in urls]
    most = max(inside)
    if 2 * most <= len(locs):
        folder = join_url(urls[0], ".")
        stranger = next(loc for loc in locs if not is_below(loc, folder))
        raise UnfitError(f"with addresses outside its folder, as {stranger}", is_fault=False)
    return urls[inside.index(most)]


def _read_part(publication: Publication, url: str) -> Sitemap:
    located = publication.find(url)
    if located is None or located.is_page or located.outside:
        raise UnfitError("is not there; build that part of the site again", is_fault=True)
    contents = read_contents(publication.folder / located.path)
    if contents.kind == "index":
        raise UnfitError("is an index itself; list its sitemaps instead", is_fault=True)
    _check_canonical(publication, contents.locs)
    return Sitemap(located.path, url, len(contents.locs), contents.newest)


def _check_canonical(publication: Publication, locs: Sequence[str]) -> None:
    """Raise UnfitError if most pages, of some that are looked at, say that they are copies."""
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
        raise UnfitError(f"with copies of other pages, as of {strangers[0]}", is_fault=False)
