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
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sitemap_plugin.common.text import quoted
from sitemap_plugin.languages import code_lists

X_DEFAULT = "x-default"

_NO_NAMES: Mapping[str, str] = MappingProxyType({})
_LANGUAGES = frozenset(code_lists.LANGUAGES.split())
_THREE_LETTER = frozenset(code_lists.THREE_LETTER.split())
_REGIONS = frozenset(code_lists.REGIONS.split())
_REGION_GROUPS = frozenset(code_lists.REGION_GROUPS.split())
_SCRIPTS = code_lists.pairs(code_lists.SCRIPT_NAMES)
_SCRIPTS |= {script.lower(): script for script in code_lists.SCRIPTS.split()}
_RENAMED_LANGUAGES = code_lists.pairs(code_lists.TWO_LETTER + code_lists.RETIRED_LANGUAGES)
_RENAMED_REGIONS = code_lists.pairs(code_lists.RETIRED_REGIONS)
_IGNORED_REGIONS = frozenset({"EU", "UN"})
_MEANT = code_lists.pairs("at:de-AT cn:zh cz:cs dk:da gr:el jp:ja mx:es-MX ua:uk")
"""The regions that are taken for languages most often."""

_ENCODING = re.compile(r"\.(?:[\w-]*\d[\w-]*|euc\w+)$", re.ASCII | re.IGNORECASE)


class Language(NamedTuple):
    """An hreflang code, and what was wrong with the name it was made from.

    ``code`` is None where no code is certain; ``problem`` then says what to write.
    """

    code: str | None
    problem: str | None = None


def normalize(name: object, mapping: Mapping[str, str] = _NO_NAMES) -> Language:
    """Return the hreflang code for a language tag, a locale (``de_CH.UTF-8``) or a folder name.

    ``mapping`` is the option ``languages``: its names are tried first, letter case and the
    difference of ``_`` and ``-`` aside. A code declared there has no problem of its own; those
    are reported where the option is read.
    """
    if not isinstance(name, str):
        cure = "; YAML reads a bare no as false, write 'no'" if name is False else ""
        return Language(None, f"expected a language code, got {quoted(name)}{cure}")
    wanted = {_fold(name), _fold(_ENCODING.sub("", name))} if mapping else ()
    for known, declared in mapping.items():
        if _fold(known) in wanted:
            found = _normalize(declared)
            return found if found.code is None else Language(found.code)
    return _normalize(name)


def _fold(name: str) -> str:
    return name.strip().replace("_", "-").lower()


@lru_cache(maxsize=1024)
def _normalize(text: str) -> Language:
    tag, _, modifier = text.strip().partition("@")
    tag = _fold(_ENCODING.sub("", tag))
    if tag == X_DEFAULT:
        return Language(X_DEFAULT)
    first, *rest = [subtag for subtag in tag.split("-") if subtag] or [""]
    notes: list[str] = []
    script = _SCRIPTS.get(modifier.lower())
    if modifier and not script and modifier.lower() != "euro":
        notes.append(f"{'@' + modifier!r} has no place in a code")
    if first == "sh" and not any(subtag in _SCRIPTS for subtag in rest):
        script = script or "Latn"
    language = _RENAMED_LANGUAGES.get(first, first)
    if language in _THREE_LETTER:
        notes.append(f"search engines support two-letter languages only, and '{first}' has none")
    elif language not in _LANGUAGES:
        return Language(None, f"language code {quoted(text)} {_unknown_language(first)}")
    elif len(first) > len(language):
        notes.append(f"the two-letter code of '{first}' is '{language}'")
    elif language != first:
        notes.append(f"'{first}' is retired in favour of '{language}'")
    return _add_subtags(text, language, script, rest, notes)


def _add_subtags(
    text: str, language: str, script: str | None, subtags: Sequence[str], notes: list[str]
) -> Language:
    """Add script and region to a language; what has no place in a code is left off, with a note."""
    region = None
    for position, subtag in enumerate(subtags):
        fault = ""
        if not script and (re.fullmatch("[a-z]{4}", subtag) or subtag in _SCRIPTS):
            script = _SCRIPTS.get(subtag)
            if script is None:
                fault = f"has an unknown script '{subtag.title()}'"
            elif script.lower() != subtag:
                notes.append(f"the code of the script '{subtag}' is '{script}'")
            if region:
                notes.append("the script comes before the region")
        elif not region and re.fullmatch("[a-z]{2}|[0-9]{3}", subtag):
            region, note = _region(subtag.upper())
            notes += note
            if region is None:
                fault = f"has an unknown region '{subtag.upper()}'"
        elif not re.fullmatch("[a-z0-9]{1,8}", subtag):
            fault = "is none"
        elif len(subtag) == 1:
            notes.append(f"search engines support no extension '{'-'.join(subtags[position:])}'")
            break
        else:
            notes.append(f"search engines support no '{subtag}' after '{language}'")
        if fault:
            known = _joined(language, script, region)
            return Language(None, f"language code {quoted(text)} {fault}; write '{known}'")
    code = _joined(language, script, region)
    if not notes:
        return Language(code)
    outcome = "kept" if code == text else f"written as '{code}'"
    return Language(code, f"language code {quoted(text)} is {outcome}: {'; '.join(notes)}")


def _region(region: str) -> tuple[str | None, list[str]]:
    """Return the region to write (empty for none, None for an unknown one) and what is wrong."""
    if region in _REGIONS:
        return region, []
    if region in _REGION_GROUPS:
        return region, [f"search engines support no group of countries such as '{region}'"]
    if region in _IGNORED_REGIONS:
        return "", [f"search engines ignore the region '{region}'"]
    renamed = _RENAMED_REGIONS.get(region)
    return renamed, [f"the code of the region '{region}' is '{renamed}'"]


def _unknown_language(name: str) -> str:
    meant = _MEANT.get(name) or ("en-" + name.upper() if name.upper() in _REGIONS else None)
    if meant and name.isascii():
        return f"has a region in place of the language; write one such as '{meant}'"
    return "has an unknown language; write one such as 'en' or 'pt-BR'"


def _joined(*subtags: str | None) -> str:
    return "-".join(filter(None, subtags))
