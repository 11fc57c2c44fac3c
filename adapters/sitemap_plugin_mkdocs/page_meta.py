"""The front matter of a page, as its author wrote it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from mkdocs.utils import meta

from sitemap_plugin.common.files import read_file

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page

__all__ = ["FrontMatter", "read_front_matter"]

_MAX_BYTES = 1 << 24

_FIRST_KEY = re.compile(r"\s*(?:#.*\s+)*[A-Za-z_][\w .-]*:(?:\s|$)")
"""How front matter begins; a page may begin with a thematic break instead."""

_KEY_AT_ONCE = re.compile(r"\s*(?:#.*\s+)*[A-Za-z_][\w-]*:(?!//)\S.*")
"""How front matter begins whose first colon lacks its space: to YAML that is no key, but a text."""

_OUR_KEYS = (
    r"(?:sitemap|draft|private|noindex|robots|canonical(?:_url)?|lang|translation_key|translations"
    r"|changefreq|priority|lastmod|last_\w+|modified|updated|revision_date|date|created|published)"
    r"[ \t]*:"
)
_OUR_KEY = re.compile(rf"^{_OUR_KEYS}", re.MULTILINE)
_TIGHT_KEY = re.compile(rf"^{_OUR_KEYS}(?!//)\S.*", re.MULTILINE)


class FrontMatter(NamedTuple):
    """The values, and what keeps them from being read if something does.

    ``matters`` tells whether what cannot be read has a key that says something to a sitemap.
    """

    values: Mapping[str, Any]
    fault: str | None = None
    matters: bool = False


def read_front_matter(file: File, page: Page, config: MkDocsConfig, files: Files) -> FrontMatter:
    """Return what MkDocs and its hooks have set; a page that a dirty build skipped is read here.

    MkDocs passes over YAML that it cannot read without a word, and leaves it in the text.
    """
    values: Mapping[str, Any] = dict(page.meta) if page.meta else {}
    text = page.markdown
    if text is None and not values and file.abs_src_path:
        try:
            text = read_file(file.abs_src_path, limit=_MAX_BYTES).decode("utf-8-sig", "replace")
        except OSError:
            return FrontMatter({})
        # The text has MkDocs' newlines, as `meta.get_data` expects it.
        text = text.replace("\r\n", "\n")
        page.meta = meta.get_data(text)[1]
        # Material's plugin adds what `.meta.yml` says for a folder.
        if plugin := config.plugins.get("material/meta") or config.plugins.get("meta"):
            plugin.on_page_markdown("", page=page, config=config, files=files)
        values = dict(page.meta)
    if isinstance(dates := values.get("date"), Mapping):
        written = {key: _as_written(value) for key, value in dates.items()}
        values = {**values, "date": written}
    left = meta.YAML_RE.match(text) if text is not None and text.startswith("---") else None
    if left is None or not _is_meant(left[1]):
        return FrontMatter(values)
    return FrontMatter(values, _fault(left[1]), bool(_OUR_KEY.search(left[1])))


def _is_meant(block: str) -> bool:
    """Tell whether a block is meant as front matter, be it readable or not."""
    if _FIRST_KEY.match(block):
        return True
    return bool(_KEY_AT_ONCE.match(block) and _OUR_KEY.search(block))


def _fault(block: str) -> str | None:
    """Return why a block cannot be read as YAML, None if it can."""
    if tight := _TIGHT_KEY.search(block) or _KEY_AT_ONCE.match(block):
        number = block.count("\n", 0, tight.end()) + 2
        shown = block[: tight.end()].rpartition("\n")[2].strip()[:40]
        return f"a space is missing after the colon of {shown!r} in line {number}"
    try:
        yaml.safe_load(block)
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
