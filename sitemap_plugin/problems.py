"""What the user should know about a setting, a page or a file."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Problem", "Severity"]

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
