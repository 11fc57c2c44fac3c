"""What the author of an article or a page, or a plugin, says of it.

Pelican reads ``date`` and ``modified`` with dateutil, which makes a midnight of a day, drops what
it does not understand and fills in what is missing. The value that stands in the source lets the
core judge it strictly. A date that only the settings supply dates nothing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pelican.readers import BaseReader, default_metadata, parse_path_metadata, path_metadata
from pelican.utils import set_date_tzinfo

from sitemap_plugin.common.files import read_start
from sitemap_plugin.dates.parse import DateError, parse_date
from sitemap_plugin.html.document import parse

ATTRIBUTES = (
    "canonical", "canonical_url", "changefreq", "draft", "noindex", "priority", "private", "robots",
    "sitemap", "translation_key",
)  # fmt: skip
"""What plugins may set on the object instead of in its metadata, beside the dates."""

HEADER_BYTES = 8_192

_HTML = (".html", ".htm")
_TEXT = (".md", ".markdown", ".mkd", ".mdown", ".rst")
_FIELD = re.compile(
    r"^(?: {0,3}|:)(date|modified):[ \t]*(.*?)[ \t\r]*$", re.IGNORECASE | re.MULTILINE
)
_YAML = re.compile(r"\A-{3}[ \t\r]*\n(.*?)^(?:-{3}|\.{3})[ \t\r]*$", re.DOTALL | re.MULTILINE)
_BASIC_ISO = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)


def metadata(content: Any) -> dict[str, Any]:
    """Return a page's metadata, keys in lower case, with dates as written in the source."""
    values = {str(key).lower(): value for key, value in content.metadata.items()}
    values |= {key: vars(content)[key] for key in ATTRIBUTES if key in vars(content)}
    header: Mapping[str, str] | None = None
    for key in ("date", "modified"):
        value = values.pop(key, None)
        if value is None or isinstance(value, dt.datetime):
            if value is not None and header is None:
                header = _header(str(content.source_path or ""))
            value = _date(content, key, value, header or {})
        if value is not None:
            values[key] = value
    return values


def _date(content: Any, key: str, parsed: dt.datetime | None, header: Mapping[str, str]) -> Any:
    """Return a date as a plugin set it or an author wrote it, None for one that only defaults."""
    value = getattr(content, key, None)
    if value is None:
        return None
    if parsed is None or value != set_date_tzinfo(parsed, str(content.timezone)):
        return _without_midnight(value)
    written = header.get(key) or _from_path(content, key)
    if written is None:
        return None if _is_default(content, key, parsed) else _without_midnight(parsed)
    if key == "date":
        written = written.replace("_", " ")  # Pelican's own rule, for dates in file names.
    if "timezone" in content.metadata:
        try:
            return parse_date(written, content.timezone)
        except DateError:
            pass  # The core says what is wrong with it.
    return written


def _from_path(content: Any, key: str) -> str | None:
    """Return what FILENAME_METADATA or PATH_METADATA finds in the file's name."""
    path = content.relative_source_path
    value = path and parse_path_metadata(path, settings=content.settings).get(key)
    # A name like 20240131-title.md is meant so by whoever wrote the pattern.
    return _BASIC_ISO.sub(r"\1-\2-\3", value) if isinstance(value, str) else None


def _is_default(content: Any, key: str, parsed: dt.datetime) -> bool:
    """Tell whether a date comes from DEFAULT_DATE or DEFAULT_METADATA."""
    settings, path = content.settings, content.source_path
    if not settings.get("DEFAULT_DATE") and key not in dict(settings.get("DEFAULT_METADATA") or ()):
        return False
    defaults = default_metadata(settings, BaseReader(settings).process_metadata)
    if path and Path(path).exists():
        only_default = {"DEFAULT_DATE": settings.get("DEFAULT_DATE")}
        defaults.update(path_metadata(path, content.get_relative_source_path(), only_default))
    return bool(defaults.get(key) == parsed)


def _without_midnight(value: Any) -> Any:
    """Return the day where a datetime is its midnight, as dateutil makes it of a plain date."""
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date()
    return value


def _header(source: str) -> Mapping[str, str]:
    """Return the dates in the header of a source in one of Pelican's own formats, as written."""
    suffix = "." + source.rpartition(".")[2].lower()
    if suffix not in (*_HTML, *_TEXT):
        return {}
    try:
        text = read_start(source, HEADER_BYTES).decode("utf-8-sig", "replace").lstrip("\r\n")
    except OSError:
        return {}
    if suffix in _HTML:
        # Pelican still reads the misspelt "contents", and warns.
        metas = [meta.attributes for meta in parse(text.encode()).css("head > meta")]
        return _first((m.get("name"), m.get("content") or m.get("contents")) for m in metas)
    if yaml := _YAML.match(text):
        fields = _FIELD.findall(yaml[1])
        return _first((key, re.sub(r"\s+#.*", "", value)) for key, value in fields)
    # A Markdown header ends at the first empty line; in reST a title and comments come first.
    end = None if suffix == ".rst" else re.search(r"^\s*$", text, re.MULTILINE)
    return _first(_FIELD.findall(text[: end.start()] if end else text))


def _first(pairs: Iterable[tuple[str | None, str | None]]) -> dict[str, str]:
    """Return the first value of each key, without quotation marks."""
    found: dict[str, str] = {}
    for key, value in pairs:
        found.setdefault((key or "").lower(), (value or "").strip("\"'").strip())
    return found
