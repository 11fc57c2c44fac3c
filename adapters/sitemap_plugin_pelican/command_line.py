"""What Pelican's command line says; Pelican passes these arguments on to no plugin."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from pelican import DEFAULT_CONFIG_NAME, parse_arguments  # type: ignore[attr-defined] # untyped

__all__ = ["is_autoreload", "settings_folder"]


def is_autoreload() -> bool:
    """Tell whether ``pelican --autoreload`` is running."""
    arguments = _arguments()
    return arguments is not None and bool(arguments.autoreload)


def settings_folder() -> Path:
    """Return the folder of the settings file; a program that runs Pelican has the current one."""
    arguments = _arguments()
    name = arguments.settings if arguments is not None else None
    return Path(name or DEFAULT_CONFIG_NAME).absolute().parent


def _arguments() -> Namespace | None:
    """Return the arguments, None where another program runs Pelican."""
    program = Path(sys.argv[0])
    if program.stem == "__main__":
        program = program.parent
    return parse_arguments(sys.argv[1:]) if program.stem == "pelican" else None
