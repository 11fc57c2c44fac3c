"""Find and read the options of a site whose generator has no configuration for us."""

import re
import tomllib
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.errors import SitemapError

NAMES = ("sitemap.toml", "pyproject.toml")
TABLE = "sitemap-plugin"


class GivenOptions(NamedTuple):
    """Options as the user wrote them, the file they stand in, if any, and its folder."""

    options: Mapping[str, Any]
    folder: Path
    file: Path | None = None

    def place(self, problem: str, flags: Container[str]) -> str:
        """Say where the option stands of which a problem tells: in the file or in a given flag."""
        problem = re.sub("^--base-url", "base_url", problem)
        option = re.match(r"\w+", problem)
        if option and option[0] in flags:
            return f"--{option[0].replace('_', '-')}{problem[option.end() :]}"
        is_flag = problem.startswith("--")
        return f"{self.file}: {problem}" if self.file and not is_flag else problem


def read_settings(path: Path | None, folder: Path) -> GivenOptions:
    """Read the named file, else ``sitemap.toml`` or ``pyproject.toml``'s table in a folder."""
    if path is not None:
        return GivenOptions(_options(path), path.absolute().parent, path)
    for name in NAMES:
        if (folder / name).is_file():
            options = _options(folder / name)
            if options or name != "pyproject.toml":
                return GivenOptions(options, folder, Path(name))
    return GivenOptions({}, folder)


def read_text(path: Path, limit: int = 1 << 22) -> str:
    """Return the text of a file of the user's; raises SitemapError for one that cannot be read."""
    try:
        return read_file(path, limit=limit).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SitemapError(f"{path}: not UTF-8: {error}") from error


def read_toml(path: Path) -> Mapping[str, Any]:
    """Return the content of a TOML file; raises SitemapError for one that cannot be read."""
    try:
        return tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:  # Too many digits, or too many brackets.
        raise SitemapError(f"{path}: not TOML: {shown(str(error))}") from error


def _options(path: Path) -> Mapping[str, Any]:
    data = read_toml(path)
    tool = data.get("tool")
    options = tool.get(TABLE) if isinstance(tool, dict) else None
    if options is None:
        return {} if path.name == "pyproject.toml" else data
    if not isinstance(options, dict):
        raise SitemapError(f"{path}: [tool.{TABLE}] is to be a table, got {quoted(options)}")
    return options
