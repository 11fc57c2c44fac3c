"""Flags on the command line: for options of the configuration, and those of several commands."""

import argparse
import sys
import tomllib
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sitemap_plugin.common.files import write_whole
from sitemap_plugin.common.urls import check_base_url


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
    given = {name: getattr(arguments, name) for name in names}
    return {
        name: _value(texts[0]) if len(texts) == 1 else [_value(text) for text in texts]
        for name, texts in given.items()
        if texts is not None
    }


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
