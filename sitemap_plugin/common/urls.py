"""Make URLs safe, join and compare them, and judge base URLs (RFC 3986, IDNA 2008)."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from sitemap_plugin.common.text import quoted
from sitemap_plugin.errors import or_none

_EXAMPLE = "https://www.example.org/"
_WHITESPACE = " \t\n\r\f"
_LAST_PORT = 65535
_LONGEST_NAME = 253  # RFC 1035, without the final dot.
_DEFAULT_PORTS = {"http": "80", "https": "443"}

# What a segment of a path may hold unescaped beside letters, digits and "-._".
_SEGMENT = "!$&'()*+,;=:@~"
_PATH_CHARACTERS = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
# Most URLs need nothing done. Possessive quantifiers keep the match linear.
_NOTHING_TO_DO = re.compile(
    r"https?://(?![^/:]{254})(?:[a-z0-9-]{1,63}\.)*+[a-z][a-z0-9-]{0,62}+(?::[1-9][0-9]{0,3}+)?+"
    rf"/(?:[{_PATH_CHARACTERS}?]++|%[0-9A-Fa-f]{{2}})*+"
)
_SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*"
# Any string, well-formed or not (RFC 3986, appendix B).
_PARTS = re.compile(rf"(?:({_SCHEME}):)?+(?://([^/?#]*))?+([^?#]*)(?:\?([^#]*))?+")
_MISSPELT_SCHEME = re.compile(r"(?:https?(?=[:;/]))?[:;/]*", re.IGNORECASE)
_ILLEGAL_IN_PATH = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_PATH_CHARACTERS}%]+")
_ILLEGAL_IN_QUERY = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_PATH_CHARACTERS}?%]+")
_AUTHORITY = re.compile(r"(?:(.*)@)?(\[[^\[\]%]*\]|[^:\[\]]*)(?::([0-9]*))?", re.DOTALL)
_LABEL = re.compile(r"[a-z0-9_-]{1,63}", re.IGNORECASE | re.ASCII)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")


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


def encode_url(url: str) -> str:
    """Percent-encode what RFC 3986 forbids in a string that is meant as a URL or a URL path.

    The fragment is dropped, and an empty path after a host becomes ``/``. A ``ValueError`` names a
    host or port that cannot be one.
    """
    if _NOTHING_TO_DO.fullmatch(url):
        return url
    return str(_encode(_split(url.strip(_WHITESPACE))))


def encode_path(path: str) -> str:
    """Percent-encode a file name or path that is not a URL yet, ``%`` too."""
    # Undecodable bytes of a file name become the bytes that the web server will see.
    return quote(_to_bytes(path.replace("\\", "/")))


def join_url(base: str, relative: str) -> str:
    """Resolve an absolute, root-relative or relative reference as a browser does, and encode it.

    A ``base`` that does not end in ``/`` is a page. Raises ValueError as ``encode_url``.
    """
    start, (scheme, authority, path, query) = _split(base), _split(relative.strip(_WHITESPACE))
    if scheme is None and authority is None:
        authority = start.authority
        if not path:
            path, query = start.path, start.query if query is None else query
        elif not path.startswith("/"):
            path = f"{start.path.rpartition('/')[0]}/{path}"
    return str(_encode(Parts(scheme or start.scheme, authority, _remove_dots(path), query)))


def same_page(a: str, b: str) -> bool:
    """Tell whether two URLs name the same page; fragments and the spelling of escapes aside."""
    if a == b:
        return True
    form = or_none(normal_form, a)
    return form is not None and form == or_none(normal_form, b)


@lru_cache(maxsize=256)
def normal_form(url: str) -> str:
    """Return the one spelling by which URLs are compared.

    Scheme and host in lower case, no default port, no dot segments, ``/`` for an empty path, and
    nothing escaped that need not be. Web servers decode the segments of a path; in a query the
    reserved characters keep their meaning. Raises ValueError for what is no absolute URL.
    """
    parts = _encode(_split(url.strip(_WHITESPACE)))
    scheme, host, port = _place(parts)
    segments = map(unquote_to_bytes, _remove_dots(parts.path).split("/"))
    path = "/".join(quote(segment, safe=_SEGMENT) for segment in segments)
    query = parts.query and _ESCAPE.sub(_escape, parts.query)
    return str(Parts(scheme, f"{host}:{port}" if port else host, path, query))


def is_below(url: str, base: str) -> bool:
    """Tell whether ``url`` is on the same host and in the folder ``base``, which ends in ``/``."""
    if url.startswith(base) and base.endswith("/") and "/." not in url and "/%2" not in url:
        return True
    whole, start = or_none(normal_form, url), or_none(normal_form, base)
    return whole is not None and start is not None and whole.startswith(start)


def path_below(url: str, base: str) -> str:
    """Return the decoded path of ``url`` below ``base``, without leading slash and query.

    For matching users' patterns. The path from the host's root if ``url`` is not below ``base``.
    """
    if url.startswith(base) and base.endswith("/"):
        path = url[len(base) :].partition("#")[0].partition("?")[0]
    else:
        depth = _split(normal_form(base)).path.count("/") if is_below(url, base) else 1
        path = "/".join(_remove_dots(_split(url).path).split("/")[depth:])
    return unquote(path) if "%" in path else path


def origin(url: str) -> str:
    """Return scheme, host and port without a final slash; a default port is left out."""
    scheme, host, port = _place(_encode(_split(url)))
    return f"{scheme}://{host}:{port}" if port else f"{scheme}://{host}"


def host_root(base_url: str) -> str:
    """Return the root of the host that serves ``base_url``, ending in ``/``."""
    return origin(base_url) + "/"


def is_host_root(base_url: str) -> bool:
    """Tell whether a URL is the root of its host, the only place where robots.txt is read."""
    return same_page(base_url, host_root(base_url))


def is_local_host(url: str) -> bool:
    """Tell whether a URL names this machine: localhost, a loopback or an unspecified address."""
    name = (urlsplit(or_none(origin, url) or "").hostname or "").removesuffix(".")
    address = or_none(ip_address, name)
    if address is None:
        return name == "localhost" or name.endswith(".localhost")
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified


def check_base_url(text: object) -> str:
    """Return a base URL in normal form, ending in ``/``.

    A ``ValueError`` says what is wrong and, where that can be known, shows the corrected form.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected a URL such as '{_EXAMPLE}', got {quoted(text)}")  # noqa: TRY004 - one kind of error for the caller
    match = re.fullmatch(rf"({_SCHEME})://(.*)", text.strip(), re.DOTALL)
    scheme, rest = (match[1].lower(), match[2]) if match else ("", text.strip())
    authority, slash, path = rest.partition("/")
    faults = {
        "is not an absolute URL": not match,
        f"has the scheme '{scheme}'": scheme not in _DEFAULT_PORTS,
        "has a query": "?" in rest,
        "has a fragment": "#" in rest,
        "has a user name": "@" in authority,
        "has a path that is not in its plain form": "//" in rest
        or slash + path != _remove_dots(slash + path),
    }
    if fault := next((fault for fault, is_there in faults.items() if is_there), None):
        raise ValueError(_correct(text, fault, scheme, rest))
    try:
        return _as_folder(_encode(_split(f"{scheme}://{rest}")))
    except ValueError as error:
        raise ValueError(f"{error}; write a URL such as '{_EXAMPLE}'") from None


def _correct(text: str, fault: str, scheme: str, rest: str) -> str:
    """Say what is wrong with a base URL and what to write; never repeat a password."""
    subject = "the URL" if "@" in text else quoted(text)
    rest = "" if re.match(r"[/\\](?![/\\])", rest) else rest.replace("\\", "/")
    authority, slash, path = _MISSPELT_SCHEME.sub("", rest, count=1).partition("/")
    authority, path = authority.rpartition("@")[2], re.sub("//+", "/", slash + path)
    scheme = scheme if scheme in _DEFAULT_PORTS else "https"
    if is_local_host(f"http://{authority}"):
        scheme = "http"
    parts = or_none(_encode, _split(f"{scheme}://{authority}{path}"))
    cure = f"'{_as_folder(parts)}'" if parts else f"a URL such as '{_EXAMPLE}'"
    return f"{subject} {fault}; write {cure}"


def _as_folder(parts: Parts) -> str:
    path = _remove_dots(parts.path)
    return str(parts._replace(path=path if path.endswith("/") else path + "/", query=None))


def _split(url: str) -> Parts:
    return Parts(*next(_PARTS.finditer(url)).groups())


def _encode(parts: Parts) -> Parts:
    """Lower-case the scheme, put the host in IDNA form, percent-encode what is illegal."""
    scheme = None if parts.scheme is None else parts.scheme.lower()
    if scheme in _DEFAULT_PORTS and not parts.authority:
        raise ValueError(f"{quoted(str(parts))} names no host")
    authority = None if parts.authority is None else _read_authority(parts.authority)[0]
    path = _ILLEGAL_IN_PATH.sub(_escape, parts.path)
    query = None if parts.query is None else _ILLEGAL_IN_QUERY.sub(_escape, parts.query)
    return Parts(scheme, authority, "/" if authority and not path else path, query)


def _escape(match: re.Match[str]) -> str:
    return quote(unquote_to_bytes(_to_bytes(match[0])), safe="")


def _to_bytes(text: str) -> bytes:
    """Return UTF-8, or the original bytes where a file name could not be decoded."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(f"{quoted(text)} holds half a surrogate pair") from None


def _place(parts: Parts) -> tuple[str, str, str]:
    """Return scheme, host and port (empty for the default one) of an encoded absolute URL."""
    if not parts.scheme or not parts.authority:
        raise ValueError(f"{quoted(str(parts))} is not an absolute URL")
    _, host, port = _read_authority(parts.authority)
    return parts.scheme, host, "" if port == _DEFAULT_PORTS.get(parts.scheme) else port


def _remove_dots(path: str) -> str:
    """Remove ``.`` and ``..`` segments (RFC 3986, section 5.2.4), escaped ones too."""
    if "/." not in path and "%2" not in path:
        return path
    kept: list[str] = []
    name = ""
    for segment in path.split("/"):
        name = segment.replace("%2e", ".").replace("%2E", ".")
        if name not in {".", ".."}:
            kept.append(segment)
        elif name == ".." and len(kept) > 1:
            kept.pop()
    return "/".join([*kept, ""] if name in {".", ".."} else kept)


@lru_cache(maxsize=1024)
def _read_authority(authority: str) -> tuple[str, str, str]:
    """Return ``user@host:port`` with the host in IDNA 2008 form, the host and the port.

    The letter case of a host in ASCII stays, so that a URL stays byte-equal to a canonical link.
    """
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        where = quoted(authority.rpartition("@")[2])
        raise ValueError(f"{where} is not a host with an optional port")
    user, host, port = match.groups()
    text = _encode_host(host)
    name = text.lower()
    if user is not None:
        user = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", quote(user, safe="%!$&'()*+,;=:"))
        text = f"{user}@{text}"
    if not port:
        return text, name, ""
    number = int(port[:9])
    if number > _LAST_PORT:
        raise ValueError(f"the port {port[:9]} of {quoted(host)} is greater than {_LAST_PORT}")
    return f"{text}:{number}", name, str(number)


def _encode_host(host: str) -> str:
    try:
        if host.startswith("["):
            return f"[{IPv6Address(host[1:-1]).compressed}]"
        name = unquote(host, errors="strict")
        if not name.isascii():
            import idna  # noqa: PLC0415 - few hosts need it, and its tables take time to load

            name = idna.encode(name, uts46=True).decode("ascii")
        labels = name.removesuffix(".").split(".")
        if labels[-1].isdigit():
            return str(IPv4Address(".".join(labels)))
    except ValueError as error:
        raise ValueError(f"{quoted(host)} is not a valid host: {error}") from None
    if len(name.removesuffix(".")) > _LONGEST_NAME or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(f"{quoted(host)} is not a valid host")
    return name
