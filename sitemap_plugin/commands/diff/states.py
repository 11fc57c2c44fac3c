"""What a sitemap, or a report, says about each address; files are read by the check's readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.commands.check.batch import Batch, LinkSet
from sitemap_plugin.commands.check.document import Document
from sitemap_plugin.commands.check.findings import Finding, Findings, clip, quote
from sitemap_plugin.commands.check.locations import are_absolute, are_plain
from sitemap_plugin.commands.check.source import READ_LIMIT
from sitemap_plugin.commands.report_file import read_report
from sitemap_plugin.common.urls import encode_url
from sitemap_plugin.errors import SitemapError

__all__ = ["Described", "Pairs", "State", "normal_url", "read_states"]

Pairs = tuple[tuple[str, str], ...]

_START = 4096
_FATAL = ("unsupported-format", "gzip-broken", "entity", "xml-broken", "feed", "not-read", "empty")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_HOST = re.compile(r"\A(https?)://([^/?#@]*?)(?::([0-9]*))?(?=[/?#]|\Z)")
_ABSOLUTE = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)


class State(NamedTuple):
    """What is said about a page; None where the form of the file has no place for it.

    ``lastmod`` is as written, and empty where there is none. ``alternates`` are language codes with
    addresses, ``images`` addresses; both sorted.
    """

    lastmod: str | None = None
    alternates: Pairs | None = None
    images: tuple[str, ...] | None = None


Described = tuple[str, State]
"""An address with what is said about it."""


def read_states(path: Path, name: str, children: list[str]) -> Iterator[Described]:
    """Yield what a file says, in its order; the sitemaps of an index are added to ``children``.

    ``name`` is what messages call the file. Raises SitemapError, maybe at the end, where it is no
    sitemap or cannot be read as a whole: nothing may then be concluded from what was yielded.
    """
    try:
        if _is_report(path):
            yield from _report_states(path, name)
            return
        findings = Findings()
        document = Document(path, findings.for_file(path))
        reading = _Reading()
        for batch in document.batches():
            if document.kind == "index":
                children += filter(None, batch.locs)
            else:
                yield from reading.states(batch, is_text=document.kind == "text")
    except OSError as error:
        raise SitemapError(f"{name}: cannot be read: {error.strerror or error}") from error
    _judge(document, findings, reading, name)


def _judge(document: Document, findings: Findings, reading: _Reading, name: str) -> None:
    """Raise SitemapError if a document was no sitemap or could not be read to its end."""
    fatal = [found for found in findings.sorted() if found.code in _FATAL]
    if document.kind is not None and document.complete:
        fatal = [found for found in fatal if found.code != "empty"]
    if fatal:
        raise SitemapError(_explain(min(fatal, key=lambda found: _FATAL.index(found.code)), name))
    if document.kind is None or not document.complete:
        raise SitemapError(f"{name}: it cannot be read to its end; check it with 'check'")
    if reading.strange and not reading.usual:
        raise SitemapError(
            f"{name}: it lists {quote(reading.strange)} and no absolute URL; name a sitemap"
        )


def _explain(finding: Finding, name: str) -> str:
    line = f":{finding.line}" if finding.line else ""
    return f"{name}{line}: {finding.message} {finding.cure}"


class _Reading:
    """What has been seen of a file, and what is kept to make equal things one object.

    ``strange`` is an address that is not absolute, ``usual`` tells that there are others.
    """

    def __init__(self) -> None:
        self.usual = False
        self.strange = ""
        self._states: dict[State, State] = {}
        self._pairs: dict[LinkSet, Pairs] = {}
        self._images: dict[str, list[str]] = {}

    def states(self, batch: Batch, *, is_text: bool) -> Iterator[Described]:
        """Yield the entries of a batch that have an address."""
        for medium in batch.media:
            if medium.kind == "image" and medium.loc:
                locs = [text for part, text in medium.parts if part == "loc" and text]
                self._images.setdefault(medium.loc, []).extend(locs)
        normal = self._normal(batch.locs)
        for loc, own, lastmod, links in zip(
            normal, batch.locs, batch.lastmods, batch.links, strict=True
        ):
            if not loc or not own:
                continue
            state = State()
            if not is_text:
                images = self._images.pop(own, ()) if self._images else ()
                state = State(lastmod or "", self._links(links), tuple(sorted(set(images))))
            yield loc, self._states.setdefault(state, state)

    def _links(self, links: LinkSet) -> Pairs:
        pairs = self._pairs.get(links)
        if pairs is None:
            pairs = tuple(sorted({(code.lower(), href) for code, href in links.pairs}))
            self._pairs[links] = pairs
        return pairs

    def _normal(self, locs: Sequence[str | None]) -> Sequence[str | None]:
        given = [loc for loc in locs if loc]
        if given and are_absolute(given):
            self.usual = True
            if are_plain(given) and _have_one_host(given) and not any("%" in loc for loc in given):
                return locs
        return [self._one(loc) if loc else None for loc in locs]

    def _one(self, loc: str) -> str:
        if _ABSOLUTE.match(loc):
            self.usual = True
        else:
            self.strange = self.strange or loc
        return normal_url(loc)


def normal_url(url: str) -> str:
    """Return the one spelling of a URL by which it is compared; what is none stays as it is."""
    try:
        url = encode_url(url)
    except ValueError:
        return clip(url, len(url))
    return _ESCAPE.sub(lambda match: match[0].upper(), _HOST.sub(_usual_host, url, count=1))


def _usual_host(match: re.Match[str]) -> str:
    """Return scheme, host and port as RFC 3986, 6.2.2 and 6.2.3, wants them spelt."""
    scheme, host, port = match.groups()
    is_usual = not port or port == {"http": "80", "https": "443"}[scheme]
    return f"{scheme}://{host.lower()}" + ("" if is_usual else f":{port}")


def _have_one_host(urls: Sequence[str]) -> bool:
    """Tell whether absolute URLs are of one host, in its usual spelling."""
    root = "/".join((*urls[0].split("/", 3)[:3], ""))
    return normal_url(root) == root and all(url.startswith(root) for url in urls)


def _is_report(path: Path) -> bool:
    """Tell whether a file is JSON, or a page, which may be a report."""
    with path.open("rb") as file:
        start = file.read(_START).removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") or path.suffix.lower() in {".html", ".htm"}


def _report_states(path: Path, name: str) -> Iterator[Described]:
    if path.stat().st_size > READ_LIMIT:
        raise SitemapError(f"{name}: it has more than {READ_LIMIT:,} bytes; name a sitemap")
    try:
        pages = read_report(path)["pages"]
    except SitemapError as error:
        raise SitemapError(str(error).replace(str(path), name, 1)) from error
    for page in pages:
        if page["listed"]:
            yield _report_state(page, name)


def _report_state(page: Mapping[str, Any], name: str) -> Described:
    loc, lastmod, alternates = page["loc"], page["lastmod"] or "", page["alternates"]
    if (
        not isinstance(loc, str)
        or not isinstance(lastmod, str)
        or not isinstance(alternates, dict)
        or not all(isinstance(href, str) for href in alternates.values())
    ):
        raise SitemapError(f"{name}: its record of {page['url']!r} is damaged; build again")
    pairs = sorted((code.lower(), href) for code, href in alternates.items())
    return normal_url(loc), State(lastmod, tuple(pairs))
