"""The files that the pages of a folder were written in, and what their front matter says."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import yaml

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import and_more
from sitemap_plugin.dates.included_files import LIMIT, find_included, find_snippets
from sitemap_plugin.errors import Problem, SitemapError
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin_folder.folder_pages import FolderFiles, page_key
from sitemap_plugin_folder.project import NOT_YAML, SAFE_LOADER, Project

SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".rst", ".adoc", ".ipynb", ".html", ".txt"})
_OF_A_FOLDER = frozenset({"index", "_index", "readme"})

_YAML = re.compile(r"-{3}[ \t]*\n(.*?\n)(?:\.{3}|-{3})[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\+{3}[ \t]*\n(.*?\n)\+{3}[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADER = re.compile(r"([A-Za-z][\w .-]*):(?:[ \t]+(.*)|[ \t]*)$")
_FIELD = re.compile(r":((?![: ])(?:\\.|[^\\:])+):(?:[ \t]+(.*)|[ \t]*)$")
_BEFORE_FIELDS = re.compile(
    # Empty lines, comments, and a title, which may have a rule above it too.
    r"(?:[ \t]*\n|\.\. .*\n(?:[ \t]+.*\n)*|(?:([!-/:-@\[-`{-~])\1+[ \t]*\n)?"
    r".+\n([!-/:-@\[-`{-~])\2+[ \t]*\n)*"
)


class Source(NamedTuple):
    """A source: its path, the same below its folder, its front matter, and what it includes."""

    path: Path
    name: str
    metadata: Mapping[str, Any]
    includes: tuple[Path, ...]
    is_copied: bool  # HTML without front matter, which generators copy as it is.


def read_sources(
    folder: Path, files: FolderFiles, language: str | None, project: Project
) -> tuple[dict[str, Source], list[Problem]]:
    """Return the sources of files that have exactly one, and what to say about the others."""
    names, problems = _find_sources(folder, files, language)
    finders = [find_snippets(project.snippets)] if project.snippets else []
    found: dict[str, Source] = {}
    for page, name in names.items():
        path = folder / name
        metadata: dict[str, Any] | None = {}
        try:
            data = read_file(path, limit=LIMIT, within=(folder, project.settings.folder))
            metadata = _read_front_matter(data.decode("utf-8-sig", "replace"), path.suffix.lower())
        except (OSError, SitemapError) as error:
            told = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)
            problems.append(Problem("warning", told, name))
        is_copied = metadata is None and path.suffix.lower() == ".html"
        includes = find_included(path, finders)
        found[page] = Source(path, name, metadata or {}, includes, is_copied)
    return found, problems


def _find_sources(
    folder: Path, files: FolderFiles, language: str | None
) -> tuple[dict[str, str], list[Problem]]:
    keys = set(map(page_key, files.names))
    exact: defaultdict[str, list[str]] = defaultdict(list)
    loose: defaultdict[str, list[str]] = defaultdict(list)
    for name in FolderFiles(folder, SUFFIXES, {"node_modules", str(files.folder.resolve())}).names:
        stem = PurePosixPath(name).with_suffix("")
        key = str(stem)
        # A README may have a page of that name, and stands for its folder only if it has none.
        if stem.name.lower() in _OF_A_FOLDER and (key not in keys or stem.name == "index"):
            key = "" if str(stem.parent) == "." else str(stem.parent)
        exact[key].append(name)
        for other in _loose_keys(key, language):
            loose[other].append(name)
    found: dict[str, str] = {}
    unclear: list[str] = []
    for page in files.names:
        key = page_key(page)
        names = exact.get(key) or loose.get(_folded(key), [])
        if len(names) == 1:
            found[page] = names[0]
        elif names:
            unclear.append(f"{page} may come from {' and '.join(names)}, so it has no source")
    message = unclear[0] + and_more(unclear) if unclear else ""
    if files.names and not found and not unclear:
        cure = "name the folder whose files have the same paths as the pages"
        message = f"no page has its source in {folder}; {cure}"
    return found, [Problem("notice", message, "--source")] if message else []


def _loose_keys(key: str, language: str | None) -> Iterator[str]:
    """Yield the paths that Hugo and Astro give the page of a source, in lower case without spaces.

    ``page.de.md`` is ``de/page``; the site's own language lies outside the folder of that language.
    """
    path = _folded(key)
    stem, _, code = path.rpartition(".")
    if stem and normalize(code).code:
        path = f"{code}/{'' if stem == 'index' else stem.removesuffix('/index')}".rstrip("/")
    yield path
    own = (language or "").lower().partition("-")[0] + "/"
    if f"{path}/".startswith(own):
        yield path[len(own) :]


def _folded(key: str) -> str:
    return key.lower().replace(" ", "-")


def _read_front_matter(text: str, suffix: str) -> dict[str, Any] | None:
    """Read YAML, TOML, MultiMarkdown headers or reST fields; None where there is nothing such."""
    text = text.replace("\r\n", "\n")
    load_yaml = partial(yaml.load, Loader=SAFE_LOADER)
    for name, load, block in (("YAML", load_yaml, _YAML), ("TOML", tomllib.loads, _TOML)):
        if match := block.match(text):
            try:
                values = load(match[1])
            except NOT_YAML as error:
                reason = " ".join(str(error).split())[:200]
                fault = f"its front matter is not read, since it is not {name}: {reason}"
                raise SitemapError(fault) from error
            # The page may begin with a thematic break instead.
            is_map = isinstance(values, Mapping)
            return {str(key).lower(): value for key, value in values.items()} if is_map else None
    if suffix in {".html", ".ipynb"}:
        return None
    if suffix in {".rst", ".txt"}:
        return _fields(_BEFORE_FIELDS.sub("", text, count=1), _FIELD)
    return _fields(text, _HEADER)


def _fields(text: str, field: re.Pattern[str]) -> dict[str, Any]:
    """Read fields, one a line; a line that begins with white space continues the one before."""
    values: dict[str, Any] = {}
    key = ""
    for line in text.split("\n"):
        if match := field.match(line):
            key = match[1].strip().lower()
            values[key] = (match[2] or "").strip()
        elif key and line.strip() and line[0] in " \t":
            values[key] = f"{values[key]} {line.strip()}".strip()
        else:
            break
    return values
