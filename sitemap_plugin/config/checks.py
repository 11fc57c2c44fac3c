"""Check the values of the user's configuration; one function per kind of value.

Each takes the value, its place (``rules[2].priority``) and the findings so far, records what is
wrong there, and returns the value in the form that the rest of the package uses.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
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


def one_kind(
    what: str, read: Callable[[Any], Any], cure: Callable[[Any], str] = lambda _: ""
) -> Check:
    """Return a check for what ``what`` names and ``read`` makes neither None nor an error of."""

    def check(value: Any, place: str, found: OptionFaults) -> Any:
        result = None
        try:
            result = read(value)
        except ValueError as error:
            found.error(place, str(error))
        else:
            if result is None:
                found.error(place, f"expected {what}, got {quoted(value)}{cure(value)}")
        return result

    return check


def _matching(pattern: str) -> Callable[[Any], str | None]:
    return lambda text: text if isinstance(text, str) and re.fullmatch(pattern, text) else None


def _in_quotes(value: Any) -> str:  # YAML and TOML know numbers and dates.
    return "; put it in quotes" if isinstance(value, int | float | dt.date) else ""


boolean = one_kind("true or false", lambda value: value if isinstance(value, bool) else None)
string = one_kind("a text", _matching(r"(?s).*\S.*"), _in_quotes)
_FILENAME = "a file name of letters, digits and '._~-' that ends in '.xml'"
filename = one_kind(_FILENAME, _matching(r"[A-Za-z0-9._~-]+\.xml"))
_KEY = "8 to 128 letters, digits or hyphens"
indexnow_key = one_kind(_KEY, _matching("[A-Za-z0-9-]{8,128}"), _in_quotes)
priority = one_kind("a number from 0.0 to 1.0", read_priority)


def whole_number(high: int) -> Check:
    """Return a check for a whole number from 1 to ``high``."""
    numbers = range(1, high + 1)
    what = f"a whole number from 1 to {high}"
    return one_kind(what, lambda value: value if type(value) is int and value in numbers else None)


def one_of(*allowed: str | bool) -> Check:
    """Return a check for one of a few values."""
    names = [str(item).lower() if isinstance(item, bool) else repr(item) for item in allowed]
    words = [item for item in allowed if isinstance(item, str)]
    return one_kind(
        f"{', '.join(names[:-1])} or {names[-1]}",
        # 1 == True in Python; a number is not what the user may write here.
        lambda value: value if isinstance(value, str | bool) and value in allowed else None,
        lambda value: did_you_mean(value, words) if isinstance(value, str) else "",
    )


changefreq = one_of(*CHANGEFREQS)
base_url = one_kind("a base URL", check_base_url)


def _list_of(check: Check, what: str) -> Check:
    """Return a check for a list, which ``what`` names; a single text is a list of one."""

    def check_all(value: Any, place: str, found: OptionFaults) -> tuple[Any, ...]:
        if not isinstance(value, str | list | tuple):
            found.expected(place, what, value)
            return ()
        items = enumerate([value] if isinstance(value, str) else value)
        return tuple(check(item, f"{place}[{index}]", found) for index, item in items)

    return check_all


strings = _list_of(string, "a list of texts")
_sources = _list_of(string, "a list of date sources, or false")


def sources(value: Any, place: str, found: OptionFaults) -> tuple[str, ...]:
    """Check for a date source, a list of them, or false for none."""
    names = _sources([] if value is False else value, place, found)
    return tuple(dict.fromkeys(filter(None, names)))


_pattern = one_kind(
    "a pattern",
    lambda text: text if isinstance(text, str) and text.strip() and Patterns([text]) else None,
)
_patterns = _list_of(_pattern, "a pattern or a list of patterns")


def patterns(value: Any, place: str, found: OptionFaults) -> Patterns:
    """Check for a pattern or a list of them, and compile it."""
    texts = _patterns(value, place, found)
    for index, text in enumerate(texts):
        if text and (cure := regex_spelling(text)):
            # In plain quotes, since Python would double the backslashes, and YAML would keep them.
            message = f"'{text}' looks like a regular expression; write '{cure}' if it is one"
            found.problems.append(Problem("warning", message, f"{place}[{index}]"))
    return Patterns([text for text in texts if text])


def static_html(value: Any, place: str, found: OptionFaults) -> bool | Patterns:
    """Check for true, false or patterns."""
    return value if isinstance(value, bool) else patterns(value, place, found)


def _mapping(value: Any, place: str, found: OptionFaults) -> dict[str, Any]:
    """Check for a mapping whose keys are texts."""
    if not isinstance(value, Mapping):
        found.expected(place, "a mapping", value)
        return {}
    for key in value:
        if not isinstance(key, str):
            # YAML 1.1 reads an unquoted `no:` as False; Norwegian sites meet this.
            found.error(place, f"expected a text as key, got {quoted(key)}; put it in quotes")
    return {key: item for key, item in value.items() if isinstance(key, str)}


def _each(check: Check) -> Check:
    """Return a check for a mapping of names to one kind of value."""
    return lambda value, place, found: {
        name: check(item, f"{place}.{name}", found)
        for name, item in _mapping(value, place, found).items()
    }


def mapping(
    value: Any, place: str, found: OptionFaults, kinds: Mapping[str, Check], needs: str = ""
) -> dict[str, Any]:
    """Check what a mapping has for each key; ``key:`` with nothing after it counts as absent.

    The settings as a whole have no ``place``. ``needs`` is a key without which nothing works.
    """
    given = _mapping(value, place or "sitemap", found)
    name, _, what = needs.partition(":")
    if needs and isinstance(value, Mapping) and name not in value:
        found.error(place, f"needs {name!r}:{what}")
    result: dict[str, Any] = {}
    for key, item in given.items():
        where, kind = (f"{place}.{key}", "key") if place else (key, "option")
        if key not in kinds:
            found.error(where, f"unknown {kind}{did_you_mean(key, kinds)}")
        elif item is not None:
            result[key] = kinds[key](item, where, found)
    return result


def language(value: Any, place: str, found: OptionFaults) -> str:
    """Check for a language code, and correct it."""
    wrong = (None, f"expected a language code, got {quoted(value)}")
    code, problem = normalize(value) if isinstance(value, str) else wrong
    if problem and code:
        found.problems.append(Problem("warning", problem, place))
    elif problem:
        found.error(place, problem)
    return code or value


languages = _each(language)


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


def _exclude(value: Any, place: str, found: OptionFaults) -> str | bool:
    return boolean(value, place, found) and place.rpartition(".")[0]


def _record(make: Callable[..., Any], needs: str, kinds: Mapping[str, Check]) -> Check:
    """Return a check for a mapping that becomes an object."""
    return lambda value, place, found: make(**mapping(value, place, found, kinds, needs))


_rule = _record(Rule, "match: a pattern or a list of patterns", {
    "match": patterns, "changefreq": changefreq, "priority": priority, "lastmod": sources,
    "dependencies": strings, "exclude": _exclude,
})  # fmt: skip
_address = _record(lambda loc="", **own: ExtraUrl(loc, own), "loc: the URL to add", {
    "loc": string, "lastmod": one_kind("a date", read_date), "changefreq": changefreq,
    "priority": priority, "alternates": _each(string), "images": strings,
})  # fmt: skip
_file = _record(lambda file="": ExtraUrl("", {}, file), "file: a path", {"file": string})


def _extra_url(value: Any, place: str, found: OptionFaults) -> Any:
    is_file = isinstance(value, Mapping) and "file" in value
    given = {"loc": value} if isinstance(value, str) else value
    return (_file if is_file else _address)(given, place, found)


rules = _list_of(_rule, "a list of rules")
extra_urls = _list_of(_extra_url, "a list of URLs")
news = _record(Publication, "publication: the name of the news publication", {
    "publication": string, "language": language, "match": patterns,
})  # fmt: skip
