"""Nothing invalid gets out: it is left out with a warning, and all else is written."""

import datetime as dt
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from files import read_table
from sitemap_plugin.errors import Problem
from sitemap_plugin.models import Alternate, Entry, Image
from sitemap_plugin.report import Report
from sitemaps import Url, read_locs, read_sitemap
from sites import BASE as ROOT
from sites import build_pages, page
from write.folders import BASE, Editor, entries, published, write

TABLE = read_table(__file__, "validity.yaml")

HREF = "https://example.org/de/"
HOSTLESS = ["https://", "http://x", "https:///", "https://?", "http://[::1]/", "https://["]


def warnings(folder: Path, bad: Entry) -> tuple[list[Url], list[Problem]]:
    """Write an entry between two good ones; return what is read of it, and the warnings."""
    written = write(folder, [*entries(1), bad, Entry(f"{BASE}~")])
    first, *urls, last = published(folder).urls
    assert (first, last) == (Url(entries(1)[0].loc), Url(f"{BASE}~"))
    assert all(problem.severity == "warning" for problem in written.problems)
    assert written.entries == len(urls) + 2
    return urls, written.problems


@pytest.mark.parametrize(("loc", "told"), TABLE["locs"])
def test_a_loc_that_is_no_url_of_the_site_leaves_the_entry_out(
    tmp_path: Path, loc: Any, told: str
) -> None:
    urls, problems = warnings(tmp_path, Entry(loc))

    assert urls == []
    [problem] = problems
    assert problem.message.startswith("left out of the sitemap: ")
    assert told in problem.message
    assert len(problem.where or "") < 250


def test_the_longest_loc_that_is_allowed_is_written(tmp_path: Path) -> None:
    """Escaping for XML does not count."""
    longest = f"{BASE}{'&' * (2047 - len(BASE))}"
    assert write(tmp_path, [Entry(longest)]).problems == []
    assert published(tmp_path).locs == [longest]


@pytest.mark.parametrize("base_url", ["https://[2001:db8::1]:8080/", "http://[::1]/docs/"])
def test_brackets_around_an_address_are_legal(tmp_path: Path, base_url: str) -> None:
    home = Entry(base_url, alternates=(Alternate("en", f"{base_url}&"),))
    listed = [home, Entry(f"{base_url}a&b"), Entry(f"{base_url}b[1]")]
    [problem] = write(tmp_path, listed, base_url=base_url).problems

    assert read_locs(tmp_path / "sitemap.xml") == [base_url, f"{base_url}a&b"]
    assert "'[' is not allowed" in problem.message


FAR_EAST, FAR_WEST = (dt.timezone(dt.timedelta(hours=hours)) for hours in (15, -20))
EXTREMES = [
    ["lastmod", dt.datetime(1, 1, 1, tzinfo=FAR_EAST), "is out of range"],
    ["lastmod", dt.datetime(9999, 12, 31, 23, tzinfo=FAR_WEST), "is out of range; write YYYY-MM"],
    ["priority", 10**400, "priority left out: 1000"],
    ["priority", 1j, "priority left out: 1j"],
]


@pytest.mark.parametrize(("field", "value", "told"), [*TABLE["elements"], *EXTREMES])
def test_an_invalid_element_is_left_out_and_the_entry_stays(
    tmp_path: Path, field: str, value: Any, told: str
) -> None:
    if field in {"alternates", "images"}:
        value = tuple(map(tuple, value))
    urls, problems = warnings(tmp_path, Entry(f"{BASE}x", **{field: value}))

    assert urls == [Url(f"{BASE}x")]
    [problem] = problems
    assert problem.where == f"{BASE}x"
    assert told in problem.message


def test_of_several_things_each_invalid_one_is_told(tmp_path: Path) -> None:
    links = (Alternate("de", HREF), Alternate("DE", f"{HREF}2"), Alternate("en", f"{BASE}x"))
    images = (Image("x"), Image(HREF))
    bad = Entry(f"{BASE}x", dt.date(2024, 1, 1), "sometimes", 2, links, images)

    urls, problems = warnings(tmp_path, bad)

    assert urls == [Url(f"{BASE}x", "2024-01-01", alternates=(*links[::2],))]
    words = [problem.message.split()[0] for problem in problems]
    assert words == ["changefreq", "priority", "alternate", "image"]
    assert b"<image:loc>https://example.org/de/<" in (tmp_path / "sitemap.xml").read_bytes()


def test_images_beyond_the_thousandth_are_left_out(tmp_path: Path) -> None:
    images = tuple(Image(f"{BASE}{number:04}.png") for number in range(1002))
    _, problems = warnings(tmp_path, Entry(f"{BASE}x", images=images))

    assert (tmp_path / "sitemap.xml").read_bytes().count(b"<image:image>") == 1000
    [message] = [problem.message for problem in problems]
    assert message == "2 images left out: at most 1000 are allowed on a page"


@pytest.mark.parametrize("at", [1, 512])
def test_an_entry_equal_to_the_one_before_is_dropped(tmp_path: Path, at: int) -> None:
    """Also where one batch ends and the next begins."""
    listed = entries(1100)
    again = listed[at - 1].replace(priority=0.1)

    written = write(tmp_path, [*listed[:at], again, again, *listed[at:]])

    assert published(tmp_path).locs == [entry.loc for entry in listed]
    assert all(url.priority is None for url in published(tmp_path).urls)
    message = f"{again.loc}: listed more than once; the first entry is kept"
    assert [str(problem) for problem in written.problems] == [message] * 2


def test_kinds_of_dates_that_libraries_make_are_dates(tmp_path: Path) -> None:
    class Date(dt.date):
        pass

    class Moment(dt.datetime):
        def isoformat(self, *_: Any, **__: Any) -> str:
            return "<not this>"

    moment = Moment(2024, 1, 2, 3, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    listed = [Entry(f"{BASE}a", Date(2024, 1, 2)), Entry(f"{BASE}b", moment)]

    assert write(tmp_path, listed).problems == []
    dates = [url.lastmod for url in published(tmp_path).urls]
    assert dates == ["2024-01-02", "2024-01-02T03:00:00+01:00"]


anything: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.dates(),
    st.datetimes(), st.datetimes(timezones=st.timezones()), st.lists(st.text(), max_size=2),
)  # fmt: skip
any_url = st.one_of(
    # One of the readers takes "&lt" for a character, although it is written "&amp;lt".
    st.text(max_size=20).map(lambda text: ROOT + text.replace("&", "&1")),
    st.text(st.sampled_from("%25aF#[]'&<>\"\n é"), max_size=12).map(lambda text: HREF + text),
    st.sampled_from(HOSTLESS),
    st.text(max_size=8),
)
any_pairs = st.lists(st.tuples(st.sampled_from(["de", "en-GB", "x-default"]) | st.text(), any_url))


def build_edited(folder: Path, listed: list[Entry]) -> Report:
    pages = [page(f"{number}/") for number in range(len(listed))]
    return build_pages(folder, pages, plugins=[Editor(listed)])


@pytest.mark.parametrize(("field", "value"), TABLE["rows"])
def test_what_a_plugin_sets_in_place_of_rows_is_left_out(
    tmp_path: Path, field: str, value: Any
) -> None:
    report = build_edited(tmp_path, [Entry(f"{ROOT}a/", **{field: value})])

    assert read_sitemap(tmp_path / "sitemap.xml") == [Url(f"{ROOT}a/")]
    kind = {"alternates": "Alternate", "images": "Image"}[field]
    [problem] = report.problems
    assert str(problem) == f"{ROOT}a/: {field} left out: {value!r} is not a tuple of {kind}"


@settings(max_examples=20)
@given(
    st.lists(
        st.builds(
            Entry,
            any_url,
            anything,
            anything | st.sampled_from(["daily", "never"]),
            anything | st.floats(0, 1),
            any_pairs.map(lambda pairs: tuple(Alternate(*pair) for pair in pairs)) | anything,
            st.lists(any_url.map(Image), max_size=3).map(tuple) | anything,
            anything,
            anything,
        ),
        max_size=4,
    )
)
@example([Entry(ROOT, alternates=(Alternate("%s", ROOT), Alternate("de", f"{ROOT}%25s")))])
@example([Entry(f"{ROOT}\x85"), Entry(f"{ROOT}\u2028"), Entry(f"{ROOT}\x1c")])
def test_whatever_plugins_set_what_goes_out_is_valid(listed: list[Entry]) -> None:
    """A document that is well-formed, that the schema accepts, and that two readers agree on."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "sitemap.xml"
        report = build_edited(Path(name), listed)

        assert bool(report.entries) == path.exists()
        if report.entries:
            urls = read_sitemap(path)
            assert len(urls) == report.entries
            assert {url.loc for url in urls} <= {entry.loc for entry in listed}
            assert path.read_bytes().isascii()
