"""Check single values of the user's configuration; one function per kind of value.

Each takes the value, its place (``rules[2].priority``) and the findings so far, records what is
wrong there, and returns the value in the form that the rest of the package uses. After an error
the returned value does not matter, since the build does not start.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sitemap_plugin.common.text import did_you_mean, quoted, shown
from sitemap_plugin.common.urls import check_base_url
from sitemap_plugin.dates.parse import DateError, check_range, parse_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages import normalize
from sitemap_plugin.pages.patterns import Patterns, regex_spelling

__all__ = ["CHANGEFREQS", "SECTION_NAME", "Check", "OptionFaults"]

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
_EXPONENT = re.compile(r"[+-]?[0-9]{1,9}\.?[0-9]{0,9}[eE][+-]?[0-9]{1,3}")
SECTION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


class OptionFaults:
    """What is wrong with the settings: errors as lines, warnings and notices as problems."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.problems: list[Problem] = []

    def error(self, place: str, message: str) -> None:
        """Record an error."""
        self.errors.append(f"{shown(place)}: {message}")

    def expected(self, place: str, what: str, value: object) -> None:
        """Record that a value is not of the kind that is expected."""
        self.error(place, f"expected {what}, got {quoted(value)}")

    def expected_text(self, place: str, what: str, value: object) -> None:
        """Record that a value is not the text that is expected; YAML and TOML know numbers."""
        cure = "; put it in quotes" if isinstance(value, int | float | dt.date) else ""
        self.error(place, f"expected {what}, got {quoted(value)}{cure}")


Check = Callable[[Any, str, OptionFaults], Any]


def boolean(value: Any, place: str, found: OptionFaults) -> Any:
    """Check for true or false."""
    if not isinstance(value, bool):
        found.expected(place, "true or false", value)
    return value


def string(value: Any, place: str, found: OptionFaults) -> Any:
    """Check for a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        found.expected_text(place, "a text", value)
    return value


def optional(check: Check) -> Check:
    """Return a check that also accepts nothing (null in YAML, None in Python)."""

    def check_optional(value: Any, place: str, found: OptionFaults) -> Any:
        return None if value is None else check(value, place, found)

    return check_optional


def whole_number(low: int, high: int) -> Check:
    """Return a check for a whole number from ``low`` to ``high``."""

    def check_number(value: Any, place: str, found: OptionFaults) -> Any:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            found.expected(place, f"a whole number from {low} to {high}", value)
        return value

    return check_number


def one_of(*allowed: str | bool) -> Check:
    """Return a check for one of a few values."""
    names = [str(item).lower() if isinstance(item, bool) else repr(item) for item in allowed]

    def check_choice(value: Any, place: str, found: OptionFaults) -> Any:
        # 1 == True in Python; a number is not what the user may write here.
        if not any(value is item or (isinstance(item, str) and value == item) for item in allowed):
            listed = f"{', '.join(names[:-1])} or {names[-1]}"
            words = [item for item in allowed if isinstance(item, str)]
            cure = did_you_mean(value, words) if isinstance(value, str) else ""
            found.expected(place, listed, value)
            found.errors[-1] += cure
        return value

    return check_choice


changefreq = one_of(*CHANGEFREQS)


def priority(value: Any, place: str, found: OptionFaults) -> Any:
    """Check for a number from 0.0 to 1.0 (sitemaps.org, "XML tag definitions")."""
    # YAML reads 1e0, without a point, as a string.
    if isinstance(value, str) and re.fullmatch(
        r"[+-]?[0-9]{1,9}\.?[0-9]{0,9}[eE][+-]?[0-9]{1,3}", value
    ):
        value = float(value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        found.expected(place, "a number from 0.0 to 1.0", value)
        return None
    return float(value)


def strings(value: Any, place: str, found: OptionFaults) -> tuple[str, ...]:
    """Check for a list of texts; a single text is a list of one."""
    if isinstance(value, str):
        value = [value]
    if not _is_list(value):
        found.expected(place, "a list of texts", value)
        return ()
    for index, item in enumerate(value):
        string(item, f"{place}[{index}]", found)
    return tuple(value)


def patterns(value: Any, place: str, found: OptionFaults) -> Patterns:
    """Check for a pattern or a list of them, and compile it."""
    if isinstance(value, str):
        value = [value]
    if not _is_list(value):
        found.expected(place, "a pattern or a list of patterns", value)
        return Patterns()
    good: list[str] = []
    for index, item in enumerate(value):
        if not isinstance(item, str) or not item.strip():
            found.expected(f"{place}[{index}]", "a pattern", item)
            continue
        try:
            Patterns([item])
        except ValueError as error:
            found.error(f"{place}[{index}]", f"{error}: {quoted(item)}")
            continue
        if cure := regex_spelling(item):
            # In plain quotes, since Python would double the backslashes, and YAML would keep them.
            message = f"'{item}' looks like a regular expression; write '{cure}' if it is one"
            found.problems.append(Problem("warning", message, f"{place}[{index}]"))
        good.append(item)
    return Patterns(good)


def mapping(value: Any, place: str, found: OptionFaults) -> dict[str, Any]:
    """Check for a mapping whose keys are texts."""
    if not isinstance(value, Mapping):
        found.expected(place, "a mapping", value)
        return {}
    result: dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(key, str):
            result[key] = item
        else:
            # YAML 1.1 reads an unquoted `no:` as False; Norwegian sites meet this.
            cure = "; put it in quotes ('no')" if key is False else "; put it in quotes"
            found.error(place, f"expected a text as key, got {quoted(key)}{cure}")
    return result


def keys(value: Mapping[str, Any], known: Sequence[str], place: str, found: OptionFaults) -> None:
    """Report each key that is not known, with the nearest that is."""
    for key in value:
        if key not in known:
            where, kind = (f"{place}.{key}", "key") if place else (key, "option")
            found.error(where, f"unknown {kind}{did_you_mean(key, known)}")


def given_values(
    given: Mapping[str, Any], kinds: Mapping[str, Check], place: str, found: OptionFaults
) -> dict[str, Any]:
    """Check what a mapping has for each key, ``key:`` with nothing after it left aside."""
    return {
        key: check(given[key], f"{place}.{key}", found)
        for key, check in kinds.items()
        if given.get(key) is not None
    }


def sources(value: Any, place: str, found: OptionFaults) -> tuple[str, ...]:
    """Check for a date source, a list of them, or false for none."""
    if value is False:
        return ()
    if not isinstance(value, str | list | tuple):
        found.expected(place, "a list of date sources, or false", value)
        return ()
    names = strings(value, place, found)
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def language(value: Any, place: str, found: OptionFaults) -> str:
    """Check for a language code, and correct it."""
    if not isinstance(value, str):
        found.expected(place, "a language code", value)
        return ""
    code, problem = normalize(value)
    if code is None:
        found.error(place, problem or f"not a language code: {value!r}")
    elif problem:
        found.problems.append(Problem("warning", problem, place))
    return code or value


def date(value: Any, place: str, found: OptionFaults) -> Any:
    """Check for a date."""
    try:
        check_range(parsed := parse_date(value))
    except DateError as error:
        found.error(place, str(error))
        return None
    return parsed


def links(value: Any, place: str, found: OptionFaults) -> dict[str, str]:
    """Check for a mapping of language codes to URLs."""
    given = mapping(value, place, found)
    for code, link in given.items():
        string(link, f"{place}.{code}", found)
    return given


def base_url(value: Any, place: str, found: OptionFaults) -> str | None:
    """Check for the address of a published site."""
    try:
        return check_base_url(value)
    except ValueError as error:
        found.error(place, str(error))
        return None


def indexnow_key(value: Any, place: str, found: OptionFaults) -> Any:
    """Check for a key as IndexNow wants it: 8 to 128 letters, digits and hyphens."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9-]{8,128}", value):
        found.expected_text(place, "8 to 128 letters, digits or hyphens", value)
    return value


def filename(value: Any, place: str, found: OptionFaults) -> Any:
    """Check for the plain name of an XML file."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9._~-]+\.xml", value):
        found.expected(
            place, "a file name of letters, digits and '._~-' that ends in '.xml'", value
        )
    return value


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
