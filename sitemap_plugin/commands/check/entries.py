"""What is wrong with entries one by one; most of it is found out for hundreds at a time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from sitemap_plugin.commands.check.batch import Batch
from sitemap_plugin.commands.check.findings import Fault, FileFindings
from sitemap_plugin.commands.check.links import LinkRules
from sitemap_plugin.commands.check.locations import Scope, are_sound, loc_faults, place_fault
from sitemap_plugin.commands.check.origins import Origins
from sitemap_plugin.commands.check.values import changefreq_fault, lastmod_fault, priority_fault
from sitemap_plugin.common.urls import is_local_host

__all__ = ["EntryRules"]

_MEMO_SIZE = 10_000


class EntryRules:
    """Judges the entries of sitemaps and indexes."""

    def __init__(self, now: dt.datetime, origins: Origins) -> None:
        self._origins = origins
        self._lastmods = _Memo(lambda text: lastmod_fault(text, now))
        self._changefreqs = _Memo(changefreq_fault)
        self._priorities = _Memo(priority_fault)
        self._links = LinkRules()

    def forget(self) -> None:
        """Forget the links of a file that has been read."""
        self._links.clear()

    def judge(self, batch: Batch, found: FileFindings, scope: Scope) -> None:
        """Record what is wrong with the entries of a sitemap."""
        self.judge_addresses(batch, found, scope)
        self.judge_lastmods(batch, found)
        _judge_column(batch.changefreqs, self._changefreqs, batch, found)
        _judge_column(batch.priorities, self._priorities, batch, found)
        rules = self._links
        rules.prepare(batch.links)
        for number in [n for n, links in enumerate(batch.links) if rules[links]]:
            for fault in rules[batch.links[number]]:
                found.add_fault(fault, line=batch.lines[number], url=batch.locs[number])

    def judge_lastmods(self, batch: Batch, found: FileFindings) -> None:
        """Record what is wrong with dates of change."""
        _judge_column(batch.lastmods, self._lastmods, batch, found)

    def judge_addresses(
        self,
        batch: Batch,
        found: FileFindings,
        scope: Scope,
        rename: Callable[[Fault], Fault] = lambda fault: fault,
    ) -> None:
        """Record what is wrong with addresses; ``rename`` may change findings about their place."""
        guess = scope.folder or scope.origin or self._origins.guess
        prefix = guess if guess.endswith("/") else f"{guess}/"
        if guess and are_sound(batch.locs, prefix, plain=batch.plain) and not is_local_host(guess):
            if scope.origin is None:
                self._origins.add_all(len(batch.locs))
            return
        for line, loc in zip(batch.lines, batch.locs, strict=True):
            faults = list(loc_faults(loc))
            codes = {fault.code for fault in faults}
            if loc and codes.isdisjoint(_NO_PLACE):
                if scope.origin is None:
                    self._origins.add(loc, found, line)
                elif "loc-local" not in codes and (fault := place_fault(loc, scope)):
                    faults.append(rename(fault))
            for fault in faults:
                found.add_fault(fault, line=line, url=loc)


_NO_PLACE = frozenset({"loc-not-absolute", "loc-invalid"})


class _Memo(dict[str, Fault | None]):
    """Remembers what a function says, since few values are on many pages."""

    def __init__(self, function: Callable[[str], Fault | None]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> Fault | None:
        if len(self) > _MEMO_SIZE:
            self.clear()
        fault = self[text] = self._function(text)
        return fault


def _judge_column(
    column: Sequence[str | None], memo: _Memo, batch: Batch, found: FileFindings
) -> None:
    values = set(column)
    values.discard(None)
    faulty = {value: fault for value in values if value is not None and (fault := memo[value])}
    if faulty:
        for number, value in enumerate(column):
            if value in faulty:
                line, loc = batch.lines[number], batch.locs[number]
                found.add_fault(faulty[value], line=line, url=loc)
