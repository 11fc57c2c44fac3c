"""Read robots.txt as Google's parser does (RFC 9309; github.com/google/robotstxt)."""

import re
from typing import NamedTuple

GOOGLE_LIMIT = 500 * 1024  # Bytes of a robots.txt that Google reads.
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
# A star counts whatever follows it after a space.
_AGENT = re.compile(r"\*(?=[ \t\n\v\f\r]|$)|[A-Za-z_-]*")
_INDEX = re.compile(r"(.*/)index\.htm[^/]*", re.DOTALL)
_TO_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}|[\x80-\xff]")
_HOST = re.compile(r"(?:[^/?#;]*:)?//[^/?#;]*")


class Declaration(NamedTuple):
    """A ``Sitemap`` line: the address as written, and the line's number."""

    url: str
    line: int


class _Rule(NamedTuple):
    value: str
    pattern: str
    allow: bool


class Robots:
    """The rules and ``Sitemap`` lines in the bytes of a robots.txt; any bytes are one."""

    def __init__(self, data: bytes = b"") -> None:
        self.sitemaps: list[Declaration] = []
        self._groups: list[tuple[set[str], list[_Rule]]] = []
        self._rules_of: dict[str, list[_Rule]] = {}
        # One character stands for one byte, so that lengths are counted as Google counts them.
        text = data[:GOOGLE_LIMIT].removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        for number, line in enumerate(_NEWLINE.split(text), start=1):
            match = _LINE.fullmatch(line[:_LONGEST_LINE].partition("#")[0].strip(_SPACE))
            field = match and _FIELD.match((match[1] or match[3] or "").strip(_SPACE))
            if match and field:
                value = (match[2] or match[4] or "").strip(_SPACE)
                self._add(field.lastgroup, value, number)
        # The crawlers that have a group of their own.
        self.agents = frozenset().union(*(agents for agents, _ in self._groups)) - {"", "*"}

    def _add(self, field: str | None, value: str, number: int) -> None:
        if field == "sitemap":
            self.sitemaps += [Declaration(_from_bytes(value), number)] if value else []
        elif field == "agent":
            if not self._groups or self._groups[-1][1]:
                self._groups.append((set(), []))
            match = _AGENT.match(value)
            self._groups[-1][0].add(match[0].lower() if match else "")
        elif self._groups:
            rules, is_allowed = self._groups[-1][1], field == "allow"
            rules.append(_Rule(value, _escape(value), is_allowed))
            if is_allowed and (folder := _INDEX.fullmatch(_escape(value))):
                # Without a match of its own, Allow for an index file stands for its folder.
                rules.append(_Rule(value, f"{folder[1]}$", allow=True))

    def allows(self, url: str, agent: str = "*") -> bool:
        """Tell whether a crawler may read an address."""
        return self.rule_for(url, agent) is None

    def rule_for(self, url: str, agent: str = "*") -> str | None:
        """Return the value of the Disallow rule that keeps a crawler from an address, else None."""
        text = url.encode("utf-8", "surrogateescape").decode("latin-1").partition("#")[0]
        path = _HOST.sub("", text, count=1)
        path = path if path.startswith("/") else f"/{path}"
        found = [rule for rule in self._rules_for(agent.lower()) if _matches(rule.pattern, path)]
        # Of rules of one length Allow wins.
        best = max(found, key=lambda rule: (len(rule.pattern), rule.allow), default=None)
        return None if best is None or best.allow else _from_bytes(best.value)

    def _rules_for(self, agent: str) -> list[_Rule]:
        """Return the rules of a crawler's own groups, or those for all if it has none."""
        if agent not in self._rules_of:
            own = [rules for agents, rules in self._groups if agent in agents]
            chosen = own or [rules for agents, rules in self._groups if "*" in agents]
            self._rules_of[agent] = [rule for rules in chosen for rule in rules if rule.value]
        return self._rules_of[agent]


def _matches(pattern: str, path: str) -> bool:
    """Match a rule's value from the start: ``*`` is any text, a final ``$`` the end."""
    is_anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not rest:
        return path == first if is_anchored else path.startswith(first)
    last = rest.pop() if is_anchored else ""
    position = len(first) if path.startswith(first) else -1
    for part in rest:
        if position >= 0:
            found = path.find(part, position)
            position = found + len(part) if found >= 0 else -1
    return 0 <= position <= len(path) - len(last) and path.endswith(last)


def _escape(value: str) -> str:
    """Percent-encode bytes beyond ASCII, and write escapes in capitals, as addresses have them."""
    return _TO_ESCAPE.sub(
        lambda match: match[0].upper() if match[0][0] == "%" else f"%{ord(match[0]):02X}", value
    )


def _from_bytes(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace")
