"""Flags on the command line for options of the configuration."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Container, Iterable
from typing import Any


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
