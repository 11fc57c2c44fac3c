"""The templates that MkDocs renders without a page: its sitemap, and HTML of the site's own."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.plugins import BasePlugin

from sitemap_plugin.errors import Problem

if TYPE_CHECKING:
    import jinja2
    from mkdocs.config.defaults import MkDocsConfig


BUILT_IN = "sitemap.xml"
"""The name of the template from which MkDocs makes its own sitemap."""

_SKIPPED = f"Template skipped: '{BUILT_IN}' generated empty output."


class Templates:
    """The templates of one build, of all its languages.

    ``pages`` maps the path of each HTML file that a template of the site makes to that template.
    """

    def __init__(self) -> None:
        self.pages: dict[str, Path] = {}
        self.problems: list[Problem] = []
        self._own: dict[str, Path] = {}
        self._sitemap_is_themes = True

    def remember(self, template: jinja2.Template, name: str, config: MkDocsConfig) -> None:
        """Note where a template comes from: what a theme brings along, its users cannot change."""
        # A template of `extra_templates` has no name; it is a file of the site.
        if name == BUILT_IN:
            self._sitemap_is_themes = template.name is not None
        if template.name is None or not template.filename:
            return
        path, folder = Path(template.filename), getattr(config.theme, "custom_dir", None)
        is_own = folder is not None and path.is_relative_to(Path(folder).absolute())
        if is_own and name == BUILT_IN:
            message = f"the template {path} is not used; this plugin writes the sitemap"
            # Each language's build asks for the template again.
            self.problems = [Problem("notice", message, BUILT_IN)]
        if name.endswith(".html") and (is_own or name == "index.html"):
            self._own[name] = path

    def remember_output(self, name: str, output: str) -> None:
        """Note what a template of the site has made."""
        if name in self._own and output.strip():
            self.pages[name] = self._own[name]

    def replace_sitemap(self, output: str) -> str:
        """Return what MkDocs writes as its sitemap: nothing, unless the site has its own file."""
        if not self._sitemap_is_themes:
            return output
        _hide_next_message()
        return ""


def _hide_next_message() -> None:
    """Keep MkDocs from telling that the sitemap is empty, which reads like a failure."""
    host = BasePlugin.__module__.partition(".")[0]
    logger = logging.getLogger(f"{host}.commands.build")

    def is_other(record: logging.LogRecord) -> bool:
        logger.removeFilter(is_other)
        return record.getMessage() != _SKIPPED

    logger.addFilter(is_other)
