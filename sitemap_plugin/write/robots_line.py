"""Name the sitemap in robots.txt without touching anything else in it (RFC 9309)."""

import codecs
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from sitemap_plugin.common.files import read_file, write_whole
from sitemap_plugin.common.robots import Robots
from sitemap_plugin.common.urls import host_root, is_host_root, same_page
from sitemap_plugin.errors import WriteError

RobotsStatus = Literal["present", "added", "created", "skipped"]

_MAX_BYTES = 1 << 24
_NEWLINE = re.compile(rb"\r\n?|\n")
# Google takes more for a name ("Sitemaps", "Site-map"), and no other crawler does.
_DECLARATION = re.compile(
    rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n])[ \t]*+sitemap[ \t]*+:[ \t]*+([^#\r\n]*+)", re.IGNORECASE
)


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

    One that is a link out of ``folder`` is somebody's source and is left alone, but read if it
    leads into one of the folders ``within``. Raises WriteError.
    """
    if mode is False:
        return RobotsResult("skipped")
    line, notice = f"Sitemap: {sitemap_url}", None
    if not is_host_root(base_url):
        root = f"{host_root(sitemap_url)}robots.txt"
        notice = f"crawlers read no robots.txt below a path; add this line to {root}: {line}"
        if mode == "auto":
            return RobotsResult("skipped", notice)
    path = folder / "robots.txt"
    real, *places = (Path(os.path.realpath(place)) for place in (path, folder, *within))
    old: bytes | None = b""
    try:
        if any(map(real.is_relative_to, places)):
            old = read_file(path, limit=_MAX_BYTES, within=places)
    except FileNotFoundError:
        old = None
    except OSError as error:
        cure = "make it a readable file or set the option 'robots' to false"
        raise WriteError(f"{path}: cannot be read: {error.strerror}; {cure}") from error
    if old and (b"\0" in old or old.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))):
        message = "it is not UTF-8, so crawlers cannot read it; save it as UTF-8 and add this line"
        return RobotsResult("skipped", f"{message}: {line}")
    new = add_sitemap_line(old or b"", sitemap_url)
    if new != old and not real.is_relative_to(places[0]):
        message = "is a link out of its folder and is left alone; add this line"
        return RobotsResult("skipped", f"{path} {message}: {line}")
    if new != old:
        write_whole(real, new)
    status: RobotsStatus = "created" if old is None else "present" if new == old else "added"
    return RobotsResult(status, notice or _obstacle(new, sitemap_url))


def add_sitemap_line(data: bytes, url: str) -> bytes:
    """Return a robots.txt with a line for ``url`` at its end, unless it has one in any spelling.

    There it can part no group of rules. It ends like the line before.
    """
    declared = (match[1].decode("utf-8", "replace") for match in _DECLARATION.finditer(data))
    if any(same_page(found.strip(), url) for found in declared):
        return data
    newline = (_NEWLINE.findall(data) or [b"\n"])[-1]
    # A byte order mark alone is an unfinished line too: many crawlers read it as part of one.
    start = b"" if data.endswith((b"\r", b"\n")) or not data else newline
    return b"".join((data, start, f"Sitemap: {url}".encode(), newline))


def _obstacle(data: bytes, url: str) -> str | None:
    """Say which rule keeps crawlers from the sitemap, None where somebody may read it."""
    robots = Robots(data)
    rule = robots.rule_for(url)
    if rule is None or any(robots.allows(url, agent) for agent in robots.agents):
        return None
    cure = f"remove that rule, or add to its group: Allow: {urlsplit(url).path}"
    return f"'Disallow: {rule}' keeps every crawler from the sitemap; {cure}"
