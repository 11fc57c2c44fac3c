"""The requests to IndexNow, and what the answers mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import clip
from sitemap_plugin.commands.indexnow.key import Key
from sitemap_plugin.commands.web.exchange import Answer, ExchangeError, exchange
from sitemap_plugin.commands.web.patience import Patience, insist, retry_after

__all__ = ["ENDPOINT", "MEANINGS", "MOST_URLS", "Sent", "announce"]

ENDPOINT = "https://api.indexnow.org/indexnow"
MOST_URLS = 10_000
"""URLs that one request may have."""

MEANINGS: Mapping[int, str] = {
    200: "the URLs were received",
    202: "the URLs were received; the key's file will be looked at later",
    400: "the request was not understood; see what the server says, and whether it speaks IndexNow",
    403: "the key was not accepted; its file is to be on the host, with the key and nothing else",
    422: "the URLs are not of the key's host, or the key is not one by the protocol",
    429: "too many announcements, which may be taken for spam; announce less often",
}
"""What the protocol says of each status, and what to do about it."""

_ACCEPTED = frozenset({200, 202})
_LONGEST_SAYING = 200
_REDIRECT, _SERVER_ERROR = 3, 5


class Sent(NamedTuple):
    """What became of a request; ``status`` is None where there was no answer."""

    size: int
    status: int | None
    meaning: str

    @property
    def accepted(self) -> bool:
        """Whether the URLs were received."""
        return self.status in _ACCEPTED


def announce(
    urls: Sequence[str],
    key: Key,
    endpoint: str,
    patience: Patience,
    tell: Callable[[str], None],
) -> Iterator[tuple[Sequence[str], Sent]]:
    """Send URLs, as many at a time as are allowed; yield them with what became of each request.

    Ends with the first request that is not accepted.
    """
    for start in range(0, len(urls), MOST_URLS):
        part = urls[start : start + MOST_URLS]
        sent = _send(part, key, endpoint, patience, tell)
        yield part, sent
        if not sent.accepted:
            return


def _send(
    urls: Sequence[str],
    key: Key,
    endpoint: str,
    patience: Patience,
    tell: Callable[[str], None],
) -> Sent:
    content = {
        "host": key.host, "key": key.value, "keyLocation": key.location, "urlList": list(urls)
    }  # fmt: skip
    data = json.dumps(content).encode()

    def ask() -> Answer:
        return exchange(endpoint, timeout=patience.timeout, data=data)

    try:
        answer = insist(ask, patience, lambda text: tell(f"{endpoint}: {text}"))
    except ExchangeError as error:
        return Sent(len(urls), None, f"{error}; try again later")
    return Sent(len(urls), answer.status, _meaning(answer, patience.now()))


def _meaning(answer: Answer, now: float) -> str:
    """Say what an answer means, and what the server itself has to say."""
    meaning = MEANINGS.get(answer.status)
    if meaning is None:
        meaning = _unusual(answer)
    wait = retry_after(answer, now)
    if wait is not None and answer.status not in _ACCEPTED:
        meaning += f"; the server asks to wait {wait:g} seconds"
    saying = " ".join(answer.body.decode("utf-8", "replace").split())
    if saying and answer.status not in _ACCEPTED:
        meaning += f"; it says: {clip(saying, _LONGEST_SAYING)}"
    return meaning


def _unusual(answer: Answer) -> str:
    """Say what a status means that the protocol does not mention."""
    kind = answer.status // 100
    if kind == _REDIRECT:
        location = clip(answer.headers.get("Location") or "nowhere", _LONGEST_SAYING)
        return f"a redirect to {location}, which is not followed; if it is right, name it"
    if kind == _SERVER_ERROR:
        return "the server has a fault of its own; try again later"
    return "an answer that the protocol does not have; is this the address of an IndexNow server?"
