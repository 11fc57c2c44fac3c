"""Sets of links across builds, and entries that go through a rewriting unharmed."""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from root_index.trees import BASE
from sitemap_plugin.commands.index.builds import Build, Sitemap
from sitemap_plugin.commands.index.language_folders import LanguageFolder, Languages
from sitemap_plugin.commands.index.linking import link_builds, link_entries
from sitemap_plugin.commands.index.rewriting import read_entries, rewrite
from sitemap_plugin.config import Config
from sitemap_plugin.languages import X_DEFAULT
from sitemap_plugin.models import Alternate, Entry, Image, News, Restriction, Video
from sitemap_plugin.report import Report
from write.folders import write_sitemap

FOLDERS = {"": "en", "de/": "de", "fr/": "fr", "zh-hant/": "zh-Hant"}
LANGUAGES = Languages(
    tuple(
        LanguageFolder(BASE + folder, code, BASE)
        for folder, code in sorted(FOLDERS.items(), key=lambda item: -len(item[0]))
    ),
    "en",
)
NAMES = ("", "a/", "b/", "c/d/")
LOCS = [BASE + folder + name for folder in FOLDERS for name in NAMES]
CODES = st.sampled_from(["en", "de", "fr", "zh-Hant", "ja", "pt-BR", X_DEFAULT])
TARGETS = st.sampled_from([*LOCS, f"{BASE}gone/", "https://example.jp/a/"])


@st.composite
def some_entries(draw: st.DrawFn) -> list[Entry]:
    """Draw pages of some languages, with links to whatever they were given before."""
    locs = draw(st.lists(st.sampled_from(LOCS), unique=True, max_size=len(LOCS)))
    links = st.dictionaries(CODES, TARGETS, max_size=4)
    return [
        Entry(loc, alternates=tuple(Alternate(*pair) for pair in sorted(draw(links).items())))
        for loc in locs
    ]


def linked(entries: Sequence[Entry], x_default: str | bool = "auto") -> dict[str, Entry]:
    config = Config(x_default=x_default)  # type: ignore[arg-type]  # True is not drawn.
    found = link_entries(entries, LANGUAGES, base_url=BASE, config=config, keys={}, report=Report())
    return {entry.loc: entry for entry in found}


@given(some_entries(), st.sampled_from(["auto", "de", False]))
def test_sets_are_identical_and_lead_back(entries: list[Entry], x_default: str | bool) -> None:
    found = linked(entries, x_default)

    assert sorted(found) == sorted(entry.loc for entry in entries)
    for loc, entry in found.items():
        codes = [code for code, _ in entry.alternates]
        assert len(codes) == len(set(codes)) != 1
        own = {href for _, href in entry.alternates if href.startswith(BASE)}
        assert not entry.alternates or loc in own
        for href in own:
            assert found[href].alternates == entry.alternates


@given(some_entries())
def test_pages_of_the_same_path_are_linked(entries: list[Entry]) -> None:
    bare = [entry._replace(alternates=()) for entry in entries]
    found = linked(bare, x_default=False)

    for loc, entry in found.items():
        folder = LANGUAGES.folder_of(loc)
        assert folder is not None
        same = {other: BASE + other + folder.key(loc).removeprefix(BASE) for other in FOLDERS}
        expected = {FOLDERS[other]: url for other, url in same.items() if url in found}
        assert dict(entry.alternates) == (expected if len(expected) > 1 else {})


@given(some_entries(), st.sampled_from(["auto", False]))
def test_linking_what_is_linked_changes_nothing(
    entries: list[Entry], x_default: str | bool
) -> None:
    bare = [entry._replace(alternates=()) for entry in entries]
    once = linked(bare, x_default)

    assert linked(list(once.values()), x_default) == once


@given(some_entries(), st.randoms())
def test_the_order_of_the_entries_does_not_matter(entries: list[Entry], random: object) -> None:
    shuffled = sorted(entries, key=lambda _: random.random())  # type: ignore[attr-defined]

    assert linked(entries) == linked(shuffled)


def test_pages_whose_paths_differ_are_joined_by_their_key() -> None:
    entries = [Entry(f"{BASE}about/"), Entry(f"{BASE}de/ueber/")]
    keys = {f"{BASE}about/": "about", f"{BASE}de/ueber/": "about"}
    found = link_entries(
        entries, LANGUAGES, base_url=BASE, config=Config(), keys=keys, report=Report()
    )

    assert [[code for code, _ in entry.alternates] for entry in found] == [
        ["de", "en", X_DEFAULT]
    ] * 2


DATES = st.one_of(
    st.none(),
    st.dates(dt.date(1970, 1, 1), dt.date(2099, 1, 1)),
    st.integers(0, 4_000_000_000).map(lambda value: dt.datetime.fromtimestamp(value, dt.UTC)),
)
TEXTS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FFF, categories=["L", "P", "S"]),
    min_size=1,
    max_size=20,
)
MEDIA_URLS = st.sampled_from([f"{BASE}v.mp4", f"{BASE}v.mp4?a=1&b=%C3%A9", "https://cdn.example/x"])
RESTRICTIONS = st.none() | st.builds(
    Restriction, st.sampled_from(["allow", "deny"]), st.just(("DE", "FR"))
)
VIDEOS = st.builds(
    Video,
    MEDIA_URLS,
    TEXTS,
    TEXTS,
    MEDIA_URLS,
    player_loc=st.none() | MEDIA_URLS,
    duration=st.none() | st.integers(1, 28_800),
    expiration_date=DATES,
    rating=st.none() | st.integers(0, 50).map(lambda value: value / 10),
    view_count=st.none() | st.integers(0, 10**12),
    publication_date=DATES,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    family_friendly=st.none() | st.booleans(),
    restriction=RESTRICTIONS,
    requires_subscription=st.none() | st.booleans(),
    uploader=st.none() | TEXTS,
    uploader_info=st.none(),
    platform=st.none(),
    live=st.none() | st.booleans(),
)
ENTRIES = st.builds(
    Entry,
    st.sampled_from([f"{BASE}de/{name}" for name in ("", "a/", "b/?c=d&e", "%C3%A9/", "f'/")]),
    DATES,
    st.none() | st.sampled_from(["always", "daily", "never"]),
    st.none() | st.integers(0, 10).map(lambda value: value / 10),
    st.just(()) | st.just((Alternate("de", f"{BASE}de/"), Alternate("ja", "https://example.jp/"))),
    st.lists(MEDIA_URLS.map(Image), unique=True, max_size=2).map(tuple),
    st.none(),
    st.lists(VIDEOS, max_size=2).map(tuple),
)


@settings(deadline=None, max_examples=30)
@given(st.lists(ENTRIES, min_size=1, unique_by=lambda entry: entry.loc))
def test_every_entry_that_was_written_is_read_and_written_again_as_it_was(
    entries: list[Entry],
) -> None:
    entries.sort(key=lambda entry: entry.loc)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_sitemap({None: entries}, folder=folder / "de", base_url=f"{BASE}de/")
        first = (folder / "de/sitemap.xml").read_bytes()
        sitemap = Sitemap("de/sitemap.xml", f"{BASE}de/sitemap.xml", len(entries), None)
        read = read_entries(folder, sitemap)
        assert (read.loss, read.is_ours) == (None, True)
        assert list(read.entries) == entries
        build = Build(sitemap.path, sitemap.url, (sitemap,))
        rewrite(folder, build, {sitemap.url: read.entries}, Config())

        assert (folder / "de/sitemap.xml").read_bytes() == first


@pytest.mark.parametrize("articles", [0, 1, 3])
def test_news_stay_in_their_files_without_links(tmp_path: Path, articles: int) -> None:
    def news(number: int) -> News:
        return News("The Paper", "de", dt.date(2024, 1, 1), f"Article {number}")

    names = ("a/", "b/", "c/")
    for folder in ("de/", "fr/"):
        pages = [Entry(BASE + folder + name) for name in names]
        write_sitemap(
            {None: pages},
            news=[page._replace(news=news(n)) for n, page in enumerate(pages[:articles])],
            folder=tmp_path / folder,
            base_url=BASE + folder,
        )
    builds = []
    for folder in ("de/", "fr/"):
        parts = [("pages", 3), ("news", articles)]
        sitemaps = [
            Sitemap(f"{folder}sitemap-{n}.xml", f"{BASE}{folder}sitemap-{n}.xml", count, None)
            for n, count in parts
            if count
        ]
        top = f"{folder}sitemap.xml"
        builds.append(Build(top, BASE + top, tuple(sitemaps), is_index=True))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.xml")}
    found = link_builds(
        tmp_path, builds, LANGUAGES, base_url=BASE, config=Config(), keys={}, force=False
    )

    assert found.rewritten == ("de/sitemap.xml", "fr/sitemap.xml")
    assert [[s.path for s in build.sitemaps] for build in found.builds] == [
        [sitemap.path for sitemap in build.sitemaps] for build in builds
    ]
    after = {path: path.read_bytes() for path in tmp_path.rglob("*.xml")}
    assert sorted(after) == sorted(before)
    for path, data in after.items():
        assert (data == before[path]) == (path.name != "sitemap-pages.xml")
        assert (b"hreflang" in data) == (path.name == "sitemap-pages.xml")
