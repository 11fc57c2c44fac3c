"""What other plugins and the theme in mkdocs.yml mean for the sitemap, and mistakes in the list."""

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NoReturn
from urllib.parse import urlsplit

from mkdocs.config.base import ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin

from sitemap_plugin.common.text import and_more
from sitemap_plugin.config import Config
from sitemap_plugin.errors import Problem
from sitemap_plugin.report import Report

_USUAL_ALIASES = frozenset({"latest", "stable", "dev"})
_MATERIAL = frozenset({"material", "materialx"})
# Reasons that a setting of the site gives; readers still find these pages through links.
_CHOSEN = frozenset(
    {"sitemap: false", "noindex", "private", "listing", "not in the navigation"}
    | {"excluded by pattern", "excluded by rule"}
)


class MisnamedPlugin(BasePlugin):  # type: ignore[no-untyped-call,type-arg] # MkDocs' generic is optional
    """Stands under the names that people try first, and says which one is right."""

    def load_config(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse the configuration as MkDocs refuses the name of a plugin that is not there."""
        raise ValidationError("the plugin of sitemap-plugin is called 'sitemap': write '- sitemap'")


def search_notice(config: MkDocsConfig) -> Iterator[Problem]:
    """Say that a list with our plugin alone has switched off MkDocs' search."""
    if len(config.plugins) == 1 and config.theme.name is not None:
        message = (
            "the list has no 'search', which MkDocs uses by itself only where there is no list"
        )
        message += ", so the site has no search now; add '- search'"
        yield Problem("notice", message, "plugins")


def check_site_url(config: MkDocsConfig) -> Iterator[Problem]:
    """Warn of a ``site_url`` that ends in a version; refuse one that mike's versions.json has."""
    if "MIKE_DOCS_VERSION" not in os.environ or "mike" not in config.plugins or not config.site_url:
        return
    last = f"/{urlsplit(config.site_url).path}".rstrip("/").split("/")[-2]
    known = _deployed(config)
    if last not in known and last not in _USUAL_ALIASES:
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


def material_notices(config: MkDocsConfig, options: Config, report: Report) -> Iterator[Problem]:
    """Yield one notice for each cause by which Material, which asks the sitemap, misses pages."""
    readers = _material_readers(config)
    if not readers or not report.files:
        return
    who = f"Material's {' and '.join(readers)}"
    effect = "links load whole pages, and switchers lead to the start page"
    if options.filename != "sitemap.xml":
        message = f"{who} can only read sitemap.xml: {effect}; leave 'filename' out"
        yield Problem("notice", message, "filename")
    elif report.is_split:
        causes = [name for name in ("sections", "news") if getattr(options, name)]
        cure = f"leave out {' and '.join(causes)}" if causes else "raise max_urls and max_bytes"
        message = f"the sitemap is split, and {who} cannot read an index: {effect}; {cure}"
        yield Problem("notice", message, options.filename)
    left_out = [page for page, why in report.left_out.items() if why.split(" (")[0] in _CHOSEN]
    if left_out:
        message = f"is not listed, so {who} cannot find it in the sitemap: {effect}"
        yield Problem("notice", message + and_more(left_out), min(left_out).where)


def _material_readers(config: MkDocsConfig) -> list[str]:
    """Return the parts of Material that read the sitemap of this site."""
    if config.theme.name not in _MATERIAL:
        return []
    version: Any = config.extra.get("version")
    parts = {
        "instant navigation": "navigation.instant" in (config.theme.get("features") or ()),
        "version switcher": isinstance(version, Mapping) and version.get("provider") == "mike",
        "language switcher": bool(config.extra.get("alternate")),
    }
    return [name for name, is_used in parts.items() if is_used]
