"""Check and encode the part of a URL that names a host: user, host name or address, port."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import quote, unquote

__all__ = ["encode_authority", "is_local", "split_authority"]

_LAST_PORT = 65535
_LONGEST_NAME = 253  # RFC 1035, without the final dot.
_AUTHORITY = re.compile(r"(?:(.*)@)?(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]*))?", re.DOTALL)
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}", re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=1024)
def encode_authority(authority: str) -> str:
    """Return ``user@host:port`` with the host in IDNA 2008 form.

    The letter case of a host in ASCII stays, so that a URL stays byte-equal to a canonical link.

    A ``ValueError`` names a host or a port that cannot be one; user and password stay out of the
    message.
    """
    user, host, port = split_authority(authority)
    result = _encode_host(host)
    if user is not None:
        user = _LONE_PERCENT.sub("%25", quote(user, safe="%!$&'()*+,;=:"))
        result = f"{user}@{result}"
    if not port:
        return result
    number = int(port[:9])
    if number > _LAST_PORT:
        raise ValueError(f"the port {port} of {host!r} is greater than {_LAST_PORT}")
    return f"{result}:{number}"


def split_authority(authority: str) -> tuple[str | None, str, str]:
    """Return user (None for none), host and port (empty for none) as they are written."""
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        raise ValueError(f"{authority.rpartition('@')[2]!r} is not a host with an optional port")
    user, host, port = match.groups()
    return user, host, port or ""


def is_local(host: str) -> bool:
    """Tell whether an encoded host is this machine: localhost, loopback or unspecified address."""
    name = host.strip("[]").removesuffix(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    if not (name[-1:].isdigit() or ":" in name):
        return False
    address: IPv4Address | IPv6Address
    if ":" in name:
        address = IPv6Address(name)
        address = address.ipv4_mapped or address
    else:
        address = IPv4Address(name)
    return address.is_loopback or address.is_unspecified


def _encode_host(host: str) -> str:
    try:
        if host.startswith("["):
            return f"[{_ipv6(host[1:-1])}]"
        name = _to_ascii(unquote(host, errors="strict"))
        labels = name.removesuffix(".").split(".")
        if labels[-1].isdigit():
            return str(IPv4Address(".".join(labels)))
    except ValueError as error:
        raise ValueError(f"{host!r} is not a valid host: {error}") from None
    if len(name.removesuffix(".")) > _LONGEST_NAME or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(f"{host!r} is not a valid host")
    return name


def _ipv6(text: str) -> str:
    if "%" in text:
        raise ValueError("a URL has no place for the zone of an address")
    return IPv6Address(text).compressed


def _to_ascii(host: str) -> str:
    if host.isascii():
        return host
    import idna  # noqa: PLC0415 - few hosts need it, and its tables take time to load

    return idna.encode(host, uts46=True).decode("ascii")
