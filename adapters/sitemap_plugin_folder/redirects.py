"""Read the file ``_redirects``, by which Netlify and Cloudflare Pages redirect addresses.

Rules with conditions (a country, a query) do not hold for every reader and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import counted
from sitemap_plugin.errors import Problem
from sitemap_plugin_folder.folder_files import page_key

FILE = "_redirects"
LIMIT = 1 << 22
_RULE = re.compile(r"\s*/(\S*)\s+((?:/|http)\S*)(?:\s+30[12378](!?))?\s*(?:\s#.*)?")


class Redirect(NamedTuple):
    """One rule: which pages it is about, where it leads, and whether it wins over a page."""

    line: int
    pages: re.Pattern[str]
    target: str
    forced: bool


class Redirects(tuple[Redirect, ...]):
    """The rules of a folder; the first that fits an address decides."""

    __slots__ = ()

    def of(self, name: str) -> Redirect | None:
        """Return the rule for the page in a file, given by its path below the folder."""
        key = page_key(name)
        found = next((rule for rule in self if rule.pages.fullmatch(key)), None)
        if found and found.target.startswith("/"):
            target = unquote(urlsplit(found.target).path).lstrip("/")
            return None if page_key(target) == key else found
        return found

    def notices(self, names: Sequence[str]) -> list[Problem]:
        """Say which pages some hosts redirect and others do not."""
        weak = [(rule, name) for name in names if (rule := self.of(name)) and not rule.forced]
        if not weak:
            return []
        rule, name = weak[0]
        more = f"; {counted(len(weak) - 1, 'more page')} like this" if weak[1:] else ""
        message = (
            f"line {rule.line} redirects {name}, where there is a page too: Netlify serves the "
            "page, Cloudflare Pages redirects; remove one of them, or add ! to the status to "
            f"redirect everywhere{more}"
        )
        return [Problem("notice", message, FILE)]


def read_redirects(folder: Path) -> Redirects:
    """Read the rules of a folder; none of a file that is not there or cannot be read."""
    try:
        text = read_file(folder / FILE, limit=LIMIT, within=[folder]).decode("utf-8-sig", "replace")
    except OSError:
        return Redirects()
    lines = ((number, _RULE.fullmatch(line)) for number, line in enumerate(text.splitlines(), 1))
    return Redirects(
        Redirect(number, _pattern(page_key(unquote(rule[1]))), rule[2], bool(rule[3]))
        for number, rule in lines
        # With a second `*`, no host takes it for a rule, and matching could take for ever.
        if rule and rule[1].count("*") <= 1
    )


def _pattern(path: str) -> re.Pattern[str]:
    """Return what matches the keys of the pages that ``*`` and ``:names`` stand for."""
    # `old/*` is about `old` too.
    text = re.sub(r"/\\\*\Z", "(?:/.*)?", re.escape(path)).replace(r"\*", ".*")
    return re.compile(re.sub(r"(?<![^/]):\w+", "[^/]+", text))
