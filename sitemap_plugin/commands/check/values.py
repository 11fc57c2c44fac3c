"""What is wrong with the values of an entry: its address, its date and the like, its links."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from sitemap_plugin.commands.reading.document import Fault, LinkSet, ListedUrl
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.common.urls import encode_url, is_below, is_local_host, origin
from sitemap_plugin.config.checks import CHANGEFREQS
from sitemap_plugin.dates.parse import DateError, check_range, parse_w3c
from sitemap_plugin.languages import normalize
from sitemap_plugin.write.protocol import MAX_LOC

__all__ = [
    "SOUND",
    "EntryRules",
    "Scope",
    "hreflang_fault",
    "lower_first",
    "place_fault",
    "url_fault",
]

_ABSOLUTE = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_HOST_6 = re.compile(r"(https?://(?:[^/?#@]*@)?)\[[0-9A-Fa-f:.]+\]", re.IGNORECASE)
_AUTHORITY = re.compile(r"https?://([^/?#]*)", re.IGNORECASE)
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
_MEMO_SIZE = 10_000


class Scope(NamedTuple):
    """What a sitemap may list: addresses below its folder, or on the same site if that is free.

    ``origin`` is None where nothing is known; ``folder`` is None where a sitemap may speak for the
    whole host, or where its own address is unknown.
    """

    origin: str | None = None
    folder: str | None = None


class EntryRules:
    """Judges entries one by one, and remembers what is said of dates and of sets of links.

    ``local`` tells that the site itself is on this machine.
    """

    def __init__(self, now: dt.datetime, *, local: bool = False) -> None:
        self._now, self._local = now, local
        self._memo: dict[tuple[str, str], Fault | None] = {}
        self._links: dict[LinkSet, tuple[Fault, ...]] = {}

    def forget(self) -> None:
        """Forget the links of a file that has been read."""
        self._links.clear()

    def faults(self, entry: ListedUrl, scope: Scope, *, in_index: bool) -> Iterator[Fault]:
        """Yield what is wrong with an entry; ``in_index`` words it for the address of a sitemap."""
        loc = entry.loc
        if not loc or "/." in loc or not SOUND.fullmatch(loc):
            yield from self._loc_faults(loc, scope, in_index=in_index)
        elif not loc.startswith(scope.folder or f"{scope.origin}/") and (
            fault := place_fault(loc, scope, in_index=in_index)
        ):
            yield fault
        for name, value, judge in (
            ("lastmod", entry.lastmod, self._lastmod_fault),
            ("changefreq", entry.changefreq, _changefreq_fault),
            ("priority", entry.priority, _priority_fault),
        ):
            if value is not None and (fault := self._remembered(name, value, judge)):
                yield fault
        if entry.links.pairs or entry.links.faults:
            if entry.links not in self._links:
                self._links[entry.links] = tuple(_link_faults(entry.links))
            yield from self._links[entry.links]

    def _remembered(
        self, name: str, value: str, judge: Callable[[str], Fault | None]
    ) -> Fault | None:
        key = name, value
        if key not in self._memo:
            if len(self._memo) > _MEMO_SIZE:
                self._memo.clear()
            self._memo[key] = judge(value)
        return self._memo[key]

    def _loc_faults(self, loc: str | None, scope: Scope, *, in_index: bool) -> Iterator[Fault]:
        if not loc:
            cure = "Write <loc> with the page's address, or remove the entry."
            yield Fault("missing-loc", "The entry has no address.", cure)
            return
        fault = url_fault(loc)
        if fault:
            yield fault._replace(code=f"loc-{fault.code}")
            if fault.code in {"not-absolute", "invalid"}:
                return
        bare, mark, _ = loc.partition("#")
        if mark:
            message = "The address has a fragment, which search engines drop."
            yield Fault("loc-fragment", message, f"Write {quote(bare)}.")
        if _ESCAPED.search(bare):
            message = "The address still has an XML escape in it when it has been read."
            cure = "Escape it once: write &amp; for & in XML, and plain & in a text sitemap."
            yield Fault("loc-escaped", message, cure)
        if (length := len(encode_url(bare))) > MAX_LOC:
            message = f"The address has {length:,} characters; at most {MAX_LOC:,} are allowed."
            yield Fault("loc-too-long", message, "Give the page a shorter address.")
        if is_local_host(bare) and not self._local:
            message = "The address is on this machine, which search engines cannot reach."
            cure = "Build the site with the address at which it is published."
            yield Fault("loc-local", message, cure)
        elif fault := place_fault(loc, scope, in_index=in_index):
            yield fault

    def _lastmod_fault(self, text: str) -> Fault | None:
        """Judge a lastmod: a W3C Datetime, from 1970 up to now and a day."""
        if not text:
            cure = "Write a date, or leave it out."
            return Fault("lastmod-invalid", "The lastmod is empty.", cure)
        try:
            date, _ = parse_w3c(text)
        except DateError as error:
            cause, _, cure = str(error).partition("; ")
            cure = cure.removeprefix("write ")
            if _NAIVE.fullmatch(cure):
                cure += "+00:00, with the right offset"
            return Fault("lastmod-invalid", f"The lastmod {cause}.", f"Write {cure}.")
        try:
            check_range(date, self._now)
        except DateError:
            if date.year < 1970:  # noqa: PLR2004 - the year that the code names
                cure = "Write the day of the last change, or leave lastmod out."
                return Fault(
                    "lastmod-before-1970", f"The lastmod {quote(text)} is before 1970.", cure
                )
            cure = "Write the day of the last change; check the clock of the machine that builds."
            return Fault("lastmod-future", f"The lastmod {quote(text)} is in the future.", cure)
        return None


def url_fault(url: str) -> Fault | None:
    """Judge a URL as such: ``not-absolute``, ``invalid`` or ``not-encoded``."""
    if not _ABSOLUTE.match(url):
        message = f"{quote(url)} is not an absolute URL."
        return Fault("not-absolute", message, "Write it in full, with https:// and the host.")
    authority = _AUTHORITY.match(url)
    _, has_user, host = authority[1].rpartition("@") if authority else ("", "", "")
    if has_user:
        message = "The address has a user name or password."
        return Fault("invalid", message, "Leave it out; everybody can read a sitemap.")
    name, _, port = host.partition(":") if not host.startswith("[") else ("", "", "")
    try:
        encoded = encode_url(url)
        if port and not port.strip("0"):
            raise ValueError("the port cannot be 0")  # noqa: TRY301 - the same as below
        if _BAD_LABEL.search(name.removesuffix(".")):
            raise ValueError(f"{quote(name)} is not a valid host")  # noqa: TRY301 - the same
    except ValueError as error:
        return Fault(
            "invalid", f"{quote(url)} is not a URL: {error}.", "Correct the host or the port."
        )
    bare = url.partition("#")[0]
    illegal = _ILLEGAL.search(_HOST_6.sub(r"\1", bare))
    if not illegal:
        return None
    message = f"The address has {quote(illegal[0])}, which must be percent-encoded."
    if illegal[0] == "%":
        message = "The address has a '%' that is not followed by two hexadecimal digits."
    return Fault("not-encoded", message, f"Write {quote(encoded)}.")


def place_fault(loc: str, scope: Scope, *, in_index: bool = False) -> Fault | None:
    """Judge whether an address is one that its sitemap, or an index, may list."""
    if scope.origin is None:
        return None
    what, lister = ("sitemap", "index") if in_index else ("address", "sitemap")
    move = "Move the sitemap to the folder of the index or below it."
    own = origin(loc)
    if own != scope.origin:
        part = _difference(own, scope.origin)
        message = f"The {what} is on another {part} than its {lister}: {own}, not {scope.origin}."
        cure = f"List it in a sitemap on its own site, or write {scope.origin}."
        code = "loc-other-site"
    elif scope.folder is not None and not is_below(loc, scope.folder):
        message = f"The {what} is not below {scope.folder}, the folder of its {lister}."
        cure = "Move the sitemap to a folder above all its pages, or name it in the robots.txt."
        code = "loc-outside-folder"
    else:
        return None
    return Fault("index-child-outside", message, move) if in_index else Fault(code, message, cure)


def _difference(one: str, other: str) -> str:
    """Name the first part in which two origins differ."""
    scheme, _, host = one.partition("://")
    other_scheme, _, other_host = other.partition("://")
    if host == other_host:
        return "scheme" if scheme != other_scheme else "port"
    return "port" if host.rpartition(":")[0] == other_host.rpartition(":")[0] != "" else "host"


def _changefreq_fault(text: str) -> Fault | None:
    if text in CHANGEFREQS:
        return None
    cure = f"Write one of {', '.join(CHANGEFREQS)}, or leave it out."
    if text.lower() in CHANGEFREQS:
        cure = f"Write {text.lower()}, in lower case."
    return Fault("changefreq-invalid", f"The changefreq {quote(text)} is unknown.", cure)


def _priority_fault(text: str) -> Fault | None:
    normal = text.replace(",", ".")
    if not _FLOAT.fullmatch(normal) or not 0 <= float(normal) <= 1:
        message = f"The priority {quote(text)} is not a number from 0.0 to 1.0."
        return Fault("priority-invalid", message, "Write one, or leave it out.")
    if _DECIMAL.fullmatch(text):
        return None
    message = f"The priority {quote(text)} is not written as a decimal number."
    right = f"{float(normal):.3f}".rstrip("0")
    return Fault("priority-notation", message, f"Write {right}{'0' * right.endswith('.')}.")


def _link_faults(links: LinkSet) -> Iterator[Fault]:
    """Judge a set of links to translations, taken by itself."""
    yield from links.faults
    seen: set[str] = set()
    for code, _ in links.pairs:
        if code.lower() in seen:
            message = f"The set has more than one link with hreflang={quote(code)}."
            yield Fault("hreflang-repeated", message, "Keep the one that is right.")
        elif fault := hreflang_fault(code):
            yield fault
        seen.add(code.lower())
    for href in dict.fromkeys(href for _, href in links.pairs):
        bare, fragment, _ = href.partition("#")
        problem = None if SOUND.fullmatch(bare) else url_fault(bare)
        if problem:
            message = f"A link's address is faulty: {lower_first(problem.message)}"
            yield Fault("href-invalid", message, problem.cure)
        elif fragment:
            message = f"The link's address {quote(href)} has a fragment."
            yield Fault("href-invalid", message, f"Write {quote(bare)}.")


@lru_cache(maxsize=1024)
def hreflang_fault(code: str) -> Fault | None:
    """Judge a language code by what search engines support."""
    language = normalize(code)
    problem, _, advice = (language.problem or "").partition("; ")
    reason = problem.partition(": ")[2]
    because = f": {reason}" if reason else ""
    if language.code is None:
        message = f"The language code {quote(code)} is unknown."
        return Fault("hreflang-invalid", message, f"{advice[:1].upper()}{advice[1:]}.")
    if language.code.lower() != code.lower():
        message = f"The language code {quote(code)} is not valid in hreflang{because}."
        return Fault("hreflang-invalid", message, f"Write '{language.code}'.")
    if language.problem:
        message = f"The language code {quote(code)} is not supported{because}."
        cure = "Write a language of two letters, with a country if need be."
        return Fault("hreflang-unsupported", message, cure)
    return None


def lower_first(sentence: str) -> str:
    """Return a sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:]
