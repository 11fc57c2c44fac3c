"""The front matter of a page, as its author wrote it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.utils import meta

from sitemap_plugin.common.files import read_file
from sitemap_plugin.dates.snippets import LIMIT

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page


_MEANT = re.compile(r"\s*(?:#.*\s+)*(?:[A-Za-z_][\w .-]*:(?:\s|$)|[A-Za-z_][\w-]*:(?!//)\S)")
"""How front matter begins; a page may begin with a thematic break instead."""

_OUR_KEY = re.compile(
    r"^(?:sitemap|draft|private|noindex|robots|canonical(?:_url)?|lang|translation_key|translations"
    r"|changefreq|priority|lastmod|last_\w+|modified|updated|revision_date|date|created|published)"
    r"[ \t]*:(?!//)(\S.*)?",
    re.MULTILINE,
)


def read_front_matter(
    file: File, page: Page, config: MkDocsConfig, files: Files
) -> tuple[Mapping[str, Any], str | None]:
    """Return what MkDocs and its hooks have set, and why the page's own words cannot be read.

    A page that a dirty build skipped is read here. MkDocs passes over YAML that it cannot read
    without a word, and leaves it in the text: that matters if it has a key of ours.
    """
    values: Mapping[str, Any] = dict(page.meta) if page.meta else {}
    text = page.markdown
    if text is None and not values and file.abs_src_path:
        try:
            text = read_file(file.abs_src_path, limit=LIMIT).decode("utf-8-sig", "replace")
        except OSError:
            return {}, None
        # The text has MkDocs' newlines, as `meta.get_data` expects it.
        text = text.replace("\r\n", "\n")
        page.meta = meta.get_data(text)[1]
        # Material's plugin adds what `.meta.yml` says for a folder.
        if plugin := config.plugins.get("material/meta") or config.plugins.get("meta"):
            plugin.on_page_markdown("", page=page, config=config, files=files)
        values = dict(page.meta)
    if isinstance(dates := values.get("date"), Mapping):
        values = {**values, "date": {key: _as_written(value) for key, value in dates.items()}}
    left = meta.YAML_RE.match(text) if text and text.startswith("---") else None
    return values, _fault(left[1]) if left and _MEANT.match(left[1]) else None


def _fault(block: str) -> str | None:
    """Return why a block with a key of ours cannot be read as YAML, None if it can."""
    keys = list(_OUR_KEY.finditer(block))
    if tight := next((key for key in keys if key[1]), None):
        # To YAML this is no key, but a text.
        number = block.count("\n", 0, tight.end()) + 2
        return f"a space is missing after the colon of {tight[0][:40]!r} in line {number}"
    try:
        yaml.safe_load(block if keys else "")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f" in line {mark.line + 2}" if mark else ""
        return f"{error.problem or error.context}{line}"
    except Exception as error:  # noqa: BLE001 - MkDocs passes over all of them
        return str(error).partition("\n")[0]
    return None


def _as_written(value: Any) -> Any:
    """Return the day where Material's blog has made midnight of it, else the value."""
    midnight = isinstance(value, dt.datetime) and value.timetz() == dt.time(tzinfo=dt.UTC)
    return value.date() if midnight else value
