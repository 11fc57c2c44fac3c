"""What was announced, or would be, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from sitemap_plugin.commands.check.findings import clip
from sitemap_plugin.commands.indexnow.announce import Sent
from sitemap_plugin.commands.indexnow.key import Key

__all__ = ["Result", "as_json", "as_text"]

_VERSION = 1
_LONGEST = 2100


class Result(NamedTuple):
    """What a run has come to.

    ``urls`` are those to be announced, ``skipped`` those that were announced a short time ago.
    ``key`` is None where there was nothing to announce, ``key_found`` the place of its file.
    """

    endpoint: str
    urls: Sequence[str] = ()
    skipped: Sequence[str] = ()
    key: Key | None = None
    key_found: str = ""
    sent: Sequence[Sent] = ()
    dry_run: bool = False

    @property
    def announced(self) -> int:
        """How many URLs were received."""
        return sum(sent.size for sent in self.sent if sent.accepted)


def as_text(result: Result) -> str:
    """Render for people."""
    lines = []
    if result.skipped:
        were = "1 URL was" if len(result.skipped) == 1 else f"{len(result.skipped):,} URLs were"
        lines.append(f"{were} announced less than ten minutes ago, and not again")
    if result.key is None:
        return "\n".join((*lines, "nothing to announce", ""))
    if result.dry_run:
        lines += [
            f"would announce {_urls(len(result.urls))} of {result.key.host} to {result.endpoint}",
            f"key file: {result.key.location}, found at {result.key_found}",
        ]
        lines += [f"  {clip(url, _LONGEST)}" for url in result.urls]
        return "\n".join((*lines, ""))
    for sent in result.sent:
        status = "no answer" if sent.status is None else sent.status
        lines.append(f"{_urls(sent.size)}: {status}: {sent.meaning}")
    total = f"{result.announced:,} of {_urls(len(result.urls))}"
    lines.append(f"{total} of {result.key.host} announced to {result.endpoint}")
    return "\n".join((*lines, ""))


def _urls(count: int) -> str:
    return "1 URL" if count == 1 else f"{count:,} URLs"


def as_json(result: Result) -> str:
    """Render for programs, as the documentation describes it."""
    data = {
        "version": _VERSION,
        "dry_run": result.dry_run,
        "endpoint": result.endpoint,
        "host": result.key and result.key.host,
        "key_location": result.key and result.key.location,
        "urls": list(result.urls),
        "skipped": list(result.skipped),
        "announced": result.announced,
        "requests": [
            {
                "urls": sent.size,
                "status": sent.status,
                "accepted": sent.accepted,
                "meaning": sent.meaning,
            }
            for sent in result.sent
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
