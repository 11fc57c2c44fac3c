"""The other sitemap plugins: what to remove, and what their settings are in our words.

These give values to groups of pages; ours give them to pages that match patterns. The patterns are
chosen for the pages of the site, so that each page gets exactly the values of its group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pelican.contents import Article
from pelican.contents import Page as ContentPage

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.config import Config, checks, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import Problem
from sitemap_plugin.pages.patterns import Patterns
from sitemap_plugin_pelican.collect import collect_pages
from sitemap_plugin_pelican.writes import Writes

__all__ = ["Legacy", "group_pages", "other_plugins", "read_legacy"]

KEYS = ("format", "priorities", "changefreqs")
GROUPS = ("indexes", "articles", "pages")
EXTENDED = "EXTENDED_SITEMAP_PLUGIN"
EXTENDED_GROUPS = ("others", "index", "articles", "pages")
EXTENDED_KEYS = {"priorities": "priority", "changefrequencies": "changefreq"}

Wanted = Mapping[str, Mapping[str, Any]]
"""The values of each group by option; the group of all other pages comes first."""


class Grouped(NamedTuple):
    """A page: its group, and what patterns are tried on."""

    group: str
    source_path: str | None
    url_path: str


class Legacy(NamedTuple):
    """What is said in pelican-sitemap's words.

    ``options`` are the other options, the patterns of ``exclude`` as ours; ``patterns`` are those.
    """

    options: Mapping[str, Any]
    wanted: Wanted
    patterns: tuple[str, ...] = ()

    def rewrite(self, pages: Sequence[Grouped]) -> tuple[Config, list[Problem]]:
        """Return the options in our words for a site's pages, and the notice that shows them."""
        options = dict(self.options)
        # Its users copied patterns from its documentation, and it never minded unused ones.
        used = [text for text in self.patterns if any(_matches(text, page) for page in pages)]
        if self.patterns:
            options["exclude"] = used
        options = _rewrite(
            {key: value for key, value in options.items() if value != []}, self.wanted, pages
        )
        cure = f"write SITEMAP = {options!r}" if options else "SITEMAP is not needed"
        unused = ", ".join(text for text in self.patterns if text not in used)
        message = (
            "SITEMAP has settings of pelican-sitemap, which still work; to say the same in this "
            f"plugin's words, {cure}" + (f"; no page matches {unused}" if unused else "")
        )
        config, problems = parse_config(options, generator="pelican")
        return config, [Problem("notice", message), *problems]


def read_legacy(given: Mapping[str, Any], found: OptionFaults) -> Legacy | None:
    """Return what pelican-sitemap's keys among the options say, None if there are none.

    With one of them present the patterns of ``exclude`` are regular expressions.
    """
    if not any(key in given for key in KEYS):
        return None
    options = {key: value for key, value in given.items() if key not in KEYS}
    patterns: tuple[str, ...] = ()
    if isinstance(exclude := options.get("exclude"), list | tuple):
        options["exclude"] = [_as_regex(pattern) for pattern in exclude]
        patterns = tuple(options["exclude"])
    if given.get("format") is not None:
        checks.one_of("xml", "txt")(given["format"], "format", found)
    if given.get("format") == "txt":
        options.setdefault("text", True)
    wanted: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
    for key, option, check in (
        ("priorities", "priority", checks.priority),
        ("changefreqs", "changefreq", checks.changefreq),
    ):
        values = checks.mapping(given[key], key, found) if given.get(key) is not None else {}
        checks.keys(values, GROUPS, key, found)
        for group in wanted.keys() & values.keys():
            wanted[group][option] = check(values[group], f"{key}.{group}", found)
    return Legacy(options, wanted, patterns)


def _as_regex(pattern: Any) -> Any:
    if not isinstance(pattern, str) or pattern.startswith("re:"):
        return pattern
    # Its documentation gives "^/noindex/" and "/tag/" as examples, though the paths that these
    # are searched in have no slash at their start.
    if pattern.startswith(("/", "^/")):
        pattern = re.sub(r"^\^/", "^", pattern) if pattern[0] == "^" else f"(^|/){pattern[1:]}"
    return f"re:{pattern}"


def _rewrite(
    options: Mapping[str, Any], wanted: Wanted, pages: Sequence[Grouped]
) -> dict[str, Any]:
    """Return options that give each page the values of its group."""
    groups = tuple(wanted)
    common = {
        key: value
        for key, value in wanted[groups[0]].items()
        if key not in options and all(key in wanted[group] for group in groups)
    }
    rules: list[Any] = []
    for index, group in enumerate(groups):
        said = {key: value for key, value in wanted[group].items() if common.get(key) != value}
        # A page of a later group may match as well, where its own rule has the last word.
        later = {
            other
            for other in groups[index + 1 :]
            if all(key in wanted[other] and common.get(key) != wanted[other][key] for key in said)
        }
        others = [page for page in pages if page.group not in {group, *later}]
        match = _find_patterns([page for page in pages if page.group == group], others)
        if said and match:
            rules.append({"match": match, **said})
    rules += options.get("rules") or ()
    result = {**options, **common}
    return {**result, "rules": rules} if rules else result


def _find_patterns(pages: Iterable[Grouped], others: Sequence[Grouped]) -> list[str]:
    """Return patterns, as short as can be, that match all of the pages and none of the others."""
    chosen: list[str] = []
    compiled: list[Patterns] = []
    refused: set[str] = set()
    for page in pages:
        if any(known.match(page.source_path, page.url_path) for known in compiled):
            continue
        for text in _candidates(page):
            pattern = Patterns([text])
            if text not in refused and not any(
                pattern.match(other.source_path, other.url_path) for other in others
            ):
                chosen.append(text)
                compiled.append(pattern)
                break
            refused.add(text)
    return chosen


def _candidates(page: Grouped) -> Iterator[str]:
    """Yield patterns that match a page, the most general first."""
    path = PurePosixPath(page.source_path or page.url_path)
    if page.source_path:
        yield f"*{path.suffix}"
    for folder in reversed(path.parents[:-1]):
        yield f"/{_literal(str(folder))}/"
    yield f"/{_literal(str(path))}" if page.source_path else f"re:^{re.escape(page.url_path)}$"


def _literal(path: str) -> str:
    return re.sub(r"([\\*?\[])", r"\\\1", path)


def _matches(pattern: str, page: Grouped) -> bool:
    return bool(Patterns([pattern]).match(page.source_path, page.url_path))


def other_plugins(writes: Writes, bases: Mapping[int, str], base_url: str) -> Iterator[Problem]:
    """Yield what there is to know about other plugins that write a sitemap."""
    settings = writes.main.settings
    active = {str(name).rpartition(".")[2] for name in settings["PLUGINS"]}
    if "sitemap" in active:
        message = (
            "pelican-sitemap is active too and writes the same file, which this sitemap replaces; "
            "remove 'sitemap' from PLUGINS or, where PLUGINS is not set, uninstall pelican-sitemap"
        )
        yield Problem("warning", message, "PLUGINS")
    if "extended_sitemap" in active or settings.get(EXTENDED):
        pages = group_pages(writes, bases, base_url)
        others = [
            page._replace(group="others") if page.group == "indexes" else page for page in pages
        ]
        pages = [page._replace(group="index") if not page.url_path else page for page in others]
        options = _rewrite({}, _extended(settings.get(EXTENDED)), pages)
        same = f"SITEMAP = {options!r} says the same" if options else "SITEMAP need not be set"
        if "extended_sitemap" in active:
            message = (
                "pelican-extended-sitemap is active too and writes the same file, which this "
                "sitemap replaces; remove 'extended_sitemap' from PLUGINS or, where PLUGINS is "
                f"not set, uninstall pelican-extended-sitemap; {same}"
            )
            yield Problem("warning", message, "PLUGINS")
        else:
            message = f"is a setting of pelican-extended-sitemap; remove it; {same}"
            yield Problem("notice", message, EXTENDED)


def group_pages(writes: Writes, bases: Mapping[int, str], base_url: str) -> list[Grouped]:
    """Return the pages of a run in the groups of pelican-sitemap."""
    contents = {write.path: write.content for write in writes}
    found: list[Grouped] = []
    for page in collect_pages(writes, bases):
        content = contents[str(page.output)]
        is_page = isinstance(content, ContentPage)
        group = "articles" if isinstance(content, Article) else "pages" if is_page else "indexes"
        found.append(Grouped(group, page.source_path, path_below(page.url, base_url)))
    return found


def _extended(given: Any) -> dict[str, dict[str, Any]]:
    """Return what pelican-extended-sitemap's settings give to its groups of pages."""
    wanted: dict[str, dict[str, Any]] = {group: {} for group in EXTENDED_GROUPS}
    for key, option in EXTENDED_KEYS.items():
        values = given.get(key) if isinstance(given, Mapping) else None
        for group, value in dict(values or {}).items():
            if group in wanted:
                wanted[group][option] = value
    return wanted
