"""Name the sitemap in robots.txt without touching anything else in it (RFC 9309)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote, urlsplit

from sitemap_plugin.common.files import write_whole
from sitemap_plugin.common.urls import host_root, same_page
from sitemap_plugin.errors import WriteError

__all__ = [
    "RobotsResult",
    "add_sitemap_line",
    "forbidding_rule",
    "has_sitemap_line",
    "update_robots",
]

GOOGLE_LIMIT = 500 * 1024
"""Bytes of a robots.txt that Google reads."""


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
_NEWLINE = re.compile(r"\r\n?|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_DECLARATION = re.compile(r"[ \t]*sitemap[ \t]*:[ \t]*([^#\r\n]*)", re.IGNORECASE)

# What Google's parser takes for a rule, a missing colon and some misspellings included.
_RULE = re.compile(
    r"[ \t]*(user[- ]?agent|(?P<allow>allow)|dis+al+[ao]w|diasllow)[^ \t:#\r\n]*"
    r"(?:[ \t]*:[ \t]*|[ \t]+)([^#\r\n]*)",
    re.IGNORECASE,
)
_AGENT = re.compile(r"\*(?!\S)|[a-zA-Z_-]+")


def has_sitemap_line(data: bytes, url: str) -> bool:
    """Tell whether a robots.txt declares the sitemap at ``url``, however it spells that URL."""
    return _find_sitemap_line(_text(data), url) is not None


def add_sitemap_line(data: bytes, url: str) -> bytes:
    """Return ``data`` with a Sitemap line for ``url`` at its end, unless it has one already.

    The line belongs to no group, so its place does not matter to crawlers; at the end it can
    part no group either. It is written in the file's own encoding and ends like the line before.
    """
    text = _text(data)
    if _find_sitemap_line(text, url) is not None or _is_torn(data):
        return data
    newline = (_NEWLINE.findall(text) or ["\n"])[-1]
    # A byte order mark alone is an unfinished line too: many crawlers read it as part of one.
    start = "" if text.endswith(("\r", "\n")) or not data else newline
    return data + f"{start}Sitemap: {url}{newline}".encode(_encoding(data))


def update_robots(
    folder: Path, sitemap_url: str, mode: Literal["auto"] | bool, *, at_host_root: bool
) -> RobotsResult:
    """Make the robots.txt in ``folder`` name the sitemap, as the option ``robots`` asks.

    A robots.txt that is a link out of ``folder`` is somebody's source and is left alone; a link
    within it stays a link. Raises WriteError if the file cannot be read or written.
    """
    if mode is False:
        return RobotsResult(None, "skipped")
    line = f"Sitemap: {sitemap_url}"
    notices = []
    if not at_host_root:
        root = f"{host_root(sitemap_url)}robots.txt"
        notices.append(f"crawlers read no robots.txt below a path; add this line to {root}: {line}")
        if mode == "auto":
            return RobotsResult(None, "skipped", notices[0])
    path = folder / "robots.txt"
    old = _read(path)
    new = add_sitemap_line(old or b"", sitemap_url)
    if new != old:
        target = path.resolve()
        if path.is_symlink() and not target.is_relative_to(folder.resolve()):
            message = f"{path} is a link to {target}, which is left alone; add this line: {line}"
            return RobotsResult(None, "skipped", message)
        write_whole(target, new)
    notices += _notices(new, sitemap_url, at_host_root=at_host_root)
    if not has_sitemap_line(new, sitemap_url):
        return RobotsResult(None, "skipped", "; ".join(notices))
    status: Literal["present", "added", "created"] = "present" if new == old else "added"
    if old is None:
        status = "created"
    return RobotsResult(path, status, "; ".join(notices) or None)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WriteError(
            f"{path}: cannot be read: {error.strerror}; make it a readable file or set the option "
            "'robots' to false"
        ) from error


def _notices(data: bytes, url: str, *, at_host_root: bool) -> list[str]:
    """Say why crawlers may not get at the sitemap through this robots.txt."""
    encoding = _encoding(data)
    if encoding != "utf-8":
        notice = f"the file is {encoding[:6].upper()}, which crawlers cannot read; save it as UTF-8"
        return [f"{notice} and add this line: Sitemap: {url}" if _is_torn(data) else notice]
    notices = []
    text = _text(data)
    start = _find_sitemap_line(text, url) or 0
    if len(_bytes(text[:start])) + len("Sitemap: " + url) > GOOGLE_LIMIT:
        notices.append(
            "Google reads the first 500 KiB of robots.txt only and the Sitemap line lies behind "
            "them; shorten the file"
        )
    rule = forbidding_rule(data, url) if at_host_root else None
    if rule is not None:
        notices.append(
            f"'Disallow: {rule}' keeps every crawler from the sitemap; remove that rule, or add to "
            f"its group: Allow: {urlsplit(url).path}"
        )
    return notices


def _find_sitemap_line(text: str, url: str) -> int | None:
    """Return where the line begins that declares ``url``."""
    start = 0
    for line in _LINE.findall(text):
        match = _DECLARATION.match(line)
        if match and same_page(match[1].strip(), url):
            return start
        start += len(line)
    return None


def forbidding_rule(data: bytes, url: str) -> str | None:
    """Return the value of the Disallow rule that keeps every crawler from ``url``, if there is one.

    Rules are read as Google's parser reads them. None as soon as one crawler that is named in a
    group of its own may read the URL.
    """
    groups: dict[str, list[tuple[str, bool]]] = {}
    current: list[str] = []
    in_rules = True
    for line in _LINE.findall(_text(data)):
        match = _RULE.match(line)
        if not match:
            continue
        value = match[3].strip()
        if match[1][0] in "uU":
            current = [] if in_rules else current
            in_rules = False
            agent = _AGENT.match(value)
            current.append(agent[0].lower() if agent else "")
            groups.setdefault(current[-1], [])
        else:
            in_rules = True
            for name in current:
                groups[name].append((_escape(value), bool(match["allow"])))
    parts = urlsplit(url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    groups.pop("", None)  # A group that names nobody.
    verdicts = {agent: _verdict(rules, target) for agent, rules in groups.items()}
    return None if None in verdicts.values() else verdicts.get("*")


def _verdict(rules: list[tuple[str, bool]], target: str) -> str | None:
    """Return the pattern that forbids ``target``: the longest that matches, if it is no Allow."""
    matching = [(len(p), allow, p) for p, allow in rules if p and _matches(p, target)]
    _, allow, pattern = max(matching, default=(0, True, ""))
    return None if allow else pattern


def _matches(pattern: str, target: str) -> bool:
    """Match a rule's value from the start: ``*`` is any text, a final ``$`` the end."""
    first, *rest = pattern.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    position = len(first)
    last = (rest.pop() if rest else "") if pattern.endswith("$") else None
    for part in rest:
        position = target.find(part, position)
        if position < 0:
            return False
        position += len(part)
    if last is None:
        return True
    if "*" not in pattern:
        return position == len(target)
    return target.endswith(last) and len(target) - len(last) >= position


def _escape(value: str) -> str:
    """Percent-encode what is not ASCII, as in the URLs that crawlers compare rules with."""
    escaped = re.sub(r"[^\0-\x7f]+", lambda match: quote(_bytes(match[0])), value)
    return re.sub(r"%[0-9a-fA-F]{2}", lambda match: match[0].upper(), escaped)


def _encoding(data: bytes) -> str:
    """Name the encoding by its byte order mark, else by zero bytes, which no UTF-8 text has."""
    for bom, name in _BOMS:
        if data.startswith(bom):
            return name
    if data[1:2] == b"\0" and data[:1] != b"\0":
        return "utf-16-le"
    return "utf-16-be" if data[:1] == b"\0" and data[1:2] not in {b"", b"\0"} else "utf-8"


def _text(data: bytes) -> str:
    """Decode a robots.txt without its byte order mark; what is not UTF-8 comes back in _bytes."""
    encoding = _encoding(data)
    errors = "surrogateescape" if encoding == "utf-8" else "replace"
    return data.decode(encoding, errors).removeprefix("\ufeff")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _is_torn(data: bytes) -> bool:
    """Tell whether the file ends within a character, so that nothing can be appended."""
    return len(data) % {"utf-8": 1, "utf-1": 2, "utf-3": 4}[_encoding(data)[:5]] != 0
