"""Check the values of the user's configuration; one function per kind of value.

Each takes the value, its place (``rules[2].priority``) and the findings so far, records what is
wrong there, and returns the value in the form that the rest of the package uses.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sitemap_plugin.common.text import did_you_mean, quoted, shown
from sitemap_plugin.common.urls import check_base_url
from sitemap_plugin.dates.parse import read_date
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.codes import normalize
from sitemap_plugin.pages.patterns import Patterns, regex_spelling
from sitemap_plugin.write.protocol import CHANGEFREQS, read_priority

_SECTION_NAME = (
    "a section's name consists of letters, digits, '_' and '-', is neither a number nor that of a "
    "numbered part, and is not 'pages' (all other pages go there)"
)
_SECTION = re.compile(r"(?!pages$|[0-9]+$)[A-Za-z0-9][A-Za-z0-9_-]*")


class Rule(NamedTuple):
    """What the user wants for the pages that match; None leaves a thing as it is."""

    match: Patterns = Patterns()
    changefreq: str | None = None
    priority: float | None = None
    lastmod: tuple[str, ...] | None = None
    dependencies: tuple[str, ...] | None = None
    exclude: str | bool | None = None  # The place of the rule, for the reason that is given.


class ExtraUrl(NamedTuple):
    """A URL to add, absolute or relative to the base; ``settings`` are as in front matter."""

    loc: str
    settings: Mapping[str, Any]
    file: str | None = None  # Stands for the URLs that are its lines.


class Publication(NamedTuple):
    """The site as a news publication; the pages that match are articles without saying so."""

    publication: str = ""
    language: str | None = None
    match: Patterns = Patterns()


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


Check = Callable[[Any, str, OptionFaults], Any]


def one_kind(what: str, is_right: Callable[[Any], object], *, is_text: bool = False) -> Check:
    """Return a check for one kind of value, which ``what`` says in words."""

    def check(value: Any, place: str, found: OptionFaults) -> Any:
        if not is_right(value):
            found.expected(place, what, value)
            if is_text and isinstance(value, int | float | dt.date):  # YAML and TOML know these.
                found.errors[-1] += "; put it in quotes"
        return value

    return check


def _matches(pattern: str) -> Callable[[Any], object]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value)


boolean = one_kind("true or false", lambda value: isinstance(value, bool))
string = one_kind("a text", lambda value: isinstance(value, str) and value.strip(), is_text=True)
_FILENAME = "a file name of letters, digits and '._~-' that ends in '.xml'"
filename = one_kind(_FILENAME, _matches(r"[A-Za-z0-9._~-]+\.xml"))
_KEY = "8 to 128 letters, digits or hyphens"
indexnow_key = one_kind(_KEY, _matches("[A-Za-z0-9-]{8,128}"), is_text=True)


def whole_number(high: int) -> Check:
    """Return a check for a whole number from 1 to ``high``."""
    what = f"a whole number from 1 to {high}"
    return one_kind(what, lambda value: type(value) is int and 1 <= value <= high)


def one_of(*allowed: str | bool) -> Check:
    """Return a check for one of a few values."""
    names = [str(item).lower() if isinstance(item, bool) else repr(item) for item in allowed]
    words = [item for item in allowed if isinstance(item, str)]

    def check(value: Any, place: str, found: OptionFaults) -> Any:
        # 1 == True in Python; a number is not what the user may write here.
        if not isinstance(value, str | bool) or value not in allowed:
            found.expected(place, f"{', '.join(names[:-1])} or {names[-1]}", value)
            found.errors[-1] += did_you_mean(value, words) if isinstance(value, str) else ""
        return value

    return check


def read(reader: Callable[[Any], Any]) -> Check:
    """Return a check for what a function reads; its ValueError says what is wrong."""

    def check(value: Any, place: str, found: OptionFaults) -> Any:
        try:
            return reader(value)
        except ValueError as error:
            found.error(place, str(error))

    return check


changefreq = one_of(*CHANGEFREQS)
base_url = read(check_base_url)
date = read(read_date)


def priority(value: Any, place: str, found: OptionFaults) -> float | None:
    """Check for a number from 0.0 to 1.0 (sitemaps.org, "XML tag definitions")."""
    number = read_priority(value)  # YAML reads 1e0, without a point, as a string.
    if number is None:
        found.expected(place, "a number from 0.0 to 1.0", value)
    return number


def _items(value: Any, place: str, what: str, found: OptionFaults) -> Iterator[tuple[str, Any]]:
    """Yield the items of a list with their places; a single text is a list of one."""
    if isinstance(value, str | list | tuple):
        items = [value] if isinstance(value, str) else value
        yield from ((f"{place}[{index}]", item) for index, item in enumerate(items))
    else:
        found.expected(place, what, value)


def strings(value: Any, place: str, found: OptionFaults) -> tuple[str, ...]:
    """Check for a list of texts."""
    items = _items(value, place, "a list of texts", found)
    return tuple(string(item, where, found) for where, item in items)


def sources(value: Any, place: str, found: OptionFaults) -> tuple[str, ...]:
    """Check for a date source, a list of them, or false for none."""
    value = [] if value is False else value
    items = _items(value, place, "a list of date sources, or false", found)
    names = [string(item, where, found) for where, item in items]
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def patterns(value: Any, place: str, found: OptionFaults) -> Patterns:
    """Check for a pattern or a list of them, and compile it."""
    good: list[str] = []
    for where, item in _items(value, place, "a pattern or a list of patterns", found):
        if not isinstance(item, str) or not item.strip():
            found.expected(where, "a pattern", item)
            continue
        try:
            Patterns([item])
        except ValueError as error:
            found.error(where, f"{error}: {quoted(item)}")
            continue
        if cure := regex_spelling(item):
            # In plain quotes, since Python would double the backslashes, and YAML would keep them.
            message = f"'{item}' looks like a regular expression; write '{cure}' if it is one"
            found.problems.append(Problem("warning", message, where))
        good.append(item)
    return Patterns(good)


def static_html(value: Any, place: str, found: OptionFaults) -> bool | Patterns:
    """Check for true, false or patterns."""
    return value if isinstance(value, bool) else patterns(value, place, found)


def mapping(value: Any, place: str, found: OptionFaults) -> dict[str, Any]:
    """Check for a mapping whose keys are texts."""
    if not isinstance(value, Mapping):
        found.expected(place, "a mapping", value)
        return {}
    for key in value:
        if not isinstance(key, str):
            # YAML 1.1 reads an unquoted `no:` as False; Norwegian sites meet this.
            found.error(place, f"expected a text as key, got {quoted(key)}; put it in quotes")
    return {key: item for key, item in value.items() if isinstance(key, str)}


def keys(value: Mapping[str, Any], known: Sequence[str], place: str, found: OptionFaults) -> None:
    """Report each key that is not known, with the nearest that is."""
    for key in value:
        if key not in known:
            where, kind = (f"{place}.{key}", "key") if place else (key, "option")
            found.error(where, f"unknown {kind}{did_you_mean(key, known)}")


def _each(check: Check) -> Check:
    """Return a check for a mapping of names to one kind of value."""

    def check_all(value: Any, place: str, found: OptionFaults) -> dict[str, Any]:
        given = mapping(value, place, found)
        return {name: check(item, f"{place}.{name}", found) for name, item in given.items()}

    return check_all


def _values(
    value: Any, place: str, found: OptionFaults, needs: str, kinds: Mapping[str, Check]
) -> dict[str, Any]:
    """Check what a mapping has for each key; ``key:`` with nothing after it counts as absent."""
    given = mapping(value, place, found)
    keys(given, tuple(kinds), place, found)
    name, _, what = needs.partition(":")
    if isinstance(value, Mapping) and name not in value:
        found.error(place, f"needs {name!r}:{what}")
    return {
        key: kinds[key](item, f"{place}.{key}", found)
        for key, item in given.items()
        if key in kinds and item is not None
    }


def language(value: Any, place: str, found: OptionFaults) -> str:
    """Check for a language code, and correct it."""
    if not isinstance(value, str):
        found.expected(place, "a language code", value)
        return ""
    code, problem = normalize(value)
    if problem and code:
        found.problems.append(Problem("warning", problem, place))
    elif problem:
        found.error(place, problem)
    return code or value


languages = _each(language)
links = _each(string)


def x_default(value: Any, place: str, found: OptionFaults) -> Any:
    """Check the option ``x_default``."""
    if value is False or value == "auto":
        return value
    if isinstance(value, str):
        return language(value, place, found)
    return found.expected(place, "'auto', false or a language code", value)


def sections(value: Any, place: str, found: OptionFaults) -> dict[str, Patterns]:
    """Check the option ``sections``."""
    given: dict[str, Patterns] = _each(patterns)(value, place, found)
    for name in given:
        whole, _, number = name.rpartition("-")
        is_part = number.isdigit() and (whole in given or whole == "pages")
        if is_part or not _SECTION.fullmatch(name):
            found.error(f"{place}.{name}", _SECTION_NAME)
    return given


def rules(value: Any, place: str, found: OptionFaults) -> tuple[Rule, ...]:
    """Check the option ``rules``."""
    kinds: dict[str, Check] = {
        "match": patterns, "changefreq": changefreq, "priority": priority, "lastmod": sources,
        "dependencies": strings, "exclude": _exclude,
    }  # fmt: skip
    needs = "match: a pattern or a list of patterns"
    items = _items(value, place, "a list of rules", found)
    return tuple(Rule(**_values(item, where, found, needs, kinds)) for where, item in items)


def _exclude(value: Any, place: str, found: OptionFaults) -> str | bool:
    return boolean(value, place, found) and place.rpartition(".")[0]


def extra_urls(value: Any, place: str, found: OptionFaults) -> tuple[ExtraUrl, ...]:
    """Check the option ``extra_urls``."""
    items = _items(value, place, "a list of URLs", found)
    return tuple(_extra_url(item, where, found) for where, item in items)


def _extra_url(value: Any, place: str, found: OptionFaults) -> ExtraUrl:
    if isinstance(value, str):
        return ExtraUrl(string(value, place, found), {})
    if isinstance(value, Mapping) and "file" in value:
        given = _values(value, place, found, "file: a path", {"file": string})
        return ExtraUrl("", {}, given.get("file", ""))
    kinds: dict[str, Check] = {
        "loc": string, "lastmod": date, "changefreq": changefreq, "priority": priority,
        "alternates": links, "images": strings,
    }  # fmt: skip
    settings = _values(value, place, found, "loc: the URL to add", kinds)
    return ExtraUrl(settings.pop("loc", ""), settings)


def news(value: Any, place: str, found: OptionFaults) -> Publication:
    """Check the option ``news``."""
    kinds: dict[str, Check] = {"publication": string, "language": language, "match": patterns}
    needs = "publication: the name of the news publication"
    return Publication(**_values(value, place, found, needs, kinds))
