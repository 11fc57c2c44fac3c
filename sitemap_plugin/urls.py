"""Make URLs safe, compare them, and judge base URLs (RFC 3986, IDNA 2008)."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes

__all__ = [
    "check_base_url",
    "encode_path",
    "encode_url",
    "host_root",
    "is_below",
    "is_host_root",
    "is_local_host",
    "join_url",
    "origin",
    "path_below",
    "same_page",
]

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_PATH_CHARACTERS = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
_LAST_PORT = 65535
_EXAMPLE = "https://www.example.org/"

# Most URLs need nothing done. Possessive quantifiers keep the match linear.
_NOTHING_TO_DO = re.compile(
    r"https?://(?![^/:]{254})(?:[a-z0-9-]{1,63}\.)*+[a-z][a-z0-9-]{0,62}+(?::[1-9][0-9]{0,3}+)?+"
    rf"/(?:[{_PATH_CHARACTERS}?]++|%[0-9A-Fa-f]{{2}})*+"
)
_PLAIN_RELATIVE = re.compile(r"(?:[A-Za-z0-9\-_~%]++[./]?+)++")
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL
)
_AUTHORITY = re.compile(r"(?:(.*)@)?(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]*))?", re.DOTALL)
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_ILLEGAL_IN_PATH = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_PATH_CHARACTERS}%]+")
_ILLEGAL_IN_QUERY = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_PATH_CHARACTERS}?%]+")
_ILLEGAL_IN_USER = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:%]+")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")


class _Parts(NamedTuple):
    scheme: str | None
    authority: str | None
    path: str
    query: str | None


def encode_url(url: str) -> str:
    """Percent-encode what RFC 3986 forbids in a string that is meant as a URL or a URL path.

    Valid escapes and legal characters stay as they are, so that a URL that is right already is
    returned unchanged. The fragment is dropped, scheme and host are lower-cased, the host is put
    in IDNA 2008 form, and an empty path after a host becomes ``/``. A ``ValueError`` names a host
    or port that cannot be one.
    """
    if _NOTHING_TO_DO.fullmatch(url):
        return url
    return _unsplit(_encode(_split(url.strip(" \t\n\r\f"))))


def encode_path(path: str) -> str:
    """Percent-encode a file name or path that is not a URL yet, as ``urllib.parse.quote`` does.

    Backslashes become ``/``; a literal ``%`` becomes ``%25``. Undecodable bytes of a file name
    (surrogate escapes) become the bytes that the web server will see.
    """
    return quote(_to_bytes(path.replace("\\", "/")))


def join_url(base: str, relative: str) -> str:
    """Resolve an absolute, root-relative or relative reference as a browser does, and encode it.

    A ``base`` that does not end in ``/`` is a page: what is relative lies beside it.
    """
    if base.endswith("/") and _PLAIN_RELATIVE.fullmatch(relative) and "?" not in base:
        return encode_url(base + relative)
    parts = _split(relative.strip(" \t\n\r\f"))
    start = _split(base)
    if parts.scheme is None:
        parts = parts._replace(scheme=start.scheme)
        if parts.authority is None:
            parts = _resolve_path(parts._replace(authority=start.authority), start)
    return _unsplit(_encode(parts))


def _resolve_path(parts: _Parts, start: _Parts) -> _Parts:
    if not parts.path:
        query = start.query if parts.query is None else parts.query
        return parts._replace(path=start.path, query=query)
    path = parts.path
    if not path.startswith("/"):
        path = (start.path.rpartition("/")[0] if start.path else "") + "/" + path
    return parts._replace(path=_without_dots(path))


def check_base_url(text: object) -> str:
    """Return a base URL in normal form, ending in ``/``.

    A ``ValueError`` says what is wrong and shows the corrected form.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected a URL such as '{_EXAMPLE}', got {text!r}")  # noqa: TRY004 - one kind of error for the caller
    url = text.strip()
    scheme, separator, rest = url.partition("://")
    if not separator or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.\-]*", scheme):
        rest = (
            re.sub(r"^(?:https?:)?/*", "", url, flags=re.IGNORECASE) if url[:1] != "/" else url[2:]
        )
        if not rest or (url.startswith("/") and not url.startswith("//")):
            raise ValueError(f"expected a URL with a host such as '{_EXAMPLE}', got {text!r}")
        raise ValueError(_correction(text, "has no scheme", "https", rest))
    if scheme.lower() not in _DEFAULT_PORTS:
        raise ValueError(_correction(text, f"has the scheme '{scheme}'", "https", rest))
    try:
        parts = _encode(_split(url))
    except ValueError as error:
        raise ValueError(f"{error}; write a URL such as '{_EXAMPLE}'") from None
    if "@" in (parts.authority or ""):
        raise ValueError(_correction(None, "contains a user name", scheme, rest))
    if parts.query is not None:
        raise ValueError(_correction(text, "contains a query", scheme, rest))
    if "#" in url:
        raise ValueError(_correction(text, "contains a fragment", scheme, rest))
    return _unsplit(parts._replace(path=_without_dots(parts.path.rstrip("/") + "/")))


def _correction(text: str | None, fault: str, scheme: str, rest: str) -> str:
    subject = "the URL" if text is None else repr(text)
    try:
        parts = _encode(_split(f"{scheme}://{rest.lstrip('/')}"))
    except ValueError:
        return f"{subject} {fault}; write a URL such as '{_EXAMPLE}'"
    authority = (parts.authority or "").rpartition("@")[2]
    fixed = _Parts(parts.scheme, authority, parts.path.rstrip("/") + "/", None)
    return f"{subject} {fault}; write '{_unsplit(fixed)}'"


def is_local_host(url: str) -> bool:
    """Tell whether a URL names this machine: localhost, a loopback or an unspecified address."""
    try:
        host = _host_and_port(_encode(_split(url)))[0].strip("[]").rstrip(".")
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return False
    return address.is_loopback or address.is_unspecified


def origin(url: str) -> str:
    """Return scheme, host and port without a final slash; a default port is left out."""
    parts = _encode(_split(url))
    host, port = _host_and_port(parts)
    return f"{parts.scheme}://{host}{port and ':' + port}"


def host_root(base_url: str) -> str:
    """Return the root of the host that serves ``base_url``, ending in ``/``."""
    return origin(base_url) + "/"


def is_host_root(base_url: str) -> bool:
    """Tell whether a URL is the root of its host, the only place where robots.txt is read."""
    return same_page(base_url, host_root(base_url))


def is_below(url: str, base: str) -> bool:
    """Tell whether ``url`` is on the same host and in the folder ``base``, which ends in ``/``.

    The folder without its final slash is another URL and lies outside.
    """
    if url.startswith(base) and base.endswith("/") and "/." not in url and "/%2" not in url:
        return True
    try:
        place, segments, _ = _identity(url)
        base_place, base_segments, _ = _identity(base)
    except ValueError:
        return False
    folder = base_segments[:-1]
    return place == base_place and segments[: len(folder)] == folder and len(segments) > len(folder)


def path_below(url: str, base: str) -> str:
    """Return the decoded path of ``url`` below ``base``, without leading slash and query.

    For matching users' patterns. The path from the host's root if ``url`` is not below ``base``.
    """
    if url.startswith(base):
        path = re.split(r"[?#]", url[len(base) :], maxsplit=1)[0]
        return unquote(path) if "%" in path else path
    path = _split(url).path.lstrip("/")
    if is_below(url, base):
        folder = _identity(base)[1][:-1]
        path = "/".join(path.split("/")[len(folder) - 1 :])
    return unquote(path)


def same_page(a: str, b: str) -> bool:
    """Tell whether two URLs name the same page; fragments and the spelling of escapes aside."""
    if a == b:
        return True
    try:
        return _identity(a) == _identity(b)
    except ValueError:
        return False


@lru_cache(maxsize=64)
def _identity(url: str) -> tuple[tuple[str | None, str, str], tuple[bytes, ...], str | None]:
    """Return place, decoded path segments and query.

    Web servers decode path segments; in a query the reserved characters keep their meaning.
    """
    parts = _encode(_split(url.strip(" \t\n\r\f")))
    segments = tuple(map(unquote_to_bytes, _without_dots(parts.path).split("/")))
    query = None if parts.query is None else _ESCAPE.sub(_decode_unreserved, parts.query)
    return (parts.scheme, *_host_and_port(parts)), segments, query


def _decode_unreserved(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if _UNRESERVED.fullmatch(character) else match[0].upper()


def _split(url: str) -> _Parts:
    match = _PARTS.fullmatch(url)
    if match is None:
        raise ValueError(f"{url!r} is not a URL")
    return _Parts(*match.groups())


def _unsplit(parts: _Parts) -> str:
    scheme = "" if parts.scheme is None else parts.scheme + ":"
    authority = "" if parts.authority is None else "//" + parts.authority
    query = "" if parts.query is None else "?" + parts.query
    return f"{scheme}{authority}{parts.path}{query}"


def _encode(parts: _Parts) -> _Parts:
    authority = None if parts.authority is None else _encode_authority(parts.authority)
    path = _ILLEGAL_IN_PATH.sub(_escape, parts.path)
    return _Parts(
        None if parts.scheme is None else parts.scheme.lower(),
        authority,
        "/" if authority and not path else path,
        None if parts.query is None else _ILLEGAL_IN_QUERY.sub(_escape, parts.query),
    )


def _escape(match: re.Match[str]) -> str:
    return quote(_to_bytes(match[0]), safe="")


def _to_bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(
            f"{text!r} contains half a surrogate pair, which no URL can hold"
        ) from None


@lru_cache(maxsize=1024)
def _encode_authority(authority: str) -> str:
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        raise ValueError(f"{authority!r} is not a host with an optional port")
    user, host, port = match.groups()
    result = "" if user is None else _ILLEGAL_IN_USER.sub(_escape, user) + "@"
    result += _encode_host(host)
    if port:
        if int(port[:9]) > _LAST_PORT:
            raise ValueError(f"{port} in {authority!r} is no port number")
        result += f":{int(port[:9])}"
    return result


def _encode_host(host: str) -> str:
    try:
        if host.startswith("["):
            return f"[{IPv6Address(host[1:-1]).compressed}]"
        name = _to_ascii(unquote(host, errors="strict"))
        labels = name.removesuffix(".").split(".")
        if labels[-1].isdigit():
            return str(IPv4Address(".".join(labels)))
    except ValueError as error:
        raise ValueError(f"{host!r} is not a valid host name: {error}") from None
    if len(name) > 254 or not all(map(_LABEL.fullmatch, labels)):  # noqa: PLR2004 - RFC 1035, with the final dot
        raise ValueError(f"{host!r} is not a valid host name")
    return name


def _to_ascii(host: str) -> str:
    if host.isascii():
        return host.lower()
    import idna  # noqa: PLC0415 - few hosts need it, and its tables take time to load

    return idna.encode(host, uts46=True).decode("ascii")


def _host_and_port(parts: _Parts) -> tuple[str, str]:
    host, _, port = (parts.authority or "").rpartition("@")[2].partition(":")
    return host, "" if port == _DEFAULT_PORTS.get(parts.scheme or "") else port


def _without_dots(path: str) -> str:
    """Remove ``.`` and ``..`` segments (RFC 3986, section 5.2.4)."""
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
