from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from email.utils import format_datetime, parsedate_to_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugin.dates.parse import (
    DateError,
    check_range,
    format_lastmod,
    newest,
    parse_date,
    parse_w3c,
    sort_key,
)

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2026-03-05", "2026-03-05"), ("2014-06-10 8:30", "2014-06-10T08:30:00+00:00"),
     ("2014-06-10  8:30 UTC", "2014-06-10T08:30:00+00:00"), (" 2026-03-05\n", "2026-03-05"),
     ("2024-02-29", "2024-02-29"), ("2024-12-14T11:53+09:00", "2024-12-14T11:53:00+09:00"),
     ("2024-12-14T11:53:07Z", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14t11:53:07z", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14T11:53:07-05:00", "2024-12-14T11:53:07-05:00"),
     ("2024-12-14T11:53:07-0530", "2024-12-14T11:53:07-05:30"),
     ("2024-12-14T11:53:07+05", "2024-12-14T11:53:07+05:00"),
     ("2024-12-14T11:53:07+14:00", "2024-12-14T11:53:07+14:00"),
     ("2024-12-14T11:53:07-00:00", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14T11:53:07.5Z", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14T11:53:07.123456789+01:00", "2024-12-14T11:53:07+01:00"),
     ("2024-12-14 11:53:07,123", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14T11:53", "2024-12-14T11:53:00+00:00"),
     ("2024-12-14 11:53", "2024-12-14T11:53:00+00:00"),
     ("2024-12-14  11:53:07", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14 11:53:07 +0900", "2024-12-14T11:53:07+09:00"),
     ("2024-12-14 11:53:07 UTC", "2024-12-14T11:53:07+00:00"),
     ("2024-12-14 11:53 gmt", "2024-12-14T11:53:00+00:00"),
     ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00+00:00"),
     ("tue, 5 mar 2024 10:00 ut", "2024-03-05T10:00:00+00:00"),
     ("5 Mar 2024 10:00:00 -0000", "2024-03-05T10:00:00+00:00"),
     ("5 Mar 2024 10:00:00 Z", "2024-03-05T10:00:00+00:00"),
     ("Tue, 05 Mar 2024 10:00:00 EST", "2024-03-05T10:00:00-05:00"),
     ("Tue, 05 Mar 2024 10:00:00 pdt", "2024-03-05T10:00:00-07:00"),
     ("Tue, 05 Mar 2024 10:00:00 +0530 (IST)", "2024-03-05T10:00:00+05:30"),
     ("05 Mar 24 10:00:00 +0000", "2024-03-05T10:00:00+00:00"),
     ("05 Mar 94 10:00:00 +0000", "1994-03-05T10:00:00+00:00"),
     ("Tue, 05 Mar 2024 10:00:00", "2024-03-05T10:00:00+00:00")],
)  # fmt: skip
def test_a_date_in_a_known_form_is_read_as_written(text: str, expected: str) -> None:
    assert format_lastmod(parse_date(text)) == expected


def test_fractions_of_a_second_are_kept_down_to_microseconds() -> None:
    assert parse_date("2024-12-14T11:53:07.1234569Z") == utc(2024, 12, 14, 11, 53, 7, 123456)
    assert parse_date("2024-12-14T11:53:07.5Z") == utc(2024, 12, 14, 11, 53, 7, 500000)
    assert parse_date(f"2024-12-14T11:53:07.{'9' * 9999}Z") == utc(2024, 12, 14, 11, 53, 7, 999999)


def test_native_values_are_taken_as_they_are() -> None:
    moment = dt.datetime(2024, 12, 14, 11, 53, tzinfo=KYOTO)

    assert parse_date(moment, BERLIN) is moment
    assert parse_date(dt.date(2024, 12, 14), BERLIN) == dt.date(2024, 12, 14)
    assert type(parse_date(dt.date(2024, 12, 14))) is dt.date


@pytest.mark.parametrize(
    "value",
    [
        dt.datetime(2024, 7, 1, 12, 30),  # noqa: DTZ001 - what YAML makes of a datetime without zone
        "2024-07-01 12:30",
        "2024-07-01T12:30:00",
        "Mon, 01 Jul 2024 12:30:00",
    ],
)
def test_a_datetime_without_zone_is_in_the_given_one(value: object) -> None:
    assert format_lastmod(parse_date(value, BERLIN)) == "2024-07-01T12:30:00+02:00"
    assert format_lastmod(parse_date(value)) == "2024-07-01T12:30:00+00:00"


@pytest.mark.parametrize(
    ("scalar", "expected"),
    [
        ("2026-03-05", "2026-03-05"),
        ("'2026-03-05'", "2026-03-05"),
        ("2024-12-14T11:53:00+09:00", "2024-12-14T11:53:00+09:00"),
        ("2024-12-14T11:53+09:00", "2024-12-14T11:53:00+09:00"),
        ("2024-12-14 11:53:00 -5", "2024-12-14T11:53:00-05:00"),
        ("2024-12-14 11:53:00Z", "2024-12-14T11:53:00+00:00"),
        ("2024-12-14 11:53:00", "2024-12-14T11:53:00+01:00"),
        ("2024-12-14 11:53", "2024-12-14T11:53:00+01:00"),
    ],
)
def test_front_matter_in_yaml_is_read_as_written(scalar: str, expected: str) -> None:
    yaml = pytest.importorskip("yaml")

    assert format_lastmod(parse_date(yaml.safe_load(scalar), BERLIN)) == expected


@pytest.mark.parametrize(
    "scalar",
    ["2024", "2024-05", "20240501", "2024.05", "11:53:00", "yes", "~", "[]", "!!binary aGk="],
)
def test_what_yaml_makes_of_other_scalars_is_refused(scalar: str) -> None:
    yaml = pytest.importorskip("yaml")

    with pytest.raises(DateError, match="write"):
        parse_date(yaml.safe_load(scalar))


def test_a_date_has_no_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")

    assert format_lastmod(parse_date("2026-03-05", BERLIN)) == "2026-03-05"


@pytest.mark.parametrize(
    ("value", "cure"),
    [("2014-1-31T14:18", "write 2014-01-31T14:18"), ("2014-1-31", "write 2014-01-31"),
     ("2014/01/31", "write 2014-01-31"),
     ("2014.1.31 14:18 +0100", "write 2014-01-31T14:18 +0100"),
     ("20140131", "write 2014-01-31"), ("May 25 2020", "write YYYY-MM-DD"),
     (20140131, "write 2014-01-31"),
     ("2024", "'2024' gives no day; write YYYY-MM-DD"),
     (2024, "2024 gives no day; write YYYY-MM-DD"),
     ("2024-05", "'2024-05' gives no day; write YYYY-MM-DD"),
     ("20141331", "write YYYY-MM-DD"), ("2014-13-1", "write YYYY-MM-DD"),
     ("2014/02/30", "write YYYY-MM-DD"), ("2024-02-30", "is no date: day"),
     ("2023-02-29T10:00Z", "is no date: day"), ("0000-01-01", "is no date: year"),
     ("2024-05-01T24:00", "hour must be in 0..23"),
     ("2024-05-01T23:60", "minute must be in 0..59"),
     ("2024-05-01T23:59:60Z", "second must be in 0..59"),
     ("2024-05-01T10:00+14:01", "offset +14:01 does not exist"),
     ("2024-05-01T10:00+01:60", "offset +01:60 does not exist"),
     ("2024-05-01T10:00-23:00", "offset -23:00 does not exist"),
     ("Mon, 05 Mar 2024 10:00:00 GMT", "2024-03-05 is a Tue, not a Mon"),
     ("Tue, 05 Mar 2024 10:00:00 CEST", "write YYYY-MM-DD"),
     ("Tue, 05 Mar 2024 10:00:00 A", "write YYYY-MM-DD"),
     ("Tue, 05 Mar 2024 10:00:00 +9900", "is no date: offset"),
     ("30 Feb 2024 10:00:00 GMT", "is no date: day")],
)  # fmt: skip
def test_a_near_miss_is_refused_with_its_cure(value: object, cure: str) -> None:
    with pytest.raises(DateError, match=re.escape(cure)) as caught:
        parse_date(value)

    assert str(value).strip("'") in str(caught.value)


@pytest.mark.parametrize(
    "value",
    ["01.05.2024", "05/01/2024", "May 5, 2024 10:00", "Tue Mar  5 10:00:00 2024",
     "Tue 05 Mar 2024 10:00:00 GMT", "Tuesday, 05-Mar-24 10:00:00 GMT", "2024-W01-1",
     "2024W011", "2024-123", "20240501T100000Z", "2024-05-01T1000", "2024-05-01T10",
     "2024-05-01T10Z", "2024-05-01Z", "2024-05-01+02:00", "2024-05-01T",
     "2024-05-01T10:00 Europe/Berlin", "2024-05-01T10:00:00.Z", "2024-05-01T10:00.5Z",
     "2024-05-01T10:00:00 +09:0", "2024-05-01T10:00:00--09:00", "2024-05-01_10:00",
     "+2024-05-01", "-2024-05-01", "12024-05-01", "2024-05-01\x00", "2024-05-01\n2024-05-02",
     "\u0662\u0660\u0662\u0664-\u0660\u0665-\u0660\u0661", "\uff12\uff10\uff12\uff14-05-01",
     "2024\u201105\u201101", "\ud800", "1714557600", "today", "now", "", "None", "{{ date }}",
     1714557600, 1714557600.5, 0, -1, float("nan"), float("inf"), True, False, None,
     b"2024-05-01", dt.time(10, 0), dt.timedelta(1), ["2024-05-01"],
     {"created": "2024-05-01"}, object()],
)  # fmt: skip
def test_what_is_not_certainly_one_day_is_refused(value: object) -> None:
    with pytest.raises(DateError, match="YYYY-MM-DD"):
        parse_date(value)


def test_a_number_that_python_refuses_to_print_is_refused_too() -> None:
    for number in (10**5000, -(10**5000)):
        with pytest.raises(DateError, match="huge number"):
            parse_date(number)


def test_a_message_about_a_long_value_stays_short() -> None:
    with pytest.raises(DateError) as caught:
        parse_date("x" * 100_000)

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


@pytest.mark.parametrize(
    "value",
    [
        dt.datetime.max.replace(tzinfo=dt.timezone(-dt.timedelta(hours=14))),
        dt.datetime.min.replace(tzinfo=dt.timezone(dt.timedelta(hours=14))),
        dt.datetime.max.replace(tzinfo=dt.timezone(-dt.timedelta(hours=23))),
        dt.datetime.min.replace(tzinfo=dt.timezone(dt.timedelta(seconds=1))),
    ],
)
def test_the_first_and_last_moments_are_out_of_range(value: dt.datetime) -> None:
    with pytest.raises(DateError):
        check_range(value)


@pytest.mark.parametrize(
    "value",
    [
        dt.date(1970, 1, 1),
        dt.date(2024, 5, 1),
        dt.date(2024, 5, 2),
        NOON,
        NOON + dt.timedelta(hours=23, minutes=59),
        dt.datetime(1970, 1, 1, tzinfo=KYOTO),
        dt.datetime(2024, 5, 2, 20, tzinfo=KYOTO),
    ],
)
def test_a_date_in_range_passes(value: dt.date) -> None:
    check_range(value, NOON)


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (dt.date(1969, 12, 31), "1969-12-31 is before 1970"),
        (dt.date(1, 1, 1), "0001-01-01 is before 1970"),
        (utc(1969, 12, 31, 23, 59), "is before 1970"),
        (dt.date(2024, 5, 3), "2024-05-03 is in the future"),
        (dt.date(9999, 12, 31), "9999-12-31 is in the future"),
        (NOON + dt.timedelta(days=1), "2024-05-02 12:00:00+00:00 is in the future"),
        (dt.datetime(2024, 5, 2, 21, tzinfo=KYOTO), "is in the future"),
    ],
)
def test_a_date_out_of_range_is_refused(value: dt.date, fault: str) -> None:
    with pytest.raises(DateError, match=re.escape(fault)):
        check_range(value, NOON)


def test_the_future_is_judged_by_the_real_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    check_range(dt.datetime.now(dt.UTC))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "99999999999")

    with pytest.raises(DateError, match="in the future"):
        check_range(dt.datetime.now(dt.UTC) + dt.timedelta(days=3))


@pytest.mark.parametrize(
    ("text", "value", "granularity"),
    [
        ("1997", dt.date(1997, 1, 1), "year"),
        ("1997-07", dt.date(1997, 7, 1), "month"),
        ("1997-07-16", dt.date(1997, 7, 16), "day"),
        ("1997-07-16T19:20+01:00", utc(1997, 7, 16, 18, 20), "minute"),
        ("1997-07-16T19:20:30+01:00", utc(1997, 7, 16, 18, 20, 30), "second"),
        ("1997-07-16T19:20:30.45+01:00", utc(1997, 7, 16, 18, 20, 30, 450000), "fraction"),
        ("1997-07-16T19:20Z", utc(1997, 7, 16, 19, 20), "minute"),
        ("1997-07-16T19:20:30.0Z", utc(1997, 7, 16, 19, 20, 30), "fraction"),
    ],
)
def test_all_granularities_of_a_w3c_datetime_are_read(
    text: str, value: dt.date, granularity: str
) -> None:
    assert parse_w3c(text) == (value, granularity)


@pytest.mark.parametrize(
    "text",
    ["1997-07-16T19:20", "1997-07-16T19:20:30", "1997-07-16T19:20:30+0100",
     "1997-07-16T19:20:30+01", "1997-07-16T19:20:30 Z", "1997-07-16t19:20:30Z",
     "1997-07-16T19:20:30z", "1997-07-16 19:20:30Z", "1997-07-16T19:20:30,5Z",
     "1997-07-16T19:20:30.Z", "1997-07-16T19Z", "1997-07-16Z", "1997-07-16T24:00:00Z",
     "1997-07-16T19:20:60Z", "1997-07-16T19:20:30+15:00", "1997-02-29", "1997-13", "0000",
     "1997-7-16", "19970716", "97-07-16", " 1997-07-16", "1997-07-16\n",
     "Tue, 05 Mar 2024 10:00:00 GMT", ""],
)  # fmt: skip
def test_what_is_no_w3c_datetime_is_refused(text: str) -> None:
    with pytest.raises(DateError):
        parse_w3c(text)


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("1997-7-16", "write 1997-07-16"),
        ("1997-07-16 19:20:30Z", "write 1997-07-16T19:20:30+00:00"),
        ("1997-07-16T19:20:30+0100", "write 1997-07-16T19:20:30+01:00"),
        ("Tue, 05 Mar 2024 10:00:00 EST", "write 2024-03-05T10:00:00-05:00"),
        ("1997-07-16T19:20:30", "write YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm"),
        ("1997-02-29", "'1997-02-29' is no date: day"),
    ],
)
def test_a_bad_w3c_datetime_is_refused_with_its_cure(text: str, cure: str) -> None:
    with pytest.raises(DateError, match=re.escape(cure)):
        parse_w3c(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (dt.date(2024, 5, 1), "2024-05-01"),
        (dt.date(1, 2, 3), "0001-02-03"),
        (utc(2024, 5, 1, 12), "2024-05-01T12:00:00+00:00"),
        (utc(2024, 5, 1, 12, 0, 59, 999999), "2024-05-01T12:00:59+00:00"),
        (dt.datetime(2024, 5, 1, 12, tzinfo=KYOTO), "2024-05-01T12:00:00+09:00"),
        (dt.datetime(2024, 5, 1, 12, tzinfo=BERLIN), "2024-05-01T12:00:00+02:00"),
        (
            dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone(-dt.timedelta(hours=3, minutes=30))),
            "2024-05-01T12:00:00-03:30",
        ),
        (
            dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=1, seconds=20))),
            "2024-05-01T10:59:40+00:00",
        ),
        (
            dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=15))),
            "2024-04-30T21:00:00+00:00",
        ),
        # Liberia's clocks were 44 minutes and 30 seconds behind until 1972.
        (
            dt.datetime(1971, 1, 1, tzinfo=zoneinfo.ZoneInfo("Africa/Monrovia")),
            "1971-01-01T00:44:30+00:00",
        ),
    ],
)
def test_a_date_is_written_in_one_of_two_forms(value: dt.date, expected: str) -> None:
    assert format_lastmod(value) == expected


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


def test_nothing_has_no_newest() -> None:
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
