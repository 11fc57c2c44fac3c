"""The command line: one sub-command a row, each in a module that is loaded when it is asked for.

A module of a command has ``add_arguments(parser)`` and ``run(arguments)``, which returns the exit
status: 0 for fine, 1 for errors found, 2 for wrong usage or input that cannot be read, which is
what a SitemapError, or an OSError about a file, ends with.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from sitemap_plugin.common.text import shown
from sitemap_plugin.errors import SitemapError

_ROOM = "sitemap_plugin.commands"
_COMMANDS = (
    ("build", "write a sitemap of a folder of HTML", "sitemap_plugin_folder.build_command"),
    ("check", "judge a sitemap or a built site", f"{_ROOM}.check.command"),
    ("explain", "tell why a page is in the sitemap or not", f"{_ROOM}.explain"),
    ("index", "join the sitemaps of several builds", f"{_ROOM}.index"),
    ("diff", "tell in what two sitemaps differ", f"{_ROOM}.diff"),
    ("indexnow", "announce what has changed", f"{_ROOM}.indexnow"),
)

_FAILED, _UNUSABLE, _INTERRUPTED = 1, 2, 130
_LONGEST = 4000


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        return _end(*_run(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return _end(_INTERRUPTED, ["interrupted"])


def _run(words: Sequence[str]) -> tuple[int, list[str]]:
    """Run a command; return its exit status, and lines about what went wrong."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Closed by whoever started us, as `>&-` does.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        if hasattr(stream := getattr(sys, name), "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        if words[:1] == ["--version"]:
            from importlib.metadata import version  # noqa: PLC0415 - takes longer than the rest

            sys.stdout.write(f"sitemap-plugin {version('sitemap-plugin')}\n")
            status = 0
        else:
            arguments = _parser(words).parse_args(words)
            status = importlib.import_module(arguments.module).run(arguments)
        sys.stdout.flush()
    except SitemapError as error:
        return _UNUSABLE, [f"error: {line}" for line in str(error).split("\n")]
    except BrokenPipeError:  # Whoever read the output has seen enough.
        return _FAILED, []
    except OSError as error:
        place = f"{error.filename}: cannot be read: " if error.filename else ""
        status = _UNUSABLE if place else _FAILED
        return status, [f"error: {place}{error.strerror or error}"]
    return status, []


def _end(status: int, told: Iterable[str]) -> int:
    with suppress(OSError):
        sys.stderr.write("".join(f"sitemap-plugin: {shown(line, _LONGEST)}\n" for line in told))
        sys.stderr.flush()
    try:
        sys.stdout.flush()
    except OSError:  # Python would try, and complain, again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser that knows all commands, and the arguments of the one that is meant."""
    description = "Write and judge sitemaps of built sites."
    parser = argparse.ArgumentParser(prog="sitemap-plugin", description=description)
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    meant = next((word for word in words if not word.startswith("-")), None)
    for name, summary, module in _COMMANDS:
        described = f"{summary[0].upper()}{summary[1:]}."
        sub = commands.add_parser(name, help=summary, description=described)
        sub.set_defaults(module=module)
        if name == meant:
            importlib.import_module(module).add_arguments(sub)
    return parser


if __name__ == "__main__":
    sys.exit(main())
