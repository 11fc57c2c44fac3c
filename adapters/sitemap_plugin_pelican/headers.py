"""The dates of a page as its author wrote them.

Pelican reads ``date`` and ``modified`` with dateutil, which makes a midnight of a day, drops what
it does not understand and fills in what is missing. The value that stands in the source lets the
core judge it strictly. A date that only the settings supply dates nothing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pelican.readers import BaseReader, default_metadata, parse_path_metadata, path_metadata

from sitemap_plugin.common.files import read_start
from sitemap_plugin.dates.parse import DateError, parse_date

__all__ = ["markdown_header", "meta_tags", "metadata", "rst_header"]

DATES = ("date", "modified")
LIMIT = 8_192
"""Bytes of a source that are searched for its header."""

# Markdown's own grammar of a header, see markdown.extensions.meta.
_META = re.compile(r" {0,3}(?P<key>[A-Za-z0-9_-]+):\s*(?P<value>.*)")
_META_MORE = re.compile(r" {4,}")
_YAML_BEGIN = re.compile(r"-{3}[ \t\r]*\n")
_YAML_END = re.compile(r"(?:-{3}|\.{3})\s*")
_FIELD = re.compile(r":(?P<key>[^:\s][^:]*):(?:\s+(?P<value>.*))?")
_BASIC_ISO = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)


def metadata(content: Any) -> Mapping[str, Any]:
    """Return a page's metadata, keys in lower case, with dates as written in the source."""
    values = {str(key).lower(): value for key, value in content.metadata.items()}
    given = [key for key in DATES if key in values]
    if given:
        header = _header(content.source_path) if content.source_path else {}
        for key in given:
            value = _date(content, key, values[key], header)
            if value is None:
                del values[key]
            else:
                values[key] = value
    return values


def _date(content: Any, key: str, parsed: Any, header: Mapping[str, str]) -> Any:
    """Return the value of a date as written, None for one that nobody wrote for this page."""
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


def _is_default(content: Any, key: str, parsed: Any) -> bool:
    """Tell whether a date comes from DEFAULT_DATE or DEFAULT_METADATA."""
    settings, path = content.settings, content.source_path
    if not settings.get("DEFAULT_DATE") and key not in dict(settings["DEFAULT_METADATA"]):
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
    """Return the header of a source file in one of Pelican's own formats."""
    read = _READERS.get(source.rpartition(".")[2].lower())
    if read is None:
        return {}
    try:
        return read(read_start(source, LIMIT).decode("utf-8-sig", "replace"))
    except OSError:
        return {}


def markdown_header(text: str) -> dict[str, str]:
    """Return the header of a Markdown file; of a key that stands there twice, the first value."""
    is_yaml = _YAML_BEGIN.match(text) is not None
    header: dict[str, str] = {}
    for line in _lines(text.partition("\n")[2] if is_yaml else text):
        if (line[:1] in "-." and _YAML_END.fullmatch(line)) or not (is_yaml or line.strip()):
            break
        match = _META.fullmatch(line)
        if match:
            value = match["value"]
            if is_yaml:
                value = re.sub(r"\s+#.*", "", value)
            header.setdefault(match["key"].lower(), _unquote(value.strip()))
        elif not is_yaml and not _META_MORE.match(line):
            break
    return header


def rst_header(text: str) -> dict[str, str]:
    """Return the first field list of a reStructuredText file."""
    header: dict[str, str] = {}
    for line in _lines(text):
        match = _FIELD.fullmatch(line)
        if match:
            header.setdefault(match["key"].lower(), (match["value"] or "").strip())
        elif header and line.strip() and not line[0].isspace():
            break
    return header


def meta_tags(text: str) -> dict[str, str]:
    """Return the meta tags of an HTML file's head."""
    parser = _MetaTags()
    parser.feed(text)
    return parser.found


class _MetaTags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._in_head = True

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name")
        self._in_head = self._in_head and tag != "body"
        if tag == "meta" and name and self._in_head:
            # Pelican still reads the misspelt attribute, and warns.
            value = values.get("content") or values.get("contents") or ""
            self.found.setdefault(name.lower(), value.strip())


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text one by one, since few of them belong to the header."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end].rstrip("\r")
        start = end + 1


def _unquote(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value


_READERS: Mapping[str, Callable[[str], dict[str, str]]] = {
    **dict.fromkeys(("md", "markdown", "mkd", "mdown"), markdown_header),
    "rst": rst_header,
    **dict.fromkeys(("html", "htm"), meta_tags),
}
