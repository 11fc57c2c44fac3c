"""mike, which adds the name of the version that it builds to ``site_url``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mkdocs.exceptions import PluginError

from sitemap_plugin.errors import Problem

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


_USUAL = frozenset({"latest", "stable", "dev"})


def check_site_url(config: MkDocsConfig) -> Iterator[Problem]:
    """Warn of a ``site_url`` that ends in a version already; no page is served at such addresses.

    Raises PluginError where mike's versions.json names that version or alias.
    """
    version = os.environ.get("MIKE_DOCS_VERSION")
    if not version or "mike" not in config.plugins or not config.site_url:
        return
    last = f"/{urlsplit(config.site_url).path}".rstrip("/").split("/")[-2]
    known = _deployed(config)
    if last not in known and last not in _USUAL:
        return
    what = "a version or alias in versions.json" if last in known else "usual as an alias"
    message = (
        f"ends in {last!r}, {what}, and mike adds the version to it, so that the addresses begin "
        f"with {config.site_url.rstrip('/')}/, where no page is served; take {last!r} out"
    )
    if last in known:
        raise PluginError(f"sitemap: site_url: {message}")
    yield Problem("warning", message, "site_url")


def _deployed(config: MkDocsConfig) -> set[str]:
    """Return the versions and aliases that have been deployed, as far as they can be read."""
    try:
        # Only mike's users have it, and it has no types.
        list_versions = import_module("mike.commands").list_versions
        prefix = config.plugins["mike"].config.get("deploy_prefix", "")
        versions = list(list_versions(config.remote_branch or "gh-pages", prefix))
        return {name for each in versions for name in (str(each.version), *each.aliases)}
    except Exception:  # noqa: BLE001 - whatever keeps mike from reading is no concern of a sitemap
        return set()
