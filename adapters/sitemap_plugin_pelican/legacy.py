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
from sitemap_plugin.models import Page
from sitemap_plugin.pages.patterns import Patterns
from sitemap_plugin_pelican.writes import Writes

KEYS = ("format", "priorities", "changefreqs")
EXTENDED = "EXTENDED_SITEMAP_PLUGIN"
EXTENDED_KEYS = {"priorities": "priority", "changefrequencies": "changefreq"}
GROUPS = ("others", "index", "articles", "pages")
"""The groups of pelican-extended-sitemap. The first two are ``indexes`` in pelican-sitemap."""

ACTIVE = (
    "{name} is active too and writes the same file, which this sitemap replaces; remove {module!r} "
    "from PLUGINS or, where PLUGINS is not set, uninstall {name}"
)

Wanted = Mapping[str, Mapping[str, Any]]
"""The values of each group by option."""


class Grouped(NamedTuple):
    """A page: its group, and what patterns are tried on."""

    group: str
    source_path: str | None
    url_path: str

    def matches(self, patterns: Patterns) -> bool:
        """Whether one of the patterns is the page's."""
        return patterns.match(self.source_path, self.url_path) is not None


class Legacy(NamedTuple):
    """What is said in pelican-sitemap's words; ``options`` are all its other options."""

    options: Mapping[str, Any]
    wanted: Wanted

    def rewrite(self, pages: Sequence[Grouped]) -> tuple[Config, list[Problem]]:
        """Return the options in our words for a site's pages, and the notice that shows them."""
        options, unused = dict(self.options), []
        if isinstance(exclude := options.get("exclude"), list):
            del options["exclude"]
            # Its users copied patterns from its documentation, and it never minded unused ones.
            tried = [(text, Patterns([text])) for text in exclude]
            unused = [text for text, pattern in tried if not any(p.matches(pattern) for p in pages)]
            if used := [text for text in exclude if text not in unused]:
                options["exclude"] = used
        options = _rewrite(options, self.wanted, pages)
        cure = f"write SITEMAP = {options!r}" if options else "SITEMAP is not needed"
        message = (
            "SITEMAP has settings of pelican-sitemap, which still work; to say the same in this "
            f"plugin's words, {cure}" + (f"; no page matches {', '.join(unused)}" if unused else "")
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
    if isinstance(exclude := options.get("exclude"), list | tuple):
        options["exclude"] = [_as_regex(pattern) for pattern in exclude]
    if given.get("format") is not None:
        checks.one_of("xml", "txt")(given["format"], "format", found)
    if given.get("format") == "txt":
        options.setdefault("text", True)
    wanted: dict[str, dict[str, Any]] = {"indexes": {}, "articles": {}, "pages": {}}
    for key, option, check in (
        ("priorities", "priority", checks.priority),
        ("changefreqs", "changefreq", checks.changefreq),
    ):
        values = checks.mapping(given[key], key, found) if given.get(key) is not None else {}
        checks.keys(values, tuple(wanted), key, found)
        for group in wanted.keys() & values.keys():
            wanted[group][option] = check(values[group], f"{key}.{group}", found)
    indexes = wanted.pop("indexes")
    return Legacy(options, {"others": indexes, "index": indexes, **wanted})


def _as_regex(pattern: Any) -> Any:
    if not isinstance(pattern, str) or pattern.startswith("re:"):
        return pattern
    # Its documentation gives "^/noindex/" and "/tag/" as examples, though the paths that these
    # are searched in have no slash at their start.
    return "re:" + re.sub(r"^(\^?)/", lambda start: start[1] or "(^|/)", pattern)


def _rewrite(
    options: Mapping[str, Any], wanted: Wanted, pages: Sequence[Grouped]
) -> dict[str, Any]:
    """Return options that give each page the values of its group."""
    common = {
        key: value
        for key, value in wanted[GROUPS[0]].items()
        if key not in options and all(key in values for values in wanted.values())
    }
    said = {
        group: {key: value for key, value in values.items() if common.get(key) != value}
        for group, values in wanted.items()
    }
    different: list[Mapping[str, Any]] = []
    different += (values for values in said.values() if values and values not in different)
    rules: list[Any] = []
    for index, values in enumerate(different):
        # A page of a later rule may match as well, where that has the last word.
        later = [each for each in different[index:] if values.keys() <= each.keys()]
        match = _find_patterns(
            [page for page in pages if said[page.group] == values],
            [page for page in pages if said[page.group] not in later],
        )
        if match:
            rules.append({"match": match, **values})
    rules += options.get("rules") or ()
    result = {**options, **common}
    return {**result, "rules": rules} if rules else result


def _find_patterns(pages: Iterable[Grouped], others: Sequence[Grouped]) -> list[str]:
    """Return patterns, as short as can be, that match all of the pages and none of the others."""
    chosen: dict[str, Patterns] = {}
    refused: set[str] = set()
    for page in pages:
        if any(map(page.matches, chosen.values())):
            continue
        for text in _candidates(page):
            pattern = Patterns([text])
            if text not in refused and not any(other.matches(pattern) for other in others):
                chosen[text] = pattern
                break
            refused.add(text)
    return [*chosen]


def _candidates(page: Grouped) -> Iterator[str]:
    """Yield patterns that match a page, the most general first."""
    path = PurePosixPath(page.source_path or page.url_path)
    if page.source_path:
        yield f"*{path.suffix}"
    for folder in reversed(path.parents[:-1]):
        yield f"/{_literal(folder)}/"
    yield f"/{_literal(path)}" if page.source_path else f"re:^{re.escape(page.url_path)}$"


def _literal(path: PurePosixPath) -> str:
    return re.sub(r"([\\*?\[])", r"\\\1", str(path))


def other_plugins(writes: Writes, pages: Iterable[Page]) -> Iterator[Problem]:
    """Yield what there is to know about other plugins that write a sitemap."""
    settings = writes.main.settings
    active = {str(name).rpartition(".")[2] for name in settings["PLUGINS"]}
    if "sitemap" in active:
        message = ACTIVE.format(name="pelican-sitemap", module="sitemap")
        yield Problem("warning", message, "PLUGINS")
    if "extended_sitemap" in active or settings.get(EXTENDED):
        grouped = [
            page if page.url_path else page._replace(group="index")
            for page in group_pages(pages, writes)
        ]
        options = _rewrite({}, _extended(settings.get(EXTENDED)), grouped)
        same = f"SITEMAP = {options!r} says the same" if options else "SITEMAP need not be set"
        if "extended_sitemap" in active:
            message = ACTIVE.format(name="pelican-extended-sitemap", module="extended_sitemap")
            yield Problem("warning", f"{message}; {same}", "PLUGINS")
        else:
            message = f"is a setting of pelican-extended-sitemap; remove it; {same}"
            yield Problem("notice", message, EXTENDED)


def group_pages(pages: Iterable[Page], writes: Writes) -> list[Grouped]:
    """Return the pages of a run in the groups of the other plugins."""
    found: list[Grouped] = []
    for page in pages:
        content = writes.files[str(page.output)].content
        path = path_below(page.url, writes.main.base_url)
        group = "others" if path else "index"
        if isinstance(content, Article | ContentPage):
            group = "articles" if isinstance(content, Article) else "pages"
        found.append(Grouped(group, page.source_path, path))
    return found


def _extended(given: Any) -> Wanted:
    """Return what pelican-extended-sitemap's settings give to its groups of pages."""
    wanted: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
    for key, option in EXTENDED_KEYS.items():
        values = dict(given.get(key) or {}) if isinstance(given, Mapping) else {}
        for group in wanted.keys() & values.keys():
            wanted[group][option] = values[group]
    return wanted
