"""Read two targets and compare them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.commands.diff.compare import Difference, compare
from sitemap_plugin.commands.diff.targets import Target, open_target
from sitemap_plugin.commands.web.fetch import Fetcher

__all__ = ["Outcome", "diff"]


class Outcome(NamedTuple):
    """In what two targets differ, and what the second of them is."""

    difference: Difference
    new: Target

    @property
    def strangers(self) -> bool:
        """Whether they have nothing in common, so that they may not be of one site."""
        found = self.difference
        return bool(found.added and found.removed) and not (found.changed or found.unchanged)


def diff(old: str, new: str, fetcher: Fetcher, *, base_url: str | None = None) -> Outcome:
    """Compare two targets, each a path or a URL.

    ``base_url`` is the address of the folders, or of the folders of files, among them. Raises
    SitemapError where one of them cannot be read as a whole.
    """
    with tempfile.TemporaryDirectory(prefix="sitemap-plugin-") as scratch:
        before, after = (open_target(text, base_url, fetcher, Path(scratch)) for text in (old, new))
        return Outcome(compare(before.states(), after.states()), after)
