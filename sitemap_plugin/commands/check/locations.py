"""What is wrong with addresses, each by itself and as a member of its sitemap."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import Fault, quote
from sitemap_plugin.common.urls import encode_url, is_below, is_local_host, origin
from sitemap_plugin.write.protocol import MAX_LOC

__all__ = [
    "Scope",
    "are_absolute",
    "are_plain",
    "are_sound",
    "has_plain_characters",
    "loc_faults",
    "place_fault",
    "url_fault",
]

_ABSOLUTE = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_ILLEGAL = re.compile(r"[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PLAIN = (string.ascii_letters + string.digits + "-._~:/?@!$&'()*+,;=%").encode()
_HOST_6 = re.compile(r"(https?://(?:[^/?#@]*@)?)\[[0-9A-Fa-f:.]+\]", re.IGNORECASE)
_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);")


class Scope(NamedTuple):
    """What a sitemap may list: addresses below its folder, or on the same site if that is free.

    ``origin`` is None where nothing is known; ``folder`` is None where a sitemap may speak for the
    whole host, or where its own address is unknown.
    """

    origin: str | None = None
    folder: str | None = None


def loc_faults(loc: str | None) -> Iterator[Fault]:
    """Judge one address, wherever it is listed."""
    if not loc:
        cure = "Write <loc> with the page's address, or remove the entry."
        yield Fault("missing-loc", "The entry has no address.", cure)
        return
    fault = url_fault(loc)
    if fault:
        yield Fault(f"loc-{fault.code}", fault.message, fault.cure)
        if fault.code in {"not-absolute", "invalid"}:
            return
    bare, mark, _ = loc.partition("#")
    if mark:
        message = "The address has a fragment, which search engines drop."
        yield Fault("loc-fragment", message, f"Write {quote(bare)}.")
    if is_local_host(bare):
        message = "The address is on this machine, which search engines cannot reach."
        cure = "Build the site with the address at which it is published."
        yield Fault("loc-local", message, cure)
    if _ESCAPED.search(bare):
        message = "The address still has an XML escape in it when it has been read."
        cure = "Escape it once: write &amp; for & in XML, and plain & in a text sitemap."
        yield Fault("loc-escaped", message, cure)
    length = len(encode_url(bare))
    if length > MAX_LOC:
        message = f"The address has {length:,} characters; fewer than {MAX_LOC + 1:,} are allowed."
        yield Fault("loc-too-long", message, "Give the page a shorter address.")


def url_fault(url: str) -> Fault | None:
    """Judge a URL as such: ``not-absolute``, ``invalid`` or ``not-encoded``."""
    if not _ABSOLUTE.match(url):
        message = f"{quote(url)} is not an absolute URL."
        return Fault("not-absolute", message, "Write it in full, with https:// and the host.")
    try:
        encoded = encode_url(url)
    except ValueError as error:
        message = f"{quote(url)} is not a URL: {error}."
        return Fault("invalid", message, "Correct the host or the port.")
    bare = url.partition("#")[0]
    illegal = _ILLEGAL.search(_HOST_6.sub(r"\1", bare))
    if not illegal:
        return None
    if illegal[0] == "%":
        message = "The address has a '%' that is not followed by two hexadecimal digits."
    else:
        message = f"The address has {quote(illegal[0])}, which must be percent-encoded."
    return Fault("not-encoded", message, f"Write {quote(encoded)}.")


def are_absolute(urls: Sequence[str]) -> bool:
    """Tell in bulk whether all begin with http:// or https://."""
    joined = "\n".join(("", *urls))
    return joined.count("\nhttps://") + joined.count("\nhttp://") == len(urls)


def are_plain(urls: Sequence[str]) -> bool:
    """Tell in bulk whether all are absolute URLs in which nothing has to be encoded."""
    return are_absolute(urls) and has_plain_characters("\n".join(urls), len(urls) - 1)


def are_sound(locs: Sequence[str | None], prefix: str, *, plain: bool) -> bool:
    """Tell in bulk whether nothing can be wrong with addresses, all of which begin with a prefix.

    ``plain`` says that the characters need not be looked at any more.
    """
    try:
        joined = "\n".join(("", *locs))  # type: ignore[arg-type]  # a missing one raises TypeError
    except TypeError:
        return False
    return (
        joined.count("\n" + prefix) == len(locs)
        and (plain or has_plain_characters(joined, len(locs)))
        and not any(doubtful in joined for doubtful in ("&", "/.", "/%2"))
        and max(map(len, locs), default=0) <= MAX_LOC  # type: ignore[arg-type]
    )


def has_plain_characters(joined: str, breaks: int) -> bool:
    """Tell whether URLs, joined by so many line breaks, need no percent-encoding."""
    if not joined.isascii() or joined.encode().translate(None, _PLAIN) != b"\n" * breaks:
        return False
    return "%" not in joined or not _LONE_PERCENT.search(joined)


def place_fault(loc: str, scope: Scope) -> Fault | None:
    """Judge whether an address is one that its sitemap may list."""
    own = origin(loc)
    if scope.origin is not None and own != scope.origin:
        what = _difference(own, scope.origin)
        message = f"The address is on another {what} than its sitemap: {own}, not {scope.origin}."
        cure = f"List it in a sitemap on its own site, or write {scope.origin}."
        return Fault("loc-other-site", message, cure)
    if scope.folder is not None and not is_below(loc, scope.folder):
        message = f"The address is not below {scope.folder}, the folder of its sitemap."
        cure = "Move the sitemap to a folder above all its pages, or name it in the robots.txt."
        return Fault("loc-outside-folder", message, cure)
    return None


def _difference(one: str, other: str) -> str:
    """Name the first part in which two origins differ."""
    scheme, _, host = one.partition("://")
    other_scheme, _, other_host = other.partition("://")
    if host == other_host:
        return "scheme" if scheme != other_scheme else "port"
    return "port" if host.rpartition(":")[0] == other_host.rpartition(":")[0] != "" else "host"
