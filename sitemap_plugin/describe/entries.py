"""Create entries: what is written for each listed page, before translations are linked."""

from collections.abc import Sequence
from itertools import compress
from typing import Any, NamedTuple

from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.dates.dating import PageDate
from sitemap_plugin.describe.images import get_images
from sitemap_plugin.describe.media import check_media, read_news, read_videos
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Alternate, Entry, Image, Page, Site
from sitemap_plugin.pages.addresses import base_of
from sitemap_plugin.pages.collect import LeftOut
from sitemap_plugin.pages.front_matter import NO_SETTINGS, Settings
from sitemap_plugin.pages.selection import Selection
from sitemap_plugin.plugins import PluginManager
from sitemap_plugin.write.protocol import MAX_LOC, loc_fault


class Transformed(NamedTuple):
    """What plugins left; the lists have something for each page, in their order."""

    pages: list[Page]
    settings: list[Settings]
    entries: list[Entry]
    dates: list[PageDate | None]
    left_out: dict[Page, LeftOut]
    problems: list[Problem]


def create_entries(
    site: Site, selection: Selection, dates: Sequence[PageDate | None]
) -> tuple[list[Entry], list[Problem]]:
    """Return an entry for each page: front matter wins over rules and options."""
    config, problems = site.config, list[Problem]()
    finds_media = config.images or (config.news is not None and bool(config.news.match))
    entries: list[Entry] = []
    rows = zip(selection.pages, selection.settings, selection.effects, dates, strict=True)
    for page, own, rule, date in rows:
        priority = rule.priority if own.priority is None else own.priority
        entry = Entry(page.url, date and date.lastmod, own.changefreq or rule.changefreq, priority)
        if own is not NO_SETTINGS or finds_media:
            entry = entry.replace(
                alternates=tuple(map(Alternate._make, (own.alternates or {}).items())),
                images=get_images(page, own, site, problems),
                news=read_news(page, own.news, site, problems),
                videos=read_videos(page, own.video, site, problems),
            )
        entries.append(entry)
    return entries, problems


def transform_entries(
    site: Site,
    selection: Selection,
    entries: Sequence[Entry],
    dates: Sequence[PageDate | None],
    hooks: PluginManager,
) -> Transformed:
    """Apply the plugins' functions in turn; leave out what they drop and what cannot be written."""
    calls = hooks.transforms(site)
    left_out: dict[Page, LeftOut] = {}
    problems: list[Problem] = []
    made, kept = [*entries], [True] * len(entries)
    for number, (page, original) in enumerate(zip(selection.pages, entries, strict=True)):
        entry: Entry | None = original
        for call in calls:
            entry = call(page, entry)
            if entry is None:
                reason = f"dropped by plugin ({shown(call.plugin)})"
                left_out[page], kept[number] = LeftOut(reason, call.plugin), False
                break
            if not isinstance(entry, Entry) or not isinstance(entry.loc, str):
                raise call.returned(entry, "an Entry or None", page)
        if entry is None or (entry is original and len(entry.loc) <= MAX_LOC):
            continue
        if fault := loc_fault(entry.loc, base_of(entry.loc, site) or site.base_url):
            # What cannot be written cannot be a page's translation either.
            message = f"{shown(entry.loc)} is left out: {fault}"
            where = selection.settings[number].where(page)
            problems.append(Problem("warning", message, where))
            left_out[page], kept[number] = LeftOut("invalid URL"), False
        else:
            made[number] = _sound_rows(check_media(entry, original, problems), problems)
    rows: list[Any] = [selection.pages, selection.settings, made, dates]
    if left_out:
        rows = [list(compress(row, kept)) for row in rows]
    return Transformed._make([*rows, left_out, problems])


def _sound_rows(entry: Entry, problems: list[Problem]) -> Entry:
    """Return an entry that plugins changed with rows of strings as its links and images."""
    for field, kind in (("alternates", Alternate), ("images", Image)):
        rows: Any = getattr(entry, field)
        is_list = isinstance(rows, list | tuple)
        kinds = [str] * len(kind._fields)
        if not is_list or any(not isinstance(r, tuple) or [*map(type, r)] != kinds for r in rows):
            message = f"{field} left out: {quoted(rows)} is not a tuple of {kind.__name__}"
            problems.append(Problem("warning", message, shown(entry.loc)))
            rows = ()
        entry = entry.replace(**{field: tuple(rows)})
    return entry
