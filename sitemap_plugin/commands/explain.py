"""``sitemap-plugin explain REPORT PAGE``: why a page is in the sitemap or not, in words."""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sitemap_plugin.common.files import read_file
from sitemap_plugin.common.text import counted, did_you_mean, shown
from sitemap_plugin.errors import SitemapError
from sitemap_plugin.write.view import read_data

Record = Mapping[str, Any]  # A report, or one of its pages or problems.
_TEXT = str | None
_REPORT = {"pages": list, "problems": list}
_PROBLEM = {"severity": str, "message": str, "where": _TEXT}
_PAGE = {"url": str, "source": _TEXT, "listed": bool, "reason": _TEXT, "decided_by": _TEXT}
_LISTED = {"loc": str, "alternates": dict, "news": dict | None, "videos": int | None,
           "file": _TEXT, "lastmod": _TEXT, "lastmod_source": _TEXT}  # fmt: skip
_NEWS = {"publication_date": _TEXT, "file": _TEXT}
_MOST_BYTES, _LONGEST, _MOST_SHOWN, _MOST_COMPARED = 1 << 30, 4000, 10, 20_000
_TRUE = "'sitemap: true' in its front matter"
CURES: Mapping[str, str] = {
    "draft": "To list it, publish it.",
    "hidden": f"To list it, set the option 'hidden' to true, or {_TRUE}.",
    "noindex": "To list it, take noindex out of its front matter or of the template.",
    "canonical elsewhere": "To list it, correct its canonical link, which names another page.",
    "redirect": "It only leads to another page; that one is to be listed.",
    "not written": "The generator has written no file for it; its own messages tell why.",
    "sitemap: false": "To list it, take that out of its front matter.",
    **dict.fromkeys(("private", "error page", "search page"), f"To list it, set {_TRUE}."),
    "generated page": "The generator makes it of other pages; these are listed.",
    "static HTML": "To list it, name it in the option 'static_html'.",
    "fragment": "To list it, give it a title; what has none is taken for a part of other pages.",
    "later page of a listing": "To list it, set the option 'pagination' to true.",
    "listing": "To list it, set the option 'listings' to true.",
    "untranslated copy": "To list it, set the option 'fallback_pages' to true.",
    "not in the navigation": f"To list it, put it into the navigation, or set {_TRUE}.",
    "excluded by pattern": f"To list it, change the option 'exclude', or set {_TRUE}.",
    "excluded by rule": f"To list it, change the option 'rules', or set {_TRUE}.",
    "dropped by plugin": "To list it, disable the plugin, or change what it does.",
    "same URL as another page": "Two pages claim this URL; the other one is listed.",
    "not below the base URL": "It belongs in the sitemap of the site that it is on.",
    "refused": "A warning of the build tells what is wrong with its entry or its sitemap.",
    "invalid URL": "To list it, correct the plugin that gives this address.",
}
"""What to do about each built-in reason, as ``docs/which-pages.md`` has it too."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    report = "what the option 'report' has written, JSON or HTML"
    parser.add_argument("report", type=Path, help=report)
    parser.add_argument("page", help="its URL, the URL's path, or its source file")


def run(arguments: argparse.Namespace) -> int:
    """Tell about a page; raise SitemapError where it is not found or there is no report."""
    data = read_file(arguments.report, limit=_MOST_BYTES)
    report = parse_report(data, str(arguments.report))
    pages = find_pages(report["pages"], arguments.page)
    told = (explain(page, report["problems"]) for page in pages)
    blocks = ("".join(f"{shown(line, _LONGEST)}\n" for line in lines) for lines in told)
    sys.stdout.write("\n".join(blocks))
    return 0


def parse_report(data: bytes, name: str) -> Record:
    """Read a report of either form, called ``name`` in messages; raise SitemapError for another."""
    try:
        report = read_data(data.decode())
    except (ValueError, RecursionError) as error:
        raise SitemapError(f"{name}: this is neither JSON nor a report as HTML") from error
    if not isinstance(report, dict) or not {"version", *_REPORT} <= report.keys():
        raise SitemapError(f"{name}: this is no report; name what the option 'report' has written")
    is_ours = report["version"] == 1 and _has(report, _REPORT)
    is_whole = is_ours and all(map(_is_page, report["pages"]))
    if not (is_whole and all(_has(problem, _PROBLEM) for problem in report["problems"])):
        raise SitemapError(f"{name}: another version of sitemap-plugin has written this report")
    return report


def _is_page(page: Any) -> bool:
    if not _has(page, _PAGE) or not page["listed"]:
        return _has(page, _PAGE)
    has_all = _has(page, _LISTED) and (not page["news"] or _has(page["news"], _NEWS))
    return has_all and all(isinstance(url, str) for url in page["alternates"].values())


def _has(record: Any, kinds: Mapping[str, Any]) -> bool:
    """Tell whether all that is used of a record is there, and of the kind that is written."""
    return isinstance(record, dict) and all(
        key in record and isinstance(record[key], kind) for key, kind in kinds.items()
    )


def find_pages(pages: Sequence[Record], wanted: str) -> list[Record]:
    """Find the pages whose URL, path or source is the name, or nearly; else raise SitemapError."""
    wanted = wanted.strip().partition("#")[0]
    if exact := [page for page in pages if wanted in _names(page)]:
        return exact
    loose = _loosely(wanted)
    tests: list[Callable[[str], bool]] = [loose.__eq__, lambda name: name.endswith(f"/{loose}")]
    if "://" in wanted or Path(wanted).exists():
        # A path from the current folder begins with folders that the report leaves out.
        tests.append(lambda name: loose.endswith(f"/{name}"))
    for is_near in tests:
        if near := [page for page in pages if any(map(is_near, map(_loosely, _names(page))))]:
            return near[:_MOST_SHOWN]
    names = islice((name for page in pages for name in _names(page)), _MOST_COMPARED)
    cure = did_you_mean(wanted, names)
    if not cure and wanted.lower().endswith((".html", ".htm")):
        cure = "; HTML that the generator copies as it is is listed by the option 'static_html'"
    raise SitemapError(f"{wanted}: the report has no such page{cure}")


def _names(page: Record) -> Iterator[str]:
    for url in dict.fromkeys((page["url"], page.get("loc") or page["url"])):
        yield url
        # A page may have been left out because its URL is none.
        with suppress(ValueError):
            path = urlsplit(url).path
            yield from (path, unquote(path))
    if page["source"]:
        yield page["source"]


def _loosely(name: str) -> str:
    """Return a name without what people leave away or add: case, slashes, ``index.html``."""
    name = unquote(name).replace("\\", "/").casefold()
    return re.sub(r"(?:^|/)index\.html?$", "", name.removeprefix("./")).strip("/")


def explain(page: Record, problems: Iterable[Record] = ()) -> Iterator[str]:
    """Tell about a page in lines."""
    yield page["url"]
    about = [page["source"], page.get("title") and f'"{page["title"]}"']
    if any(about):
        yield ", ".join(filter(None, about))
    text = "\n".join(_listed(page) if page["listed"] else _left_out(page))
    if (page["source"] or ".html").lower().endswith((".html", ".htm")):
        text = text.replace("its front matter", "its head")
        text = text.replace("front matter", "the page's head")
    yield from text.split("\n")
    names = set(_names(page))
    about_it = (problem for problem in problems if problem["where"] in names)
    yield from (f"{problem['severity']}: {problem['message']}" for problem in about_it)


def _left_out(page: Record) -> Iterator[str]:
    reason, plugin = str(page["reason"]), str(page["decided_by"] or "")
    decided = f", decided by {plugin}" if plugin and not plugin.startswith("sitemap") else ""
    yield f'It is not in the sitemap. The reason: "{reason}"{decided}.'
    if cure := CURES.get(reason.split(" (", 1)[0]):
        yield cure


def _listed(page: Record) -> Iterator[str]:
    yield f"It is in the sitemap, in {page['file']}: nothing speaks against it."
    if page["loc"] != page["url"]:
        yield f"It is listed as {page['loc']}, since a plugin has changed the address."
    yield _date(page)
    hints = ("changefreq", "priority")
    yield from (f"Its {key} is {page[key]}." for key in hints if page.get(key) is not None)
    if news := page["news"]:
        too_old = "which the build found too old for a news sitemap: two days are the limit"
        where = f"also listed in {news['file']}" if news["file"] else too_old
        yield f"It is a news article of {news['publication_date']}, {where}."
    if page["videos"]:
        yield f"It has {counted(page['videos'], 'video')}."
    if not page["alternates"]:
        yield "It has no translations."
        return
    yield "Its set of translations:"
    width = max(map(len, page["alternates"]))
    for code, url in page["alternates"].items():
        yield f"  {code:{width}}  {url}{'  (this page)' if url == page['loc'] else ''}"


def _date(page: Record) -> str:
    date, origin = page["lastmod"], page["lastmod_source"]
    if date is None:
        return "It has no date: none of the date sources knows one."
    source = str(origin or "a plugin that has changed the entry")
    source = re.sub(r"^(?=front matter )", "its ", source)
    source = re.sub(r"^newest of (\d+) pages$", r"the newest of the \1 pages that it lists", source)
    source = re.sub(r"^git (\w+)$", r"git, commit \1", source)
    return f"It last changed on {date}, by {source}."
