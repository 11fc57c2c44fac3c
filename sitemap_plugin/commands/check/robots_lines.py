"""What robots.txt says of a site's sitemaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.pages import CRAWLER
from sitemap_plugin.commands.check.sitemaps import SitemapFile
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import join_url, same_page

_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)


class RobotsLines:
    """A robots.txt at the root of a host, with the addresses of the sitemaps that it names.

    ``data`` is empty where there is none, and None where it cannot be read.
    """

    def __init__(self, data: bytes | None, url: str, found: FileFindings) -> None:
        self._found, self._is_known = found, data is not None
        data = data or b""
        if len(data) > GOOGLE_LIMIT:
            found.add(fault("robots-unreadable.size"))
        if b"\0" in data:
            found.add(fault("robots-unreadable.encoding"))
            data = b""
        self.rules = Robots(data)
        self.urls = [_resolve(url, value) for value, _ in self.rules.sitemaps]

    def names(self, url: str) -> bool:
        """Tell whether a line names a sitemap."""
        return any(same_page(declared, url) for declared in self.urls)

    def judge(self, roots: Collection[str], is_missing: Callable[[str], bool]) -> None:
        """Judge the lines, given the addresses of the sitemaps that the site has.

        ``is_missing`` tells whether an address is on the site and nothing is behind it.
        """
        for (value, line), url in zip(self.rules.sitemaps, self.urls, strict=True):
            if not _ABSOLUTE.match(value):
                self._found.add(fault("robots-sitemap-relative", value=value, url=url), line, url)
            elif is_missing(url):
                self._found.add(fault("robots-sitemap-elsewhere.missing", value=value), line, url)
        if not self._is_known or not roots or any(self.names(url) for url in roots):
            return
        wanted = min(roots, key=lambda url: (len(url), url))
        if self.urls:
            line = self.rules.sitemaps[0].line
            self._found.add(fault("robots-sitemap-elsewhere", wanted=wanted), line, wanted)
        else:
            self._found.add(fault("robots-no-sitemap", wanted=wanted), url=wanted)

    def judge_access(self, file: SitemapFile) -> None:
        """Record that search engines may not read a sitemap."""
        if file.url and (rule := self.rules.rule_for(file.url, CRAWLER)):
            file.found.add(fault("robots-forbids-sitemap", rule=rule), url=file.url)


def _resolve(url: str, value: str) -> str:
    try:
        return join_url(url, value)
    except ValueError:
        return value
