"""What the pipeline passes along: pages, entries and the site they belong to.

These are named tuples, which are ten times cheaper to make than a frozen dataclass. They check
nothing themselves; nothing invalid gets past the writer.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

from sitemap_plugin.config import Config
from sitemap_plugin.dates.parse import Lastmod

__all__ = ["Alternate", "Entry", "Image", "Lastmod", "News", "Page", "Restriction", "Site", "Video"]

# The key by which an adapter marks HTML that its generator copies, or makes without a page.
STATIC_HTML = "static_html_by_host"
# Where an adapter puts a date that the host's hooks have set, asked if nothing else knows one.
UPDATE_DATE = "update_date_by_host"

NO_METADATA: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Site:
    """The site being built.

    ``base_url`` is absolute and ends in ``/`` (a missing slash is added); every entry's ``loc``
    lies below it. ``output_dir`` is the folder that the web server serves at ``base_url``;
    ``source_dir`` the folder that source paths are relative to. ``language`` is the default
    language as the site's settings spell it. ``timezone`` is given to naive datetimes.
    ``config_dir`` is the folder of the configuration file, which paths in it are relative to.
    ``preview`` is true when the site is only looked at on this machine and not published.
    ``other_bases`` are the base URLs of languages that have one of their own, each with the folder
    that it serves; one that lies below ``base_url`` makes no difference. ``host_url`` is what the
    generator's own setting says where the option ``base_url`` says something else: what the
    generator has written below it is read as if below ``base_url``.
    """

    base_url: str
    output_dir: Path = Path()
    source_dir: Path | None = None
    language: str | None = None
    generator: Literal["mkdocs", "pelican", "sphinx", "folder"] = "folder"
    config: Config = field(default_factory=Config)
    timezone: dt.tzinfo = dt.UTC
    config_dir: Path = Path()
    preview: bool = False
    other_bases: Mapping[str, Path] = field(default_factory=dict)
    host_url: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "output_dir", Path(self.output_dir))
        if self.source_dir is not None:
            object.__setattr__(self, "source_dir", Path(self.source_dir))
        if not self.base_url.endswith("/"):
            object.__setattr__(self, "base_url", self.base_url + "/")


class Page(NamedTuple):
    """One page that the site serves, as its generator describes it.

    ``url`` is absolute and percent-encoded. ``source`` and ``output`` are the paths of the source
    file and of the written HTML file, None where there is none; ``source_path`` is ``source``
    relative to the site's source folder, with ``/``. ``metadata`` is the front matter with
    lower-case keys and unparsed values. ``members`` are the URLs that a listing lists. Pages that
    share a ``translation_key`` and differ in ``language`` are translations of each other.
    ``fallback`` marks an untranslated copy that stands in for a missing translation.
    ``dependencies`` are other files that the page is made of; it is as new as the newest of them.
    """

    url: str
    source: Path | None = None
    source_path: str | None = None
    output: Path | None = None
    metadata: Mapping[str, Any] = NO_METADATA
    title: str | None = None
    language: str | None = None
    translation_key: str | None = None
    kind: Literal["page", "listing", "pagination"] = "page"
    members: tuple[str, ...] = ()
    status: Literal["published", "hidden", "draft"] = "published"
    in_nav: bool = True
    fallback: bool = False
    dependencies: tuple[Path, ...] = ()

    def __hash__(self) -> int:
        return hash(self.url)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return self._replace(**changes)

    @property
    def where(self) -> str:
        """The place to name in a message: the source path, else the URL."""
        return self.source_path or self.url


class Alternate(NamedTuple):
    """One language version of a page: an hreflang code and an absolute URL."""

    hreflang: str
    href: str


class Image(NamedTuple):
    """One image of a page: an absolute URL."""

    loc: str


class News(NamedTuple):
    """What a news sitemap says of an article (Google: news sitemaps); all of it is required.

    ``publication`` is the publication's name. ``language`` is its ISO 639 code of two or three
    letters, or ``zh-cn`` or ``zh-tw``.
    """

    publication: str
    language: str
    publication_date: Lastmod
    title: str


class Restriction(NamedTuple):
    """Where a video may be played, or may not: ISO 3166 countries, or ``web mobile tv``."""

    relationship: Literal["allow", "deny"]
    names: tuple[str, ...]


class Video(NamedTuple):
    """One video of a page (Google: video sitemaps); URLs are absolute and percent-encoded.

    One of ``content_loc``, the file, and ``player_loc``, its player, is required too, and neither
    is the page itself. ``duration`` is in seconds, 1 to 28,800; ``rating`` is 0.0 to 5.0.
    """

    thumbnail_loc: str
    title: str
    description: str
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    expiration_date: Lastmod | None = None
    rating: float | None = None
    view_count: int | None = None
    publication_date: Lastmod | None = None
    tags: tuple[str, ...] = ()
    family_friendly: bool | None = None
    restriction: Restriction | None = None
    requires_subscription: bool | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    platform: Restriction | None = None
    live: bool | None = None

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return self._replace(**changes)


class Entry(NamedTuple):
    """One ``url`` element of the sitemap protocol.

    ``loc`` is absolute and percent-encoded, not XML-escaped. ``priority`` is 0.0 to 1.0. An entry
    with ``news`` is listed once more, in a news sitemap, while the article is new.
    """

    loc: str
    lastmod: Lastmod | None = None
    changefreq: str | None = None
    priority: float | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[Image, ...] = ()
    news: News | None = None
    videos: tuple[Video, ...] = ()

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return self._replace(**changes)
