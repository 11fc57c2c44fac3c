"""Find out where a folder is published, from what the sitemaps in it list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sitemap_plugin.commands.check.publication import Publication, derive_base
from sitemap_plugin.common.urls import encode_path
from sitemap_plugin.errors import SitemapError

__all__ = ["find_base_url"]

_MOST_NAMED = 5


def find_base_url(publication: Publication, samples: Mapping[str, Sequence[str]]) -> str:
    """Return the base URL on which all sitemaps agree that give any hint of it.

    ``samples`` are some of the addresses in each. Raises SitemapError.
    """

    def exists(path: str) -> bool:
        return publication.find_path(path) is not None

    found: dict[str, str] = {}
    for path, locs in samples.items():
        base = derive_base(locs, exists) or _above(path, locs)
        if base:
            found[path] = base
    bases: dict[str, list[str]] = {}
    for path, base in found.items():
        bases.setdefault(base, []).append(path)
    if len(bases) == 1:
        return next(iter(bases))
    cure = "give --base-url, the address at which the folder is published"
    if not any(samples.values()):
        raise SitemapError(
            f"there is no address in {_some(list(samples))}; a generator that was not told where "
            "the site is (site_url in MkDocs) writes an empty sitemap: set that, and build again"
        )
    if not bases:
        raise SitemapError(f"the sitemaps do not tell where the folder is published; {cure}")
    ordered = sorted(bases.items(), key=lambda item: (-len(item[1]), item[0]))[:_MOST_NAMED]
    said = ", ".join(f"at {base} by {_some(paths)}" for base, paths in ordered)
    raise SitemapError(f"the sitemaps do not agree on where they are published: {said}; {cure}")


def _some(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"


def _above(path: str, locs: Sequence[str]) -> str | None:
    """Return the address above a sitemap's folder, if all it lists lies in a folder so named."""
    folder = f"/{encode_path(path.rpartition('/')[0])}/"
    start = locs[0].find(folder) if locs and folder != "//" else -1
    if start < 0:
        return None
    inside = locs[0][: start + len(folder)]
    return inside[: start + 1] if all(loc.startswith(inside) for loc in locs) else None
