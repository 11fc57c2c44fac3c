"""What robots.txt says to search engines about a site's sitemap and the addresses in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugin.commands.check.findings import Fault, FileFindings, quote
from sitemap_plugin.common.urls import join_url, same_page
from sitemap_plugin.common.robots import GOOGLE_LIMIT

if TYPE_CHECKING:
    from protego import Protego

__all__ = ["Declaration", "Robots", "read_robots"]

_CRAWLER = "Googlebot"
_NEWLINE = re.compile(r"\r\n?|\n")
_SITEMAP = re.compile(r"[ \t]*sitemap[ \t]*:[ \t]*([^#\r\n]*)", re.IGNORECASE)
_VERSION = re.compile(
    r"(?<![^\r\n])([ \t]*user[- ]?agent[ \t]*:[ \t]*[\w-]+)/[^\r\n]*", re.IGNORECASE
)
_RULE = re.compile(
    r"[ \t]*(?:user[- ]?agent|allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw)[ \t:]",
    re.IGNORECASE,
)
"""The lines that Google takes for rules, misspelt ones included."""

_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)


class Declaration(NamedTuple):
    """A Sitemap line: its number, its value, and the address that is meant."""

    line: int
    value: str
    url: str


class Robots:
    """A robots.txt at the root of a host, as far as Google reads it; maybe there is none.

    One whose text is None cannot be read: nothing is known of it.
    """

    def __init__(self, text: str | None, url: str, found: FileFindings) -> None:
        self._is_known, self._text, self._found = text is not None, text or "", found
        self.declarations = tuple(_declarations(self._text, url))

    @cached_property
    def _rules(self) -> Protego | None:
        """Parse the rules; None where nothing is forbidden."""
        if "dis" not in self._text.lower() and "diasllow" not in self._text.lower():
            return None
        from protego import Protego  # noqa: PLC0415 - most sites forbid nothing

        # That parser takes notice of a version behind a crawler's name, and with it other fields
        # end the list of crawlers that a rule is for; Google passes over both.
        rules = filter(_RULE.match, _NEWLINE.split(self._text))
        return Protego.parse(_VERSION.sub(r"\1", "\n".join(rules)))

    def allows(self, url: str) -> bool:
        """Tell whether Google's crawler may read an address."""
        rules = self._rules
        if rules is None:
            return True
        try:
            return rules.can_fetch(url, _CRAWLER)
        except ValueError:
            return True  # What is no URL has findings of its own.

    def names(self, url: str) -> bool:
        """Tell whether a Sitemap line names a sitemap."""
        return any(same_page(declared.url, url) for declared in self.declarations)

    def judge(self, sitemaps: Collection[str], is_missing: Callable[[str], bool]) -> None:
        """Judge the Sitemap lines, given the addresses of the sitemaps that the site has.

        ``is_missing`` tells whether an address is on the site and nothing is behind it.
        """
        for declared in self.declarations:
            fault = _declaration_fault(declared, is_missing)
            if fault:
                self._found.add_fault(fault, line=declared.line, url=declared.url)
        if not self._is_known or not sitemaps or any(self.names(url) for url in sitemaps):
            return
        wanted = min(sitemaps, key=lambda url: (len(url), url))
        cure = f"Add the line: Sitemap: {wanted}"
        if self.declarations:
            message = "No Sitemap line names the sitemap of this site."
            line = self.declarations[0].line
            self._found.add("robots-sitemap-elsewhere", message, cure, line=line, url=wanted)
        else:
            message = "No Sitemap line tells search engines of the sitemap."
            self._found.add("robots-no-sitemap", message, cure, url=wanted)


def _declarations(text: str, url: str) -> Iterator[Declaration]:
    for number, line in enumerate(_NEWLINE.split(text), start=1):
        match = _SITEMAP.match(line)
        value = match[1].strip() if match else ""
        if value:
            try:
                yield Declaration(number, value, join_url(url, value))
            except ValueError:
                yield Declaration(number, value, value)


def _declaration_fault(declared: Declaration, is_missing: Callable[[str], bool]) -> Fault | None:
    if not _ABSOLUTE.match(declared.value):
        message = f"The Sitemap line has the relative address {quote(declared.value)}."
        return Fault("robots-sitemap-relative", message, f"Write: Sitemap: {declared.url}")
    if is_missing(declared.url):
        message = f"The Sitemap line names {quote(declared.value)}, which does not exist."
        cure = "Correct the address, or remove the line."
        return Fault("robots-sitemap-elsewhere", message, cure)
    return None


def read_robots(path: Path, url: str, found: FileFindings) -> Robots:
    """Read the robots.txt that is served at ``url``; one that does not exist says nothing."""
    data = b""
    try:
        if path.is_file():
            with path.open("rb") as file:
                data = file.read(GOOGLE_LIMIT + 1)
    except OSError as error:
        message = f"robots.txt cannot be read: {error.strerror}."
        found.add("robots-unreadable", message, "Make it readable for the user who runs the check.")
        return Robots(None, url, found)
    if len(data) > GOOGLE_LIMIT:
        message = "Google reads only the first 500 KiB of robots.txt."
        found.add("robots-unreadable", message, "Shorten the file.")
    if b"\0" in data:
        message = "robots.txt is not UTF-8, so that search engines read no rule in it."
        found.add("robots-unreadable", message, "Save it as UTF-8.")
        data = b""
    return Robots(data[:GOOGLE_LIMIT].decode("utf-8-sig", "replace"), url, found)
