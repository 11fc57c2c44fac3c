"""What servers answer, or fail to, when something is announced to them."""

from __future__ import annotations

import datetime as dt
import re
from argparse import ArgumentParser
from email.utils import format_datetime

import pytest

from commands.place import Announce, Place
from loopback import Reply, indexnow, raw, reply, reset, slow, trickle
from markdown_text import ROOT
from sitemap_plugin.commands.indexnow import ENDPOINT, MEANINGS, Key, add_arguments, send_all
from sitemap_plugin.commands.web.client import RetryPolicy
from sitemap_plugin.commands.web.fetcher import Fetcher

NOON = dt.datetime(2025, 6, 10, 12, tzinfo=dt.UTC)


class Clock:
    """A clock that goes on when somebody sleeps."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def now(self) -> float:
        return NOON.timestamp() + sum(self.slept)

    def policy(self, *, timeout: float = 5, retries: int = 3, longest: float = 120) -> RetryPolicy:
        return RetryPolicy(timeout, retries, longest, self.slept.append, self.now)


def sent(place: Place, *replies: Reply, policy: RetryPolicy) -> tuple[int | None, str]:
    """Announce one URL to a server with some replies; return status and meaning."""
    endpoint = place.engine.add("/indexnow", *replies)
    key = Key("0123456789", "https://example.org/0123456789.txt", "")
    told: list[str] = []
    fetcher = Fetcher(policy, told.append)
    (outcome,) = send_all(["https://example.org/"], key, endpoint, fetcher)
    return outcome["status"], outcome["meaning"]


def test_every_status_of_the_protocol_is_documented() -> None:
    text = (ROOT / "docs" / "indexnow.md").read_text(encoding="utf-8")
    documented = re.findall(r"^- `(\d{3})`: ", text, re.MULTILINE)

    assert [int(status) for status in documented] == list(MEANINGS)


@pytest.mark.parametrize("status", [200, 202, 400, 403, 422])
def test_each_final_status_is_explained_and_not_asked_for_again(
    place: Place, announce: Announce, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    place.engine.add("/indexnow", reply(status, b'{"message":\n"So it\x1b[31m is"}'))
    expected = 0 if status < 300 else 1

    assert announce() == expected
    out = capsys.readouterr().out
    assert f"3 URLs: {status}: {MEANINGS[status]}" in out
    assert ("So it\\x1b[31m is" in out) is bool(expected)
    assert len(place.engine.asked) == 1
    assert f"{0 if expected else 3} of 3 URLs" in out


def test_the_first_request_that_is_refused_is_the_last(place: Place, announce: Announce) -> None:
    listed = place.root / "urls.txt"
    listed.write_text("".join(f"{place.site.url}{number}\n" for number in range(30_000)))
    arguments = ["--urls", listed, "--key", "0123456789abcdef"]
    place.engine.add("/indexnow", reply(200), reply(422), indexnow)

    assert announce(*arguments, between=False) == 1
    assert [len(posted["urlList"]) for posted in place.engine.posted] == [10_000, 10_000]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_server_that_is_busy_is_asked_again_after_longer_and_longer_waits(
    place: Place, status: int
) -> None:
    clock = Clock()
    result = sent(place, *[reply(status)] * 3, reply(200), policy=clock.policy())

    assert result[0] == 200
    assert clock.slept == [2, 4, 8]


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_server_that_stays_busy_is_left_alone_at_last(place: Place, retries: int) -> None:
    clock = Clock()
    status, meaning = sent(place, reply(503), policy=clock.policy(retries=retries))

    assert status == 503
    assert "a fault of its own" in meaning
    assert len(place.engine.asked) == retries + 1
    assert len(clock.slept) == retries


@pytest.mark.parametrize(
    ("value", "waits"),
    [
        ("7", [7]),
        ("0", [0]),
        (" 120 ", [120]),
        (format_datetime(NOON + dt.timedelta(seconds=30), usegmt=True), [30]),
        (format_datetime(NOON - dt.timedelta(days=1), usegmt=True), [0]),
        ("Tuesday, 10-Jun-25 12:00:09 GMT", [9]),
        ("soon", [2]),
        ("-5", [2]),
        ("1.5", [2]),
        ("", [2]),
        ("9" * 40, [2]),
        ("Tue, 99 Jun 9999999 12:00:00 GMT", [2]),
    ],
)
def test_a_server_is_given_the_time_that_it_asks_for(
    place: Place, value: str, waits: list[float]
) -> None:
    clock = Clock()
    busy = reply(429, Retry_After=value)

    assert sent(place, busy, reply(200), policy=clock.policy())[0] == 200
    assert clock.slept == waits


def test_a_server_that_asks_for_too_much_time_is_not_waited_for(place: Place) -> None:
    clock = Clock()
    busy = reply(429, Retry_After="3600")
    status, meaning = sent(place, busy, reply(200), policy=clock.policy())

    assert status == 429
    assert clock.slept == []
    assert "wait 3600 seconds" in meaning


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (reset, "closed the connection"),
        (raw(b""), "closed the connection"),
        (slow(2), "no answer within 0.3 seconds"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), "ended too early"),
    ],
)
def test_a_connection_that_fails_is_tried_again(place: Place, broken: Reply, message: str) -> None:
    clock = Clock()
    status, meaning = sent(place, broken, policy=clock.policy(timeout=0.3, retries=1))

    assert status is None
    assert message in meaning
    assert clock.slept == [2]
    more = clock.policy(timeout=0.3, retries=9)
    assert sent(place, broken, reply(202), policy=more)[0] == 202


@pytest.mark.parametrize("head", [b"X: ", b"Content-Length: 1000000\r\n\r\n"])
def test_an_answer_that_trickles_in_without_end_is_cut_off(place: Place, head: bytes) -> None:
    policy = Clock().policy(timeout=0.3, retries=0)
    status, meaning = sent(place, trickle(b"HTTP/1.1 200 OK\r\n" + head), policy=policy)

    assert status is None
    assert "not complete after 3 seconds" in meaning


@pytest.mark.parametrize(
    ("garbage", "message"),
    [
        (raw(b"\x16\x03\x01\x02\x00"), "not HTTP"),
        (raw(b"SSH-2.0-OpenSSH_9.6\r\n"), "not HTTP"),
        (raw(b"HTTP/1.1 abc\r\n\r\n"), "not HTTP"),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n"), "not HTTP"),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000 + b"\r\n"), "not HTTP"),
    ],
)
def test_an_answer_that_is_no_http_is_told(place: Place, garbage: Reply, message: str) -> None:
    status, meaning = sent(place, garbage, policy=Clock().policy())

    assert status is None
    assert message in meaning


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(place: Place, status: int) -> None:
    target = place.engine.add("/elsewhere", reply(200))
    got, meaning = sent(place, reply(status, Location=target), policy=Clock().policy())

    assert got == status
    assert "a redirect, which is not followed" in meaning
    assert f"it leads to {target}" in meaning
    assert place.engine.paths("GET") == []
    assert place.engine.paths("POST") == ["/indexnow"]


@pytest.mark.parametrize("status", [204, 302, 404, 405, 418])
def test_a_status_that_the_protocol_does_not_have_is_no_success(
    place: Place, announce: Announce, status: int
) -> None:
    place.engine.add("/indexnow", reply(status))

    assert announce() == 1


def test_a_long_answer_is_not_kept(place: Place) -> None:
    _, meaning = sent(place, reply(400, b"x" * 5_000_000), policy=Clock().policy())

    assert len(meaning) < 400


def test_nobody_at_the_endpoint_is_told_at_once(
    announce: Announce, capsys: pytest.CaptureFixture[str]
) -> None:
    assert announce("--endpoint", "http://127.0.0.1:9/indexnow") == 1
    assert "no connection to the server" in capsys.readouterr().out


def test_the_endpoint_that_is_meant_is_the_protocols() -> None:
    parser = ArgumentParser()
    add_arguments(parser)

    assert parser.parse_args([]).endpoint == ENDPOINT
    assert f"`{ENDPOINT}`" in (ROOT / "docs" / "indexnow.md").read_text()
