"""What is wrong with the pages behind the addresses of a sitemap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from sitemap_plugin.commands.check.batch import LinkSet
from sitemap_plugin.commands.check.findings import Fault, FileFindings, Findings, quote
from sitemap_plugin.commands.check.publication import Located, Publication
from sitemap_plugin.common.urls import is_below, same_page
from sitemap_plugin.html import Head, read_head
from sitemap_plugin.models import Page, Site
from sitemap_plugin.pages.exclusions import DefaultExclusions
from sitemap_plugin.pages.rules import Rules

__all__ = ["PageRules"]

_SEARCH_PAGE, _ERROR_PAGE = "search", "404.html"
_DOCUMENT_STARTS = (b"<!doctype", b"<html", b"<head")
_PEEK = 1024


class PageRules:
    """Judges the pages of a built site; ``listed`` are the files behind the judged addresses."""

    def __init__(self, publication: Publication, findings: Findings) -> None:
        self._publication = publication
        self._findings = findings
        self.listed: set[str] = set()
        self.count = 0
        self._slash: tuple[FileFindings, int, str] | None = None
        self._slashes = 0
        site = Site(publication.base_url or "", publication.folder)
        self._exclusion = DefaultExclusions(Rules(site)).sitemap_exclusion(site)

    def judge(self, loc: str, links: LinkSet, found: FileFindings, line: int) -> None:
        """Judge the page behind a listed address."""
        located = self._find(loc)
        if located:
            self.listed.add(located.path)
            if located.by_redirect:
                self._slash = self._slash or (found, line, loc)
                self._slashes += 1
        head = self._head(located)
        fault = self._fault(loc, located, head)
        if fault:
            found.add_fault(fault, line=line, url=loc)
        elif head and links.codes and head.alternates:
            for fault in _contradictions(loc, links, head):
                found.add_fault(fault, line=line, url=loc)

    def explain(self, url: str) -> Fault | None:
        """Say why a page that a link leads to cannot be listed, if it cannot."""
        located = self._find(url)
        fault = self._fault(url, located, self._head(located))
        if fault is None or fault.code == "page-outside":
            return None
        reason = fault.message[0].lower() + fault.message[1:]
        message = f"A link leads to a page that cannot be indexed: {reason}"
        return Fault("alternate-not-indexable", message, "Remove the link, or correct that page.")

    def _find(self, url: str) -> Located | None:
        """Return the file behind an address.

        Some hosts serve ``a.html`` as ``a/``. That is believed where the page itself says so.
        """
        located = self._publication.find(url)
        if located or not url.endswith("/"):
            return located
        located = self._publication.find(url[:-1])
        head = self._head(located)
        if head is None:
            return None
        named = [head.canonical] if head.canonical else [href for _, href in head.alternates]
        targets = (head.resolve(url, href) for href in named)
        return located if any(target and same_page(url, target) for target in targets) else None

    def _head(self, located: Located | None) -> Head | None:
        if located is None or not located.is_page:
            return None
        self.count += 1
        path = self._publication.folder / located.path
        try:
            return read_head(path)
        except OSError as error:
            message = f"The page cannot be read: {error.strerror}."
            cure = "Make it readable for the user who runs the check."
            self._findings.for_file(path).add("unreadable", message, cure)
            return None

    def _fault(self, url: str, located: Located | None, head: Head | None) -> Fault | None:
        if located is None:
            message = "There is no file behind the address."
            cure = "Remove the entry, or publish the page; check the address and the base URL."
            return Fault("page-missing", message, cure)
        if located.outside:
            message = "A link leads from the address out of the folder; the page was not read."
            cure = "Make sure that the host follows such links, or put the page into the folder."
            return Fault("page-outside", message, cure)
        if self._is_error_page(url, located.path):
            message = "The page is the one that the host shows for addresses that do not exist."
            return Fault("page-error", message, "Remove the entry.")
        if head is None:
            return None
        if head.noindex:
            message = "The page asks search engines not to index it."
            return Fault("page-noindex", message, "Remove the entry, or the page's noindex.")
        if head.refresh and (target := _elsewhere(url, head.refresh, head)):
            message = f"The page sends its readers to {quote(target)}."
            return Fault("page-redirect", message, "List the address where the reader ends up.")
        if head.canonical and (target := _elsewhere(url, head.canonical, head)):
            message = f"The page names another address as its canonical one: {quote(target)}."
            cure = "List that address instead, or correct the page's canonical link."
            return Fault("page-canonical", message, cure)
        return None

    def _is_error_page(self, url: str, path: str) -> bool:
        """Tell whether a file is an error page, of the whole site or of a site within it."""
        if "404" not in path:
            return False
        names = {path.removeprefix(folder) for folder in self._publication.sites}
        pages = [Page(url, output=self._publication.folder / name) for name in names]
        return any(self._exclusion(page) == "error page" for page in pages)

    def judge_slashes(self) -> None:
        """Record once that addresses of folders have no final slash."""
        if self._slash:
            found, line, loc = self._slash
            what = "An address of a folder has"
            if self._slashes > 1:
                what = f"{self._slashes:,} addresses of folders have"
            message = f"{what} no final slash; most hosts redirect to it."
            cure = "List the address with the slash, unless the host is set up to serve it without."
            found.add("page-slash", message, cure, line=line, url=loc)

    def judge_missing(self, may_read: Callable[[str], bool], *, by_us: bool) -> None:
        """Record the pages that no sitemap lists though search engines may index them.

        ``may_read`` tells whether they may read an address. ``by_us`` says that this package wrote
        the sitemap, so that it had a reason.
        """
        code, message = "page-not-listed", "The page can be indexed, but no sitemap lists it."
        cure = "List it, or ignore this code if it is left out on purpose."
        if by_us:
            code, message = "page-left-out", "The page can be indexed; the build has left it out."
            cure = (
                "See the build's report for the reason; a file that is new is listed by the next."
            )
        for path in sorted(self._publication.pages - self.listed):
            url = self._missing_url(path)
            if url and may_read(url):
                found = self._findings.for_file(self._publication.folder / path)
                found.add(code, message, cure, url=url)

    def _missing_url(self, path: str) -> str | None:
        """Return the address of a page that should be listed; None for one that need not be."""
        pure = PurePosixPath(path)
        name = pure.parent.name if pure.stem == "index" else pure.stem
        url = self._publication.url_of(_served_path(path))
        head = self._head(Located(path))
        # A folder may be a site of its own, as an old version, whose sitemap is not there.
        if url is None or name == _SEARCH_PAGE or pure.name == _ERROR_PAGE or head is None:
            return None
        if head.canonical:
            canonical = head.resolve(url, head.canonical)
            target = self._find(canonical) if canonical else None
            if target is None or target.path != path:
                return None
            url = canonical or url
        elif not _is_document(self._publication.folder / path):
            return None
        return None if self._fault(url, Located(path), head) else url


def _elsewhere(url: str, link: str, head: Head) -> str | None:
    target = head.resolve(url, link)
    return None if target is None or same_page(url, target) else target


def _served_path(path: str) -> str:
    folder, _, name = path.rpartition("/")
    if name.lower().startswith("index."):
        return f"{folder}/" if folder else ""
    return path


def _is_document(path: Path) -> bool:
    """Tell a page from a fragment that is included somewhere, or a file that proves ownership."""
    with path.open("rb") as file:
        start = file.read(_PEEK).lower()
    return any(mark in start for mark in _DOCUMENT_STARTS)


def _contradictions(loc: str, links: LinkSet, head: Head) -> Iterator[Fault]:
    """Compare the translations that a page names with those that the sitemap names for it."""
    ours = {code.lower(): href for code, href in links.pairs}
    for code, href in head.alternates:
        own = ours.get(code.lower())
        theirs = head.resolve(loc, href)
        # Material's switcher leads to the home page of each language. Such a link has no return, so
        # search engines ignore it, and it is no other translation.
        is_home = theirs is not None and theirs.endswith("/") and own and is_below(own, theirs)
        if own and theirs and not is_home and not same_page(own, theirs):
            message = (
                f"The page names {quote(theirs)} as its {code} version, the sitemap {quote(own)}."
            )
            yield Fault("page-hreflang-differs", message, "Let both say the same, or one of them.")
