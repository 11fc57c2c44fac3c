"""The date source ``state``: the day of the build that first saw a page say what it says now.

For sites without a usable history: shallow clones, generated pages, folders of HTML. The option
``state_file`` names a file that keeps each page's fingerprint and date from build to build; it is
to be committed or cached with the site. On first sight a page gets no date.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_plugin.clock import build_time
from sitemap_plugin.errors import ConfigError
from sitemap_plugin.files import write_whole
from sitemap_plugin.hookspecs import LastmodFunction, hookimpl
from sitemap_plugin.html.fingerprint import fingerprint
from sitemap_plugin.models import Page, Site
from sitemap_plugin.report import Problem, Report

__all__ = ["State", "StateDates"]

VERSION = 1
_OTHER_SUFFIXES = frozenset(
    {".cfg", ".htm", ".html", ".ini", ".md", ".py", ".rst", ".toml", ".xml", ".yaml", ".yml"}
)
"""A damaged file is replaced, but none that its name says is another one."""


class Seen(NamedTuple):
    """What a page said when it was last looked at, and the day since when, if that is known."""

    content: str
    date: dt.date | None


class State:
    """The plugin: provides the source, and keeps the file when the sitemap is in place."""

    def __init__(self) -> None:
        self._dates: StateDates | None = None

    @hookimpl
    def sitemap_lastmod_source(self, site: Site, name: str) -> LastmodFunction | None:
        """Provide ``state``."""
        if name != "state":
            return None
        if site.config.state_file is None:
            raise ConfigError(
                [
                    "lastmod: the date source 'state' needs the option 'state_file', the path of "
                    "the file that remembers the pages"
                ]
            )
        path = site.config_dir / site.config.state_file
        if path.suffix.lower() in _OTHER_SUFFIXES and path.exists():
            raise ConfigError([f"state_file: {path} is there already, and is no state file"])
        self._dates = StateDates(path, site.base_url)
        return self._dates

    @hookimpl(trylast=True)
    def sitemap_written(self, site: Site, report: Report) -> None:  # noqa: ARG002 - hook
        """Write the file, unless the site is only looked at on this machine."""
        if self._dates is not None and not site.preview:
            self._dates.save()


class StateDates:
    """Dates pages by comparing them with what a file remembers of them."""

    def __init__(self, path: Path, base_url: str) -> None:
        self.problems: list[Problem] = []
        self._path = path
        self._base_url = base_url
        self._today = build_time().date()
        self._before = self._read()
        self._now: dict[str, Seen] = {}

    def prepare(self, pages: Sequence[Page]) -> None:
        """Carry over what is known of the pages that still exist."""
        for page in pages:
            key = self._key(page)
            if key in self._before:
                self._now[key] = self._before[key]

    def __call__(self, page: Page) -> dt.date | None:
        """Return the day since when the page says what it says."""
        if page.output is None:
            return None
        try:
            content = fingerprint(page.output.read_bytes())
        except OSError:
            return None
        key = self._key(page)
        before = self._before.get(key)
        if before is None:
            seen = Seen(content, None)
        elif before.content == content:
            seen = before
        else:
            seen = Seen(content, self._today)
        self._now[key] = seen
        return seen.date

    def describe(self, page: Page) -> str:
        """Tell since when the page is unchanged."""
        seen = self._now.get(self._key(page))
        return f"state, unchanged since {seen.date}" if seen and seen.date else "state"

    def save(self) -> None:
        """Write the file: a line for each page, sorted, so that changes are easy to read."""
        lines = [
            f"  {json.dumps(key, ensure_ascii=False)}: "
            f"{json.dumps([seen.content, seen.date and seen.date.isoformat()])}"
            for key, seen in sorted(self._now.items())
        ]
        text = f'{{"version": {VERSION}, "pages": {{\n' + ",\n".join(lines) + "\n}}\n"
        write_whole(self._path, text.encode("utf-8", "backslashreplace"))

    def _key(self, page: Page) -> str:
        return page.url.removeprefix(self._base_url)

    def _read(self) -> dict[str, Seen]:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            return _checked(data)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            message = f"cannot be read ({error}); it is begun anew, and no page gets a date from it"
            self.problems.append(Problem("warning", message, str(self._path)))
            return {}


def _checked(data: Any) -> dict[str, Seen]:
    """Return the pages of a state file; raise ValueError for one that we did not write so."""
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        raise ValueError("not a state file of this version")
    pages = data.get("pages")
    if not isinstance(pages, Mapping):
        raise ValueError("it has no pages")  # noqa: TRY004 - one error for all damage
    seen: dict[str, Seen] = {}
    for key, value in pages.items():
        match value:
            case [str(content), None]:
                seen[key] = Seen(content, None)
            case [str(content), str(date)]:
                seen[key] = Seen(content, dt.date.fromisoformat(date))
            case _:
                raise ValueError(f"it says {value!r} of {key!r}")
    return seen
