"""What users set: options in a file or by flags, and the flags that several commands share."""

import argparse
import re
import sys
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.files import read_file, write_whole
from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.common.urls import check_base_url
from sitemap_plugin.errors import SitemapError

_TABLE, _A_DAY = "sitemap-plugin", 86_400


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
    for name in ("sitemap.toml", "pyproject.toml"):
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
    options = tool.get(_TABLE) if isinstance(tool, dict) else None
    if options is None:
        return {} if path.name == "pyproject.toml" else data
    if not isinstance(options, dict):
        raise SitemapError(f"{path}: [tool.{_TABLE}] is to be a table, got {quoted(options)}")
    return options


def add_option_flags(
    parser: argparse.ArgumentParser, names: Iterable[str], switches: Container[str]
) -> None:
    """Add a flag for each of these options; one of the switches without a value means true."""
    group = parser.add_argument_group(
        "options, as in the configuration",
        "each takes a value as TOML writes it, or a plain text; a list is made by repetition, and "
        "without a value true is meant",
    )
    for name in names:
        flag = "--" + name.replace("_", "-")
        value: dict[str, Any] = {"nargs": "?", "const": "true"} if name in switches else {}
        group.add_argument(flag, dest=name, action="append", metavar="VALUE", **value)


def read_option_flags(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the options that flags set, the type of each value as its TOML spelling has it."""
    given = {name: [*map(_value, getattr(arguments, name) or ())] for name in names}
    return {name: vals[0] if len(vals) == 1 else vals for name, vals in given.items() if vals}


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def add_result_flags(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    """Declare where the target is published, and how and where to write the result."""
    base_url = "the address of the folders; if left out, it is found out from the sitemaps"
    add = parser.add_argument
    add("--base-url", type=_base_url, metavar="URL", help=base_url)
    add("--format", choices=formats, default="text", help="how to write it (default: text)")
    add("--output", type=Path, metavar="FILE", help="write to a file instead of the terminal")


def add_retry_flags(parser: argparse.ArgumentParser) -> None:
    """Declare how long to wait for servers."""
    add = parser.add_argument
    silent = "how long a server may be silent (default: 30)"
    again = "how often to ask again a server that is busy or breaks off (default: 3)"
    wait = "the longest time to wait before asking again (default: 120)"
    add("--timeout", type=number(float, 1e-9, _A_DAY), default=30.0, metavar="SECONDS", help=silent)
    add("--retries", type=number(int, 0, 100), default=3, metavar="N", help=again)
    add("--max-wait", type=number(float, 0, _A_DAY), default=120.0, metavar="SECONDS", help=wait)


def _base_url(text: str) -> str:
    try:
        return check_base_url(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def put_out(text: str, arguments: argparse.Namespace) -> None:
    """Write a command's result where ``--output`` says; raise SitemapError if that fails."""
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        # A path of the command line may hold bytes that are no text.
        write_whole(arguments.output, text.encode("utf-8", "backslashreplace"))


def number(kind: type[float], least: float, most: float) -> Callable[[str], float]:
    """Return a reader of numbers within bounds; not a number is outside too."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if least <= (value := kind(text[:20])) <= most:
                return value
        raise argparse.ArgumentTypeError(f"expected a number up to {most}, got {text!r}")

    return read
