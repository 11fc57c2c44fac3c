"""Turn the names that people give to languages into valid ``hreflang`` codes.

Search engines accept an ISO 639-1 language, optionally an ISO 15924 script, optionally an
ISO 3166-1 alpha-2 region, joined by hyphens (``ll-Ssss-RR``), and ``x-default``. What says
something else is corrected, kept or refused, always with a problem to report:

- corrected: a retired or three-letter code with a successor, the region ``UK``, subtags out of
  order; ``EU`` and ``UN``, which search engines ignore, and variants, extensions and private-use
  subtags are left off;
- kept: what BCP 47 admits and search engines do not support (``es-419``, ``fil``);
- refused: anything whose language, script or region does not exist.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemap_plugin.common.text import quoted
from sitemap_plugin.languages import codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["X_DEFAULT", "Language", "normalize"]

X_DEFAULT = "x-default"

_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_ENGLISH_NAMES = dict(pair.split(":") for pair in codes.LANGUAGES.split())
_REGIONS = frozenset(codes.REGIONS.split())
_REGION_GROUPS = frozenset(codes.REGION_GROUPS.split())
_SCRIPTS = frozenset(codes.SCRIPTS.split())
_THREE_LETTER = frozenset(codes.THREE_LETTER.split())
_RENAMED_LANGUAGES = {
    **dict(pair.split(":") for pair in codes.TWO_LETTER.split()),
    "in": "id",
    "iw": "he",
    "ji": "yi",
    "jw": "jv",
    "mo": "ro",
    "sh": "sr",
}
_RENAMED_REGIONS = {"UK": "GB", "BU": "MM", "DD": "DE", "FX": "FR", "TP": "TL", "ZR": "CD"}
_IGNORED_REGIONS = frozenset({"EU", "UN"})
_NO_LANGUAGE = frozenset({"c", "mis", "mul", "posix", "und", "zxx"})
_OWN_NAMES = dict(pair.split(":") for pair in codes.OWN_NAMES.split())
_SCRIPT_NAMES = {
    **{script.lower(): script for script in _SCRIPTS},
    "chs": "Hans",
    "cht": "Hant",
    "arabic": "Arab",
    "cyrillic": "Cyrl",
    "devanagari": "Deva",
    "latin": "Latn",
}
_GENERAL_ADVICE = "write one such as 'en' or 'pt-BR'"
_ENCODING = re.compile(r"\.(?:[\w-]*\d[\w-]*|euc\w+)$", re.ASCII | re.IGNORECASE)


class Language(NamedTuple):
    """An hreflang code, and what was wrong with the name it was made from.

    ``code`` is None where no code is certain; ``problem`` then names the nearest one.
    """

    code: str | None
    problem: str | None = None


def normalize(code: object, mapping: Mapping[str, str] = _NO_NAMES) -> Language:
    """Return the hreflang code for a language tag, a locale (``de_CH.UTF-8``) or a folder name.

    ``mapping`` is the option ``languages``: its names are tried first, letter case and the
    difference of ``_`` and ``-`` aside. A code declared there has no problem of its own; those
    are reported where the option is read.
    """
    if not isinstance(code, str):
        cure = "; YAML reads a bare no as false, write 'no'" if code is False else ""
        return Language(None, f"expected a language code, got {quoted(code)}{cure}")
    if mapping:
        folded = {_fold(code), _fold(_ENCODING.sub("", code))}
        for name, declared in mapping.items():
            if _fold(name) in folded:
                found = _normalize(declared)
                return found if found.code is None else Language(found.code)
    return _normalize(code)


def _fold(name: str) -> str:
    return name.strip().replace("_", "-").lower()


@lru_cache(maxsize=1024)
def _normalize(text: str) -> Language:
    tag, _, modifier = text.strip().partition("@")
    tag = _fold(_ENCODING.sub("", tag))
    if tag == X_DEFAULT:
        return Language(X_DEFAULT)
    first, *rest = (subtag for subtag in tag.split("-") if subtag) if tag.strip("-") else [""]
    notes: list[str] = []
    script = _SCRIPT_NAMES.get(modifier.lower())
    if modifier and not script and modifier.lower() != "euro":
        notes.append(f"{'@' + modifier!r} has no place in a code")
    if first == "sh" and not any(subtag in _SCRIPT_NAMES for subtag in rest):
        script = script or "Latn"
    language = _RENAMED_LANGUAGES.get(first, first)
    if language in _THREE_LETTER:
        notes.append(f"search engines support two-letter languages only, and '{first}' has none")
    elif language not in _ENGLISH_NAMES:
        return Language(None, _unknown_language(text, first, rest))
    elif len(first) > len(language):
        notes.append(f"the two-letter code of '{first}' is '{language}'")
    elif language != first:
        notes.append(f"'{first}' is retired in favour of '{language}'")
    return _add_subtags(text, language, script, rest, notes)


def _add_subtags(
    text: str, language: str, script: str | None, subtags: Sequence[str], notes: list[str]
) -> Language:
    region = None
    for position, subtag in enumerate(subtags):
        if not script and (re.fullmatch("[a-z]{4}", subtag) or subtag in _SCRIPT_NAMES):
            script = _SCRIPT_NAMES.get(subtag)
            if script is None:
                return _unknown_part(text, "script", subtag.title(), [language], _SCRIPTS)
            if script.lower() != subtag:
                notes.append(f"the code of the script '{subtag}' is '{script}'")
            if region:
                notes.append("the script comes before the region")
        elif not region and re.fullmatch("[a-z]{2}|[0-9]{3}", subtag):
            region, note = _region(subtag)
            notes += note
            if region is None:
                known = [language, script] if script else [language]
                return _unknown_part(text, "region", subtag.upper(), known, _REGIONS)
        elif not re.fullmatch("[a-z0-9]{1,8}", subtag):
            nearest = "-".join(filter(None, (language, script, region)))
            return Language(None, f"{text!r} is not a language code; write '{nearest}'")
        elif len(subtag) == 1:
            notes.append(f"search engines support no extension '{'-'.join(subtags[position:])}'")
            break
        else:
            notes.append(f"search engines support no '{subtag}' after '{language}'")
    code = "-".join(filter(None, (language, script, region)))
    if not notes:
        return Language(code)
    outcome = "kept" if code == text else f"written as '{code}'"
    return Language(code, f"language code {text!r} is {outcome}: {'; '.join(notes)}")


def _region(subtag: str) -> tuple[str | None, list[str]]:
    """Return the region to write (empty for none, None for an unknown one) and what is wrong."""
    region = subtag.upper()
    if region in _REGIONS:
        return region, []
    if region in _REGION_GROUPS:
        return region, [f"search engines support no group of countries such as '{region}'"]
    if region in _IGNORED_REGIONS:
        return "", [f"search engines ignore the region '{region}'"]
    renamed = _RENAMED_REGIONS.get(region)
    return renamed, [f"the code of the region '{region}' is '{renamed}'"]


def _unknown_part(
    text: str, kind: str, value: str, known: list[str], values: frozenset[str]
) -> Language:
    close = _nearest(value, sorted(values), 0.7)
    nearest = "-".join([*known, *close])
    return Language(
        None, f"language code {text!r} has an unknown {kind} '{value}'; write '{nearest}'"
    )


def _unknown_language(text: str, first: str, rest: Sequence[str]) -> str:
    region = _RENAMED_REGIONS.get(first.upper(), first.upper())
    if region in _REGIONS and first.isascii():
        nearest = _language_of_region(region, rest)
        return f"language code {text!r} has a region in place of the language; write '{nearest}'"
    if first in _NO_LANGUAGE:
        return f"language code {text!r} stands for no single language; {_GENERAL_ADVICE}"
    return f"language code {text!r} has an unknown language; {_advice(first)}"


def _language_of_region(region: str, rest: Iterable[str]) -> str:
    """Return the code that was probably meant: ``jp`` is ``ja``, ``us`` is ``en-US``."""
    scripts = [script for script in map(_SCRIPT_NAMES.get, rest) if script]
    for name in rest:
        if name in _ENGLISH_NAMES and name.upper() != region:
            return "-".join([name, *scripts, region])
    for entry in codes.REGION_LANGUAGES.split():
        language, _, regions = entry.partition(":")
        if region in regions.split(","):
            at_home = regions.startswith(region) and not rest
            return language if at_home else "-".join([language, *scripts, region])
    return "-".join(["en", *scripts, region])


def _advice(first: str) -> str:
    names = {name.lower(): code for code, name in _ENGLISH_NAMES.items()}
    names.update(_OWN_NAMES)
    if first in names:
        return f"write '{names[first]}'"
    if len(first) < len("de"):
        return _GENERAL_ADVICE
    is_name = len(first) > len("deu")
    candidates = names if is_name else {code: code for code in _ENGLISH_NAMES}
    close = _nearest(first, candidates, 0.7 if is_name else 0.4)
    return f"the nearest one is '{candidates[close[0]]}'" if close else _GENERAL_ADVICE


def _nearest(word: str, known: Iterable[str], cutoff: float) -> list[str]:
    """Return the most similar of the known words, if one is similar enough."""
    import difflib  # noqa: PLC0415 - only for what is misspelt

    return difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
