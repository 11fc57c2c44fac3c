"""Turn the names that people give to languages into valid ``hreflang`` codes.

Search engines accept an ISO 639-1 language, optionally an ISO 15924 script, optionally an
ISO 3166-1 alpha-2 region, joined by hyphens, and ``x-default``.
"""

from __future__ import annotations

import difflib
import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugin import language_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["X_DEFAULT", "Language", "normalize"]

X_DEFAULT = "x-default"

_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_LANGUAGES = frozenset(language_codes.LANGUAGES.split())
_REGIONS = frozenset(language_codes.REGIONS.split())
_SCRIPTS = frozenset(language_codes.SCRIPTS.split())
_THREE_LETTER = frozenset(language_codes.THREE_LETTER.split())
_RENAMED_LANGUAGES = {
    "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro",
    **dict(pair.split(":") for pair in language_codes.TWO_LETTER.split()),
}  # fmt: skip
_RENAMED_REGIONS = {
    "UK": "GB", "BU": "MM", "DD": "DE", "FX": "FR", "TP": "TL", "YD": "YE", "ZR": "CD",
}  # fmt: skip
_GROUPS_OF_COUNTRIES = frozenset({"EU", "UN"})
_LEGACY_SCRIPTS = {"chs": "Hans", "cht": "Hant"}
_SCRIPT_MODIFIERS = {
    "latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab",
}  # fmt: skip
_IGNORED_MODIFIERS = frozenset({"", "euro"})


class Language(NamedTuple):
    """An hreflang code, and what was wrong with the name it was made from.

    ``code`` is None where no code is certain; ``problem`` then names the nearest one.
    """

    code: str | None
    problem: str | None = None


def normalize(code: object, mapping: Mapping[str, str] = _NO_NAMES) -> Language:
    """Return the hreflang code for a language tag, a locale or a folder name.

    ``mapping`` is the option ``languages``: its names are tried first, letter case and the
    difference of ``_`` and ``-`` aside. See "Search engines" in the documentation of codes.
    """
    if not isinstance(code, str):
        cure = " (YAML reads no without quotes as false: write 'no')" if code is False else ""
        return Language(None, f"expected a language code, got {code!r}{cure}")
    if mapping:
        folded = _fold(code)
        for name, value in mapping.items():
            if _fold(name) == folded:
                return _normalize(value)
    return _normalize(code)


def _fold(name: str) -> str:
    return name.strip().replace("_", "-").lower()


@lru_cache(maxsize=1024)
def _normalize(text: str) -> Language:
    tag, _, modifier = text.strip().partition("@")
    tag = tag.partition(".")[0]
    if _fold(tag) == X_DEFAULT:
        return Language(X_DEFAULT)
    first, *rest = re.split("[-_]", tag.lower())
    notes: list[str] = []
    language = _RENAMED_LANGUAGES.get(first, first)
    if language not in _LANGUAGES and language not in _THREE_LETTER:
        return Language(None, _unknown_language(text, first, rest))
    if language != first:
        notes.append(f"'{first}' is written '{language}'")
    elif language in _THREE_LETTER:
        notes.append(f"search engines support two-letter languages only, and '{first}' has none")
    script = _SCRIPT_MODIFIERS.get(modifier.lower())
    if script is None and modifier.lower() not in _IGNORED_MODIFIERS:
        notes.append(f"'@{modifier}' has no place in a code")
    return _with_subtags(text, [language, script, None], rest, notes)


def _with_subtags(
    text: str, parts: list[str | None], subtags: list[str], notes: list[str]
) -> Language:
    """Fill in script and region, the second and third of ``parts``."""
    for position, subtag in enumerate(subtags):
        script = _LEGACY_SCRIPTS.get(subtag)
        if script:
            notes.append(f"'{subtag.upper()}' is written '{script}'")
        elif len(subtag) == len("Latn") and subtag.isalpha():
            script = subtag.title()
        region = _region(subtag, notes)
        if script and not parts[1]:
            if script not in _SCRIPTS:
                return Language(None, _unknown(text, "script", script, parts, _SCRIPTS))
            if parts[2]:
                notes.append("the script comes before the region")
            parts[1] = script
        elif region and not parts[2]:
            if region in _GROUPS_OF_COUNTRIES:
                notes.append(f"search engines ignore the region '{region}'")
                continue
            if region not in _REGIONS and not region.isdigit():
                return Language(None, _unknown(text, "region", region, parts, _REGIONS))
            parts[2] = region
        else:
            dropped = "-".join(subtags[position:])
            notes.append(f"search engines do not support the subtag '{dropped}'")
            break
    code = "-".join(part for part in parts if part)
    return Language(code, f"{text!r} becomes '{code}': {'; '.join(notes)}" if notes else None)


def _region(subtag: str, notes: list[str]) -> str | None:
    if re.fullmatch("[0-9]{3}", subtag):
        notes.append(f"search engines do not support the region '{subtag}'")
        return subtag
    if not re.fullmatch("[a-z]{2}", subtag):
        return None
    region = subtag.upper()
    renamed = _RENAMED_REGIONS.get(region, region)
    if renamed != region:
        notes.append(f"the region '{region}' is written '{renamed}'")
    return renamed


def _unknown_language(text: str, first: str, rest: list[str]) -> str:
    region = _RENAMED_REGIONS.get(first.upper(), first.upper())
    if region in _REGIONS:
        language = _main_language(region)
        nearest = language if not rest and language != "en" else f"{language}-{region}"
        return f"{text!r} begins with a region, not a language; write '{nearest}'"
    close = difflib.get_close_matches(first, _LANGUAGES | _THREE_LETTER, n=1, cutoff=0.0)
    return f"{text!r} is not a language of ISO 639-1; the nearest code is '{close[0]}'"


def _unknown(
    text: str, kind: str, value: str, parts: list[str | None], known: frozenset[str]
) -> str:
    close = difflib.get_close_matches(value, sorted(known), n=1, cutoff=0.7)
    nearest = "-".join([*filter(None, parts), *close])
    return f"{text!r} has the unknown {kind} '{value}'; the nearest code is '{nearest}'"


@lru_cache(maxsize=256)
def _main_language(region: str) -> str:
    for entry in language_codes.REGION_LANGUAGES.split():
        language, _, regions = entry.partition(":")
        if region in regions.split(","):
            return language
    return "en"
