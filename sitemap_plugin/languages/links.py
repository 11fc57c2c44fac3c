"""Link translations: give each page the hreflang links of its set.

A set's links are made from entries that are really listed, so they cannot name a page that is not,
and each member carries the same full set, itself included; Google ignores a pair that does not
point both ways (protocol: hreflang). All members share one tuple.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

from sitemap_plugin.common.text import shown
from sitemap_plugin.errors import Problem
from sitemap_plugin.languages.codes import X_DEFAULT
from sitemap_plugin.languages.sets import PageLanguages, Sets, find_sets
from sitemap_plugin.models import Alternate, Entry, Page, Site
from sitemap_plugin.pages.selection import ListedPage


def link_translations(
    site: Site,
    listed: Sequence[ListedPage],
    entries: Sequence[Entry],
    left_out: Collection[Page],
) -> tuple[list[Entry], list[Problem]]:
    """Return the entries, in the order of their URLs, with their alternates, and the problems.

    ``entries[i]`` belongs to ``listed[i]``; what alternates it has are what its page declares.
    ``left_out`` are pages that exist and are not to be linked.
    """
    linked = [entry.replace(alternates=()) if entry.alternates else entry for entry in entries]
    if not site.config.alternates:
        return linked, []
    pages = PageLanguages(site, listed, entries)
    sets = find_sets(pages, left_out)
    found = [links for members in sets.members if (links := _set_links(pages, sets, members))]
    numbers = {entry.loc: number for number, entry in enumerate(entries)} if found else {}
    times = Counter(chain.from_iterable(set(links.values()) for links in found))
    for links in found:
        default = links.get(X_DEFAULT, "")
        if default in numbers and times[default] > 1 and [*links.values()].count(default) == 1:
            del links[X_DEFAULT]
            pages.warn(
                numbers[default],
                "is the x-default of more than one set of translations, and can link back to one "
                "only; these sets are written without x-default",
            )
        alternates = tuple(sorted(Alternate(code, url) for code, url in links.items()))
        for number in map(numbers.get, set(links.values())):
            if number is not None:
                linked[number] = linked[number].replace(alternates=alternates)
    return linked, [*pages.problems]


def _set_links(pages: PageLanguages, sets: Sets, members: Sequence[int]) -> dict[str, str]:
    """Return a set's URLs by their codes; nothing for a set of one, which says nothing."""
    links: dict[str, str] = {}
    staying: list[int] = []
    for number in members:
        url, code = pages.entries[number].loc, _code(pages, sets, number)
        if code and links.setdefault(code, url) != url:
            message = f"two {code} pages in one set of translations; {links[code]} stays in the set"
            pages.warn(number, f"{message}, this page is listed without links")
        elif code:
            staying.append(number)
    for number in staying:
        for code, url in sets.elsewhere.get(number, {}).items():
            if (stays := links.setdefault(code, url)) != url:
                message = f"names {shown(url)} as its {code} version, but {shown(stays)} is that"
                pages.warn(number, f"{message} version already; the latter is used")
    x_default = links.pop(X_DEFAULT, None)
    wanted = pages.site.config.x_default
    if len(links) > 1 and wanted is not False:
        x_default = x_default or links.get((pages.default if wanted == "auto" else wanted) or "")
        links |= {X_DEFAULT: x_default} if x_default else {}
    return links if len(links) > 1 else {}


def _code(pages: PageLanguages, sets: Sets, number: int) -> str | None:
    """Return the language of a page: its own, else what others say of it, else the site's."""
    if (own := pages.own(number)) is not None:
        return own
    code = sets.languages.get(number) or pages.default
    if code is None:
        cure = "set 'lang' in its front matter, or name it among its own 'alternates'"
        pages.warn(number, f"has translations, but no language; {cure}")
    return code
