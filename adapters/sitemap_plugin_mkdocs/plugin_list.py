"""The list ``plugins`` in mkdocs.yml: mistakes that are easy to make when ours is added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from mkdocs.config.base import ValidationError
from mkdocs.plugins import BasePlugin

from sitemap_plugin.errors import Problem

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


class MisnamedPlugin(BasePlugin):  # type: ignore[no-untyped-call,type-arg] # MkDocs' generic is optional
    """Stands under the names that people try first, and says which one is right."""

    def load_config(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse the configuration as MkDocs refuses the name of a plugin that is not there."""
        raise ValidationError("the plugin of sitemap-plugin is called 'sitemap': write '- sitemap'")


def search_notice(config: MkDocsConfig) -> list[Problem]:
    """Say that a list with our plugin alone has switched off MkDocs' search.

    MkDocs uses ``search`` by itself only as long as there is no list. Who lists other plugins knows
    that; so does, it is assumed, who has a theme of their own.
    """
    if len(config.plugins) != 1 or config.theme.name is None:
        return []
    message = (
        "the list has no 'search', which MkDocs uses by itself only where there is no list, so the "
        "site has no search now; add '- search'"
    )
    return [Problem("notice", message, "plugins")]
