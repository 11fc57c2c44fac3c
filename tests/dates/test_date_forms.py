import datetime as dt
import re
import zoneinfo
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files import read_table
from sitemap_plugin.dates.parse import (
    DateError,
    check_range,
    format_lastmod,
    newest,
    parse_date,
    parse_w3c,
    sort_key,
)

TABLES = read_table(__file__, "date_forms.yaml")

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
KYOTO = dt.timezone(dt.timedelta(hours=9))
NOON = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)

slow = settings(deadline=None, max_examples=30)
any_date = st.dates() | st.datetimes(timezones=st.timezones())
whole_minutes = st.builds(
    dt.timezone,
    st.timedeltas(dt.timedelta(hours=-14), dt.timedelta(hours=14)).map(
        lambda offset: dt.timedelta(minutes=offset // dt.timedelta(minutes=1))
    ),
)
aware = st.datetimes(timezones=whole_minutes)


def utc(*numbers: int) -> dt.datetime:
    year, month, day, *time = numbers
    return dt.datetime.combine(dt.date(year, month, day), dt.time(*time), dt.UTC)  # type: ignore[arg-type]


def read_iso(text: str) -> dt.date:
    return (dt.datetime if "T" in text else dt.date).fromisoformat(text)


CASES = [
    re.split(": | -> ", line, maxsplit=2)
    for line in Path(__file__).with_name("date_forms.txt").read_text("utf-8").splitlines()[5:]
]


@pytest.mark.parametrize(("form", "text", "expected"), CASES)
def test_a_date_is_read_or_refused(form: str, text: str, expected: str) -> None:
    if form in {"read", "berlin"}:
        date = parse_date(f" {text}\n", BERLIN if form == "berlin" else dt.UTC)
        assert format_lastmod(date) == expected
    elif form == "w3c":
        value, granularity = parse_w3c(text)
        assert f"{value.isoformat()} {granularity}" == expected
    elif form == "written":
        assert format_lastmod(read_iso(text)) == expected
    elif form == "in time":
        check_range(read_iso(text), NOON)
    elif form == "out of time":
        with pytest.raises(DateError, match=re.escape(expected)):
            check_range(read_iso(text), NOON)
    else:
        with pytest.raises(DateError, match=re.escape(expected)) as caught:
            (parse_date if form == "refused" else parse_w3c)(text)
        assert text in str(caught.value)


def test_fractions_of_a_second_are_kept_down_to_microseconds() -> None:
    assert parse_date("2024-12-14T11:53:07.1234569Z") == utc(2024, 12, 14, 11, 53, 7, 123456)
    assert parse_date("2024-12-14T11:53:07.5Z") == utc(2024, 12, 14, 11, 53, 7, 500000)
    assert parse_date(f"2024-12-14T11:53:07.{'9' * 9999}Z") == utc(2024, 12, 14, 11, 53, 7, 999999)


def test_native_values_are_taken_as_they_are() -> None:
    naive = dt.datetime(2024, 7, 1, 12, 30)  # noqa: DTZ001 - what YAML makes of one without zone
    moment = dt.datetime(2024, 12, 14, 11, 53, tzinfo=KYOTO)

    assert parse_date(moment, BERLIN) is moment
    assert parse_date(naive, BERLIN) == naive.replace(tzinfo=BERLIN)
    assert parse_date(naive) == naive.replace(tzinfo=dt.UTC)
    assert parse_date(dt.date(2024, 12, 14), BERLIN) == dt.date(2024, 12, 14)
    assert type(parse_date(dt.date(2024, 12, 14))) is dt.date


@pytest.mark.parametrize(("scalar", "expected"), TABLES["front matter in yaml is read as written"])
def test_front_matter_in_yaml_is_read_as_written(scalar: str, expected: str) -> None:
    yaml = pytest.importorskip("yaml")
    assert format_lastmod(parse_date(yaml.safe_load(scalar), BERLIN)) == expected


def test_other_values_are_refused() -> None:
    values = ["2024-05-01\x00", "2024-05-01\n2024-05-02", "\ud800", "", 2024, 20241331, 1714557600,
        1714557600.5, 0, -1, float("nan"), float("inf"), True, False, None, b"2024-05-01",
        dt.time(10, 0), dt.timedelta(1), ["2024-05-01"], {"created": "2024-05-01"}]  # fmt: skip
    for value in values:
        with pytest.raises(DateError, match="YYYY-MM-DD"):
            parse_date(value)
    with pytest.raises(DateError, match="write 2014-01-31"):
        parse_date(20140131)
    for text in (" 1997-07-16", "1997-07-16\n", ""):
        with pytest.raises(DateError):
            parse_w3c(text)


def test_a_long_value_is_refused_in_a_short_message() -> None:
    for value, part in (
        (10**5000, "huge number"),
        (-(10**5000), "huge number"),
        ("x" * 10**5, "no"),
    ):
        with pytest.raises(DateError, match=part) as caught:
            parse_date(value)
        assert len(str(caught.value)) < 200


@slow
@given(any_date)
def test_iso_format_is_read_back(value: dt.date) -> None:
    try:
        text = format_lastmod(value)
    except DateError:  # In UTC it lies outside the years that there are.
        return
    read = parse_date(text)

    assert format_lastmod(read) == text
    if isinstance(value, dt.datetime):
        assert sort_key(read)[0] == sort_key(value.replace(microsecond=0))[0]
        assert parse_w3c(text) == (read, "second")
    else:
        assert read == value
        assert parse_w3c(text) == (read, "day")


@slow
@given(aware)
def test_an_offset_is_written_as_given(value: dt.datetime) -> None:
    assert parse_date(value.isoformat()) == value
    assert parse_date(value.isoformat()).isoformat() == value.isoformat()
    assert parse_date(value.isoformat().replace("T", "  ")).isoformat() == value.isoformat()
    assert format_lastmod(value) == value.replace(microsecond=0).isoformat()


@slow
@given(st.datetimes(dt.datetime(1950, 1, 1), timezones=whole_minutes))  # noqa: DTZ001 - bound
def test_rfc_822_dates_read_as_by_the_standard_library(value: dt.datetime) -> None:
    text = format_datetime(value)
    assert parse_date(text) == parsedate_to_datetime(text)
    assert parse_date(text.partition(", ")[2]) == parsedate_to_datetime(text)


@slow
@given(st.text() | st.text(st.sampled_from("0129-:TZ+. /,GMTJan")) | st.integers() | st.floats())
def test_any_value_is_a_date_or_a_date_error(value: object) -> None:
    for read in (parse_date, lambda value: parse_w3c(str(value)).value):
        try:
            date = read(value)
        except DateError as error:
            assert str(error).isprintable()  # noqa: PT017 - either outcome is fine
            continue
        assert re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?", format_lastmod(date))


def test_the_future_is_judged_by_the_real_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    check_range(dt.datetime.now(dt.UTC))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "99999999999")

    with pytest.raises(DateError, match="in the future"):
        check_range(dt.datetime.now(dt.UTC) + dt.timedelta(days=3))


def test_a_datetime_without_zone_is_neither_written_nor_compared() -> None:
    naive = dt.datetime(2024, 5, 1)  # noqa: DTZ001 - the case under test

    for function in (format_lastmod, sort_key, check_range):
        with pytest.raises(DateError, match="has no time zone"):
            function(naive)


def test_the_newest_of_dates_and_datetimes_is_found() -> None:
    start = utc(2024, 5, 1)

    assert newest([dt.date(2020, 1, 1), dt.date(2023, 6, 1), None]) == dt.date(2023, 6, 1)
    assert newest([dt.date(2024, 5, 1), NOON, dt.date(2024, 4, 30)]) == NOON
    assert newest([dt.date(2024, 5, 2), NOON]) == dt.date(2024, 5, 2)
    assert newest([start, dt.date(2024, 5, 1)]) is start
    assert newest([dt.datetime(2024, 5, 2, 8, tzinfo=KYOTO), utc(2024, 5, 2)]) == utc(2024, 5, 2)
    assert newest([]) is None
    assert newest([None, None]) is None


class BrokenZone(dt.tzinfo):
    def utcoffset(self, _: dt.datetime | None) -> dt.timedelta:
        raise RuntimeError

    dst = utcoffset

    def tzname(self, _: dt.datetime | None) -> str:
        raise RuntimeError


def test_a_time_zone_that_raises_is_no_date() -> None:
    with pytest.raises(DateError, match="time zone cannot be used"):
        parse_date(dt.datetime(2024, 5, 1, tzinfo=BrokenZone()))
