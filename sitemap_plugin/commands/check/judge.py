"""The course of a check: robots.txt, the sitemaps, their pages, and all entries together."""

import datetime as dt
import re
from collections.abc import Callable, Collection, Container
from functools import cache

from sitemap_plugin.commands.check.findings import Findings
from sitemap_plugin.commands.check.pages import CRAWLER, Pages, spread
from sitemap_plugin.commands.check.site import CheckedSite
from sitemap_plugin.commands.check.sitemaps import Row, Sitemaps
from sitemap_plugin.commands.check.values import SOUND
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.sitemap_document import LinkSet
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import join_url, normal_form, same_page
from sitemap_plugin.errors import or_none
from sitemap_plugin.languages.codes import X_DEFAULT

_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)
_LLMS_LIMIT = 1 << 20
# Codes that are old or wide names of the same language.
_SAME_LANGUAGE = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "tl": "fil"}


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
        _judge_links(listed, pages, complete=sitemaps.complete)
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


def list_urls(sitemaps: Sitemaps) -> dict[str, Row]:
    """Return the entries by their addresses in normal form, and record which occur again.

    A page may be listed in another sitemap that stands by itself, and news as pages too.
    """
    listed: dict[str, Row] = {}
    for file in sitemaps.files.values():
        for row in file.rows:
            key = _key(row.loc)
            first = listed.setdefault(key, row)
            if first is row or "#" in row.loc:  # That it has a fragment is said already.
                continue
            is_elsewhere = first.file is not file
            once_as_news = first.is_news != row.is_news
            if first.file.group is not file.group or (is_elsewhere and once_as_news):
                if not first.links.pairs:
                    listed[key] = row
                continue
            where = f"on line {first.line}" + f" of {first.file.name}" * is_elsewhere
            code = "loc-duplicate" if first.loc == row.loc else "loc-duplicate.spelling"
            row.add(fault(code, where=where, url=first.loc))
    sitemaps.distinct += len(listed)
    return listed


def _key(url: str) -> str:
    """Return the normal form of an address; most have it, which is quicker to see than to make."""
    if "%" not in url and "/." not in url and SOUND.fullmatch(url):
        return url
    return or_none(normal_form, url) or url


# Codes in lower case with addresses in normal form; a function that adds these addresses alone.
Pairs = tuple[tuple[str, str], ...]
Keys = Callable[[LinkSet], tuple[Pairs, frozenset[str]]]


def _judge_links(listed: dict[str, Row], pages: Pages, *, complete: bool) -> None:
    """Tell which translations do not link back, differ, or (if all is read) are not listed."""

    @cache
    def keys(links: LinkSet) -> tuple[Pairs, frozenset[str]]:
        # What is listed is in normal form already.
        pairs = [(code.lower(), to if to in listed else _key(to)) for code, to in links.pairs]
        return tuple(pairs), frozenset(to for _, to in pairs)

    agreed: dict[LinkSet, bool] = {}
    for key, row in listed.items():
        if not (links := row.links).pairs:
            continue
        pairs, members = keys(links)
        if links not in agreed:
            agreed[links] = all(to in listed and listed[to].links is links for to in members)
            _judge_set(row, pairs, listed, pages, complete=complete)
        if key not in members:
            row.add(fault("hreflang-no-self"))
        if not agreed[links]:
            _compare(key, row, keys, listed)


def _judge_set(
    row: Row, normal: Pairs, listed: Container[str], pages: Pages, *, complete: bool
) -> None:
    """Judge each translation of a set once, at the first page that has the set."""
    seen: set[str] = set()
    for (code, href), (lower, key) in zip(row.links.pairs, normal, strict=True):
        if key not in listed and key not in seen and pages.is_own(href):
            seen.add(key)
            if found := pages.explain(href):
                row.add(found)
            elif complete:
                row.add(fault("alternate-not-listed", url=href, code=code))
        language = pages.language(href) if lower != X_DEFAULT else None
        if language and _primary(language) != _primary(code):
            row.add(fault("hreflang-language-differs", url=href, code=code, language=language))


def _primary(code: str) -> str:
    primary = code.lower().replace("_", "-").partition("-")[0]
    return _SAME_LANGUAGE.get(primary, primary)


def _compare(key: str, row: Row, keys: Keys, listed: dict[str, Row]) -> None:
    """Compare the links of an entry with those of the pages that it names."""
    own, differs = keys(row.links)[0], None
    for (code, href), (lower, other_key) in zip(row.links.pairs, own, strict=True):
        other = listed.get(other_key)
        if other is None or other.links is row.links or key == other_key or lower == X_DEFAULT:
            continue
        theirs, members = keys(other.links)
        if key not in members:
            row.add(fault("hreflang-no-return", url=href, code=code))
        elif sorted(theirs) != sorted(own):
            differs = differs or href
    if differs:
        row.add(fault("hreflang-sets-differ", url=differs))
