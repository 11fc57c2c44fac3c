"""Understand the settings of the plugin pelican-sitemap, and say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pelican.contents import Article
from pelican.contents import Page as ContentPage

from sitemap_plugin.common.files import read_start
from sitemap_plugin.config import checks
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Entry
from sitemap_plugin_pelican.writes import Write

__all__ = ["Legacy", "advice", "group", "has_written", "is_active", "soften", "translate"]

KEYS = ("format", "priorities", "changefreqs")
GROUPS = ("articles", "pages", "indexes")
NAMES = frozenset({"sitemap", "pelican.plugins.sitemap"})


class Legacy(NamedTuple):
    """What is said in pelican-sitemap's words: values for each of its groups of pages.

    ``rewritten`` are all settings in our words but for these values.
    """

    rewritten: Mapping[str, Any] = {}
    priorities: Mapping[str, float] = {}
    changefreqs: Mapping[str, str] = {}

    def apply(self, group: str | None, entry: Entry) -> Entry:
        """Return the entry with its group's values where nothing more particular gives one."""
        changefreq, priority = entry.changefreq, entry.priority
        if priority is None:
            priority = self.priorities.get(group or "")
        return entry._replace(
            changefreq=changefreq or self.changefreqs.get(group or ""), priority=priority
        )


def is_active(plugins: Iterable[str]) -> bool:
    """Tell whether pelican-sitemap is among the names of the loaded plugins."""
    return not NAMES.isdisjoint(plugins)


def has_written(settings: Mapping[str, Any], path: Path) -> bool:
    """Tell whether pelican-sitemap is active and has written a file, by how its files begin."""
    if not is_active(settings["PLUGINS"]):
        return False
    return b"xsi:schemaLocation" in read_start(path, 512)


def group(write: Write) -> str:
    """Return which of pelican-sitemap's groups a file belongs to."""
    if isinstance(write.content, Article):
        return "articles"
    return "pages" if isinstance(write.content, ContentPage) else "indexes"


def translate(given: Mapping[str, Any], found: OptionFaults) -> tuple[Mapping[str, Any], Legacy | None]:
    """Return the settings without pelican-sitemap's keys, and what these say, if there are any.

    With one of them present the patterns of ``exclude`` are regular expressions.
    """
    if not any(key in given for key in KEYS):
        return given, None
    settings = {key: value for key, value in given.items() if key not in KEYS}
    exclude = settings.get("exclude")
    if isinstance(exclude, list | tuple):
        settings["exclude"] = [_as_regex(pattern) for pattern in exclude]
    if given.get("format") is not None:
        checks.one_of("xml", "txt")(given["format"], "format", found)
    if given.get("format") == "txt":
        settings.setdefault("text", True)
    values = [
        {
            name: check(value, f"{key}.{name}", found)
            for name, value in _group_values(given.get(key), key, found).items()
        }
        for key, check in (("priorities", checks.priority), ("changefreqs", checks.changefreq))
    ]
    return settings, Legacy(settings, *values)


def _group_values(value: Any, place: str, found: OptionFaults) -> dict[str, Any]:
    if value is None:
        return {}
    groups = checks.mapping(value, place, found)
    checks.keys(groups, GROUPS, place, found)
    return groups


def _as_regex(pattern: Any) -> Any:
    if not isinstance(pattern, str) or pattern.startswith("re:"):
        return pattern
    # Its documentation gives "^/noindex/" and "/tag/" as examples, though the paths that these
    # are searched in have no slash at their start.
    if pattern.startswith(("/", "^/")):
        pattern = re.sub(r"^\^/", "^", pattern) if pattern[0] == "^" else f"(^|/){pattern[1:]}"
    return f"re:{pattern}"


def soften(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield a build's problems, where pelican-sitemap had none as notices.

    It never minded a pattern that matches nothing, and many sites have those of its documentation.
    """
    for problem in problems:
        is_pattern = problem.where is not None and problem.where.startswith("exclude[")
        yield problem._replace(severity="notice") if is_pattern else problem


def advice(legacy: Legacy, writes: Iterable[Write]) -> str:
    """Return the settings that say the same in our words, to be copied."""
    matches = _matches(writes)
    settings = dict(legacy.rewritten)
    rules = list(settings.get("rules", ()))
    for key, values in (("priority", legacy.priorities), ("changefreq", legacy.changefreqs)):
        if "articles" in values:
            settings.setdefault(key, values["articles"])
        for name, match in matches.items():
            if name in values and values[name] != settings.get(key):
                rules.append({"match": match, key: values[name]})
    if rules:
        settings["rules"] = rules
    start = "SITEMAP is written for pelican-sitemap; it still works. In this plugin's words"
    return f"{start}: SITEMAP = {settings!r}" if settings else f"{start} nothing need be set"


def _matches(writes: Iterable[Write]) -> dict[str, list[str]]:
    """Return patterns for the pages and the listings of a site, where it has any."""
    pages: set[str] = set()
    listings: set[str] = set()
    for write in writes:
        settings = write.instance.settings
        if group(write) == "pages":
            path = f"/{write.content.get_relative_source_path()}"
            folders = (f"/{folder}/" for folder in settings["PAGE_PATHS"] if folder)
            pages.add(next((folder for folder in folders if path.startswith(folder)), path))
        elif write.wrapper is not None:
            name = f"{type(write.wrapper).__name__.upper()}_URL"
            folder = str(settings[name]).partition("{")[0]
            listings.add(f"/{folder}" if folder.endswith("/") else f"/{write.name}")
        elif write.template is not None and write.base_name != "index.html":
            listings.add(f"/{write.base_name}")
    found = {"pages": sorted(pages), "indexes": sorted(listings)}
    return {name: patterns for name, patterns in found.items() if patterns}
