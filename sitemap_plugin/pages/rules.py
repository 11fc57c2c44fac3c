"""The option ``rules``: what the user wants for the pages that match a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sitemap_plugin.config import Rule

__all__ = ["NO_EFFECT", "Effect", "apply_rules"]


class Effect(NamedTuple):
    """What all rules together say of one page; None where they say nothing.

    ``excluded_by`` is the rule that leaves the page out, by its place in the options.
    """

    changefreq: str | None = None
    priority: float | None = None
    lastmod: tuple[str, ...] | None = None
    dependencies: tuple[str, ...] | None = None
    excluded_by: str | None = None


NO_EFFECT = Effect()


def apply_rules(rules: Sequence[Rule], source_path: str | None, url_path: str) -> Effect:
    """Return what the rules say of a page; later rules win key by key."""
    effect = NO_EFFECT
    for index, rule in enumerate(rules):
        if rule.match.match(source_path, url_path) is None:
            continue
        said = {
            key: value
            for key in ("changefreq", "priority", "lastmod", "dependencies")
            if (value := getattr(rule, key)) is not None
        }
        if rule.exclude is not None:
            said["excluded_by"] = f"rules[{index}]" if rule.exclude else None
        effect = effect._replace(**said)
    return effect
