"""Read the front matter of a source file: YAML, TOML, MultiMarkdown headers or reST fields."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sitemap_plugin.common.files import read_file

__all__ = ["SourceMetadata", "read_source_metadata"]

LIMIT = 1 << 24
"""Bytes of a source that is read at all."""

_YAML = re.compile(r"-{3}[ \t]*\n(.*?\n)(?:\.{3}|-{3})[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+{3}[ \t]*\n(.*?\n)\+{3}[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADER = re.compile(r"([A-Za-z][\w .-]*):[ \t]+(\S.*)|([A-Za-z][\w -]*):[ \t]*$|[ \t]+(\S.*)")
_FIELD = re.compile(r":((?![: ])(?:\\.|[^\\:])+):(?:[ \t]+(.*)|[ \t]*)$")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*$")
_RST = frozenset({".rst", ".adoc", ".txt"})


class SourceMetadata(NamedTuple):
    """The values with lower-case keys, and why the front matter cannot be read, if so.

    ``has_block`` tells whether there is any front matter, ``text`` is all that the source says.
    """

    values: Mapping[str, Any]
    fault: str | None = None
    has_block: bool = True
    text: str = ""


def read_source_metadata(path: Path, within: Sequence[Path]) -> SourceMetadata:
    """Return what a source says at its beginning; links may not lead out of ``within``."""
    try:
        text = read_file(path, limit=LIMIT, within=within).decode("utf-8-sig", "replace")
    except OSError as error:
        return SourceMetadata({}, f"cannot be read: {error.strerror}", has_block=False)
    text = text.replace("\r\n", "\n")
    if path.suffix.lower() == ".ipynb":
        text = _first_cell(text)
    for block, read, language in ((_YAML, _load_yaml, "YAML"), (_TOML, tomllib.loads, "TOML")):
        if match := block.match(text):
            return _read_block(match[1], read, language)._replace(text=text)
    if path.suffix.lower() == ".html":
        return SourceMetadata({}, has_block=False)
    values = _fields(text) if path.suffix.lower() in _RST else _headers(text)
    return SourceMetadata(values, has_block=bool(values), text=text)


def _read_block(text: str, read: Callable[[str], Any], language: str) -> SourceMetadata:
    try:
        values = read(text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        return SourceMetadata(
            {}, f"its front matter is not read, since it is not {language}: {reason}"
        )
    if not isinstance(values, Mapping):
        return SourceMetadata({}, has_block=False)  # The page begins with a thematic break.
    return SourceMetadata({str(key).lower(): value for key, value in values.items()})


def _load_yaml(text: str) -> Any:
    # The loader in C is as safe, and eight times as fast.
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - it is safe


def _first_cell(text: str) -> str:
    """Return the text of a notebook's first cell, where MyST and Quarto expect front matter."""
    try:
        source = json.loads(text)["cells"][0]["source"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return source if isinstance(source, str) else "".join(map(str, source))


def _headers(text: str) -> dict[str, str]:
    """Read MultiMarkdown headers, which end at the first empty line."""
    values: dict[str, str] = {}
    key = ""
    for line in text.split("\n"):
        match = _HEADER.match(line)
        if not match or (match[4] and not key):
            break
        if match[4]:
            values[key] = f"{values[key]} {match[4].strip()}".strip()
        else:
            key = (match[1] or match[3]).strip().lower()
            values[key] = (match[2] or "").strip()
    return values


def _fields(text: str) -> dict[str, str]:
    """Read reST's document information: the fields before any text but the title and comments."""
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = block.split("\n")
        if _FIELD.match(lines[0]):
            return _field_list(lines)
        is_title = len(lines) <= 3 and any(map(_ADORNMENT.match, lines))  # noqa: PLR2004 - two rules and a title
        # In AsciiDoc the attributes follow the title in the same block.
        if lines[0].startswith("= "):
            return _field_list(lines[1:])
        if not is_title and not lines[0].startswith(".. "):
            break
    return {}


def _field_list(lines: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    key = ""
    for line in lines:
        if match := _FIELD.match(line):
            key = match[1].strip().lower()
            values[key] = (match[2] or "").strip()
        elif key:
            values[key] = f"{values[key]} {line.strip()}".strip()
    return values
