"""What is wrong with a set of links to translations, taken by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sitemap_plugin.commands.check.batch import LinkSet
from sitemap_plugin.commands.check.findings import Fault, quote
from sitemap_plugin.commands.check.locations import are_plain, url_fault
from sitemap_plugin.languages import normalize

__all__ = ["LinkRules", "hreflang_fault"]


class LinkRules(dict[LinkSet, tuple[Fault, ...]]):
    """Says what is wrong with sets of links, and remembers it, since pages share them."""

    def __init__(self) -> None:
        super().__init__()
        self._codes: dict[tuple[str, ...], tuple[Fault, ...]] = {}

    def prepare(self, sets: Iterable[LinkSet]) -> None:
        """Look at the addresses of many sets at once, which spares most of them a closer look."""
        fresh = [links for links in set(sets) if not links.plain and links not in self]
        if fresh and are_plain([href for links in fresh for href in links.hrefs]):
            for links in fresh:
                links.plain = True

    def __missing__(self, links: LinkSet) -> tuple[Fault, ...]:
        faults = self[links] = links.faults + self._judge(links)
        return faults

    def _judge(self, links: LinkSet) -> tuple[Fault, ...]:
        faults = self._codes.get(links.codes)
        if faults is None:
            faults = self._codes[links.codes] = tuple(_code_faults(links.codes))
        if links.plain or are_plain(links.hrefs):
            return faults
        return faults + tuple(_href_faults(links.hrefs))


def _code_faults(codes: Sequence[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for code in codes:
        lower = code.lower()
        if lower in seen:
            message = f"The set has more than one link with hreflang={quote(code)}."
            yield Fault("hreflang-repeated", message, "Keep the one that is right.")
        elif fault := hreflang_fault(code):
            yield fault
        seen.add(lower)


def hreflang_fault(code: str) -> Fault | None:
    """Judge a language code by what search engines support."""
    language = normalize(code)
    problem, _, advice = (language.problem or "").partition("; ")
    reason = problem.partition(": ")[2]
    because = f": {reason}" if reason else ""
    if language.code is None:
        message = f"The language code {quote(code)} is unknown."
        return Fault("hreflang-invalid", message, f"{advice[:1].upper()}{advice[1:]}.")
    if language.code.lower() != code.lower():
        message = f"The language code {quote(code)} is not valid in hreflang{because}."
        return Fault("hreflang-invalid", message, f"Write '{language.code}'.")
    if language.problem:
        message = f"The language code {quote(code)} is not supported{because}."
        cure = "Write a language of two letters, with a country if need be."
        return Fault("hreflang-unsupported", message, cure)
    return None


def _href_faults(hrefs: Sequence[str]) -> Iterator[Fault]:
    for href in dict.fromkeys(hrefs):
        bare, fragment, _ = href.partition("#")
        fault = url_fault(bare)
        if fault:
            message = f"A link's address is faulty: {fault.message[0].lower()}{fault.message[1:]}"
            yield Fault("href-invalid", message, fault.cure)
        elif fragment:
            message = f"The link's address {quote(href)} has a fragment."
            yield Fault("href-invalid", message, f"Write {quote(bare)}.")
