"""Read the front matter of a source file: YAML, TOML, MultiMarkdown headers or reST fields."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from sitemap_plugin.common.files import read_file
from sitemap_plugin.dates.snippets import LIMIT

_YAML = re.compile(r"-{3}[ \t]*\n(.*?\n)(?:\.{3}|-{3})[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+{3}[ \t]*\n(.*?\n)\+{3}[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADER = re.compile(r"([A-Za-z][\w .-]*):(?:[ \t]+(.*)|[ \t]*)$")
_FIELD = re.compile(r":((?![: ])(?:\\.|[^\\:])+):(?:[ \t]+(.*)|[ \t]*)$")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+[ \t]*$")

SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader in C is as safe, and eight times as fast."""
NOT_YAML = (
    *(yaml.YAMLError, RecursionError),
    # What has the form of a date or a number, or a tag that says so, and is none.
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError),
)
"""What is raised for text that is not YAML."""


class SourceMetadata(NamedTuple):
    """The values with lower-case keys, and why the front matter cannot be read, if so.

    ``is_plain`` tells that there is no front matter at all.
    """

    values: Mapping[str, Any]
    fault: str | None = None
    is_plain: bool = False


def read_source_metadata(path: Path, within: Sequence[Path]) -> SourceMetadata:
    """Return what a source says at its beginning; links may not lead out of ``within``."""
    try:
        text = read_file(path, limit=LIMIT, within=within).decode("utf-8-sig", "replace")
    except OSError as error:
        return SourceMetadata({}, f"cannot be read: {error.strerror}", is_plain=True)
    text = text.replace("\r\n", "\n")
    for block, read, language in ((_YAML, _load_yaml, "YAML"), (_TOML, tomllib.loads, "TOML")):
        if match := block.match(text):
            return _read_block(match[1], read, language)
    suffix = path.suffix.lower()
    if suffix in {".html", ".ipynb"}:
        return SourceMetadata({}, is_plain=True)
    return SourceMetadata(
        _docinfo(text) if suffix in {".rst", ".txt"} else _read_fields(text.split("\n"), _HEADER)
    )


def _read_block(text: str, read: Callable[[str], Any], language: str) -> SourceMetadata:
    try:
        values = read(text)
    except NOT_YAML as error:
        reason = " ".join(str(error).split())[:200]
        fault = f"its front matter is not read, since it is not {language}: {reason}"
        return SourceMetadata({}, fault)
    if not isinstance(values, Mapping):
        return SourceMetadata({}, is_plain=True)  # The page begins with a thematic break.
    return SourceMetadata({str(key).lower(): value for key, value in values.items()})


def _load_yaml(text: str) -> Any:
    return yaml.load(text, SAFE_LOADER)  # noqa: S506 - it is safe


def _docinfo(text: str) -> dict[str, str]:
    """Read reST's document information: the fields before any text but the title and comments."""
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = block.split("\n")
        if _FIELD.match(lines[0]):
            return _read_fields(lines, _FIELD)
        is_title = len(lines) <= 3 and any(map(_ADORNMENT.match, lines))  # noqa: PLR2004 - two rules and a title
        if not is_title and not lines[0].startswith(".. "):
            break
    return {}


def _read_fields(lines: Sequence[str], field: re.Pattern[str]) -> dict[str, str]:
    """Read fields, one a line; a line that begins with white space continues the one before."""
    values: dict[str, str] = {}
    key = ""
    for line in lines:
        if match := field.match(line):
            key = match[1].strip().lower()
            values[key] = (match[2] or "").strip()
        elif key and line.strip() and line[0] in " \t":
            values[key] = f"{values[key]} {line.strip()}".strip()
        else:
            break
    return values
