"""Whatever this package writes passes the check without a finding."""

import datetime as dt
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from check.example import page as html
from check.example import write
from files import read_table
from sitemap_plugin.commands.check.folder import check
from sitemap_plugin.common.urls import encode_path
from sitemap_plugin.models import Page
from sites import BASE, build_pages, page

pytestmark = pytest.mark.slow
NOW = dt.datetime(2026, 1, 2, 12, tzinfo=dt.UTC)
"""The moment of the builds, on which depends what is news, and of the checks."""
NAMES = st.text("abz09 -_.~!$&'()*+,;=:@%\xe9\u4e2d", min_size=1, max_size=6).filter(
    lambda name: name.strip(". ") == name
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda names: encode_path("/".join(names)))
DAYS = st.dates(dt.date(1970, 1, 2), dt.date(2026, 1, 1))
ZONES = st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=9, minutes=30))])
MOMENTS = st.timedeltas(dt.timedelta(-4), dt.timedelta(0)).map(lambda age: NOW + age)
DATES = DAYS | st.builds(dt.datetime.combine, DAYS, st.times(), ZONES)
TEXTS = st.text(max_size=200)
NEWS = st.fixed_dictionaries(
    {"title": TEXTS, "publication_date": DATES | MOMENTS},
    optional={"language": st.sampled_from(["en", "pt-BR", "zh-Hant"]), "publication": TEXTS},
)
DESCRIBED = Path(__file__).parents[1] / "describe" / "test_videos.py"
LEAST = {"thumbnail_loc": "https://cdn.example.com/a.png?b&c", "player_loc": "/player?a&b"}
VALUES = [(key, value) for key, value, _ in read_table(str(DESCRIBED), "videos.yaml")["values"]]
VIDEOS = st.builds(
    lambda text, pairs: {**LEAST, "title": text, "description": text * 20, **dict(pairs)},
    TEXTS,
    st.lists(st.sampled_from(VALUES), max_size=3),
)
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "lastmod": DATES,
        "changefreq": st.sampled_from(["daily", "never"]),
        "priority": st.floats(0, 1),
        "sitemap": st.fixed_dictionaries(
            {"images": st.lists(st.sampled_from(["/a.png", "https://cdn.example.com/b&c.png"]))},
            optional={"news": NEWS, "video": st.lists(VIDEOS, max_size=2)},
        ),
    },
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "max_urls": st.integers(1, 4),
        "gzip": st.booleans(),
        "stylesheet": st.booleans(),
        "sections": st.just({"blog": "b*", "docs": "a*"}),
        "changefreq": st.just("weekly"),
        "text": st.booleans(),
        "news": st.just({"publication": "The Times", "language": "en"}),
        "x_default": st.sampled_from(["auto", False, "de"]),
    },
)
LANGUAGES = ("en", "de", "pt-BR", "zh-Hant")


@pytest.fixture(autouse=True, scope="module")
def _build_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", str(int(NOW.timestamp())))
        yield


def _file(path: str) -> str:
    """Return the file that is served at a path."""
    return f"{path}index.html" if path.endswith("/") or not path else f"{path}.html"


@st.composite
def pages(draw: st.DrawFn) -> list[Page]:
    """Draw pages, some of which are translations of each other."""
    made = [
        page(path, draw(METADATA))
        for path in draw(st.lists(PATHS, min_size=1, max_size=8, unique=True))
    ]
    for number in range(draw(st.integers(0, 3))):
        for language in draw(st.sets(st.sampled_from(LANGUAGES))):
            fields: dict[str, Any] = {"language": language, "translation_key": str(number)}
            made.append(page(f"{language}/{number}/", draw(METADATA), **fields))
    return made


@settings(deadline=None)
@given(pages(), OPTIONS, st.booleans())
def test_a_written_sitemap_has_no_finding(
    made: list[Page], options: dict[str, Any], knows_base: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = build_pages(folder, made, options, language="en")
        assume(report.files)
        for path in (folder / "sitemap.xml", folder / "sitemap.xml.gz", folder / "sitemap.txt"):
            if path.exists():
                outcome = check(path, base_url=BASE if knows_base else None, now=NOW)

                assert outcome.findings.sorted() == []
                assert outcome.urls == report.entries


SITE = st.lists(st.from_regex(r"[a-z]{1,3}(/[a-z]{1,3})?/?", fullmatch=True), unique_by=_file)


@settings(deadline=None)
@given(SITE, st.lists(METADATA, min_size=20, max_size=20), OPTIONS, st.booleans())
def test_a_site_with_a_written_sitemap_has_no_finding(
    paths: list[str], metadata: list[dict[str, Any]], options: dict[str, Any], knows_base: bool
) -> None:
    made = [page("")]
    made += [page(path, data) for path, data in zip(paths, metadata, strict=False)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, {_file(item.url.removeprefix(BASE)): html() for item in made})
        build_pages(folder, made, options)
        outcome = check(folder, base_url=BASE if knows_base else None, now=NOW)

        assert outcome.findings.sorted() == []
        assert outcome.base_url == BASE
        assert outcome.pages == len(made)
