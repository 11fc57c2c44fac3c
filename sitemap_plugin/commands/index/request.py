"""What the user asks of a root index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Request"]

_ABSOLUTE = ("http://", "https://")


@dataclass(frozen=True, kw_only=True)
class Request:
    """The fields are those of the command line.

    ``settings`` are options as in a configuration. ``also`` are paths below the folder, and URLs of
    sitemaps that are deployed from elsewhere; ``skip`` are patterns of sitemaps to leave out;
    ``reports`` are the builds' reports, for their translation keys.
    """

    base_url: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Sequence[str] = ()
    also: Sequence[str] = ()
    skip: Sequence[str] = ()
    link: bool = False
    force: bool = False
    prune: bool = False
    reports: Sequence[Path] = ()

    @property
    def also_urls(self) -> list[str]:
        """The URLs among what is to be listed too."""
        return [item for item in self.also if item.startswith(_ABSOLUTE)]

    @property
    def also_paths(self) -> list[str]:
        """The paths among it."""
        return [item for item in self.also if not item.startswith(_ABSOLUTE)]
