"""When a request is worth another attempt, and how long to wait for it."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from sitemap_plugin.commands.web.exchange import Answer, ExchangeError
from sitemap_plugin.errors import SitemapError

__all__ = ["Patience", "insist", "retry_after"]

_TOO_MANY = 429
_PASSING = frozenset({_TOO_MANY, 500, 502, 503, 504})
_FIRST_WAIT = 2.0


class Patience(NamedTuple):
    """How long to wait, in seconds, and for what.

    ``timeout`` is the longest silence of a server, ``retries`` the attempts after the first, and
    ``longest_wait`` the most to wait for any of them. ``now`` tells seconds since 1970.
    """

    timeout: float = 30.0
    retries: int = 3
    longest_wait: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time


def insist(ask: Callable[[], Answer], patience: Patience, tell: Callable[[str], None]) -> Answer:
    """Ask until there is an answer that is final, or no more patience; return the last answer.

    Waits twice as long each time, or as long as the server says; one that says longer than
    ``longest_wait`` has its answer returned. Raises ExchangeError where there was no answer.
    """
    for attempt in range(patience.retries + 1):
        last = attempt == patience.retries
        wait = min(_FIRST_WAIT * 2**attempt, patience.longest_wait)
        try:
            answer = ask()
        except ExchangeError as error:
            if last or not error.passing:
                raise
            tell(f"{error}; asking again in {wait:g} seconds")
        else:
            asked = retry_after(answer, patience.now())
            wait = wait if asked is None else asked
            if last or answer.status not in _PASSING or wait > patience.longest_wait:
                return answer
            tell(f"the server answers {answer.status}; asking again in {wait:g} seconds")
        patience.sleep(wait)
    raise SitemapError("no attempt was made; allow at least one")


def retry_after(answer: Answer, now: float) -> float | None:
    """Return the seconds that an answer asks to wait, given as such or as a date (RFC 9110).

    None where it does not say, or not in a form that can be read.
    """
    text = (answer.headers.get("Retry-After") or "").strip()
    if re.fullmatch(r"[0-9]{1,12}", text):
        return float(text)
    try:
        return float(max(0, math.ceil(parsedate_to_datetime(text).timestamp() - now)))
    except (ValueError, OverflowError, TypeError):
        return None
