"""The other sitemap plugins: what to remove, and what their settings are in our words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pelican.contents import Article
from pelican.contents import Page as ContentPage

from sitemap_plugin.common.urls import path_below
from sitemap_plugin.config import Config, checks, parse_config
from sitemap_plugin.config.checks import OptionFaults
from sitemap_plugin.errors import Problem
from sitemap_plugin_pelican.pelican_pages import Run

KEYS: Mapping[str, tuple[str, checks.Check]] = {
    "priorities": ("priority", checks.priority),
    "changefreqs": ("changefreq", checks.changefreq),
}
EXTENDED = "EXTENDED_SITEMAP_PLUGIN"
EXTENDED_KEYS = {"priorities": "priority", "changefrequencies": "changefreq"}
EXTENDED_NAME = "pelican-extended-sitemap"

Wanted = dict[str, dict[str, Any]]
"""The values of each group by option; the first group is of all pages that are in no other."""


def read_legacy(
    given: Mapping[str, Any], found: OptionFaults
) -> tuple[dict[str, Any], Wanted] | None:
    """Return all other options and what pelican-sitemap's keys say, None if there are no such."""
    options = {key: value for key, value in given.items() if key not in {"format", *KEYS}}
    if len(options) == len(given):
        return None
    # With one of its keys the patterns are regular expressions.
    if isinstance(exclude := options.get("exclude"), list | tuple):
        options["exclude"] = [_as_regex(pattern) for pattern in exclude]
    if given.get("format") is not None:
        checks.one_of("xml", "txt")(given["format"], "format", found)
    if given.get("format") == "txt":
        options.setdefault("text", True)
    wanted: Wanted = {"indexes": {}, "articles": {}, "pages": {}}
    for key, (option, check) in KEYS.items():
        kinds = dict.fromkeys(wanted, check)
        for group, value in checks.mapping(given.get(key) or {}, key, found, kinds).items():
            wanted[group][option] = value
    return options, wanted


def rewrite(run: Run, options: Mapping[str, Any], wanted: Wanted) -> tuple[Config, list[Problem]]:
    """Return the options in our words for a site's pages, and the notice that shows them."""
    options = _rewrite(options, wanted, run)
    cure = f"write SITEMAP = {options!r}" if options else "SITEMAP is not needed"
    message = "SITEMAP has settings of pelican-sitemap, which still work; to say the same in this"
    message += f" plugin's words, {cure}"
    config, problems = parse_config(options, generator="pelican")
    return config, [Problem("notice", message), *problems]


def _as_regex(pattern: Any) -> Any:
    if not isinstance(pattern, str) or pattern.startswith("re:"):
        return pattern
    # Its documentation gives "^/noindex/" and "/tag/" as examples, though the paths that these
    # are searched in have no slash at their start.
    return "re:" + re.sub(r"^(\^?)/", lambda start: start[1] or "(^|/)", pattern)


def _rewrite(options: Mapping[str, Any], wanted: Wanted, run: Run) -> dict[str, Any]:
    """Return options whose patterns, chosen for the site, give each page its group's values."""
    paths = _group_paths(wanted, run)
    (rest, general), *groups = wanted.items()
    result = {**options}
    rules: list[dict[str, Any]] = []
    for number, (group, values) in enumerate(groups):
        # A later rule with the same keys wins, so this one may match its pages too.
        later = {other for other, own in groups[number:] if values.keys() <= own.keys()}
        others = [path for other in wanted.keys() - later for path in paths[other]]
        if values and (match := _find_patterns(paths[group], others)):
            rules.append({"match": match, **values})
    if general and all(general.keys() <= values.keys() for _, values in groups):
        result |= general
    elif general and paths[rest]:
        others = [path for group, _ in groups for path in paths[group]]
        excepted = [f"!{pattern}" for pattern in _find_patterns(others, paths[rest])]
        rules.insert(0, {"match": ["re:.*", *excepted], **general})
    rules += options.get("rules") or ()
    return {**result, "rules": rules} if rules else result


def _group_paths(wanted: Wanted, run: Run) -> dict[str, list[tuple[str, ...]]]:
    """Return what patterns are tried on: the source and the URL of each page, by group."""
    found: dict[str, list[tuple[str, ...]]] = {group: [] for group in wanted}
    rest = next(iter(wanted))
    for page in run.pages:
        write = run.files.get(str(page.output))
        if write is None:  # Copied HTML is in none.
            continue
        content = write.content
        path = path_below(page.url, run.main.base_url)
        group = "articles" if isinstance(content, Article) else rest
        group = "pages" if isinstance(content, ContentPage) else group
        group = "index" if not path and "index" in wanted else group
        found[group].append((page.source_path, path) if page.source_path else (path,))
    return found


def _find_patterns(
    pages: Iterable[tuple[str, ...]], others: Iterable[tuple[str, ...]]
) -> list[str]:
    """Return patterns, as short as can be, that match all of the pages and none of the others."""
    taken = {path for other in others for path in other}
    chosen: list[tuple[str, str]] = []
    for path, *_ in pages:
        if any(path.startswith(start) and path.endswith(end) for start, end in chosen):
            continue
        file = PurePosixPath(path)
        wide = [("", file.suffix)] if file.suffix else []
        wide += [(f"{folder}/", "") for folder in list(file.parents)[-2::-1]]
        for start, end in [*wide, (path, "")]:
            if not any(other.startswith(start) and other.endswith(end) for other in taken):
                break
        chosen.append((start, end))
    return [
        "/" + re.sub(r"([\\*?\[])", r"\\\1", start) if start else f"*{end}" if end else "re:^$"
        for start, end in chosen
    ]


def other_plugins(run: Run) -> Iterator[Problem]:
    """Yield what there is to know about other plugins that write a sitemap."""
    active = {str(name).rpartition(".")[2] for name in run.main.settings["PLUGINS"]}
    given, cure = run.main.settings.get(EXTENDED), ""
    if given:
        wanted: Wanted = {"others": {}, "index": {}, "articles": {}, "pages": {}}
        for key, option in EXTENDED_KEYS.items():
            for group in wanted.keys() & dict(given.get(key) or {}).keys():
                wanted[group][option] = given[key][group]
        cure = f"; SITEMAP = {_rewrite({}, wanted, run)!r} says the same"
    for module, name in (("sitemap", "pelican-sitemap"), ("extended_sitemap", EXTENDED_NAME)):
        if module in active:
            message = (
                f"{name} is active too and writes the same file, which this sitemap replaces; "
            )
            message += (
                f"remove {module!r} from PLUGINS or, where PLUGINS is not set, uninstall {name}"
            )
            yield Problem("warning", message + (cure if name == EXTENDED_NAME else ""), "PLUGINS")
    if given and "extended_sitemap" not in active:
        yield Problem("notice", f"is a setting of {EXTENDED_NAME}; remove it{cure}", EXTENDED)
