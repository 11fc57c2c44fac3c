"""Name the sitemap in robots.txt without touching anything else in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from sitemap_plugin.errors import WriteError
from sitemap_plugin.files import write_whole

__all__ = ["RobotsResult", "add_sitemap_line", "has_sitemap_line", "update_robots"]


class RobotsResult(NamedTuple):
    """What became of robots.txt.

    ``path`` is the file if it names the sitemap; ``message`` is a notice for the user.
    """

    path: Path | None
    status: Literal["present", "added", "created", "skipped"]
    message: str | None = None


_BOMS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_DECLARATION = re.compile(r"[ \t]*sitemap[ \t]*:[ \t]*([^#\r\n]*)", re.IGNORECASE)


def has_sitemap_line(data: bytes, url: str) -> bool:
    """Tell whether a robots.txt already declares the sitemap at ``url``."""
    wanted = _normalised(url)
    text = data.decode(_encoding(data), "replace").lstrip("\ufeff")
    declared = map(_DECLARATION.match, re.split(r"\r\n?|\n", text))
    return any(match and _normalised(match[1].strip()) == wanted for match in declared)


def add_sitemap_line(data: bytes, url: str) -> bytes:
    """Return ``data`` with a Sitemap line for ``url`` at its end, unless it has one."""
    if has_sitemap_line(data, url):
        return data
    encoding = _encoding(data)
    text = data.decode(encoding, "replace")
    newlines = re.findall(r"\r\n?|\n", text)
    newline = newlines[-1] if newlines else "\n"
    first = "" if not text or text.endswith(("\r", "\n")) else newline
    return data + f"{first}Sitemap: {url}{newline}".encode(encoding)


def update_robots(
    folder: Path, sitemap_url: str, mode: Literal["auto", True, False], *, at_host_root: bool
) -> RobotsResult:
    """Make the robots.txt in ``folder`` name the sitemap, as the option ``robots`` asks.

    :raises WriteError: robots.txt cannot be read or written.
    """
    if mode is False:
        return RobotsResult(None, "skipped")
    message = None
    if not at_host_root:
        root = urlunsplit((*urlsplit(sitemap_url)[:2], "/robots.txt", "", ""))
        message = f"crawlers read {root} only; add this line to it: Sitemap: {sitemap_url}"
        if mode == "auto":
            return RobotsResult(None, "skipped", message)
    path = folder / "robots.txt"
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        data = None
    except OSError as error:
        raise WriteError(f"{path}: cannot be read: {error.strerror}") from error
    new = add_sitemap_line(data or b"", sitemap_url)
    if new == data:
        return RobotsResult(path, "present", message)
    write_whole(path.resolve(), new)
    return RobotsResult(path, "created" if data is None else "added", message)


def _encoding(data: bytes) -> str:
    return next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")


def _normalised(url: str) -> str:
    """Return ``url`` in a form in which equal URLs compare equal."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    path = re.sub(r"%[0-9a-fA-F]{2}", lambda match: match[0].upper(), parts.path)
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, parts.query, ""))
