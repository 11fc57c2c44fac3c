"""Which address is which file: folders of built pages and the URLs at which they are served."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common import urls
from sitemap_plugin.errors import or_none
from sitemap_plugin.pages.addresses import candidates

_PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
_SITEMAP_NAME = re.compile(r"sitemap(?:[-_.]?index)?\.(?:xml|txt)(?:\.gz)?")
_SAMPLE = 100
_DEEPEST = 20


class Located(NamedTuple):
    """The file that a host would serve for an address, as a path below the published folder."""

    path: str
    is_page: bool = True  # It is HTML.
    by_redirect: bool = False  # Most hosts first redirect to the address with a final slash.
    outside: bool = False  # A symbolic link leads out of the folder.


class PublishedFolder:
    """A folder that is served at ``base_url``: its pages, and what is named like a sitemap.

    What is hidden or lies behind a symbolic link is not among them; links count when an address
    leads through one to a place within the folder, as mike's aliases do. Without ``scan`` no file
    is known in advance, and each is looked for when it is needed.
    """

    def __init__(self, folder: Path, *, scan: bool = True) -> None:
        self.folder = folder
        self.base_url: str | None = None
        self.errors: list[OSError] = []
        self.sitemaps: list[str] = []
        self.aliases: list[tuple[str, str]] = []
        self._real = os.path.realpath(folder)
        self.pages = frozenset(self._walk() if scan else ())

    def _walk(self) -> Iterator[str]:
        """Yield the pages, and collect the sitemaps by their names."""
        waiting = [""]
        while waiting:
            below = waiting.pop()
            try:
                with os.scandir(Path(self.folder, below)) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as error:
                self.errors.append(error)
                continue
            for entry in entries:
                path = below + entry.name
                if entry.is_symlink() and Path(entry).is_dir() and (target := self._follow(path)):
                    self.aliases.append((f"{target}/", f"{path}/"))
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith("."):
                        waiting.append(path + "/")
                elif entry.name.lower().endswith(_PAGE_SUFFIXES):
                    if entry.is_file(follow_symlinks=False):
                        yield path
                elif _SITEMAP_NAME.fullmatch(entry.name.lower()):
                    self.sitemaps.append(path)

    def _follow(self, path: str) -> str | None:
        """Return the path to which one leads through links, None for one outside the folder."""
        real = Path(os.path.realpath(f"{self._real}/{path}"))
        return real.relative_to(self._real).as_posix() if real.is_relative_to(self._real) else None

    def url_of(self, path: str) -> str | None:
        """Return the address of a file, None where it is unknown."""
        return None if self.base_url is None else self.base_url + urls.encode_path(path)

    def urls_of(self, path: str) -> Iterator[str]:
        """Yield the address of a file, and those through links to its folder."""
        through = [alias + path[len(to) :] for to, alias in self.aliases if path.startswith(to)]
        yield from filter(None, map(self.url_of, [path, *through]))

    def path_of(self, url: str) -> str | None:
        """Return the decoded path below the folder that an address stands for, if it is below."""
        if self.base_url is None or not urls.is_below(url, self.base_url):
            return None
        if "/." in url or "/%2" in url:
            url = urls.join_url(url, "")  # Takes out what leads up.
        return urls.path_below(url, self.base_url)

    def find(self, url: str) -> Located | None:
        """Return the file behind an address; None if there is none within the folder."""
        path = self.path_of(url)
        return None if path is None else self.find_path(path)

    def find_path(self, path: str) -> Located | None:
        """Return the file that a host serves for a path; few serve ``a.html`` for ``a/``, too."""
        is_folder = not path or path.endswith("/")
        for name in candidates(path):
            if is_folder and not name.startswith(path):
                break
            if found := Located(name) if name in self.pages else self._resolve(name):
                return found._replace(by_redirect=not is_folder and name.startswith(f"{path}/"))
        return None

    def _resolve(self, path: str) -> Located | None:
        """Return the file to which a path leads, through links too."""
        place, is_odd = f"{self._real}/{path}", path.startswith("/") or "\\" in path
        # `Path` takes three times as long, and this is called for each address of a site.
        if is_odd or ".." in path.split("/") or not os.path.isfile(place):  # noqa: PTH113 - see above
            return None
        if (below := self._follow(path)) is None:
            return Located(path, is_page=False, outside=True)
        return Located(below, is_page=below.lower().endswith(_PAGE_SUFFIXES))

    def derive_base(
        self, locs: Sequence[str], below: str = "", *, share: float = 0.0
    ) -> str | None:
        """Return the address of the folder, or one ``below``, where most addresses have a file.

        None where less than ``share`` of the addresses speak for it.
        """
        votes: Counter[str] = Counter()
        sample = locs[:: max(1, len(locs) // _SAMPLE)]
        for loc in sample:
            for base, path in _splits(loc):
                # An index file stands behind every address whose whole path is taken for the base.
                if self.find_path(below + path):
                    votes[base] += 2 if path else 1
        if not votes:
            return None
        base = max(votes, key=lambda base: (votes[base], -len(base)))
        enough = votes[base] > 1 or len(sample) == 1
        return base if enough and votes[base] >= share * 2 * len(sample) - 1 else None

    def guess_base(self, locs: Sequence[str]) -> str | None:
        """Return the address that most speak for, else the host of the first."""
        hosts = filter(None, (or_none(urls.host_root, loc) for loc in locs))
        return self.derive_base(locs) or next(hosts, None)


def _splits(loc: str) -> Iterator[tuple[str, str]]:
    """Yield each way to split an address into that of a folder and a decoded path below it."""
    loc = (or_none(urls.encode_url, loc) or "").partition("?")[0]
    if not (site := or_none(urls.origin, loc)):
        return
    path = loc.partition("://")[2].partition("/")[2]
    folders = re.sub("//+", "/", path.lstrip("/")).split("/")  # No site has an empty one.
    for depth in range(min(len(folders), _DEEPEST)):
        base = "/".join([site, *folders[:depth], ""])
        yield base, urls.path_below("/".join([site, *folders]), base)
