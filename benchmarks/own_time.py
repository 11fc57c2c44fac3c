"""Build a site and tell how much CPU time was spent in the plugin itself.

Called as ``own_time.py mkdocs build ...`` or ``own_time.py pelican content ...``. The difference
between two whole builds varies by more than the plugin takes.
"""

import functools
import importlib
import json
import resource
import sys
from collections.abc import Callable
from typing import Any

spent = 0.0


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def timed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its CPU time added up."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        global spent  # noqa: PLW0603 - a program of one number
        start = cpu_seconds()
        try:
            return function(*arguments, **named)
        finally:
            spent += cpu_seconds() - start

    return call


def time_handlers(owner: Any) -> None:
    """Have everything timed that a generator calls: what is named ``on_...``."""
    for name, handler in list(vars(owner).items()):
        if name.startswith("on_") and hasattr(handler, "methods"):  # Combined by MkDocs.
            handler.methods = [timed(method) for method in handler.methods]
        elif name.startswith("on_"):
            setattr(owner, name, timed(handler))


def main() -> None:
    """Build, and print the seconds as JSON on the last line."""
    generator, *arguments = sys.argv[1:]
    if generator == "mkdocs":
        # What MkDocs itself loads would be counted as the plugin's otherwise.
        cli = importlib.import_module("mkdocs.__main__").cli
        importlib.import_module("mkdocs.commands.build")
        importlib.import_module("mkdocs.config.defaults")
        time_handlers(timed(importlib.import_module)("sitemap_plugin_mkdocs").SitemapPlugin)
        cli(arguments, standalone_mode=False)
    else:
        pelican = importlib.import_module("pelican")
        time_handlers(timed(importlib.import_module)("sitemap_plugin_pelican"))
        pelican.main(arguments)
    print(json.dumps(spent))


if __name__ == "__main__":
    main()
