"""Patterns that name pages: gitignore syntax, or ``re:`` and a regular expression."""

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.common.urls import path_below
from sitemap_plugin.errors import Problem

if TYPE_CHECKING:
    from sitemap_plugin.models import Page, Site

_REGEX_ONLY = re.compile(
    r"""^\^            # an anchor at the start,
      | \$$            # or at the end
      | \\[.dwsbDWSB]  # escapes that gitignore has no use for
      | \.\+           # "one or more of anything"
      | \(\?           # a group with options
      | \([^)]*\|      # alternatives
      | (?:^|/)\.\*(?:$|[^.\w])  # "anything" as a whole path segment
    """,
    re.VERBOSE,
)


@dataclass(unsafe_hash=True)
class Patterns:
    """A list of patterns of which the last that matches a page decides.

    A pattern is tried on the page's source path and on its URL's path below the base URL (decoded,
    without leading slash). ``!pattern`` takes back what an earlier pattern matched. Raises
    ValueError for a pattern that cannot be read.
    """

    texts: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.texts = tuple(self.texts)
        self._compiled = [_compile(text) for text in self.texts]
        self._used = [False] * len(self.texts)

    def __bool__(self) -> bool:
        return bool(self.texts)

    def match(self, source_path: str | None, url_path: str) -> str | None:
        """Return the text of the pattern that selects the page, or None when none does."""
        decided: str | None = None
        for index, (search, include, url_only) in enumerate(self._compiled):
            if search(url_path) or (source_path and not url_only and search(source_path)):
                self._used[index] = True
                decided = self.texts[index] if include else None
        return decided

    def unused(self) -> Iterator[tuple[int, str]]:
        """Yield position and text of each pattern that no page has matched."""
        return ((n, self.texts[n]) for n, used in enumerate(self._used) if not used)


def regex_spelling(text: str) -> str | None:
    """Return ``re:text`` when a pattern looks like a regular expression without the prefix."""
    return f"re:{text}" if not text.startswith("re:") and _REGEX_ONLY.search(text) else None


def _compile(text: str) -> tuple[Any, bool, bool]:
    """Return the search function, whether a match selects, and whether only URLs are searched."""
    bare = text.removeprefix("!")
    if bare.startswith("re:"):
        try:
            return re.compile(bare[3:]).search, bare is text, True
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"not a regular expression: {error}: {quoted(text)}") from error
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - most sites name no patterns

    try:
        with warnings.catch_warnings():  # Python warns of "[[", which means two brackets here.
            warnings.simplefilter("ignore", FutureWarning)
            patterns: Sequence[Any] = GitIgnoreSpec.from_lines([text]).patterns
    except (ValueError, re.error) as error:  # The latter where a range is [z-a].
        raise ValueError(f"not a gitignore pattern: {quoted(text)}") from error
    if not patterns or patterns[0].regex is None:
        raise ValueError(f"not a gitignore pattern; it would never match: {quoted(text)}")
    return patterns[0].regex.search, bool(patterns[0].include), False


def unused_patterns(site: "Site", pages: Sequence["Page"]) -> Iterator[Problem]:
    """Warn of patterns that match none of all pages, when the last stage with patterns is done."""
    config = site.config
    places = [("exclude", config.exclude), ("static_html", config.static_html)]
    places += [(f"rules[{i}].match", rule.match) for i, rule in enumerate(config.rules)]
    places += [(f"sections.{name}", found) for name, found in config.sections.items()]
    places += [("news.match", config.news.match)] if config.news else []
    for place, patterns in places:
        if isinstance(patterns, bool) or not any(patterns.unused()):
            continue
        for page in pages:
            patterns.match(page.source_path, path_below(page.url, site.base_url))
        for index, text in patterns.unused():
            message = "matches no page, by its source or its URL below the base"
            if spelt := _in_other_case(text, pages, site.base_url):
                message += f"; did you mean {shown(repr(spelt))}? Letters' case counts"
            yield Problem("warning", f"{shown(repr(text))} {message}", f"{place}[{index}]")


def _in_other_case(text: str, pages: Sequence["Page"], base_url: str) -> str | None:
    """Return the pattern in the letters' case of a page, where it differs in that alone."""
    name = text.strip("!/*")
    for page in pages if name else ():
        for path in (page.source_path or "", path_below(page.url, base_url)):
            at = path.lower().find(name.lower())
            if at >= 0 and path[at : at + len(name)] != name:
                return text.replace(name, path[at : at + len(name)])
    return None
