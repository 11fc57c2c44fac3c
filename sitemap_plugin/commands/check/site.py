"""What a check asks of a site, whether it is a file, a folder or on a server."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from sitemap_plugin.commands.check.findings import Add
from sitemap_plugin.commands.reading.faults import Fault
from sitemap_plugin.html.head import Head


class FoundPage(NamedTuple):
    """What is behind an address."""

    key: str | None = None  # Of the page, however it is addressed.
    head: Head | None = None  # None for what is no HTML.
    fault: Fault | None = None  # What is wrong before anything of the page is read.


UNKNOWN = FoundPage()


class CheckedSite(Protocol):
    """A site; places are paths or URLs, where sitemaps are."""

    base_url: str | None = None  # None where it is unknown.
    root: str = ""  # Of the host whose pages a sitemap without a known address lists.
    is_local: bool = False  # It is on this machine.
    judges_robots: bool = True  # As to what robots.txt says of sitemaps.
    most_pages: int | None = None  # That are looked at, evenly spread; all for None.

    def place(self, name: str) -> str:
        """Return the place of a file beside the sitemaps, or with ``/`` before it of the host."""

    def read_robots(self, _add: Add, _limit: int) -> bytes | None:
        """Return the robots.txt, empty if there is none; None where nothing can be said of it."""
        return None

    def roots(self, declared: Sequence[str]) -> Iterator[tuple[str, str | None]]:
        """Yield the places and addresses of its sitemaps; robots.txt declares some."""

    def read(self, place: str, add: Add) -> bytes:
        """Return a sitemap; raises OSError, whose ``strerror`` says why it cannot be read."""

    def fail(self, place: str, error: OSError) -> None:
        """Record that one of its roots cannot be read."""

    def locate(self, url: str) -> str | None:
        """Return the place of a sitemap that an index lists."""

    def is_own(self, url: str) -> bool:
        """Tell whether an address is on the site."""

    def is_missing(self, url: str) -> bool:
        """Tell whether an address is on the site, and nothing is behind it."""

    def look(self, url: str) -> FoundPage:
        """Return what is behind an address, which may take a request."""
        return self.seen(url)

    def seen(self, _url: str) -> FoundPage:
        """Return what is known to be behind an address."""
        return UNKNOWN

    def read_beside(self, _name: str, _limit: int) -> bytes | None:
        """Return a file beside the sitemaps; None where there is none."""
        return None
