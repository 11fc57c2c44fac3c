"""The options of a site: ``SITEMAP`` in its settings."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.config import Config, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import ConfigError, Problem
from sitemap_plugin_pelican.legacy import Legacy, translate

__all__ = ["Options", "read_options"]


class Options(NamedTuple):
    """The checked options, what pelican-sitemap's keys among them say, and what is to be said.

    ``folder`` is where the paths among them start.
    """

    config: Config
    legacy: Legacy | None
    problems: tuple[Problem, ...]
    folder: Path


def read_options(settings: Mapping[str, Any]) -> Options:
    """Check ``SITEMAP``; raise ConfigError with everything that is wrong there."""
    given = settings.get("SITEMAP")
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise ConfigError([f"SITEMAP: expected a dict of options, got {given!r}"])
    found = OptionFaults()
    translated, legacy = translate(given, found)
    errors = list(found.errors)
    try:
        config, problems = parse_config(translated, generator="pelican")
    except ConfigError as error:
        errors += error.problems
    if errors:
        raise ConfigError([f"SITEMAP: {error}" for error in errors])
    return Options(config, legacy, tuple(problems), _folder(given))


def _folder(given: Mapping[str, Any]) -> Path:
    """Return the folder of the settings file, which Pelican knows only as a loaded module."""
    for module in tuple(sys.modules.values()):
        names = getattr(module, "__dict__", {})
        if names.get("SITEMAP") is given and names.get("__file__"):
            return Path(names["__file__"]).absolute().parent
    return Path.cwd()
