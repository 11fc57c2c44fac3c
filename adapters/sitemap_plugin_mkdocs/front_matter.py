"""The front matter of a page, as its author wrote it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from mkdocs.utils import meta

if TYPE_CHECKING:
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page

__all__ = ["FrontMatter", "read_front_matter"]


class FrontMatter(NamedTuple):
    """The values, and what keeps them from being read if something does."""

    values: Mapping[str, Any]
    fault: str | None = None


def read_front_matter(file: File, page: Page) -> FrontMatter:
    """Return what MkDocs has read; a page that a dirty build did not read is read here.

    MkDocs passes over YAML that it cannot read without a word, and leaves it in the text.
    """
    values: Mapping[str, Any] = dict(page.meta) if page.meta else {}
    text = page.markdown
    if text is None and not values and file.abs_src_path:
        try:
            text = Path(file.abs_src_path).read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            return FrontMatter({})
        values = meta.get_data(text)[1]
    if isinstance(dates := values.get("date"), Mapping):
        written = {key: _as_written(value) for key, value in dates.items()}
        values = {**values, "date": written}
    is_left = text is not None and text.startswith("---")
    return FrontMatter(values, _fault(text) if is_left and text else None)


def _fault(text: str) -> str | None:
    """Return why a text's YAML block cannot be read, None if it can or is none."""
    match = meta.YAML_RE.match(text)
    if match is None:
        return None
    try:
        yaml.safe_load(match[1])
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
