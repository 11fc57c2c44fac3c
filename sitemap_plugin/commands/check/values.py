"""What is wrong with the values of an entry: its address, its date and the like, its links."""

import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache

from sitemap_plugin.commands.reading.faults import Fault, fault
from sitemap_plugin.commands.reading.sitemap_document import NO_LINKS, LinkSet, ListedUrl
from sitemap_plugin.common.urls import encode_url, is_below, is_local_host, origin
from sitemap_plugin.dates.parse import FIRST_YEAR, DateError, check_range, parse_w3c
from sitemap_plugin.errors import or_none
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.write.protocol import CHANGEFREQS, MAX_LOC
from sitemap_plugin.write.protocol import url_fault as text_fault

_ABSOLUTE = re.compile(r"https?://(?=[^/?#])(?:([^/?#]*)@)?([^/?#:]*):?([^/?#]*)", re.IGNORECASE)
_BAD_HOST = re.compile(r"(?:^|\.)(?:-[^.]*|[^.]*-|xn--)(?:\.|$)")
_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);")
SOUND = re.compile(
    r"https?://(?![^/]{64})(?:[a-z0-9]++(?:-[a-z0-9]++)*+\.)++[a-z]{2,63}+/(?!.{1900})"
    r"(?:[A-Za-z0-9\-_~:/?@!$'()*+,;=.]++|%[0-9A-Fa-f]{2})*+"
)
"""An address with which nothing can be wrong but its place."""

_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")


class EntryRules:
    """Judges the entries of one file, which may list what is below a folder, if that is known."""

    def __init__(self, folder: str, now: dt.datetime, *, local: bool, in_index: bool) -> None:
        self._folder, self._now, self._local, self._in_index = folder, now, local, in_index
        self._links: dict[LinkSet, tuple[Fault, ...]] = {}

    def faults(self, entry: ListedUrl) -> list[Fault]:
        """Return what is wrong with an entry."""
        _, loc, lastmod, changefreq, priority, links, _ = entry
        found: list[Fault] = []
        if not loc or "/." in loc or not SOUND.fullmatch(loc):
            found += filter(None, self._loc_faults(loc))
        elif not loc.startswith(self._folder) and (faulty := self._place_fault(loc)):
            found.append(faulty)
        if lastmod is not None and (faulty := _lastmod_fault(lastmod, self._now)):
            found.append(faulty)
        if changefreq is not None and changefreq not in CHANGEFREQS:
            known = ", ".join(CHANGEFREQS)
            found.append(fault("changefreq-invalid", value=changefreq, known=known))
        if priority is not None and (faulty := _priority_fault(priority)):
            found.append(faulty)
        if links is not NO_LINKS:
            if links not in self._links:
                self._links[links] = tuple(filter(None, _link_faults(links)))
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
        is_hidden = not self._local and is_local_host(bare)
        yield fault("loc-local") if is_hidden else self._place_fault(loc)

    def _place_fault(self, loc: str) -> Fault | None:
        """Judge whether an address is one that its sitemap, or an index, may list."""
        folder = self._folder
        if not folder or is_below(loc, folder):
            return None
        if (own := origin(loc)) != (site := origin(folder)):
            key = "index-child-outside.site" if self._in_index else "loc-other-site"
            return fault(key, own=own, origin=site)
        key = "index-child-outside" if self._in_index else "loc-outside-folder"
        return fault(key, folder=folder)


def url_fault(url: str) -> Fault | None:
    """Judge a URL, its fragment aside: its codes begin with ``loc-``."""
    authority = _ABSOLUTE.match(url)
    if not authority:
        return fault("loc-not-absolute", url=url)
    user, host, port = authority.groups()
    if user is not None:
        return fault("loc-invalid.password")
    try:
        encoded = encode_url(url)
    except ValueError as error:
        return fault("loc-invalid", url=url, reason=str(error))
    if _BAD_HOST.search(host.removesuffix(".")) or (port.isdigit() and not port.strip("0")):
        return fault("loc-invalid", url=url, reason="no such host or port can exist")
    bare = url.partition("#")[0]
    reason = text_fault(bare[:5].lower() + bare[5:])
    return fault("loc-not-encoded", reason=reason, right=encoded) if reason else None


@lru_cache(maxsize=4096)
def _lastmod_fault(text: str, now: dt.datetime) -> Fault | None:
    """Judge a lastmod: a W3C Datetime, from 1970 up to now and a day."""
    if not text:
        return fault("lastmod-invalid.empty")
    try:
        date, _ = parse_w3c(text)
    except DateError as error:
        cause, _, cure = str(error).partition("; ")
        return fault("lastmod-invalid", reason=cause, cure=cure[:1].upper() + cure[1:])
    try:
        check_range(date, now)
    except DateError:
        is_old = date.year < FIRST_YEAR
        return fault("lastmod-before-1970" if is_old else "lastmod-future", value=text)
    return None


@lru_cache(maxsize=4096)
def _priority_fault(text: str) -> Fault | None:
    value = or_none(float, text.replace(",", "."))
    if value is None or not 0 <= value <= 1:
        return fault("priority-invalid", value=text)
    return None if _DECIMAL.fullmatch(text) else fault("priority-notation", value=text)


def _link_faults(links: LinkSet) -> Iterator[Fault | None]:
    """Judge a set of links to translations, taken by itself."""
    yield from links.faults
    seen: set[str] = set()
    for code, _ in links.pairs:
        if code.lower() in seen:
            yield fault("hreflang-repeated", code=code)
        else:
            yield _hreflang_fault(code)
        seen.add(code.lower())
    for href in dict.fromkeys(href for _, href in links.pairs):
        if SOUND.fullmatch(href):
            continue
        bare, mark, _ = href.partition("#")
        if faulty := url_fault(bare):
            yield fault("href-invalid", reason=lower_first(faulty.message), cure=faulty.cure)
        elif mark:
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
