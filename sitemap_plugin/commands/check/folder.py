"""Check a built site: its sitemaps, the pages behind them and those they miss, its robots.txt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.crawling import Robots, read_robots
from sitemap_plugin.commands.check.document import sample_locs
from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.inspection import Inspection
from sitemap_plugin.commands.check.pages import PageRules
from sitemap_plugin.commands.check.publication import Publication, derive_base
from sitemap_plugin.common.urls import is_below, is_host_root, join_url, origin
from sitemap_plugin.html import read_head

__all__ = ["FolderCheck"]

_UNREADABLE = "Make it readable for the user who runs the check."


class FolderCheck:
    """The check of one folder.

    Without a base URL, the one is taken at which most listed addresses have a file; a sitemap in a
    folder below whose addresses are elsewhere, as that of a language with its own domain, is taken
    to speak for that folder.
    """

    def __init__(self, folder: Path, base_url: str | None, inspection: Inspection) -> None:
        self._folder, self._inspection = folder, inspection
        self._publication = Publication(folder)
        self._samples = {path: self._sample(path) for path in _sorted(self._publication.sitemaps)}
        self.base_url = base_url or self._derive_base()
        if self.base_url:
            self._publication.publish(self.base_url)
            self._publish_subfolders(self.base_url)
        self._robots = self._read_robots()
        self._pages = PageRules(self._publication, inspection.findings)

    @property
    def pages(self) -> int:
        """How many pages were read."""
        return self._pages.count

    def run(self) -> None:
        """Check everything."""
        for error in self._publication.errors:
            self._report_unreadable(Path(error.filename), error)
        inspection = self._inspection
        inspection.locate = self._locate
        inspection.is_missing = self._is_missing
        inspection.is_free = self._robots.names
        inspection.judge_pages = self._judge_pages
        roots = self._check_sitemaps()
        inspection.listing.judge_links(self._is_own, self._pages.explain, inspection.complete)
        inspection.origins.judge()
        if not inspection.files and not self._samples:
            found = inspection.findings.for_file(self._folder)
            message = "The folder has no sitemap."
            cure = "Build one; or name its file if it is not called sitemap.xml."
            found.add("no-sitemap", message, cure)
        elif self.base_url:
            self._judge_robots(roots)
            self._pages.judge_slashes()
            if inspection.complete:
                self._pages.judge_missing(self._robots.allows, by_us=inspection.is_ours)

    def _check_sitemaps(self) -> list[str]:
        """Check all sitemaps, and return the addresses of those that no index lists."""
        declared = filter(None, (self._locate(item.url) for item in self._robots.declarations))
        roots: list[str] = []
        for path in dict.fromkeys((*(self._folder / path for path in self._samples), *declared)):
            url = self._url_of(path.relative_to(self._folder).as_posix())
            if url and url not in self._inspection.checked:
                roots.append(url)
            try:
                self._inspection.check(path, url)
            except OSError as error:
                self._inspection.complete = False
                self._report_unreadable(path, error)
        return roots

    def _url_of(self, path: str) -> str | None:
        """Return a sitemap's address: of several, one that may list what the sitemap lists.

        In mike's trees of versions, the newest version's sitemap lists addresses below the alias.
        """
        urls, locs = list(self._publication.urls_of(path)), self._samples.get(path, [])
        fitting = (url for url in urls if all(is_below(loc, join_url(url, ".")) for loc in locs))
        return next(fitting, urls[0] if urls else None)

    def _judge_robots(self, roots: list[str]) -> None:
        if not self.base_url or not is_host_root(self.base_url):
            return
        self._robots.judge(roots, self._is_missing)
        for url, path in self._inspection.checked.items():
            if not self._robots.allows(url):
                message = "robots.txt forbids search engines to read the sitemap."
                cure = "Remove that rule, or add an Allow rule for the sitemap."
                found = self._inspection.findings.for_file(path)
                found.add("robots-forbids-sitemap", message, cure, url=url)

    def _judge_pages(self, batch: Batch, found: FileFindings) -> None:
        for line, loc, links in zip(batch.lines, batch.locs, batch.links, strict=True):
            if not loc or not self._is_own(loc):
                continue
            if not self._robots.allows(loc):
                message = "robots.txt forbids search engines to read the page."
                cure = "Remove that rule, or the entry."
                found.add("robots-forbids-page", message, cure, line=line, url=loc)
            self._pages.judge(loc, links, found, line)

    def _is_own(self, url: str) -> bool:
        return self._publication.path_of(url) is not None

    def _is_missing(self, url: str) -> bool:
        return self._is_own(url) and self._publication.find(url) is None

    def _locate(self, url: str) -> Path | None:
        located = self._publication.find(url)
        if located is None or located.is_page or located.outside:
            return None
        return self._folder / located.path

    def _exists(self, path: str) -> bool:
        return self._publication.find_path(path) is not None

    def _sample(self, path: str) -> list[str]:
        try:
            return sample_locs(self._folder / path)
        except OSError:
            return []  # It is reported when it is checked.

    def _derive_base(self) -> str | None:
        locs = [loc for sample in self._samples.values() for loc in sample]
        path = self._folder / "robots.txt"
        declared = read_robots(path, "", Findings().for_file(path)).declarations
        locs += [item.value for item in declared]
        return derive_base(locs, self._exists) or self._canonical_of_home() or _first_root(locs)

    def _canonical_of_home(self) -> str | None:
        if "index.html" not in self._publication.pages:
            return None
        try:
            canonical = read_head(self._folder / "index.html").canonical or ""
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
                    self._publication.publish(base, folder)

    def _read_robots(self) -> Robots:
        path = self._folder / "robots.txt"
        found = self._inspection.findings.for_file(path)
        if self.base_url and is_host_root(self.base_url):
            return read_robots(path, join_url(self.base_url, "robots.txt"), found)
        return Robots("", "", found)  # Nobody reads a robots.txt below a path.

    def _report_unreadable(self, path: Path, error: OSError) -> None:
        found = self._inspection.findings.for_file(path)
        found.add("unreadable", f"It cannot be read: {error.strerror}.", _UNREADABLE)


def _sorted(paths: Iterable[str]) -> Iterator[str]:
    """Yield sitemaps, indexes before what they may list, without gzipped twins of others."""
    paths = set(paths)
    single = [path for path in paths if path.removesuffix(".gz") not in paths - {path}]
    yield from sorted(single, key=lambda path: ("index" not in path, path.count("/"), path))


def _first_root(locs: Iterable[str]) -> str | None:
    """Return the root of the host of the first address that has one."""
    for loc in locs:
        try:
            return origin(loc) + "/"
        except ValueError:
            continue
    return None
