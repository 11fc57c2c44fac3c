"""Turn the names that people give to languages into valid ``hreflang`` codes.

Search engines accept an ISO 639-1 language, optionally an ISO 15924 script and an ISO 3166-1
alpha-2 region (``ll-Ssss-RR``), and ``x-default``. Anything else is reported. Retired and
three-letter codes, ``UK`` and subtags out of order are corrected; ``EU`` and ``UN``, variants,
extensions and private-use subtags are left off; what BCP 47 admits and search engines do not
support (``es-419``, ``fil``) is kept. What does not exist is refused.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from sitemap_plugin.common.text import quoted

X_DEFAULT = "x-default"

_ENCODING = re.compile(r"\.(?:[\w-]*\d[\w-]*|euc\w+)$", re.ASCII | re.IGNORECASE)


def _read_codes() -> dict[str, dict[str, str]]:
    """Return languages, scripts and regions: the code to write, by each name in lower case."""
    codes: dict[str, dict[str, str]] = {}
    kind = ""
    for line in Path(__file__).with_name("codes.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif not line.startswith("#"):
            parted = (word.partition(":") for word in line.split())
            known = {name.lower(): code if colon else name for name, colon, code in parted}
            codes.setdefault(kind, {}).update(known)
    return codes


CODES = _read_codes()


class Language(NamedTuple):
    """An hreflang code, None where none is certain, and what is wrong with the name it is from."""

    code: str | None
    problem: str | None = None


def normalize(name: object, mapping: Mapping[str, str] | None = None) -> Language:
    """Return the hreflang code for a language tag, a locale (``de_CH.UTF-8``) or a folder name.

    ``mapping`` is the option ``languages``: its names are tried first, letter case and the
    difference of ``_`` and ``-`` aside. Problems of its codes are reported where it is read.
    """
    if not isinstance(name, str):
        cure = "; YAML reads a bare no as false, write 'no'" if name is False else ""
        return Language(None, f"expected a language code, got {quoted(name)}{cure}")
    wanted = {_fold(name), _fold(_ENCODING.sub("", name))} if mapping else ()
    for known, declared in (mapping or {}).items():
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
    language = CODES["language"].get(first)
    if language is None:
        cure = "has an unknown language; write one such as 'en' or 'pt-BR'"
        return Language(None, f"language code {quoted(text)} {cure}")
    notes: list[str] = []
    if len(language) > 2:  # noqa: PLR2004 - ISO 639-1
        notes.append(f"search engines support two-letter languages only, and '{first}' has none")
    elif language != first:
        notes.append(f"the code is '{language}', not '{first}'")
    script = CODES["script"].get(modifier.lower(), "")
    if modifier and not script and modifier.lower() != "euro":
        notes.append(f"{'@' + modifier!r} has no place in a code")
    parts = {"language": language, "script": script, "region": ""}
    for position, subtag in enumerate(rest):
        kind = _kind(subtag)
        if kind and not parts[kind] and subtag in CODES[kind]:
            parts[kind] = CODES[kind][subtag]
            notes += _notes(kind, subtag, parts)
        elif (kind and not parts[kind]) or not re.fullmatch("[a-z0-9]{1,8}", subtag):
            fault = f"has an unknown {kind} '{subtag}'" if kind else "is none"
            cure = f"write '{'-'.join(filter(None, parts.values()))}'"
            return Language(None, f"language code {quoted(text)} {fault}; {cure}")
        elif len(subtag) == 1:
            notes.append(f"search engines support no extension '{'-'.join(rest[position:])}'")
            break
        else:
            notes.append(f"search engines support no '{subtag}' after '{language}'")
    code = "-".join(filter(None, parts.values()))
    outcome = "kept" if code == text else f"written as '{code}'"
    problem = f"language code {quoted(text)} is {outcome}: {'; '.join(notes)}"
    return Language(code, problem if notes else None)


def _kind(subtag: str) -> str:
    if subtag in CODES["script"] or re.fullmatch("[a-z]{4}", subtag):
        return "script"
    return "region" if re.fullmatch("[a-z]{2}|[0-9]{3}", subtag) else ""


def _notes(kind: str, subtag: str, parts: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with a script or region that has been added."""
    code = parts[kind]
    if not code:
        yield f"search engines ignore the {kind} '{subtag.upper()}'"
    elif code.isdigit():
        yield f"search engines support no group of countries such as '{code}'"
    elif code.lower() != subtag:
        yield f"the {kind} is '{code}', not '{subtag}'"
    if kind == "script" and parts["region"]:
        yield "the script comes before the region"
