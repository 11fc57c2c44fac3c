"""Create entries: what is written for each listed page, before translations are linked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.dates.dating import PageDate
from sitemap_plugin.describe.images import content_images, named_image
from sitemap_plugin.describe.news import check_news, read_news
from sitemap_plugin.describe.videos import check_video, read_videos
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Alternate, Entry, Image, News, Page, Site, Video
from sitemap_plugin.pages.addresses import base_of
from sitemap_plugin.pages.front_matter import bad_value
from sitemap_plugin.pages.selection import LeftOut, ListedPage
from sitemap_plugin.plugins import PluginManager
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_LOC, loc_fault


class Transformed(NamedTuple):
    """What plugins left; ``entries[i]`` and ``dates[i]`` belong to ``listed[i]``."""

    listed: list[ListedPage]
    entries: list[Entry]
    dates: list[PageDate | None]
    left_out: dict[Page, LeftOut]
    problems: list[Problem]


def create_entries(
    site: Site, listed: Sequence[ListedPage], dates: Sequence[PageDate | None]
) -> tuple[list[Entry], list[Problem]]:
    """Return an entry for each page: front matter wins over rules, rules over the options."""
    config, problems = site.config, list[Problem]()
    finds_news = config.news is not None and bool(config.news.match)
    entries: list[Entry] = []
    for item, date in zip(listed, dates, strict=True):
        page, own, rule = item
        priority = own.priority if own.priority is not None else rule.priority
        entry = Entry(
            page.url,
            date.lastmod if date else None,
            own.changefreq or rule.changefreq or config.changefreq,
            priority if priority is not None else config.priority,
        )
        if own.alternates:
            entry = entry.replace(alternates=tuple(map(Alternate._make, own.alternates.items())))
        if config.images or own.images or own.more_images:
            entry = entry.replace(images=_images(item, site, problems))
        if own.news is not None or finds_news:
            news, found = read_news(page, own.news, site)
            entry = entry.replace(news=news)
            problems += found
        if own.video is not None:
            videos, found = read_videos(page, own.video, site)
            entry = entry.replace(videos=videos)
            problems += found
        entries.append(entry)
    return entries, problems


def _images(item: ListedPage, site: Site, problems: list[Problem]) -> tuple[Image, ...]:
    """Return a page's images: those found in it, or what its front matter puts in their place."""
    page, own = item.page, item.settings
    named: list[Image] = []
    for link in own.images if own.images is not None else own.more_images:
        url = named_image(link, page, site)
        if url is not None:
            named.append(Image(url))
            continue
        cure = "there is no such file; write its path"
        if own.place:
            problems.append(Problem("warning", f"{quoted(link)}: {cure}", f"{own.place}.images"))
        else:
            problems.append(bad_value(page, "sitemap.images", link, cure))
    if own.images is not None or not site.config.images:
        return tuple(named)
    try:
        found = content_images(page, site)
    except OSError:
        found = ()  # What reads the head of every page has said so already.
    more = [image for image in named if image not in found]
    if (surplus := len(found) + len(more) - MAX_IMAGES) > 0 and len(found) > surplus:
        # What the author has named stays.
        found = found[:-surplus]
        message = f"search engines read {MAX_IMAGES:,} images of a page; {surplus:,} are left out"
        problems.append(Problem("notice", message, page.where))
    return (*found, *more)


def transform_entries(
    site: Site,
    listed: Sequence[ListedPage],
    entries: Sequence[Entry],
    dates: Sequence[PageDate | None],
    hooks: PluginManager,
) -> Transformed:
    """Apply the plugins' functions in turn; leave out what they drop and what cannot be written.

    Raises PluginError for a function that raises or returns something other than an entry.
    """
    calls = hooks.transforms(site)
    result = Transformed([], [], [], {}, [])
    for item, original, date in zip(listed, entries, dates, strict=True):
        entry: Entry | None = original
        for call in calls:
            entry = call(item.page, entry)
            if entry is None:
                reason = f"dropped by plugin ({shown(call.plugin)})"
                result.left_out[item.page] = LeftOut(reason, call.plugin)
                break
            if not isinstance(entry, Entry) or not isinstance(entry.loc, str):
                raise call.returned(entry, "an Entry or None", item.page)
        if entry is None:
            continue
        if entry is not original or len(entry.loc) > MAX_LOC:
            if fault := loc_fault(entry.loc, base_of(entry.loc, site) or site.base_url):
                # What cannot be written cannot be a page's translation either.
                message = f"{shown(entry.loc)} is left out: {fault}"
                result.problems.append(Problem("warning", message, item.where))
                result.left_out[item.page] = LeftOut("invalid URL")
                continue
            entry = _check_parts(entry, original, result.problems)
        result.listed.append(item)
        result.entries.append(entry)
        result.dates.append(date)
    return result


def _check_parts(entry: Entry, original: Entry, problems: list[Problem]) -> Entry:
    """Return an entry that plugins changed without what is wrong in its links, news and videos."""

    def warn(message: str) -> None:
        problems.append(Problem("warning", message, shown(entry.loc)))

    def refuse_news(field: str, value: object, cure: str) -> None:
        warn(f"news left out: its {field} is {quoted(value)}; {cure}")

    def refuse_video(field: str, value: object, cure: str) -> None:
        warn(f"{field} of a video left out: it is {quoted(value)}; {cure}")

    if entry.alternates is not original.alternates and not _are_pairs(entry.alternates):
        warn(f"alternates left out: {quoted(entry.alternates)} is not a tuple of Alternate")
        entry = entry.replace(alternates=())
    news: object = entry.news or None
    if news is not original.news:
        if news and not isinstance(news, News):
            warn(f"news left out: {quoted(news)} is not a News")
        sound = check_news(news, refuse_news) if isinstance(news, News) else None
        entry = entry.replace(news=sound)
    given: object = entry.videos or ()
    if given is not original.videos:
        if not isinstance(given, list | tuple):
            warn(f"videos left out: {quoted(given)} is not a tuple")
            given = ()
        videos = [video for video in given if isinstance(video, Video)]
        for video in given:
            if not isinstance(video, Video):
                warn(f"video left out: {quoted(video)} is not a Video")
        checked = (check_video(video, entry.loc, refuse_video) for video in videos)
        entry = entry.replace(videos=tuple(filter(None, checked)))
    return entry


def _are_pairs(value: object) -> bool:
    return isinstance(value, tuple | list) and all(
        isinstance(pair, tuple) and list(map(type, pair)) == [str, str] for pair in value
    )
