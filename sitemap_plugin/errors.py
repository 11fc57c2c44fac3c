"""Every exception that this package raises on purpose.

SitemapError
├── ConfigError   the user's settings; lists every problem at once
├── PluginError   a plugin raised, or implements a hook that does not exist
└── WriteError    a file could not be written; the old ones are intact
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeVar

Severity = Literal["error", "warning", "notice"]


class Problem(NamedTuple):
    """Something the user should know; ``where`` is a file, a URL or a setting.

    An error fails the build, a warning fails it under strict, a notice never does.
    """

    severity: Severity
    message: str
    where: str | None = None

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


Result = TypeVar("Result")


def or_none(function: Callable[..., Result], *arguments: object) -> Result | None:
    """Return what a function returns, and None where it raises a ValueError, as DateError is."""
    try:
        return function(*arguments)
    except ValueError:
        return None


class SitemapError(Exception):
    """A fault that fails the build; its message is written for the user and needs no traceback."""


class ConfigError(SitemapError):
    """Settings that cannot be used: one line for each problem, with place, value and cure."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class PluginError(SitemapError):
    """A sitemap plugin that raised or that implements an unknown hook."""


class WriteError(SitemapError):
    """A file that could not be written; whatever was there before is unchanged."""
