"""What a check went through, and what it found."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_plugin.commands.check.findings import Findings

__all__ = ["Outcome"]


class Outcome(NamedTuple):
    """What a check went through, and what it found.

    ``base_url`` is the address of the folder, given or, if ``guessed``, found out; None where it is
    unknown. ``notes`` are lines about how a published site is served;
    ``interrupted`` tells that the user has stopped the check.
    """

    target: str
    base_url: str | None
    files: int
    urls: int
    pages: int
    findings: Findings
    guessed: bool = False
    notes: tuple[str, ...] = ()
    interrupted: bool = False
