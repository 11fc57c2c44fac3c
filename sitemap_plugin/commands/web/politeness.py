"""What the robots.txt of a host allows this client (RFC 9309)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap_plugin.commands.web.exchange import AGENT
from sitemap_plugin.write.robots_line import forbidding_rule

__all__ = ["rule_against"]

_NEWLINE = re.compile(rb"\r\n?|\n")
_AGENT = re.compile(rb"[ \t]*user[- ]?agent[ \t]*:[ \t]*([^#\r\n]*)", re.IGNORECASE)
_RULE = re.compile(rb"[ \t]*(?:dis)?allow[ \t]*:", re.IGNORECASE)
_NAME = re.compile(rb"\*(?!\S)|[a-z_-]+")
_ANYBODY = b"*"


def rule_against(data: bytes, url: str) -> str | None:
    """Return the value of the Disallow rule that keeps this client from ``url``, if there is one.

    A group that names the client counts alone; without one, the group of everybody does.
    """
    rules: dict[bytes, list[bytes]] = {AGENT.encode(): [], _ANYBODY: []}
    named = set()
    for names, lines in _groups(data):
        named |= names
        for name in names & rules.keys():
            rules[name] += lines
    own = AGENT.encode() if AGENT.encode() in named else _ANYBODY
    return forbidding_rule(b"\n".join([b"User-agent: *", *rules[own]]), url)


def _groups(data: bytes) -> Iterator[tuple[set[bytes], list[bytes]]]:
    """Yield groups: the crawlers that they name, in lower case, and the lines of their rules."""
    names: set[bytes] = set()
    lines: list[bytes] = []
    for line in _NEWLINE.split(data.removeprefix(b"\xef\xbb\xbf")):
        if agent := _AGENT.match(line):
            if lines:
                yield names, lines
                names, lines = set(), []
            name = _NAME.match(agent[1].lower())
            names.add(name[0] if name else b"")
        elif _RULE.match(line):
            lines.append(line)
    yield names, lines
