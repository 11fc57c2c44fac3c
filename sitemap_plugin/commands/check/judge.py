"""The course of a check: robots.txt, the sitemaps, their pages, and all of them together."""

import datetime as dt
import re
from collections.abc import Collection

from sitemap_plugin.commands.check.findings import Findings
from sitemap_plugin.commands.check.listing import judge_links, list_urls
from sitemap_plugin.commands.check.pages import CRAWLER, Pages, spread
from sitemap_plugin.commands.check.site import CheckedSite
from sitemap_plugin.commands.check.sitemaps import Row, Sitemaps
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import join_url, same_page
from sitemap_plugin.errors import or_none

_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)
_LLMS_LIMIT = 1 << 20


class SiteCheck:
    """The check of one site."""

    def __init__(self, site: CheckedSite, findings: Findings, now: dt.datetime) -> None:
        self.site = site
        self.sitemaps, self.pages = Sitemaps(site, findings, now), Pages(site)
        self.robots = Robots()
        self._findings, self._judges_robots = findings, False
        self._declared: list[str] = []

    def run(self) -> dict[str, Row]:
        """Judge everything; return what is listed, by the normal forms of addresses."""
        site, sitemaps, pages = self.site, self.sitemaps, self.pages
        roots = self.read_sitemaps()
        sitemaps.judge()
        listed = list_urls(sitemaps)
        own = (row for row in listed.values() if site.is_own(row.loc))
        for row in spread([*own], site.most_pages) if site.most_pages != 0 else ():
            pages.judge(row, self.robots)
        judge_links(listed, pages, complete=sitemaps.complete)
        if self._judges_robots and sitemaps.files:
            self._judge_robots(roots)
        for file in sitemaps.files.values():
            if file.url and (rule := self.robots.rule_for(file.url, CRAWLER)):
                file.add(fault("robots-forbids-sitemap", rule=rule), url=file.url)
        if site.base_url and sitemaps.files and (data := site.read_beside("llms.txt", _LLMS_LIMIT)):
            add = self._findings.at(site.place("llms.txt"))
            pages.judge_llms(data, join_url(site.base_url, "llms.txt"), add)
        return listed

    def read_sitemaps(self) -> list[str]:
        """Read robots.txt and all sitemaps; return the addresses of those that no index lists."""
        site, sitemaps = self.site, self.sitemaps
        self._read_robots()
        roots: list[str] = []
        for place, url in site.roots(self._declared):
            if place in sitemaps.files:
                continue
            if url:
                roots.append(url)
            try:
                sitemaps.read(place, url, free=url is not None and self._names(url))
            except OSError as error:
                sitemaps.complete = False
                site.fail(place, error)
        return roots

    def _read_robots(self) -> None:
        """Read the robots.txt of the host."""
        add = self._findings.at(self.site.place("/robots.txt"))
        data = self.site.read_robots(add, GOOGLE_LIMIT + 1)
        if data is None or not self.site.base_url:
            return
        if len(data) > GOOGLE_LIMIT:
            add(fault("robots-unreadable.size"))
        if b"\0" in data:
            add(fault("robots-unreadable.encoding"))
            data = b""
        self._judges_robots = self.site.judges_robots
        self.robots = Robots(data)
        url = join_url(self.site.base_url, "/robots.txt")
        values = [value for value, _ in self.robots.sitemaps]
        self._declared = [or_none(join_url, url, value) or value for value in values]

    def _names(self, url: str) -> bool:
        return any(same_page(declared, url) for declared in self._declared)

    def _judge_robots(self, roots: Collection[str]) -> None:
        """Judge the lines of robots.txt that name sitemaps, given those that the site has."""
        add = self._findings.at(self.site.place("/robots.txt"))
        for (value, line), url in zip(self.robots.sitemaps, self._declared, strict=True):
            if not _ABSOLUTE.match(value):
                add(fault("robots-sitemap-relative", value=value, url=url), line, url)
            elif self.site.is_missing(url):
                add(fault("robots-sitemap-elsewhere.missing", value=value), line, url)
        if not roots or any(map(self._names, roots)):
            return
        wanted = min(roots, key=lambda url: (len(url), url))
        if self._declared:
            line = self.robots.sitemaps[0].line
            add(fault("robots-sitemap-elsewhere", wanted=wanted), line, wanted)
        else:
            add(fault("robots-no-sitemap", wanted=wanted), url=wanted)
