"""Check a file or a built folder: its sitemaps, the pages behind them and those they miss."""

import datetime as dt
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePosixPath

from sitemap_plugin.commands.check.findings import Add, CheckOutcome, Findings, display
from sitemap_plugin.commands.check.judge import SiteCheck
from sitemap_plugin.commands.check.pages import CRAWLER
from sitemap_plugin.commands.check.published_folder import Located, PublishedFolder
from sitemap_plugin.commands.check.site import CheckedSite, FoundPage
from sitemap_plugin.commands.check.sitemaps import Row
from sitemap_plugin.commands.reading.faults import fault
from sitemap_plugin.commands.reading.reader import READ_LIMIT, is_gzip_name, read_sitemap, unpack
from sitemap_plugin.commands.reading.sitemap_document import Document
from sitemap_plugin.common import urls
from sitemap_plugin.common.files import read_file, read_start
from sitemap_plugin.common.robots import GOOGLE_LIMIT, Robots
from sitemap_plugin.errors import or_none
from sitemap_plugin.html.head import Head, read_head
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.pages.addresses import served_paths

_ERROR_PAGE = re.compile(r"(?:(.*)/)?404(?:/index)?\.html")
_SEARCH_PAGE = "search"
_SAMPLE = 200
_SAMPLE_BYTES = 1 << 18


def check(
    target: Path,
    *,
    base_url: str | None = None,
    ignored: Collection[str] = (),
    now: dt.datetime | None = None,
) -> CheckOutcome:
    """Check a sitemap, with the sitemaps that it lists, or a whole site; raises OSError.

    ``base_url`` is the address at which the target, or the folder of the target, is published.
    ``ignored`` are codes of findings to leave out; ``now`` is the present time.
    """
    findings = Findings(ignored)
    site = (Folder if target.is_dir() else File)(target, base_url, findings)
    done = SiteCheck(site, findings, now or dt.datetime.now(dt.UTC))
    site.judge_pages(done, done.run())
    files, urls, pages = len(done.sitemaps.files), done.sitemaps.distinct, len(site.heads)
    guessed = site.base_url is not None and base_url is None
    return CheckOutcome(display(target), site.base_url, files, urls, pages, findings, guessed)


def sample_locs(path: Path) -> list[str]:
    """Return the first addresses in a sitemap or an index; none where it cannot be read."""
    try:
        entries = read_sitemap(read_start(path, _SAMPLE_BYTES), path.name).entries
    except OSError:
        return []  # It is reported when it is checked.
    return [entry.loc for entry in entries[:_SAMPLE] if entry.loc]


class File(CheckedSite):
    """A sitemap by itself, with those that it lists; no page is looked at."""

    most_pages: int | None = 0

    def __init__(self, path: Path, base_url: str | None, findings: Findings) -> None:
        self._path, self._findings = path, findings
        self.published = PublishedFolder(path.parent, scan=False)
        locs = sample_locs(path)
        base = base_url or self.published.derive_base(locs, share=0.5)
        self.base_url = self.published.base_url = base
        self.is_local, self.heads = urls.is_local_host(base_url or ""), dict[str, Head | None]()
        roots = Counter(root for loc in locs if (root := or_none(urls.host_root, loc)))
        self.root = max(roots, key=roots.__getitem__, default="")

    def place(self, name: str) -> str:
        return str(self.published.folder / name.removeprefix("/"))

    def roots(self, _declared: Sequence[str]) -> Iterator[tuple[str, str | None]]:
        yield str(self._path), self.published.url_of(self._path.name)

    def fail(self, place: str, error: OSError) -> None:  # noqa: ARG002 - see CheckedSite
        raise error

    def read(self, place: str, add: Add) -> bytes:  # noqa: ARG002 - see CheckedSite
        """Return a file, and compare it with its gzipped twin."""
        data, twin = read_start(place, READ_LIMIT + 1), Path(f"{place}.gz")
        if is_gzip_name(place) or not twin.is_file():
            return data
        beside, document = self._findings.at(twin), Document()
        try:
            other = unpack(document, read_start(twin, READ_LIMIT + 1), twin.name)
            if other[:READ_LIMIT] != data[:READ_LIMIT]:
                document.add(fault("twin-differs", name=Path(place).name))
        except OSError as error:
            document.add(fault("unreadable", reason=str(error.strerror)))
        for note in document.notes:
            beside(*note)
        return data

    def locate(self, url: str) -> str | None:
        at = self.published.find(url)
        return None if at is None or at.is_page or at.outside else self.place(at.path)

    def is_own(self, url: str) -> bool:
        if self.base_url:
            return urls.is_below(url, self.base_url)
        return or_none(urls.host_root, url) == self.root

    def is_missing(self, url: str) -> bool:
        return self.published.path_of(url) is not None and not self.find(url)

    def find(self, url: str) -> Located | None:
        """Return the file behind an address."""
        return self.published.find(url)

    def judge_pages(self, check: SiteCheck, listed: Mapping[str, Row]) -> None:
        """Judge which pages should be listed, and how folders are."""


class Folder(File):
    """A built site; without a base URL, the one at which most listed addresses have a file."""

    most_pages = None

    def __init__(self, folder: Path, base_url: str | None, findings: Findings) -> None:
        self._findings = findings
        with os.scandir(folder):
            pass  # It raises if the folder itself cannot be read.
        self.published = PublishedFolder(folder)
        paths = _ordered(self.published.sitemaps)
        self.samples = {path: sample_locs(folder / path) for path in paths}
        locs = [loc for sample in self.samples.values() for loc in sample]
        with suppress(OSError):
            robots = Robots(read_start(self.place("robots.txt"), GOOGLE_LIMIT))
            locs += [declared.url for declared in robots.sitemaps]
        self.base_url = self.published.base_url = base_url or self.published.guess_base(locs)
        self.is_local, self.heads = urls.is_local_host(base_url or ""), {}
        self._aliases = self._mike_aliases()

    def judge_pages(self, check: SiteCheck, listed: Mapping[str, Row]) -> None:
        for error in self.published.errors:
            self.fail(error.filename, error)
        if not check.sitemaps.files and not self.samples:
            self._findings.at(self.published.folder)(fault("no-sitemap"))
        elif self.base_url:
            own = (row for row in listed.values() if self.is_own(row.loc))
            found = [row for row in own if (at := self.find(row.loc)) and at.by_redirect]
            for row in found[:1]:
                row.add(fault("page-slash", count=len(found)))
            self._judge_unlisted(check)

    def read_robots(self, add: Add, limit: int) -> bytes | None:
        path = self.published.folder / "robots.txt"
        if not self.base_url or not urls.is_host_root(self.base_url):
            return None
        try:
            return read_start(path, limit) if path.is_file() else b""
        except OSError as error:
            add(fault("robots-unreadable", reason=str(error.strerror)))
            return None

    def roots(self, declared: Sequence[str]) -> Iterator[tuple[str, str | None]]:
        places = [place for url in declared if (place := self.locate(url))]
        for place in dict.fromkeys([*places, *map(self.place, self.samples)]):
            path = Path(place).relative_to(self.published.folder).as_posix()
            # In mike's trees the newest version's sitemap lists addresses below the alias.
            own, locs = [*self.published.urls_of(path)], self.samples.get(path, [])
            either = chain(own, self._elsewhere(path, locs))
            fit = (url for url in either if _may_list(url, locs))
            yield place, next(fit, next(iter(own), None))

    def _elsewhere(self, path: str, locs: Sequence[str]) -> Iterator[str]:
        """Yield addresses of a sitemap whose folder has a host of its own, as a language may."""
        folder = path.rpartition("/")[0] + "/"
        for below in ("", folder) if folder != "/" else ():
            base = self.published.derive_base(locs, below, share=0.9)
            if base and urls.origin(base) != or_none(urls.origin, self.base_url or ""):
                yield base + urls.encode_path(path[len(below) :])

    def fail(self, place: str, error: OSError) -> None:
        self._findings.at(place)(fault("unreadable", reason=str(error.strerror)))

    def is_own(self, url: str) -> bool:
        return self.published.path_of(url) is not None

    def seen(self, url: str) -> FoundPage:
        located = self.find(url)
        if located is None:
            alias = (self.published.path_of(url) or "").partition("/")[0]
            if version := self._aliases.get(alias):
                return FoundPage(fault=fault("page-missing.alias", alias=alias, version=version))
            return FoundPage(fault=fault("page-missing"))
        path = located.path
        if located.outside:
            return FoundPage(path, fault=fault("page-outside"))
        if self._is_error_page(path):
            return FoundPage(path, fault=fault("page-error"))
        return FoundPage(path, self._head(path) if located.is_page else None)

    def find(self, url: str) -> Located | None:
        """Return the file behind an address."""
        located, path = self.published.find(url), self.published.path_of(url)
        if located or not path:
            return located
        # Some hosts serve `a.html` as `a/`, or a language below another path than its folder. That
        # is believed where the page itself says so.
        parts = path.split("/")
        begin = next((at for at, part in enumerate(parts) if at and normalize(part).code), 0)
        for other in (path.removesuffix("/"), "/".join(parts[begin:])):
            located = self.published.find_path(other)
            head = self._head(located.path) if located and located.is_page else None
            if head:
                named = [head.canonical] if head.canonical else [to for _, to in head.alternates]
                targets = filter(None, (head.resolve(url, href) for href in named))
                if any(urls.same_page(url, target) for target in targets):
                    return located
        return None

    def _head(self, path: str) -> Head | None:
        if path not in self.heads:
            try:
                self.heads[path] = read_head(self.published.folder / path)
            except OSError as error:
                self.heads[path] = None
                self.fail(self.place(path), error)
        return self.heads[path]

    def _is_error_page(self, path: str) -> bool:
        """Tell whether a file is an error page, of the whole site, a language or a site within."""
        if not (match := _ERROR_PAGE.fullmatch(path)):
            return False
        folder = match[1] or ""
        within = {name.rpartition("/")[0] for name in self.published.sitemaps}
        return not folder or folder in within or bool(normalize(folder.rpartition("/")[2]).code)

    def _judge_unlisted(self, check: SiteCheck) -> None:
        """Judge pages that are not listed: whether they could be, and where they lead to."""
        documents = [file.document for file in check.sitemaps.files.values()]
        is_ours = all(each.is_ours or each.kind == "text" for each in documents)
        code = "page-left-out" if is_ours else "page-not-listed"
        for path in sorted(self.published.pages - check.pages.listed):
            url, head = self.published.url_of(served_paths(path)[0]), self._head(path)
            if url is None or head is None:
                continue
            add = self._findings.at(self.place(path))
            if faulty := check.pages.target_fault(url, head):
                add(faulty, url=url)
            elif check.sitemaps.complete and (wanted := self._missing_url(check, path, url, head)):
                add(fault(code), url=wanted)

    def _missing_url(self, check: SiteCheck, path: str, url: str, head: Head) -> str | None:
        """Return the address of a page that should be listed; None for one that need not be."""
        pure = PurePosixPath(path)
        name = pure.parent.name if pure.stem == "index" else pure.stem
        if name == _SEARCH_PAGE or pure.name == "404.html" or not head.is_document:
            return None
        if head.canonical:
            canonical = head.resolve(url, head.canonical)
            target = self.find(canonical) if canonical else None
            # A folder may be a site of its own, as an old version, whose sitemap is not there.
            if target is None or target.path != path:
                return None
            url = canonical or url
        if self._is_error_page(path) or check.pages.fault(url, FoundPage(path, head)):
            return None
        return url if check.robots.allows(url, CRAWLER) else None

    def read_beside(self, name: str, limit: int) -> bytes | None:
        with suppress(OSError):
            return read_file(self.place(name), limit=limit, within=[self.published.folder])
        return None

    def _mike_aliases(self) -> dict[str, str]:
        """Return mike's aliases with their versions, from ``versions.json``."""
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            versions = json.loads(self.read_beside("versions.json", 1 << 20) or b"[]")
            pairs = [(alias, each["version"]) for each in versions for alias in each["aliases"]]
            return {str(alias): str(version) for alias, version in pairs}
        return {}


def _may_list(url: str, locs: Iterable[str]) -> bool:
    folder = urls.join_url(url, ".")
    return all(urls.is_below(loc, folder) for loc in locs)


def _ordered(paths: Iterable[str]) -> Iterator[str]:
    """Yield sitemaps, indexes before what they may list, without gzipped twins of others."""
    known = set(paths)
    single = (path for path in known if not is_gzip_name(path) or path[:-3] not in known)
    yield from sorted(single, key=lambda path: ("index" not in path, path.count("/"), path))
