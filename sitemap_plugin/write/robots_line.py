"""Name the sitemap in robots.txt without touching anything else in it (RFC 9309)."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.common.files import read_file, write_whole
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import host_root, is_host_root, same_page
from sitemap_plugin.errors import WriteError

__all__ = ["RobotsResult", "RobotsStatus", "add_sitemap_line", "has_sitemap_line", "update_robots"]

RobotsStatus = Literal["present", "added", "created", "skipped"]

_MAX_BYTES = 1 << 24
_BOMS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WIDTHS = {"utf-8": 1, "utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
_NEWLINE = re.compile(r"\r\n?|\n")
# Google takes more for a name ("Sitemaps", "Site-map"), and no other crawler does.
_DECLARATION = re.compile(r"[\r\n][ \t]*+sitemap[ \t]*+:[ \t]*+([^#\r\n]*+)", re.IGNORECASE)


class RobotsResult(NamedTuple):
    """What became of robots.txt, and what the user should know about it."""

    status: RobotsStatus
    message: str | None = None


def update_robots(
    folder: Path,
    sitemap_url: str,
    base_url: str,
    mode: Literal["auto"] | bool,
    within: Sequence[Path] = (),
) -> RobotsResult:
    """Make the robots.txt in ``folder`` name the sitemap, as the option ``robots`` asks.

    A robots.txt that is a link out of ``folder`` is somebody's source and is left alone; a link
    within it stays a link. It is read if it leads into one of the folders ``within``. Raises
    WriteError if the file cannot be read or written.
    """
    if mode is False:
        return RobotsResult("skipped")
    line = f"Sitemap: {sitemap_url}"
    notices = []
    if not is_host_root(base_url):
        root = f"{host_root(sitemap_url)}robots.txt"
        notices.append(f"crawlers read no robots.txt below a path; add this line to {root}: {line}")
        if mode == "auto":
            return RobotsResult("skipped", notices[0])
    path = folder / "robots.txt"
    real = Path(os.path.realpath(path))
    is_own = real.is_relative_to(os.path.realpath(folder))
    if not is_own and not any(real.is_relative_to(os.path.realpath(place)) for place in within):
        return RobotsResult("skipped", _link_message(path, line))
    old = _read(path, (folder, *within))
    new = add_sitemap_line(old or b"", sitemap_url)
    if new != old:
        if not is_own:
            return RobotsResult("skipped", _link_message(path, line))
        write_whole(real, new)
    notices += _notices(new, sitemap_url, at_host_root=is_host_root(base_url))
    message = "; ".join(notices) or None
    if not has_sitemap_line(new, sitemap_url):
        return RobotsResult("skipped", message)
    if old is None:
        return RobotsResult("created", message)
    return RobotsResult("present" if new == old else "added", message)


def _link_message(path: Path, line: str) -> str:
    return f"{path} is a link out of its folder and is left alone; add this line: {line}"


def _read(path: Path, within: Sequence[Path]) -> bytes | None:
    try:
        return read_file(path, limit=_MAX_BYTES, within=within)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WriteError(
            f"{path}: cannot be read: {error.strerror}; make it a readable file or set the option "
            "'robots' to false"
        ) from error


def has_sitemap_line(data: bytes, url: str) -> bool:
    """Tell whether a robots.txt declares the sitemap at ``url``, however it spells that URL."""
    lines = _DECLARATION.finditer(f"\n{_text(data)}")
    return any(same_page(match[1].strip(), url) for match in lines)


def add_sitemap_line(data: bytes, url: str) -> bytes:
    """Return ``data`` with a Sitemap line for ``url`` at its end, unless it has one already.

    The line belongs to no group, so its place does not matter to crawlers; at the end it can
    part no group either. It is written in the file's own encoding and ends like the line before.
    """
    if has_sitemap_line(data, url) or _is_torn(data):
        return data
    text = _text(data)
    newline = (_NEWLINE.findall(text) or ["\n"])[-1]
    # A byte order mark alone is an unfinished line too: many crawlers read it as part of one.
    start = "" if text.endswith(("\r", "\n")) or not data else newline
    return data + f"{start}Sitemap: {url}{newline}".encode(_encoding(data))


def _notices(data: bytes, url: str, *, at_host_root: bool) -> list[str]:
    """Say why crawlers may not get at the sitemap through this robots.txt."""
    encoding = _encoding(data)
    if encoding != "utf-8":
        notice = f"the file is {encoding[:6].upper()}, which crawlers cannot read; save it as UTF-8"
        return [f"{notice} and add this line: Sitemap: {url}" if _is_torn(data) else notice]
    notices = []
    robots = Robots(data)
    if not any(same_page(declaration.url, url) for declaration in robots.sitemaps):
        notices.append(
            f"Google reads the first {GOOGLE_LIMIT // 1024} KiB of robots.txt only and the Sitemap "
            "line lies behind them; shorten the file"
        )
    rule = robots.rule_for(url)
    if at_host_root and rule and not any(robots.allows(url, agent) for agent in robots.agents):
        notices.append(
            f"'Disallow: {rule}' keeps every crawler from the sitemap; remove that rule, or add to "
            f"its group: Allow: {urlsplit(url).path}"
        )
    return notices


def _encoding(data: bytes) -> str:
    """Name the encoding by its byte order mark, else by zero bytes, which no UTF-8 text has."""
    for bom, name in _BOMS:
        if data.startswith(bom):
            return name
    if data[1:2] == b"\0" and data[:1] != b"\0":
        return "utf-16-le"
    return "utf-16-be" if data[:1] == b"\0" and data[1:2] not in {b"", b"\0"} else "utf-8"


def _text(data: bytes) -> str:
    """Decode a robots.txt without its byte order mark; bytes that are not UTF-8 are kept."""
    encoding = _encoding(data)
    errors = "surrogateescape" if encoding == "utf-8" else "replace"
    return data.decode(encoding, errors).removeprefix("\ufeff")


def _is_torn(data: bytes) -> bool:
    """Tell whether the file ends within a character, so that nothing can be appended."""
    return len(data) % _WIDTHS[_encoding(data)] != 0
