"""Check a built site: its sitemaps, the pages behind them and those they miss, its robots.txt."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.listing import Listed, Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.pages import CRAWLER, LLMS_LIMIT, FoundPage, Pages
from sitemap_plugin.commands.check.published_folder import Located, PublishedFolder, derive_base
from sitemap_plugin.commands.check.robots_lines import RobotsLines
from sitemap_plugin.commands.check.sitemaps import MOST_COMPARED, Sitemaps
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.commands.reading.unpacking import READ_LIMIT, is_gzip_name, unpack
from sitemap_plugin.common.files import read_file, read_start
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import (
    is_below,
    is_host_root,
    is_local_host,
    join_url,
    origin,
    same_page,
)
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages import normalize
from sitemap_plugin.pages.addresses import served_paths

_ERROR_PAGES = frozenset({"404.html", "404/index.html"})
_SEARCH_PAGE = "search"
_SAMPLE = 200
_SAMPLE_BYTES = 1 << 18
_VERSIONS_LIMIT = 1 << 20


class FileSource:
    """Sitemaps in a folder; places are paths."""

    def __init__(self, published: PublishedFolder, findings: Findings) -> None:
        self._published, self._findings = published, findings

    def read(self, place: str, found: FileFindings) -> bytes:  # noqa: ARG002 - see Source
        """Return a file, and compare it with its gzipped twin."""
        data, name = read_start(place, READ_LIMIT + 1), Path(place).name
        twin = Path(f"{place}.gz")
        if not is_gzip_name(place) and twin.is_file():
            beside = self._findings.for_file(twin)
            try:
                other, _ = unpack(read_start(twin, READ_LIMIT + 1), twin.name, beside.add)
            except OSError as error:
                beside.add(fault("unreadable", reason=str(error.strerror)))
            else:
                if other[:READ_LIMIT] != data[:READ_LIMIT]:
                    beside.add(fault("twin-differs", name=name))
        return data

    def locate(self, url: str) -> str | None:
        """Return the path of a file that is no page."""
        at = self._published.find(url)
        is_sitemap = at and not (at.is_page or at.outside)
        return str(self._published.folder / at.path) if at and is_sitemap else None

    def is_missing(self, url: str) -> bool:
        """Tell whether an address is on the site, and no file behind it."""
        return self._published.path_of(url) is not None and self._published.find(url) is None


def sample_locs(path: Path) -> list[str]:
    """Return the addresses at the beginning of a sitemap or an index, some hundreds at most.

    There are none where the file cannot be read.
    """
    try:
        entries = read_sitemap(read_start(path, _SAMPLE_BYTES), path.name).entries
    except OSError:
        return []  # It is reported when it is checked.
    return [entry.loc for entry in entries[:_SAMPLE] if entry.loc]


class Folder:
    """The check of one folder.

    Without a base URL, the one is taken at which most listed addresses have a file; a sitemap in a
    folder below whose addresses are elsewhere, as that of a language with its own domain, is taken
    to speak for that folder.
    """

    def __init__(
        self,
        folder: Path,
        base_url: str | None,
        findings: Findings,
        now: dt.datetime,
    ) -> None:
        self.folder, self._findings = folder, findings
        self._published = PublishedFolder(folder)
        samples = {path: sample_locs(folder / path) for path in _ordered(self._published.sitemaps)}
        self._samples = samples
        self.base_url = base_url or self._derive_base()
        if self.base_url:
            self._published.publish(self.base_url)
            self._publish_subfolders(self.base_url)
        self._heads: dict[str, Head | None] = {}
        self._aliases = self._mike_aliases()
        self._source = FileSource(self._published, findings)
        local = base_url is not None and is_local_host(base_url)
        self.sitemaps = Sitemaps(self._source, findings, now, local=local)
        self._pages = Pages(self._look, lambda url: self._is_own(url) and not self._find(url))
        self._lines = self._read_robots()

    @property
    def looked_at(self) -> int:
        """How many pages were read."""
        return len(self._heads)

    def check(self) -> None:
        """Judge everything."""
        for error in self._published.errors:
            self._report_unreadable(error.filename, error)
        roots = self.read_sitemaps()
        sitemaps, pages, lines = self.sitemaps, self._pages, self._lines
        sitemaps.judge()
        listed = list_urls(sitemaps)
        own = [item for item in listed.values() if self._is_own(item.row.loc)]
        pages.judge(own, lines.rules)
        around = Surroundings(self._is_own, pages.explain, pages.language, sitemaps.complete)
        judge_links(listed, around)
        if not sitemaps.files and not self._samples:
            self._findings.for_file(self.folder).add(fault("no-sitemap"))
        elif self.base_url:
            if is_host_root(self.base_url):
                lines.judge(roots, self._source.is_missing)
                for file in sitemaps.files.values():
                    lines.judge_access(file)
            self._judge_slashes(own)
            self._judge_unlisted()
            self._judge_llms()

    def read_sitemaps(self) -> list[str]:
        """Read all sitemaps, and return the addresses of those that no index lists."""
        places = [place for url in self._lines.urls if (place := self._source.locate(url))]
        places += [str(self.folder / name) for name in self._samples]
        roots: list[str] = []
        for place in dict.fromkeys(places):
            if place in self.sitemaps.files:
                continue
            url = self._url_of(Path(place).relative_to(self.folder).as_posix())
            if url:
                roots.append(url)
            try:
                free = url is not None and self._lines.names(url)
                self.sitemaps.read(place, url, free=free)
            except OSError as error:
                self.sitemaps.complete = False
                self._report_unreadable(place, error)
        return roots

    def _url_of(self, path: str) -> str | None:
        """Return a sitemap's address: of several, one that may list what the sitemap lists.

        In mike's trees of versions, the newest version's sitemap lists addresses below the alias.
        """
        urls, locs = list(self._published.urls_of(path)), self._samples.get(path, [])
        fitting = (url for url in urls if all(is_below(loc, join_url(url, ".")) for loc in locs))
        return next(fitting, urls[0] if urls else None)

    def _is_own(self, url: str) -> bool:
        return self._published.path_of(url) is not None

    def _look(self, url: str) -> FoundPage:
        located = self._find(url)
        if located is None:
            alias = (self._published.path_of(url) or "").partition("/")[0]
            if version := self._aliases.get(alias):
                return FoundPage(fault=fault("page-missing.alias", alias=alias, version=version))
            return FoundPage(fault=fault("page-missing"))
        if located.outside:
            return FoundPage(located.path, fault=fault("page-outside"))
        if self._is_error_page(located.path):
            return FoundPage(located.path, fault=fault("page-error"))
        return FoundPage(located.path, self._head(located.path) if located.is_page else None)

    def _find(self, url: str) -> Located | None:
        """Return the file behind an address.

        Some hosts serve ``a.html`` as ``a/``. That is believed where the page itself says so.
        """
        located = self._published.find(url)
        if located or not url.endswith("/"):
            return located
        located = self._published.find(url[:-1])
        head = self._head(located.path) if located and located.is_page else None
        if head is None:
            return None
        named = [head.canonical] if head.canonical else [href for _, href in head.alternates]
        targets = (head.resolve(url, href) for href in named)
        return located if any(target and same_page(url, target) for target in targets) else None

    def _head(self, path: str) -> Head | None:
        if path not in self._heads:
            try:
                self._heads[path] = read_head(self.folder / path)
            except OSError as error:
                self._heads[path] = None
                self._report_unreadable(self.folder / path, error)
        return self._heads[path]

    def _is_error_page(self, path: str) -> bool:
        """Tell whether a file is an error page, of the whole site, a language or a site within."""
        if "404" not in path:
            return False
        for site in self._published.sites:
            name = path.removeprefix(site) if path.startswith(site) else ""
            language, _, rest = name.partition("/")
            if name in _ERROR_PAGES or (rest in _ERROR_PAGES and normalize(language).code):
                return True
        return False

    def _judge_slashes(self, listed: Iterable[Listed]) -> None:
        """Record once that addresses of folders have no final slash."""
        found = [item for item in listed if (at := self._find(item.row.loc)) and at.by_redirect]
        if found:
            several = fault("page-slash.several", count=len(found))
            found[0].add(several if len(found) > 1 else fault("page-slash"))

    def _judge_unlisted(self) -> None:
        """Judge pages that are not listed: whether they could be, and where they lead to."""
        code = "page-left-out" if self.sitemaps.is_ours else "page-not-listed"
        for path in sorted(self._published.pages - self._pages.listed):
            url, head = self._published.url_of(served_paths(path)[0]), self._head(path)
            if url is None or head is None:
                continue
            found = self._findings.for_file(self.folder / path)
            if faulty := self._pages.target_fault(url, head):
                found.add(faulty, url=url)
            elif self.sitemaps.complete and (wanted := self._missing_url(path, url, head)):
                found.add(fault(code), url=wanted)

    def _missing_url(self, path: str, url: str, head: Head) -> str | None:
        """Return the address of a page that should be listed; None for one that need not be."""
        pure = PurePosixPath(path)
        name = pure.parent.name if pure.stem == "index" else pure.stem
        if name == _SEARCH_PAGE or pure.name == "404.html" or not head.is_document:
            return None
        if head.canonical:
            canonical = head.resolve(url, head.canonical)
            target = self._find(canonical) if canonical else None
            # A folder may be a site of its own, as an old version, whose sitemap is not there.
            if target is None or target.path != path:
                return None
            url = canonical or url
        if self._is_error_page(path) or self._pages.fault(url, FoundPage(path, head)):
            return None
        return url if self._lines.rules.allows(url, CRAWLER) else None

    def _judge_llms(self) -> None:
        path, url = self.folder / "llms.txt", self._published.url_of("llms.txt") or ""
        with suppress(OSError):
            data = read_file(path, limit=LLMS_LIMIT, within=[self.folder])
            found = self._findings.for_file(path)
            self._pages.judge_llms(data, url, found, self._is_own, MOST_COMPARED)

    def _mike_aliases(self) -> dict[str, str]:
        """Return mike's aliases with their versions, from ``versions.json``."""
        path = self.folder / "versions.json"
        with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            versions = json.loads(read_file(path, limit=_VERSIONS_LIMIT, within=[self.folder]))
            return {
                str(alias): str(version["version"])
                for version in versions
                for alias in version["aliases"]
            }
        return {}

    def _derive_base(self) -> str | None:
        locs = [loc for sample in self._samples.values() for loc in sample]
        with suppress(OSError):
            robots = Robots(read_start(self.folder / "robots.txt", GOOGLE_LIMIT))
            locs += [declared.url for declared in robots.sitemaps]
        base = derive_base(locs, self._published.find_path)
        return base or self._canonical_of_home() or _first_root(locs)

    def _canonical_of_home(self) -> str | None:
        if "index.html" not in self._published.pages:
            return None
        try:
            canonical = read_head(self.folder / "index.html").canonical or ""
            origin(canonical)
            return join_url(canonical, ".")
        except (OSError, ValueError):
            return None

    def _publish_subfolders(self, base_url: str) -> None:
        for path, locs in self._samples.items():
            folder = path.rpartition("/")[0] + "/"
            elsewhere = [loc for loc in locs if not is_below(loc, base_url)]
            if folder != "/" and 2 * len(elsewhere) > len(locs):
                find = self._published.find_path
                base = derive_base(elsewhere, lambda below: find(folder + below))  # noqa: B023 - called at once
                if base:
                    self._published.publish(base, folder)

    def _read_robots(self) -> RobotsLines:
        path = self.folder / "robots.txt"
        found = self._findings.for_file(path)
        if not self.base_url or not is_host_root(self.base_url):
            return RobotsLines(b"", "", found)  # Nobody reads a robots.txt below a path.
        data: bytes | None = b""
        try:
            if path.is_file():
                data = read_start(path, GOOGLE_LIMIT + 1)
        except OSError as error:
            data = None
            found.add(fault("robots-unreadable", reason=str(error.strerror)))
        return RobotsLines(data, join_url(self.base_url, "robots.txt"), found)

    def _report_unreadable(self, path: str | Path, error: OSError) -> None:
        unreadable = fault("unreadable", reason=str(error.strerror))
        self._findings.for_file(Path(path)).add(unreadable)


def _ordered(paths: Iterable[str]) -> Iterator[str]:
    """Yield sitemaps, indexes before what they may list, without gzipped twins of others."""
    paths = set(paths)
    single = [path for path in paths if path.removesuffix(".gz") not in paths - {path}]
    yield from sorted(single, key=lambda path: ("index" not in path, path.count("/"), path))


def _first_root(locs: Iterable[str]) -> str | None:
    """Return the root of the host of the first address that has one."""
    for loc in locs:
        with suppress(ValueError):
            return origin(loc) + "/"
    return None
