"""Every option: its name, its default and its check.

The same keys are used in ``mkdocs.yml``, ``pelicanconf.py`` and ``sitemap.toml``. A setting that
cannot be used fails the build with one message that lists every problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from sitemap_plugin.common.text import did_you_mean, quoted
from sitemap_plugin.config import checks, structured
from sitemap_plugin.config.checks import Check, OptionFaults
from sitemap_plugin.config.structured import ExtraUrl, Publication, Rule
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin.pages.patterns import Patterns

__all__ = ["BUILT_IN_SOURCES", "Config", "ExtraUrl", "Publication", "Rule", "parse_config"]

PROJECT_NAME = "sitemap_plugin"
"""Of the hooks, and of the group of entry points by which plugins are found."""

BUILT_IN_SOURCES = ("modified", "git", "date", "state", "mtime")


def _x_default(value: Any, place: str, found: OptionFaults) -> Any:
    if value is False or value == "auto":
        return value
    if not isinstance(value, str):
        found.expected(place, "'auto', false or a language code", value)
        return value
    return checks.language(value, place, found)


def _languages(value: Any, place: str, found: OptionFaults) -> dict[str, str]:
    given = checks.mapping(value, place, found)
    return {name: checks.language(code, f"{place}.{name}", found) for name, code in given.items()}


def _static_html(value: Any, place: str, found: OptionFaults) -> bool | Patterns:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str | list | tuple):
        found.expected(place, "true, false, a pattern or a list of patterns", value)
        return False
    return checks.patterns(value, place, found)


def _sections(value: Any, place: str, found: OptionFaults) -> dict[str, Patterns]:
    sections: dict[str, Patterns] = {}
    for name, pattern in checks.mapping(value, place, found).items():
        if name == "pages" or name.isdigit() or not checks.SECTION_NAME.fullmatch(name):
            found.error(
                f"{place}.{name}",
                "a section's name consists of letters, digits, '_' and '-', is not a number "
                "(parts are numbered), and is not 'pages' (all other pages go there)",
            )
        sections[name] = checks.patterns(pattern, f"{place}.{name}", found)
    for name in sections:
        whole, _, number = name.rpartition("-")
        if number.isdigit() and (whole in sections or whole == "pages"):
            message = f"parts of {whole!r} may be called so when it is split; choose another name"
            found.error(f"{place}.{name}", message)
    return sections


def option(default: Any, check: Check, *, only: str | None = None) -> Any:
    """Declare an option; ``only`` names the generator that makes use of it."""
    metadata = {"check": check, "only": only}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def _or_none(check: Check) -> Any:
    return checks.optional(check)


@dataclass(frozen=True, kw_only=True)
class Config:
    """The checked options of one site; what each means is said in the documentation's options."""

    filename: str = option("sitemap.xml", checks.filename)
    base_url: str | None = option(None, _or_none(checks.base_url))
    lastmod: tuple[str, ...] = option(("modified", "git", "date"), checks.sources)
    minor_changes: bool = option(False, checks.boolean)
    changefreq: str | None = option(None, _or_none(checks.changefreq))
    priority: float | None = option(None, _or_none(checks.priority))
    rules: tuple[Rule, ...] = option((), structured.rules)
    exclude: Patterns = option(Patterns(), checks.patterns)
    static_html: bool | Patterns = option(False, _static_html)
    extra_urls: tuple[ExtraUrl, ...] = option((), structured.extra_urls)
    source: str | None = option(None, _or_none(checks.string), only="folder")
    translations_by_path: bool = option(False, checks.boolean, only="folder")
    inspect_html: bool = option(True, checks.boolean)
    nav_only: bool = option(False, checks.boolean, only="mkdocs")
    hidden: bool = option(False, checks.boolean, only="pelican")
    listings: bool = option(True, checks.boolean)
    pagination: bool = option(False, checks.boolean)
    fallback_pages: bool = option(False, checks.boolean)
    alternates: bool = option(True, checks.boolean)
    x_default: str | Literal[False] = option("auto", _x_default)
    languages: dict[str, str] = option({}, _languages)
    images: bool = option(False, checks.boolean)
    news: Publication | None = option(None, _or_none(structured.news))
    sections: dict[str, Patterns] = option({}, _sections)
    max_urls: int = option(50_000, checks.whole_number(1, 50_000))
    max_bytes: int = option(52_428_800, checks.whole_number(1, 52_428_800))
    gzip: bool = option(True, checks.boolean)
    stylesheet: bool = option(True, checks.boolean)
    robots: bool | Literal["auto"] = option("auto", checks.one_of("auto", True, False))
    report: str | None = option(None, _or_none(checks.string))
    state_file: str | None = option(None, _or_none(checks.string))
    text: bool = option(False, checks.boolean)
    indexnow_key: str | None = option(None, _or_none(checks.indexnow_key))
    disable_plugins: tuple[str, ...] = option((), checks.strings)
    strict: bool = option(False, checks.boolean)


def parse_config(
    settings: Mapping[str, Any], *, generator: str, more_sources: bool | None = None
) -> tuple[Config, list[Problem]]:
    """Check the user's settings and return them with the warnings and notices they deserve.

    ``generator`` is ``mkdocs``, ``pelican``, ``sphinx`` or ``folder``. ``more_sources`` tells
    whether plugins may provide date sources that are not built in, so that an unknown name is left
    to the build; by default that is so when any plugin is installed. Raises
    ConfigError, which lists every problem with place, value and nearest valid spelling.
    """
    found = OptionFaults()
    options = {item.name: item for item in fields(Config)}
    given = checks.mapping(settings, "sitemap", found)
    checks.keys(given, tuple(options), "", found)
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key not in options or (value is None and options[key].default is not None):
            continue  # `exclude:` with nothing after it means the default.
        values[key] = options[key].metadata["check"](value, key, found)
        _note_use(options[key].metadata["only"], key, value, generator, found)
    _check_sources(values, more_sources, found)
    name, indexnow_key = values.get("filename"), values.get("indexnow_key")
    if values.get("text") and isinstance(indexnow_key, str) and f"{indexnow_key}.xml" == name:
        found.error("indexnow_key", "its file would be the text sitemap's; use another key")
    if values.get("text") and name == "robots.xml":
        found.error("filename", "the text sitemap would be robots.txt; use another name")
    if values.get("report") and values.get("report") == values.get("state_file"):
        found.error("report", "is the state_file too; choose another name for one of them")
    if values.get("state_file") and not _uses(values, "state"):
        message = "has no effect, since no page asks the date source 'state'; add it to 'lastmod'"
        found.problems.append(Problem("notice", message, "state_file"))
    if found.errors:
        raise ConfigError(found.errors)
    return Config(**values), found.problems


def _note_use(only: str | None, key: str, value: Any, generator: str, found: OptionFaults) -> None:
    if only and only != generator and value:
        user = {"mkdocs": "MkDocs", "pelican": "Pelican", "folder": "a folder of HTML"}[only]
        found.problems.append(Problem("notice", f"only {user} has a use for this", key))


def _uses(values: Mapping[str, Any], source: str) -> bool:
    rules = values.get("rules", ())
    return source in values.get("lastmod", ()) or any(source in (r.lastmod or ()) for r in rules)


def _has_plugins() -> bool:
    """Tell whether any plugin of this one is installed."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - takes longer than all the rest

    return bool(entry_points(group=PROJECT_NAME))


def _check_sources(values: Mapping[str, Any], more: bool | None, found: OptionFaults) -> None:
    places = [("lastmod", values.get("lastmod", ()))]
    places += [
        (f"rules[{index}].lastmod", rule.lastmod or ())
        for index, rule in enumerate(values.get("rules", ()))
    ]
    unknown = [
        (place, name) for place, names in places for name in names if name not in BUILT_IN_SOURCES
    ]
    if not unknown or more or (more is None and _has_plugins()):
        return
    for place, name in unknown:
        found.error(place, unknown_source(name, BUILT_IN_SOURCES))


def unknown_source(name: str, known: Iterable[str]) -> str:
    """Return the message for a date source that nothing provides."""
    known = tuple(known)
    listed, near = ", ".join(known), did_you_mean(name, known)
    return f"unknown date source {quoted(name)}; there are {listed}{near}"
