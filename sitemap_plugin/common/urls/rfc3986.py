"""Split, encode and recompose URLs as RFC 3986 has it; ``urls.py`` is what others use."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from sitemap_plugin.common.urls.hostnames import encode_authority, split_authority

__all__ = ["PATH_CHARACTERS", "Parts", "encode", "place", "remove_dots", "split", "to_bytes"]

PATH_CHARACTERS = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
"""What a path may hold unescaped, for use inside a character class; a query may hold ? too."""

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*")
_ILLEGAL_IN_PATH = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{PATH_CHARACTERS}%]+")
_ILLEGAL_IN_QUERY = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{PATH_CHARACTERS}?%]+")


class Parts(NamedTuple):
    """The components of a URL without its fragment; None where the delimiter is missing too."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None

    def __str__(self) -> str:
        scheme = "" if self.scheme is None else self.scheme + ":"
        authority = "" if self.authority is None else "//" + self.authority
        query = "" if self.query is None else "?" + self.query
        return f"{scheme}{authority}{self.path}{query}"


def split(url: str) -> Parts:
    """Split any string, well-formed or not (RFC 3986, appendix B)."""
    rest, mark, query = url.partition("#")[0].partition("?")
    name, colon, path = rest.partition(":")
    scheme = name if colon and _SCHEME.fullmatch(name) else None
    if scheme is None:
        path = rest
    authority = None
    if path.startswith("//"):
        authority, slash, path = path[2:].partition("/")
        path = slash + path
    return Parts(scheme, authority, path, query if mark else None)


def encode(parts: Parts) -> Parts:
    """Lower-case scheme and host, put the host in IDNA form, percent-encode what is illegal.

    An empty path after a host becomes ``/``. A ``ValueError`` names an impossible host or port.
    """
    scheme = None if parts.scheme is None else parts.scheme.lower()
    if scheme in _DEFAULT_PORTS and not parts.authority:
        raise ValueError(f"{str(parts)!r} names no host")
    authority = None if parts.authority is None else encode_authority(parts.authority)
    path = _ILLEGAL_IN_PATH.sub(_escape, parts.path)
    query = None if parts.query is None else _ILLEGAL_IN_QUERY.sub(_escape, parts.query)
    return Parts(scheme, authority, "/" if authority and not path else path, query)


def _escape(match: re.Match[str]) -> str:
    return quote(to_bytes(match[0]), safe="")


def to_bytes(text: str) -> bytes:
    """Return UTF-8, or the original bytes where a file name could not be decoded."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(f"{text!r} holds half a surrogate pair, which no URL can") from None


def place(parts: Parts) -> tuple[str, str, str]:
    """Return scheme, host and port (empty for the default one) of an encoded absolute URL."""
    if not parts.scheme or not parts.authority:
        raise ValueError(f"{str(parts)!r} is not an absolute URL")
    _, host, port = split_authority(parts.authority)
    return parts.scheme, host.lower(), "" if port == _DEFAULT_PORTS.get(parts.scheme) else port


def remove_dots(path: str) -> str:
    """Remove ``.`` and ``..`` segments (RFC 3986, section 5.2.4), escaped ones too."""
    if "/." not in path and "%2" not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for position, segment in enumerate(segments):
        name = segment.replace("%2e", ".").replace("%2E", ".")
        if name not in {".", ".."}:
            kept.append(segment)
            continue
        if name == ".." and len(kept) > 1:
            kept.pop()
        if position == len(segments) - 1:
            kept.append("")
    return "/".join(kept)
