"""The options that are mappings with keys of their own: rules, URLs to add, and news.

Their checks are as those in ``checks``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sitemap_plugin.config import checks
from sitemap_plugin.config.checks import Check, OptionFaults
from sitemap_plugin.pages.patterns import Patterns

__all__ = ["ExtraUrl", "Publication", "Rule", "extra_urls", "news", "rules"]


class Rule(NamedTuple):
    """What the user wants for the pages that match; None leaves a thing as it is."""

    match: Patterns
    changefreq: str | None = None
    priority: float | None = None
    lastmod: tuple[str, ...] | None = None
    dependencies: tuple[str, ...] | None = None
    exclude: bool | None = None


class ExtraUrl(NamedTuple):
    """A URL to add, absolute or relative to the base; ``settings`` are as in front matter.

    ``file``, relative to the configuration file, stands for the URLs that are its lines.
    """

    loc: str
    settings: Mapping[str, Any]
    file: str | None = None


class Publication(NamedTuple):
    """The site as a news publication; the pages that match are articles without saying so."""

    publication: str
    language: str | None = None
    match: Patterns = Patterns()


def rules(value: Any, place: str, found: OptionFaults) -> tuple[Rule, ...]:
    """Check the option ``rules``."""
    if not isinstance(value, list | tuple):
        found.expected(place, "a list of rules", value)
        return ()
    return tuple(_rule(item, f"{place}[{index}]", found) for index, item in enumerate(value))


def _rule(value: Any, place: str, found: OptionFaults) -> Rule:
    given = checks.mapping(value, place, found)
    checks.keys(given, Rule._fields, place, found)
    kinds: dict[str, Check] = {
        "match": checks.patterns,
        "changefreq": checks.changefreq,
        "priority": checks.priority,
        "lastmod": checks.sources,
        "dependencies": checks.strings,
        "exclude": checks.boolean,
    }
    if "match" not in given and isinstance(value, Mapping):
        found.error(place, "a rule needs 'match': a pattern or a list of patterns")
    parsed = checks.given_values(given, kinds, place, found)
    return Rule(**{"match": Patterns(), **parsed})


def extra_urls(value: Any, place: str, found: OptionFaults) -> tuple[ExtraUrl, ...]:
    """Check the option ``extra_urls``."""
    if not isinstance(value, list | tuple):
        found.expected(place, "a list of URLs", value)
        return ()
    return tuple(_extra_url(item, f"{place}[{index}]", found) for index, item in enumerate(value))


def _extra_url(value: Any, place: str, found: OptionFaults) -> ExtraUrl:
    if isinstance(value, str):
        return ExtraUrl(checks.string(value, place, found), {})
    if not isinstance(value, Mapping):
        found.expected(place, "a URL or a mapping with 'loc'", value)
        return ExtraUrl("", {})
    given = checks.mapping(value, place, found)
    if "file" in given:
        checks.keys(given, ("file",), place, found)
        return ExtraUrl("", {}, checks.string(given["file"], f"{place}.file", found))
    kinds: dict[str, Check] = {
        "loc": checks.string,
        "lastmod": checks.date,
        "changefreq": checks.changefreq,
        "priority": checks.priority,
        "alternates": checks.links,
        "images": checks.strings,
    }
    checks.keys(given, tuple(kinds), place, found)
    if "loc" not in given:
        found.error(place, "a URL to add needs 'loc'")
    settings = checks.given_values(given, kinds, place, found)
    return ExtraUrl(settings.pop("loc", ""), settings)


def news(value: Any, place: str, found: OptionFaults) -> Publication:
    """Check the option ``news``."""
    if not isinstance(value, Mapping):
        what = "a mapping with 'publication', the name of the news publication"
        found.expected(place, what, value)
        return Publication("")
    given = checks.mapping(value, place, found)
    checks.keys(given, Publication._fields, place, found)
    kinds: dict[str, Check] = {
        "publication": checks.string,
        "language": checks.language,
        "match": checks.patterns,
    }
    if "publication" not in given:
        found.error(place, "needs 'publication': the name of the news publication")
    parsed = checks.given_values(given, kinds, place, found)
    return Publication(**{"publication": "", **parsed})
