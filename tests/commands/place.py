"""Where tests of announcements take place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from loopback import Loopback

KEY = "0123456789abcdef"


class Place(NamedTuple):
    """Where a test takes place: two builds in folders, and two servers."""

    root: Path
    old: Path
    new: Path
    site: Loopback
    engine: Loopback

    def build(self, folder: Path, pages: dict[str, str]) -> None:
        """Write the sitemap of pages with their dates, and the key's file."""
        folder.mkdir(exist_ok=True)
        entries = "".join(
            f"<url><loc>{self.site.url}{path}</loc><lastmod>{date}</lastmod></url>\n"
            for path, date in pages.items()
        )
        namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
        text = f'<?xml version="1.0"?>\n<urlset xmlns="{namespace}">\n{entries}</urlset>\n'
        (folder / "sitemap.xml").write_text(text)
        (folder / f"{KEY}.txt").write_text(KEY)
        for path in pages:
            page = folder / path / "index.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.touch()

    def urls(self, *paths: str) -> list[str]:
        """Return the URLs of pages."""
        return [self.site.url + path for path in paths]


Announce = Callable[..., int]
