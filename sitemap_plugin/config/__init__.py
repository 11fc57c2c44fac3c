"""Every option: its name, its default and its check; and where the site is published."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple

from sitemap_plugin.common.text import did_you_mean, quoted
from sitemap_plugin.common.urls import check_base_url, is_local_host
from sitemap_plugin.config import checks
from sitemap_plugin.config.checks import Check, ExtraUrl, OptionFaults, Publication, Rule
from sitemap_plugin.errors import ConfigError, Problem, or_none
from sitemap_plugin.pages.patterns import Patterns

PROJECT_NAME = "sitemap_plugin"  # Of the hooks, and of the group of entry points of plugins.
BUILT_IN_SOURCES = ("modified", "git", "date", "state", "mtime")
_SET = "set it to the address of the published site"
_GENERATORS = {"mkdocs": "MkDocs", "pelican": "Pelican", "folder": "a folder of HTML"}


def option(default: Any, check: Check, *, only: str | None = None) -> Any:
    """Declare an option; ``only`` names the generator that makes use of it."""
    return field(default_factory=lambda: default, metadata={"check": check, "only": only})


@dataclass(frozen=True, kw_only=True)
class Config:
    """The checked options of one site; what each means is said in the documentation's options."""

    filename: str = option("sitemap.xml", checks.filename)
    base_url: str | None = option(None, checks.base_url)
    lastmod: tuple[str, ...] = option(("modified", "git", "date"), checks.sources)
    minor_changes: bool = option(False, checks.boolean)
    changefreq: str | None = option(None, checks.changefreq)
    priority: float | None = option(None, checks.priority)
    rules: tuple[Rule, ...] = option((), checks.rules)
    exclude: Patterns = option(Patterns(), checks.patterns)
    static_html: bool | Patterns = option(False, checks.static_html)
    extra_urls: tuple[ExtraUrl, ...] = option((), checks.extra_urls)
    source: str | None = option(None, checks.string, only="folder")
    translations_by_path: bool = option(False, checks.boolean, only="folder")
    inspect_html: bool = option(True, checks.boolean)
    nav_only: bool = option(False, checks.boolean, only="mkdocs")
    hidden: bool = option(False, checks.boolean, only="pelican")
    listings: bool = option(True, checks.boolean)
    pagination: bool = option(False, checks.boolean)
    fallback_pages: bool = option(False, checks.boolean)
    alternates: bool = option(True, checks.boolean)
    x_default: str | Literal[False] = option("auto", checks.x_default)
    languages: dict[str, str] = option({}, checks.languages)
    images: bool = option(False, checks.boolean)
    news: Publication | None = option(None, checks.news)
    sections: dict[str, Patterns] = option({}, checks.sections)
    max_urls: int = option(50_000, checks.whole_number(50_000))
    max_bytes: int = option(52_428_800, checks.whole_number(52_428_800))
    gzip: bool = option(True, checks.boolean)
    stylesheet: bool = option(True, checks.boolean)
    robots: bool | Literal["auto"] = option("auto", checks.one_of("auto", True, False))
    report: str | None = option(None, checks.string)
    state_file: str | None = option(None, checks.string)
    text: bool = option(False, checks.boolean)
    indexnow_key: str | None = option(None, checks.indexnow_key)
    disable_plugins: tuple[str, ...] = option((), checks.strings)
    strict: bool = option(False, checks.boolean)


def parse_config(settings: Mapping[str, Any], *, generator: str) -> tuple[Config, list[Problem]]:
    """Check the user's settings and return them with the warnings and notices they deserve.

    Raises ConfigError, which lists every problem with place, value and nearest valid spelling.
    """
    found = OptionFaults()
    kinds = {item.name: item.metadata["check"] for item in fields(Config)}
    values = checks.mapping(settings, "", found, kinds)
    only = {item.name: item.metadata["only"] for item in fields(Config)}
    for key, value in values.items():
        if value and only[key] not in (None, generator):
            message = f"only {_GENERATORS[only[key]]} has a use for this"
            found.problems.append(Problem("notice", message, key))
    _check_sources(values, found)
    if found.errors:
        raise ConfigError(found.errors)
    return Config(**values), found.problems


def _check_sources(values: Mapping[str, Any], found: OptionFaults) -> None:
    named = {"lastmod": values.get("lastmod", ())}
    for index, rule in enumerate(values.get("rules", ())):
        named[f"rules[{index}].lastmod"] = rule.lastmod or ()
    asked = [(place, name) for place, names in named.items() for name in names]
    unknown = [(place, name) for place, name in asked if name not in BUILT_IN_SOURCES]
    if unknown:
        from importlib.metadata import entry_points  # noqa: PLC0415 - longer than all the rest

        # Plugins may provide it, so the build will tell.
        for place, name in () if entry_points(group=PROJECT_NAME) else unknown:
            found.error(place, unknown_source(name))
    if values.get("state_file") and all(name != "state" for _, name in asked):
        message = "has no effect, since no page asks the date source 'state'; add it to 'lastmod'"
        found.problems.append(Problem("notice", message, "state_file"))


def unknown_source(name: str) -> str:
    """Return the message for a date source that nothing provides."""
    listed, near = ", ".join(BUILT_IN_SOURCES), did_you_mean(name, BUILT_IN_SOURCES)
    return f"unknown date source {quoted(name)}; there are {listed}{near}"


class BaseUrl(NamedTuple):
    """Where a site is published, None where there can be no sitemap, and what to say about it."""

    url: str | None
    host_url: str | None = None  # The generator's own setting, where the option wins over it.
    problems: list[Problem] = []  # noqa: RUF012 - never changed


def find_base_url(
    config: Config, value: object, *, setting: str, generator: str, preview: bool = False
) -> BaseUrl:
    """Return the base URL: the option ``base_url``, else the ``value`` of the generator's setting.

    In a ``preview`` on this machine a local address is right. Raises ConfigError for a setting that
    is no base URL; in Pelican and Sphinx, which check nothing, that is a warning.
    """
    if config.base_url is not None and not preview:
        host_url = or_none(check_base_url, value)
        return BaseUrl(config.base_url, host_url if host_url != config.base_url else None)
    url: str | None = None
    try:
        if value is None or (isinstance(value, str) and not value.strip()):
            if value == "" and generator == "mkdocs":  # MkDocs' own way to want no address.
                told = "empty, so there is no sitemap: its URLs must be absolute"
                return BaseUrl(None, problems=[Problem("notice", told, setting)])
            told = "not set, so there is no sitemap: its URLs must be absolute; "
            told += f"{_SET}, like https://example.org/"
        elif is_local_host(url := check_base_url(value)) and not preview:
            told = f"{url} is an address on this machine, which search engines cannot reach; {_SET}"
        else:
            return BaseUrl(url)
    except ValueError as error:
        if generator not in {"pelican", "sphinx"}:
            raise ConfigError([f"{setting}: {error}"]) from error
        told = f"{error}; there is no sitemap until then"
    return BaseUrl(url, problems=[Problem("warning", told, setting)])
