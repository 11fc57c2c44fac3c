"""The options of a site: ``SITEMAP`` in its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin_pelican.legacy import Legacy, read_legacy

__all__ = ["Options", "read_options"]


class Options(NamedTuple):
    """The checked options, what is to be said of them, and pelican-sitemap's keys among them."""

    config: Config
    problems: list[Problem]
    legacy: Legacy | None = None


def read_options(settings: Mapping[str, Any]) -> Options:
    """Check ``SITEMAP``; raise ConfigError with everything that is wrong there."""
    given = settings.get("SITEMAP")
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise ConfigError([f"SITEMAP: expected a dict of options, got {given!r}"])
    found = OptionFaults()
    legacy = read_legacy(given, found)
    errors = list(found.errors)
    try:
        config, problems = parse_config(legacy.options if legacy else given, generator="pelican")
    except ConfigError as error:
        errors += error.problems
    if errors:
        raise ConfigError([f"SITEMAP: {error}" for error in errors])
    return Options(config, problems, legacy)
