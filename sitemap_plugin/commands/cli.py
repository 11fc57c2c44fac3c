"""The command line: one sub-command a row, each in a module that is loaded when it is asked for.

A module of a command has ``add_arguments(parser)`` and ``run(arguments)``, which returns the exit
status: 0 for fine, 1 for errors found, 2 for wrong usage or input that cannot be read.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.common.text import shown
from sitemap_plugin.errors import SitemapError


class Command(NamedTuple):
    """A sub-command: what to type, what it does, and the module that does it."""

    name: str
    summary: str
    module: str


COMMANDS: tuple[Command, ...] = (
    Command(
        "build", "write the sitemap of a folder of HTML", "sitemap_plugin_folder.build_command"
    ),
    Command("check", "judge a sitemap or a built site", "sitemap_plugin.commands.check.command"),
    Command(
        "explain", "tell why a page is in the sitemap or not", "sitemap_plugin.commands.explain"
    ),
    Command("index", "join the sitemaps of several builds", "sitemap_plugin.commands.index"),
    Command("diff", "tell in what two sitemaps differ", "sitemap_plugin.commands.diff"),
    Command("indexnow", "announce what has changed", "sitemap_plugin.commands.indexnow"),
)

_ERRORS, _INTERRUPTED = 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Closed by whoever started us, as `>&-` does.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        if hasattr(stream := getattr(sys, name), "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = _parser(words).parse_args(words)
        status: int = importlib.import_module(arguments.module).run(arguments)
        sys.stdout.flush()
    except SitemapError as error:
        sys.stderr.write(f"sitemap-plugin: error: {error}\n")
        return _ERRORS
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        try:
            sys.stdout.flush()
        except OSError:  # Python would try, and complain, again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # A broken pipe means that whoever read the output has seen enough.
        if not isinstance(error, BrokenPipeError):
            with suppress(OSError):
                named = f"{shown(str(error.filename))}: " if error.filename else ""
                sys.stderr.write(f"sitemap-plugin: error: {named}{error.strerror or error}\n")
                sys.stderr.flush()
        return _ERRORS
    return status


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser that knows all commands, and the arguments of the one that is meant."""
    parser = argparse.ArgumentParser(
        prog="sitemap-plugin", description="Write and judge sitemaps of built sites."
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    meant = next((word for word in words if not word.startswith("-")), None)
    for command in COMMANDS:
        summary = f"{command.summary[0].upper()}{command.summary[1:]}."
        sub = commands.add_parser(command.name, help=command.summary, description=summary)
        sub.set_defaults(module=command.module)
        if command.name == meant:
            importlib.import_module(command.module).add_arguments(sub)
    return parser


class _Version(argparse.Action):
    """Prints the version of the installed package."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_unused: Any) -> None:
        from importlib.metadata import version  # noqa: PLC0415 - takes longer than all the rest

        sys.stdout.write(f"sitemap-plugin {version('sitemap-plugin')}\n")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
