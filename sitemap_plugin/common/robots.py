"""Read robots.txt as Google's parser does (RFC 9309; github.com/google/robotstxt)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

GOOGLE_LIMIT = 500 * 1024
"""Bytes of a robots.txt that Google reads."""

_LONGEST_LINE = 2083 * 8 - 1
_SPACE = " \t\n\v\f\r"
_NEWLINE = re.compile(r"\r\n?|\n")
# A name counts by its beginning, and without a colon only before one single word.
_LINE = re.compile(r"([^:]*):(.*)|([^ \t]+)[ \t]+([^ \t]+)", re.DOTALL)
_FIELD = re.compile(
    r"(?P<agent>user[- ]?agent)|(?P<allow>allow)|(?P<sitemap>site-?map)"
    r"|(?P<disallow>disallow|dissallow|dissalow|disalow|diasllow|disallaw)",
    re.IGNORECASE,
)
_AGENT = re.compile(r"[A-Za-z_-]*")
_TO_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}|[\x80-\xff]")
_PATH_START = re.compile(r"[/?;]")


class Declaration(NamedTuple):
    """A ``Sitemap`` line: the address as written, and the line's number."""

    url: str
    line: int


class _Rule(NamedTuple):
    """An Allow or Disallow line; ``length`` decides between rules that match."""

    value: str
    pattern: str
    allow: bool


class _Group(NamedTuple):
    agents: set[str]
    rules: list[_Rule]


class Robots:
    """The rules and ``Sitemap`` lines in the bytes of a robots.txt; any bytes are one."""

    def __init__(self, data: bytes = b"") -> None:
        data = data[:GOOGLE_LIMIT]
        # One character stands for one byte, so that lengths are counted as Google counts them.
        self._text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        self._rules_of: dict[str, list[_Rule]] = {}

    @cached_property
    def sitemaps(self) -> list[Declaration]:
        """The ``Sitemap`` lines; they belong to no group."""
        lines = ((value, line) for line, field, value in self._lines() if field == "sitemap")
        return [Declaration(_from_bytes(value), line) for value, line in lines if value]

    @cached_property
    def agents(self) -> frozenset[str]:
        """The crawlers that have a group of their own, in lower case."""
        return frozenset().union(*(group.agents for group in self._groups)) - {"", "*"}

    def allows(self, url: str, agent: str = "*") -> bool:
        """Tell whether a crawler may read an address."""
        return self.rule_for(url, agent) is None

    def rule_for(self, url: str, agent: str = "*") -> str | None:
        """Return the value of the Disallow rule that keeps a crawler from an address.

        None if it may read it: no rule matches, or an Allow rule is at least as long.
        """
        rules = self._rules_for(agent.lower())
        path = _path_of(url) if rules else ""
        longest: _Rule | None = None
        for rule in rules:
            # Without a match of its own, Allow for an index file stands for its folder.
            found = next(filter(lambda item: _matches(item.pattern, path), _variants(rule)), None)
            if found and (longest is None or _weight(found) > _weight(longest)):
                longest = found
        return None if longest is None or longest.allow else _from_bytes(longest.value)

    def _rules_for(self, agent: str) -> list[_Rule]:
        """Return the rules of a crawler's own groups, or those for all if it has none."""
        if agent not in self._rules_of:
            own = [group for group in self._groups if agent in group.agents]
            everybody = "*" if not own else agent
            # A group that names both a crawler and all is for that crawler alone to this crawler.
            chosen = own or [group for group in self._groups if everybody in group.agents]
            self._rules_of[agent] = [rule for group in chosen for rule in group.rules if rule.value]
        return self._rules_of[agent]

    @cached_property
    def _groups(self) -> list[_Group]:
        groups: list[_Group] = []
        for _, field, value in self._lines():
            if field == "sitemap":
                continue
            if field == "agent":
                if not groups or groups[-1].rules:
                    groups.append(_Group(set(), []))
                groups[-1].agents.add(_agent_name(value))
            elif groups:
                groups[-1].rules.append(_Rule(value, _escape(value), field == "allow"))
        return groups

    def _lines(self) -> Iterator[tuple[int, str, str]]:
        """Yield number, field and value of each line that says something."""
        for number, line in enumerate(_NEWLINE.split(self._text), start=1):
            text = line[:_LONGEST_LINE].partition("#")[0].strip(_SPACE)
            match = _LINE.fullmatch(text)
            if match is None:
                continue
            name, value = match[1] if match[3] is None else match[3], match[2] or match[4] or ""
            field = _FIELD.match(name.strip(_SPACE))
            if field and field.lastgroup:
                yield number, field.lastgroup, value.strip(_SPACE)


def _agent_name(value: str) -> str:
    """Return the crawler that a line names; ``*`` counts whatever follows it after a space."""
    if value[:1] == "*" and (len(value) == 1 or value[1] in _SPACE):
        return "*"
    match = _AGENT.match(value)
    return match[0].lower() if match else ""


def _weight(rule: _Rule) -> tuple[int, bool]:
    return len(rule.pattern), rule.allow


def _variants(rule: _Rule) -> Iterator[_Rule]:
    yield rule
    folder, slash, name = rule.pattern.rpartition("/")
    if rule.allow and slash and name.startswith("index.htm"):
        yield rule._replace(pattern=f"{folder}/$")


def _matches(pattern: str, path: str) -> bool:
    """Match a rule's value from the start: ``*`` is any text, a final ``$`` the end."""
    anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not rest:
        return not anchored or len(path) == len(first)
    last = rest.pop() if anchored else ""
    position = len(first)
    for part in rest:
        position = path.find(part, position)
        if position < 0:
            return False
        position += len(part)
    return path.endswith(last) and len(path) - len(last) >= position


def _path_of(url: str) -> str:
    """Return path, parameters and query of an address, as the rules are compared with."""
    url = url.encode("utf-8", "surrogateescape").decode("latin-1")
    start = 2 if url.startswith("//") else 0
    scheme = url.find("://", start)
    early = _PATH_START.search(url, start)
    if scheme >= 0 and (early is None or early.start() > scheme):
        start = scheme + 3
    path = _PATH_START.search(url, start)
    end = url.find("#", 2 if url.startswith("//") else 0)
    if path is None or 0 <= end < path.start():
        return "/"
    text = url[path.start() : end if end >= 0 else None]
    return text if text.startswith("/") else f"/{text}"


def _escape(value: str) -> str:
    """Percent-encode bytes beyond ASCII, and write escapes in capitals, as addresses have them."""
    return _TO_ESCAPE.sub(
        lambda match: match[0].upper() if match[0][0] == "%" else f"%{ord(match[0]):02X}", value
    )


def _from_bytes(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace")
