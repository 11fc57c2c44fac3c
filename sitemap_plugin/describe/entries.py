"""Make entries: what is written for each listed page, before translations are linked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from sitemap_plugin.common.text import quoted, shown
from sitemap_plugin.describe.images import content_images, named_image
from sitemap_plugin.describe.news import check_news, read_news
from sitemap_plugin.describe.videos import check_video, read_videos
from sitemap_plugin.errors import Problem
from sitemap_plugin.hookspecs import TransformFunction
from sitemap_plugin.models import Alternate, Entry, Image, Lastmod, News, Page, Site, Video
from sitemap_plugin.pages.bases import base_of
from sitemap_plugin.pages.collect import extra_url_place
from sitemap_plugin.pages.front_matter import FrontMatter, Settings
from sitemap_plugin.pages.rules import Rules
from sitemap_plugin.plugins import Call
from sitemap_plugin.report import Report
from sitemap_plugin.write.protocol import MAX_IMAGES, MAX_LOC, loc_fault

__all__ = ["make_entries", "transform_entries"]

_loc = itemgetter(0)


def make_entries(
    site: Site,
    pages: Sequence[Page],
    dates: Sequence[Lastmod | None],
    front_matter: FrontMatter,
    rules: Rules,
) -> list[Entry]:
    """Return an entry for each page: front matter wins over rules, rules over the options."""
    changefreq, priority = site.config.changefreq, site.config.priority
    find_images = site.config.images
    finds_news = site.config.news is not None and bool(site.config.news.match)
    plain = not rules and not find_images and not finds_news
    if plain and not any(page.metadata for page in pages):
        return [
            Entry(page.url, date, changefreq, priority)
            for page, date in zip(pages, dates, strict=True)
        ]
    entries: list[Entry] = []
    for page, date in zip(pages, dates, strict=True):
        own, rule = front_matter.settings(page), rules.effect(page)
        entry = Entry(
            page.url,
            date,
            own.changefreq or rule.changefreq or changefreq,
            next((p for p in (own.priority, rule.priority, priority) if p is not None), None),
            tuple(Alternate(code, url) for code, url in (own.alternates or {}).items()),
            _images(page, own, site, find_images, front_matter),
        )
        if own.news is not None or finds_news:
            news, problems = read_news(page, own.news, site)
            entry = entry.replace(news=news)
            for problem in problems:
                front_matter.add(problem)
        if own.video is not None:
            videos, problems = read_videos(page, own.video, site)
            entry = entry.replace(videos=videos)
            for problem in problems:
                front_matter.add(problem)
        entries.append(entry)
    return entries


def _images(
    page: Page, own: Settings, site: Site, find: bool, front_matter: FrontMatter
) -> tuple[Image, ...]:
    """Return a page's images: those found in it, or what its front matter puts in their place."""
    given = own.images if own.images is not None else own.more_images
    named: list[Image] = []
    for link in given:
        url = named_image(link, page, site)
        if url is not None:
            named.append(Image(url))
            continue
        cure = "there is no such file; write its path"
        if place := extra_url_place(page, site):
            front_matter.add(Problem("warning", f"{link!r}: {cure}", f"{place}.images"))
        else:
            front_matter.warn(page, "sitemap.images", link, cure)
    if own.images is not None or not find:
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
        front_matter.add(Problem("notice", message, page.where))
    return (*found, *more)


def transform_entries(
    site: Site,
    pages: list[Page],
    entries: list[Entry],
    transforms: Iterable[Call[TransformFunction]],
    report: Report,
) -> tuple[list[Page], list[Entry]]:
    """Apply the plugins' functions in turn; return what is left of the pages and entries.

    An entry whose URL cannot be written is left out with a warning. Raises PluginError for a
    function that raises or returns something other than an entry.
    """
    transforms = tuple(transforms)
    if not transforms and max(map(len, map(_loc, entries)), default=0) <= MAX_LOC:
        return pages, entries
    kept_pages: list[Page] = []
    kept: list[Entry] = []
    for page, original in zip(pages, entries, strict=True):
        entry = original
        for call in transforms:
            changed = _transform(call, page, entry)
            if changed is None:
                report.leave_out(page, f"dropped by plugin ({call.plugin})", call.plugin)
                break
            entry = changed
        else:
            if fault := loc_fault(entry.loc, base_of(entry.loc, site) or site.base_url):
                # What cannot be written cannot be a page's translation either.
                report.add("warning", f"{entry.loc[:200]} is left out: {fault}", page.where)
                report.leave_out(page, "invalid URL")
                continue
            kept_pages.append(page)
            kept.append(entry if entry is original else _check_media(entry, original, report))
    return kept_pages, kept


def _transform(call: Call[TransformFunction], page: Page, entry: Entry) -> Entry | None:
    try:
        changed = call.function(page, entry)
    except Exception as error:
        raise call.failed(error, page) from error
    if changed is not None and not (isinstance(changed, Entry) and isinstance(changed.loc, str)):
        raise call.returned(changed, "an Entry or None", page)
    return changed


def _check_media(entry: Entry, original: Entry, report: Report) -> Entry:
    """Return an entry that plugins changed without what is wrong in its news and videos."""

    def warn(message: str) -> None:
        report.add("warning", message, shown(entry.loc))

    def refuse_news(field: str, value: object, cure: str) -> None:
        warn(f"news left out: its {field} is {quoted(value)}; {cure}")

    def refuse_video(field: str, value: object, cure: str) -> None:
        warn(f"{field} of a video left out: it is {quoted(value)}; {cure}")

    news: object = entry.news or None
    if news is not original.news:
        if news and not isinstance(news, News):
            warn(f"news left out: {quoted(news)} is not a News")
        entry = entry.replace(news=check_news(news, refuse_news) if isinstance(news, News) else None)
    given: object = entry.videos or ()
    if given is not original.videos:
        if not isinstance(given, list | tuple):
            warn(f"videos left out: {quoted(given)} is not a tuple")
            given = ()
        videos = []
        for video in given:
            if not isinstance(video, Video):
                warn(f"video left out: {quoted(video)} is not a Video")
            elif sound := check_video(video, entry.loc, refuse_video):
                videos.append(sound)
        entry = entry.replace(videos=tuple(videos))
    return entry
