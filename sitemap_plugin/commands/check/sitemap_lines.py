"""What robots.txt says of a site's sitemaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.pages import CRAWLER
from sitemap_plugin.commands.check.sitemaps import SitemapFile
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import join_url, same_page

__all__ = ["SitemapLines"]

_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)


class SitemapLines:
    """A robots.txt at the root of a host, with the addresses of the sitemaps that it names.

    ``data`` is empty where there is none, and None where it cannot be read.
    """

    def __init__(self, data: bytes | None, url: str, found: FileFindings) -> None:
        self._found, self._is_known = found, data is not None
        data = data or b""
        if len(data) > GOOGLE_LIMIT:
            message = "Google reads only the first 500 KiB of robots.txt."
            found.add("robots-unreadable", message, "Shorten the file.")
        if b"\0" in data:
            message = "robots.txt is not UTF-8, so that search engines read no rule in it."
            found.add("robots-unreadable", message, "Save it as UTF-8.")
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
                message = f"The Sitemap line has the relative address {quote(value)}."
                cure = f"Write: Sitemap: {quote(url)[1:-1]}"
                self._found.add("robots-sitemap-relative", message, cure, line=line, url=url)
            elif is_missing(url):
                message = f"The Sitemap line names {quote(value)}, which does not exist."
                cure = "Correct the address, or remove the line."
                self._found.add("robots-sitemap-elsewhere", message, cure, line=line, url=url)
        if not self._is_known or not roots or any(self.names(url) for url in roots):
            return
        wanted = min(roots, key=lambda url: (len(url), url))
        cure = f"Add the line: Sitemap: {wanted}"
        if self.urls:
            message, line = "No Sitemap line names the sitemap of this site.", 0
            line = self.rules.sitemaps[0].line
            self._found.add("robots-sitemap-elsewhere", message, cure, line=line, url=wanted)
        else:
            message = "No Sitemap line tells search engines of the sitemap."
            self._found.add("robots-no-sitemap", message, cure, url=wanted)

    def judge_access(self, file: SitemapFile) -> None:
        """Record that search engines may not read a sitemap."""
        rule = self.rules.rule_for(file.url, CRAWLER) if file.url else None
        if rule:
            message = "robots.txt forbids search engines to read the sitemap"
            message += f" by the rule 'Disallow: {quote(rule)[1:-1]}'."
            cure = "Remove that rule, or add an Allow rule for the sitemap."
            file.found.add("robots-forbids-sitemap", message, cure, url=file.url)


def _resolve(url: str, value: str) -> str:
    try:
        return join_url(url, value)
    except ValueError:
        return value
