"""The command ``sitemap-plugin check``."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from sitemap_plugin.commands.check.codes import RULES, SEVERITIES
from sitemap_plugin.commands.check.formats import FORMATS
from sitemap_plugin.common.text import did_you_mean

__all__ = ["add_arguments", "run"]

_TARGET = "a sitemap, an index, a text sitemap, gzipped or not, or the folder of a built site"
_BASE_URL = (
    "the address of the folder, or of the folder that the file is in; if left out, it is found out "
    "from the addresses in the sitemap"
)
_FINE, _FOUND, _UNREADABLE = 0, 1, 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("target", metavar="TARGET", help=_TARGET)
    parser.add_argument("--base-url", type=_base_url, metavar="URL", help=_BASE_URL)
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how to write findings (default: text)"
    )
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="write to a file instead of the terminal"
    )
    parser.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="error",
        help="the slightest severity that makes the exit status 1 (default: error)",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        type=_code,
        metavar="CODE",
        help="leave out findings with this code; may be repeated",
    )


def _base_url(text: str) -> str:
    from sitemap_plugin.common.urls import check_base_url  # noqa: PLC0415 - not needed for --help

    try:
        return check_base_url(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _code(text: str) -> str:
    if text not in RULES:
        raise argparse.ArgumentTypeError(f"unknown code {text!r}{did_you_mean(text, RULES)}")
    return text


def run(arguments: argparse.Namespace) -> int:
    """Check, write what was found, and return the exit status."""
    from sitemap_plugin.commands.check.run import check  # noqa: PLC0415 - not needed for --help

    target: str = arguments.target
    if "://" in target:
        return _refuse(f"{target} is an address, and nothing is fetched; download the file first")
    try:
        outcome = check(
            Path(target), base_url=arguments.base_url, ignored=frozenset(arguments.ignore)
        )
    except OSError as error:
        return _refuse(f"{target} cannot be read: {error.strerror}")
    render = importlib.import_module(
        f"sitemap_plugin.commands.check.formats.{arguments.format}"
    ).render
    text: str = render(outcome)
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        try:
            arguments.output.write_text(text, encoding="utf-8")
        except OSError as error:
            return _refuse(f"{arguments.output} cannot be written: {error.strerror}")
    if arguments.fail_on == "never":
        return _FINE
    grave = SEVERITIES[: SEVERITIES.index(arguments.fail_on) + 1]
    severities = outcome.findings.severities()
    return _FOUND if any(severities[severity] for severity in grave) else _FINE


def _refuse(message: str) -> int:
    sys.stderr.write(f"sitemap-plugin check: error: {message}\n")
    return _UNREADABLE
