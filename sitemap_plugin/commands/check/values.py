"""What is wrong with the values of an entry: its address, its date and the like, its links."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import NO_LINKS, LinkSet, ListedUrl
from sitemap_plugin.common.urls import encode_url, is_below, is_local_host, origin
from sitemap_plugin.dates.parse import DateError, check_range, parse_w3c
from sitemap_plugin.languages import normalize
from sitemap_plugin.write.protocol import CHANGEFREQS, MAX_LOC

_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_HOST_6 = re.compile(r"(https?://(?:[^/?#@]*@)?)\[[0-9A-Fa-f:.]+\]", re.IGNORECASE)
_AUTHORITY = re.compile(
    r"https?://(?=[^/?#])(?:([^/?#]*)@)?(\[[^/?#]*\]|[^/?#:@]*):?([^/?#:]*)", re.IGNORECASE
)
_BAD_LABEL = re.compile(r"(?:^|\.)(?:-[^.]*|[^.]*-|xn--)(?:\.|$)")
_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);")
SOUND = re.compile(
    r"https?://(?![^/]{64})(?:[a-z0-9]++(?:-[a-z0-9]++)*+\.)++[a-z]{2,63}+/(?!.{1900})"
    r"(?:[A-Za-z0-9\-_~:/?@!$'()*+,;=.]++|%[0-9A-Fa-f]{2})*+"
)
"""An address with which nothing can be wrong but its place."""

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_NAIVE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?")
_MEMO_SIZE = 4096


class Scope(NamedTuple):
    """What a sitemap may list: addresses below its folder, or on the same site if that is free.

    ``origin`` is None where nothing is known; ``folder`` is None where a sitemap may speak for the
    whole host, or where its own address is unknown.
    """

    origin: str | None = None
    folder: str | None = None


class EntryRules:
    """Judges the entries of one file, and remembers what is said of sets of links.

    ``local`` tells that the site itself is on this machine; ``in_index`` words what is said for the
    addresses of sitemaps.
    """

    def __init__(self, scope: Scope, now: dt.datetime, *, local: bool, in_index: bool) -> None:
        self._scope, self._now, self._local, self._in_index = scope, now, local, in_index
        self._start = scope.folder or f"{scope.origin}/"
        self._links: dict[LinkSet, tuple[Fault, ...]] = {}

    def faults(self, entry: ListedUrl) -> list[Fault]:
        """Return what is wrong with an entry."""
        found: list[Fault] = []
        _, loc, lastmod, changefreq, priority, links, _ = entry
        if not loc or "/." in loc or not SOUND.fullmatch(loc):
            found += filter(None, self._loc_faults(loc))
        elif not loc.startswith(self._start) and (
            faulty := place_fault(loc, self._scope, in_index=self._in_index)
        ):
            found.append(faulty)
        if lastmod is not None and (faulty := _lastmod_fault(lastmod, self._now)):
            found.append(faulty)
        if changefreq is not None and (faulty := _changefreq_fault(changefreq)):
            found.append(faulty)
        if priority is not None and (faulty := _priority_fault(priority)):
            found.append(faulty)
        if links is not NO_LINKS:
            if links not in self._links:
                self._links[links] = tuple(_link_faults(links))
            found += self._links[links]
        return found

    def _loc_faults(self, loc: str | None) -> Iterator[Fault | None]:
        if not loc:
            yield fault("missing-loc")
            return
        faulty = url_fault(loc)
        yield faulty
        if faulty and faulty.code != "loc-not-encoded":
            return
        bare, mark, _ = loc.partition("#")
        if mark:
            yield fault("loc-fragment", right=bare)
        if _ESCAPED.search(bare):
            yield fault("loc-escaped")
        if (length := len(encode_url(bare))) > MAX_LOC:
            yield fault("loc-too-long", length=length, limit=MAX_LOC)
        if is_local_host(bare) and not self._local:
            yield fault("loc-local")
        else:
            yield place_fault(loc, self._scope, in_index=self._in_index)


def url_fault(url: str) -> Fault | None:
    """Judge a URL as such: its codes begin with ``loc-``."""
    authority = _AUTHORITY.match(url)
    if not authority:
        return fault("loc-not-absolute", url=url)
    user, name, port = authority.groups()
    if user is not None:
        return fault("loc-invalid.password")
    try:
        encoded = encode_url(url)
    except ValueError as error:
        return fault("loc-invalid", url=url, reason=str(error))
    if port and not port.strip("0"):
        return fault("loc-invalid", url=url, reason="the port cannot be 0")
    if _BAD_LABEL.search(name.removesuffix(".")):
        return fault("loc-invalid", url=url, reason=f"'{name[:100]}' is not a valid host")
    illegal = _ILLEGAL.search(_HOST_6.sub(r"\1", url.partition("#")[0]))
    if not illegal:
        return None
    if illegal[0] == "%":
        return fault("loc-not-encoded.percent", right=encoded)
    return fault("loc-not-encoded", character=illegal[0], right=encoded)


def place_fault(loc: str, scope: Scope, *, in_index: bool = False) -> Fault | None:
    """Judge whether an address is one that its sitemap, or an index, may list."""
    if scope.origin is None:
        return None
    if (own := origin(loc)) != scope.origin:
        code = "index-child-outside.site" if in_index else "loc-other-site"
        return fault(code, own=own, origin=scope.origin)
    if scope.folder is None or is_below(loc, scope.folder):
        return None
    return fault("index-child-outside" if in_index else "loc-outside-folder", folder=scope.folder)


@lru_cache(maxsize=_MEMO_SIZE)
def _lastmod_fault(text: str, now: dt.datetime) -> Fault | None:
    """Judge a lastmod: a W3C Datetime, from 1970 up to now and a day."""
    if not text:
        return fault("lastmod-invalid.empty")
    try:
        date, _ = parse_w3c(text)
    except DateError as error:
        cause, _, cure = str(error).partition("; ")
        right = cure.removeprefix("write ")
        if _NAIVE.fullmatch(right):
            right += "+00:00, with the right offset"
        return fault("lastmod-invalid", reason=cause, right=right)
    try:
        check_range(date, now)
    except DateError:
        is_old = date.year < 1970  # noqa: PLR2004 - the year that the code names
        return fault("lastmod-before-1970" if is_old else "lastmod-future", value=text)
    return None


@lru_cache(maxsize=_MEMO_SIZE)
def _changefreq_fault(text: str) -> Fault | None:
    if text in CHANGEFREQS:
        return None
    if text.lower() in CHANGEFREQS:
        return fault("changefreq-invalid.case", value=text, right=text.lower())
    return fault("changefreq-invalid", value=text, known=", ".join(CHANGEFREQS))


@lru_cache(maxsize=_MEMO_SIZE)
def _priority_fault(text: str) -> Fault | None:
    normal = text.replace(",", ".")
    if not _FLOAT.fullmatch(normal) or not 0 <= float(normal) <= 1:
        return fault("priority-invalid", value=text)
    if _DECIMAL.fullmatch(text):
        return None
    right = f"{float(normal):.3f}".rstrip("0")
    return fault("priority-notation", value=text, right=right + "0" * right.endswith("."))


def _link_faults(links: LinkSet) -> Iterator[Fault]:
    """Judge a set of links to translations, taken by itself."""
    yield from links.faults
    seen: set[str] = set()
    for code, _ in links.pairs:
        if code.lower() in seen:
            yield fault("hreflang-repeated", code=code)
        elif faulty := _hreflang_fault(code):
            yield faulty
        seen.add(code.lower())
    for href in dict.fromkeys(href for _, href in links.pairs):
        bare, fragment, _ = href.partition("#")
        if not SOUND.fullmatch(bare) and (faulty := url_fault(bare)):
            yield fault("href-invalid", reason=lower_first(faulty.message), cure=faulty.cure)
        elif fragment:
            yield fault("href-invalid.fragment", url=href, right=bare)


@lru_cache(maxsize=1024)
def _hreflang_fault(code: str) -> Fault | None:
    """Judge a language code by what search engines support."""
    language = normalize(code)
    problem, _, advice = (language.problem or "").partition("; ")
    because = f": {reason}" if (reason := problem.partition(": ")[2]) else ""
    if language.code is None:
        return fault("hreflang-invalid", code=code, cure=advice[:1].upper() + advice[1:])
    if language.code.lower() != code.lower():
        right = language.code
        return fault("hreflang-invalid.spelling", code=code, because=because, right=right)
    return fault("hreflang-unsupported", code=code, because=because) if language.problem else None


def lower_first(sentence: str) -> str:
    """Return a sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:]
