"""Check a built site: its sitemaps, the pages behind them and those they miss, its robots.txt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.listing import Listed, Surroundings, judge_links, list_urls
from sitemap_plugin.commands.check.llms import LLMS_LIMIT, judge_llms
from sitemap_plugin.commands.check.pages import CRAWLER, FoundPage, Pages
from sitemap_plugin.commands.check.publication import Located, Publication, derive_base
from sitemap_plugin.commands.check.sitemap_lines import SitemapLines
from sitemap_plugin.commands.check.sitemaps import Sitemaps
from sitemap_plugin.commands.reading.content import READ_LIMIT, is_gzip_name, unpack
from sitemap_plugin.commands.reading.document import Fault
from sitemap_plugin.commands.reading.quoting import quote
from sitemap_plugin.commands.reading.reader import read_sitemap
from sitemap_plugin.common.files import read_file, read_start
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.common.urls import is_below, is_host_root, join_url, origin, same_page
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.languages import normalize

__all__ = ["FileSource", "Folder", "sample_locs"]

_UNREADABLE = "Make it a regular file that the user who runs the check may read."
_ERROR_PAGES = frozenset({"404.html", "404/index.html"})
_SEARCH_PAGE = "search"
_SAMPLE = 200
_SAMPLE_BYTES = 1 << 18
_VERSIONS_LIMIT = 1 << 20


class FileSource:
    """Sitemaps in a folder; places are paths."""

    def __init__(self, publication: Publication, findings: Findings) -> None:
        self._publication, self._findings = publication, findings

    def read(self, place: str, found: FileFindings) -> bytes:  # noqa: ARG002 - see Source
        """Return a file, and compare it with its gzipped twin."""
        data = read_start(place, READ_LIMIT + 1)
        twin = Path(f"{place}.gz")
        if not is_gzip_name(place) and twin.is_file():
            beside = self._findings.for_file(twin)
            try:
                other = unpack(read_start(twin, READ_LIMIT + 1), twin.name, beside.add_fault)[0]
            except OSError as error:
                beside.add("unreadable", f"It cannot be read: {error.strerror}.", _UNREADABLE)
            else:
                if other[:READ_LIMIT] != data[:READ_LIMIT]:
                    message = f"The file does not hold the same as {Path(place).name}."
                    cure = "Remove it, or pack the sitemap again."
                    beside.add("twin-differs", message, cure)
        return data

    def locate(self, url: str) -> str | None:
        """Return the path of a file that is no page."""
        located = self._publication.find(url)
        if located is None or located.is_page or located.outside:
            return None
        return str(self._publication.folder / located.path)

    def is_missing(self, url: str) -> bool:
        """Tell whether an address is on the site, and no file behind it."""
        return self._publication.path_of(url) is not None and self._publication.find(url) is None


def sample_locs(path: Path) -> list[str]:
    """Return the addresses at the beginning of a sitemap or an index, some hundreds at most.

    Raises OSError when the file cannot be read.
    """
    entries = read_sitemap(read_start(path, _SAMPLE_BYTES), path.name).entries
    return [entry.loc for entry in entries[:_SAMPLE] if entry.loc]


class Folder:
    """The check of one folder.

    Without a base URL, the one is taken at which most listed addresses have a file; a sitemap in a
    folder below whose addresses are elsewhere, as that of a language with its own domain, is taken
    to speak for that folder.
    """

    def __init__(self, folder: Path, base_url: str | None, findings: Findings) -> None:
        self.folder, self._findings = folder, findings
        self.publication = Publication(folder)
        self._samples = {path: self._sample(path) for path in _sorted(self.publication.sitemaps)}
        self.base_url = base_url or self._derive_base()
        if self.base_url:
            self.publication.publish(self.base_url)
            self._publish_subfolders(self.base_url)
        self._heads: dict[str, Head | None] = {}
        self._aliases = self._mike_aliases()
        self.source = FileSource(self.publication, findings)
        self.pages = Pages(self._look, lambda url: self._is_own(url) and not self._find(url))
        self.lines = self._read_robots()

    @property
    def looked_at(self) -> int:
        """How many pages were read."""
        return len(self._heads)

    def check(self, sitemaps: Sitemaps) -> None:
        """Judge everything."""
        for error in self.publication.errors:
            self._report_unreadable(Path(error.filename), error)
        roots = self.read_sitemaps(sitemaps)
        sitemaps.judge()
        listed = list_urls(sitemaps)
        own = [item for item in listed.values() if self._is_own(item.row.loc)]
        self.pages.judge(own, self.lines.rules)
        around = Surroundings(
            self._is_own, self.pages.explain, self.pages.language, sitemaps.complete
        )
        judge_links(listed, around)
        if not sitemaps.files and not self._samples:
            found = self._findings.for_file(self.folder)
            cure = "Build one; or name its file if it is not called sitemap.xml."
            found.add("no-sitemap", "The folder has no sitemap.", cure)
        elif self.base_url:
            if is_host_root(self.base_url):
                self.lines.judge(roots, self.source.is_missing)
                for file in sitemaps.files.values():
                    self.lines.judge_access(file)
            self._judge_slashes(own)
            self._judge_unlisted(by_us=sitemaps.is_ours, complete=sitemaps.complete)
            self._judge_llms()

    def read_sitemaps(self, sitemaps: Sitemaps) -> list[str]:
        """Read all sitemaps, and return the addresses of those that no index lists."""
        declared = filter(None, map(self.source.locate, self.lines.urls))
        roots: list[str] = []
        for place in dict.fromkeys(
            (*declared, *(str(self.folder / name) for name in self._samples))
        ):
            if place in sitemaps.files:
                continue
            url = self._url_of(Path(place).relative_to(self.folder).as_posix())
            if url:
                roots.append(url)
            try:
                sitemaps.read(place, url, free=url is not None and self.lines.names(url))
            except OSError as error:
                sitemaps.complete = False
                self._report_unreadable(Path(place), error)
        return roots

    def _url_of(self, path: str) -> str | None:
        """Return a sitemap's address: of several, one that may list what the sitemap lists.

        In mike's trees of versions, the newest version's sitemap lists addresses below the alias.
        """
        urls, locs = list(self.publication.urls_of(path)), self._samples.get(path, [])
        fitting = (url for url in urls if all(is_below(loc, join_url(url, ".")) for loc in locs))
        return next(fitting, urls[0] if urls else None)

    def _is_own(self, url: str) -> bool:
        return self.publication.path_of(url) is not None

    def _look(self, url: str) -> FoundPage:
        located = self._find(url)
        if located is None:
            alias = self._alias_of(url)
            message = "There is no file behind the address."
            cure = "Remove the entry, or publish the page; check the address and the base URL."
            if alias:
                message += f" In versions.json, {quote(alias[0])} is an alias of {quote(alias[1])}."
                cure = "Deploy the alias too (mike deploy --update-aliases), or take the version's "
                cure += "own address as site_url."
            return FoundPage(fault=Fault("page-missing", message, cure))
        if located.outside:
            message = "A link leads from the address out of the folder; the page was not read."
            cure = "Make sure that the host follows such links, or put the page into the folder."
            return FoundPage(located.path, fault=Fault("page-outside", message, cure))
        if self._is_error_page(located.path):
            message = "The page is the one that the host shows for addresses that do not exist."
            return FoundPage(located.path, fault=Fault("page-error", message, "Remove the entry."))
        return FoundPage(located.path, self._head(located))

    def _find(self, url: str) -> Located | None:
        """Return the file behind an address.

        Some hosts serve ``a.html`` as ``a/``. That is believed where the page itself says so.
        """
        located = self.publication.find(url)
        if located or not url.endswith("/"):
            return located
        located = self.publication.find(url[:-1])
        head = self._head(located) if located else None
        if head is None:
            return None
        named = [head.canonical] if head.canonical else [href for _, href in head.alternates]
        targets = (head.resolve(url, href) for href in named)
        return located if any(target and same_page(url, target) for target in targets) else None

    def _head(self, located: Located) -> Head | None:
        path = located.path
        if not located.is_page:
            return None
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
        names = {
            path.removeprefix(site) for site in self.publication.sites if path.startswith(site)
        }
        for name in names:
            folder, _, rest = name.partition("/")
            if name in _ERROR_PAGES or (rest in _ERROR_PAGES and normalize(folder).code):
                return True
        return False

    def _judge_slashes(self, listed: Iterable[Listed]) -> None:
        """Record once that addresses of folders have no final slash."""
        found = [item for item in listed if (at := self._find(item.row.loc)) and at.by_redirect]
        if not found:
            return
        what = "An address of a folder has"
        if len(found) > 1:
            what = f"{len(found):,} addresses of folders have"
        message = f"{what} no final slash; most hosts redirect to it."
        cure = "List the address with the slash, unless the host is set up to serve it without."
        file, row = found[0]
        file.found.add("page-slash", message, cure, line=row.line, url=row.loc)

    def _judge_unlisted(self, *, by_us: bool, complete: bool) -> None:
        """Judge pages that are not listed: whether they could be, and where they lead to."""
        code, message = "page-not-listed", "The page can be indexed, but no sitemap lists it."
        cure = "List it, or ignore this code if it is left out on purpose."
        if by_us:
            code, message = "page-left-out", "The page can be indexed; the build has left it out."
            cure = "See the build's report for the reason. HTML files that the generator copies as "
            cure += "they are, static HTML, are listed with the option static_html."
        for path in sorted(self.publication.pages - self.pages.listed):
            url = self.publication.url_of(_served_path(path))
            if url is None:
                continue
            head = self._head(Located(path))
            if head and (fault := self.pages.target_fault(url, FoundPage(path, head))):
                self._findings.for_file(self.folder / path).add_fault(fault, url=url)
            elif complete and head and (wanted := self._missing_url(path, url, head)):
                self._findings.for_file(self.folder / path).add(code, message, cure, url=wanted)

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
        if self._is_error_page(path) or self.pages.fault(url, FoundPage(path, head)):
            return None
        return url if self.lines.rules.allows(url, CRAWLER) else None

    def _judge_llms(self) -> None:
        path = self.folder / "llms.txt"
        with suppress(OSError):
            data = read_file(path, limit=LLMS_LIMIT, within=[self.folder])
            url, found = self.publication.url_of("llms.txt"), self._findings.for_file(path)
            if url:
                judge_llms(data, url, found, self.pages, self._is_own)

    def _mike_aliases(self) -> dict[str, str]:
        """Return mike's aliases with their versions, from ``versions.json``."""
        with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            data = read_file(
                self.folder / "versions.json", limit=_VERSIONS_LIMIT, within=[self.folder]
            )
            return {
                str(alias): str(item["version"])
                for item in json.loads(data)
                for alias in item["aliases"]
            }
        return {}

    def _alias_of(self, url: str) -> tuple[str, str] | None:
        first = (self.publication.path_of(url) or "").partition("/")[0]
        return (first, self._aliases[first]) if first in self._aliases else None

    def _sample(self, path: str) -> list[str]:
        try:
            return sample_locs(self.folder / path)
        except OSError:
            return []  # It is reported when it is checked.

    def _derive_base(self) -> str | None:
        locs = [loc for sample in self._samples.values() for loc in sample]
        with suppress(OSError):
            robots = Robots(read_start(self.folder / "robots.txt", GOOGLE_LIMIT))
            locs += [declared.url for declared in robots.sitemaps]
        return derive_base(locs, self._exists) or self._canonical_of_home() or _first_root(locs)

    def _exists(self, path: str) -> bool:
        return self.publication.find_path(path) is not None

    def _canonical_of_home(self) -> str | None:
        if "index.html" not in self.publication.pages:
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
                base = derive_base(elsewhere, lambda below: self._exists(folder + below))  # noqa: B023 - called at once
                if base:
                    self.publication.publish(base, folder)

    def _read_robots(self) -> SitemapLines:
        path = self.folder / "robots.txt"
        found = self._findings.for_file(path)
        if not self.base_url or not is_host_root(self.base_url):
            return SitemapLines(b"", "", found)  # Nobody reads a robots.txt below a path.
        data: bytes | None = b""
        try:
            if path.is_file():
                data = read_start(path, GOOGLE_LIMIT + 1)
        except OSError as error:
            data = None
            message = f"robots.txt cannot be read: {error.strerror}."
            found.add("robots-unreadable", message, _UNREADABLE)
        return SitemapLines(data, join_url(self.base_url, "robots.txt"), found)

    def _report_unreadable(self, path: Path, error: OSError) -> None:
        found = self._findings.for_file(path)
        found.add("unreadable", f"It cannot be read: {error.strerror}.", _UNREADABLE)


def _sorted(paths: Iterable[str]) -> Iterator[str]:
    """Yield sitemaps, indexes before what they may list, without gzipped twins of others."""
    paths = set(paths)
    single = [path for path in paths if path.removesuffix(".gz") not in paths - {path}]
    yield from sorted(single, key=lambda path: ("index" not in path, path.count("/"), path))


def _served_path(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if name.lower().startswith("index."):
        return f"{folder}/" if folder else ""
    return path


def _first_root(locs: Iterable[str]) -> str | None:
    """Return the root of the host of the first address that has one."""
    for loc in locs:
        with suppress(ValueError):
            return origin(loc) + "/"
    return None
