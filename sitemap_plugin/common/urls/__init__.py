"""Make URLs safe, join and compare them, and judge base URLs (RFC 3986, IDNA 2008)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import quote, unquote, unquote_to_bytes

from sitemap_plugin.common.urls.hostnames import is_local
from sitemap_plugin.common.urls.rfc3986 import (
    PATH_CHARACTERS,
    Parts,
    encode,
    place,
    remove_dots,
    split,
    to_bytes,
)

__all__ = [
    "check_base_url",
    "encode_path",
    "encode_url",
    "encoded_below",
    "host_root",
    "is_below",
    "is_encoded",
    "is_host_root",
    "is_local_host",
    "join_url",
    "origin",
    "path_below",
    "same_page",
]

_WHITESPACE = " \t\n\r\f"
_EXAMPLE = "https://www.example.org/"

_PLAIN_REST = rf"(?:[{PATH_CHARACTERS}?]++|%[0-9A-Fa-f]{{2}})*+"
# Most URLs need nothing done. Possessive quantifiers keep the match linear.
_NOTHING_TO_DO = re.compile(
    r"https?://(?![^/:]{254})(?:[a-z0-9-]{1,63}\.)*+[a-z][a-z0-9-]{0,62}+(?::[1-9][0-9]{0,3}+)?+"
    rf"/{_PLAIN_REST}"
)
_PLAIN_RELATIVE = re.compile(r"(?:(?:[A-Za-z0-9\-_~]|%(?!2[Ee]))++[./]?+)++")
_PLAIN_FOLDER = re.compile(r"[^?#]*/")
_BASE_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://(.*)", re.DOTALL)
_MISSPELT_SCHEME = re.compile(r"(?:https?(?=[:;/]))?[:;/]*", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")


def encode_url(url: str) -> str:
    """Percent-encode what RFC 3986 forbids in a string that is meant as a URL or a URL path.

    Valid escapes and legal characters stay as they are, so that a URL that is right already is
    returned unchanged. The fragment is dropped, the scheme is lower-cased, the host is put
    in IDNA 2008 form, and an empty path after a host becomes ``/``. A ``ValueError`` names a host
    or port that cannot be one.
    """
    if is_encoded(url):
        return url
    return str(encode(split(url.strip(_WHITESPACE))))


def is_encoded(url: str) -> bool:
    """Tell whether a URL is absolute and such that ``encode_url`` would return it as it is.

    False for unusual ones too, which may be right all the same.
    """
    return _NOTHING_TO_DO.fullmatch(url) is not None


def encoded_below(base_url: str) -> Callable[[str], object]:
    """Return a function that is true of URLs below a base that need nothing done.

    It is false of unusual ones too, which may be right all the same, and of all where the base
    itself is unusual. A whole site goes through it, so it is one match.
    """
    if not is_encoded(base_url):
        return lambda _: None
    return re.compile(f"{re.escape(base_url)}{_PLAIN_REST}").fullmatch


def encode_path(path: str) -> str:
    """Percent-encode a file name or path that is not a URL yet, as ``urllib.parse.quote`` does.

    Backslashes become ``/``; a literal ``%`` becomes ``%25``. Undecodable bytes of a file name
    (surrogate escapes) become the bytes that the web server will see.
    """
    return quote(to_bytes(path.replace("\\", "/")))


def join_url(base: str, relative: str) -> str:
    """Resolve an absolute, root-relative or relative reference as a browser does, and encode it.

    A ``base`` that does not end in ``/`` is a page: what is relative lies beside it. A
    ``ValueError`` names a host or port that cannot be one.
    """
    if _PLAIN_RELATIVE.fullmatch(relative) and _PLAIN_FOLDER.fullmatch(base):
        return encode_url(base + relative)
    parts = split(relative.strip(_WHITESPACE))
    if parts.scheme is None:
        start = split(base)
        parts = parts._replace(scheme=start.scheme)
        if parts.authority is None:
            parts = _resolve_path(parts._replace(authority=start.authority), start)
    return str(encode(parts._replace(path=remove_dots(parts.path))))


def _resolve_path(parts: Parts, start: Parts) -> Parts:
    if not parts.path:
        query = start.query if parts.query is None else parts.query
        return parts._replace(path=start.path, query=query)
    path = parts.path
    if not path.startswith("/"):
        path = (start.path.rpartition("/")[0] if start.path else "") + "/" + path
    return parts._replace(path=path)


def check_base_url(text: object) -> str:
    """Return a base URL in normal form, ending in ``/``.

    A ``ValueError`` says what is wrong and, where that can be known, shows the corrected form.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected a URL such as '{_EXAMPLE}', got {text!r}")  # noqa: TRY004 - one kind of error for the caller
    match = _BASE_URL.fullmatch(text.strip())
    if match is None:
        raise ValueError(_correct(text, "is not an absolute URL", "https", text.strip()))
    scheme, rest = match[1].lower(), match[2]
    if scheme not in {"http", "https"}:
        raise ValueError(_correct(text, f"has the scheme '{scheme}'", "https", rest))
    try:
        parts = encode(split(f"{scheme}://{rest}"))
    except ValueError as error:
        raise ValueError(f"{error}; write a URL such as '{_EXAMPLE}'") from None
    for fault, mark in (("a query", "?"), ("a fragment", "#")):
        if mark in rest:
            raise ValueError(_correct(text, f"has {fault}", scheme, rest))
    if "@" in (parts.authority or ""):
        raise ValueError(_correct(text, "has a user name", scheme, rest))
    path = parts.path or "/"
    if "//" in path or path != remove_dots(path):
        tidy = remove_dots(re.sub("//+", "/", path))
        cure = _as_folder(parts._replace(path=tidy))
        raise ValueError(f"{text!r} has a path that is not in its plain form; write '{cure}'")
    return _as_folder(parts)


def _correct(text: str, fault: str, scheme: str, rest: str) -> str:
    """Say what is wrong with a base URL and what to write; never repeat a password."""
    subject = "the URL" if "@" in text else repr(text)
    if re.match(r"[/\\](?![/\\])", rest):
        return f"{subject} names no host; write a URL such as '{_EXAMPLE}'"
    rest = _MISSPELT_SCHEME.sub("", rest.replace("\\", "/"), count=1)
    try:
        parts = encode(split(f"{scheme}://{rest}"))
        if is_local(place(parts)[1]):
            parts = parts._replace(scheme="http")
    except ValueError:
        return f"{subject} {fault}; write a URL such as '{_EXAMPLE}'"
    authority = (parts.authority or "").rpartition("@")[2]
    return f"{subject} {fault}; write '{_as_folder(parts._replace(authority=authority))}'"


def _as_folder(parts: Parts) -> str:
    path = remove_dots(parts.path)
    return str(parts._replace(path=path if path.endswith("/") else path + "/", query=None))


def is_local_host(url: str) -> bool:
    """Tell whether a URL names this machine: localhost, a loopback or an unspecified address."""
    try:
        return is_local(place(encode(split(url)))[1])
    except ValueError:
        return False


def origin(url: str) -> str:
    """Return scheme, host and port without a final slash; a default port is left out."""
    scheme, host, port = place(encode(split(url)))
    return f"{scheme}://{host}:{port}" if port else f"{scheme}://{host}"


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
        where, segments, _ = _identity(url)
        base_where, base_segments, _ = _identity(base)
    except ValueError:
        return False
    depth = len(base_segments) - 1
    return where == base_where and segments[:depth] == base_segments[:-1] and len(segments) > depth


def path_below(url: str, base: str) -> str:
    """Return the decoded path of ``url`` below ``base``, without leading slash and query.

    For matching users' patterns. The path from the host's root if ``url`` is not below ``base``.
    """
    if url.startswith(base) and base.endswith("/"):
        path = url[len(base) :].partition("#")[0].partition("?")[0]
    else:
        depth = len(_identity(base)[1]) - 1 if is_below(url, base) else 1
        path = "/".join(remove_dots(split(url).path).split("/")[depth:])
    return unquote(path) if "%" in path else path


def same_page(a: str, b: str) -> bool:
    """Tell whether two URLs name the same page; fragments and the spelling of escapes aside."""
    if a == b:
        return True
    try:
        return _identity(a) == _identity(b)
    except ValueError:
        return False


@lru_cache(maxsize=64)
def _identity(url: str) -> tuple[tuple[str, str, str], tuple[bytes, ...], str | None]:
    """Return place, decoded path segments and query.

    Web servers decode path segments; in a query the reserved characters keep their meaning.
    """
    parts = encode(split(url.strip(_WHITESPACE)))
    segments = tuple(map(unquote_to_bytes, remove_dots(parts.path).split("/")))
    query = None if parts.query is None else _ESCAPE.sub(_decode_unreserved, parts.query)
    return place(parts), segments, query


def _decode_unreserved(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if _UNRESERVED.fullmatch(character) else match[0].upper()
