"""What an example of a finding is, and short ways to write sitemaps and pages."""

import datetime as dt
import gzip
import tomllib
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, Literal

from files import Files, write_files
from sitemap_plugin.commands.check.findings import CheckOutcome, Finding
from sitemap_plugin.commands.check.folder import check

BASE = "https://example.org/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
EXTENSIONS = (
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)
TODAY = dt.datetime.now(dt.UTC).date()
DATES = {
    "{TODAY}": str(TODAY),
    "{LATER}": str(TODAY + dt.timedelta(days=3)),
    "{OLD}": str(TODAY - dt.timedelta(days=4)),
    "{MONTH}": f"{TODAY:%Y-%m}",
    "{YEAR}": f"{TODAY:%Y}",
}
NEWS = (
    "<news:news><news:publication><news:name>The Times</news:name>"
    "<news:language>en</news:language></news:publication>"
    f"<news:publication_date>{TODAY}</news:publication_date><news:title>T</news:title></news:news>"
)

write = write_files


@dataclass(frozen=True)
class Example:
    """A finding's code, files that have the fault and files that do not.

    ``also`` are codes that the fault brings with it. ``oracle`` says which independent judge finds
    the fault in the first and none in the second.
    """

    code: str
    bad: Files
    good: Files
    _: KW_ONLY
    name: str = ""
    target: str = "sitemap.xml"
    base_url: str | None = BASE
    also: tuple[str, ...] = ()
    oracle: Literal["xml", "gzip", "language", "robots"] | None = None


def findings(target: Path, base_url: str | None = BASE) -> list[Finding]:
    """Return what a check finds."""
    return check(target, base_url=base_url).findings.sorted()


def codes(outcome: CheckOutcome) -> set[str]:
    """Return the codes of what was found."""
    return set(outcome.findings.counts)


def urlset(*entries: str, namespace: str = NAMESPACE) -> str:
    """Return a sitemap of entries."""
    body = "".join(f"  <url>{item}</url>\n" for item in entries)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{namespace}"{EXTENSIONS}>\n'
        f"{body}</urlset>\n"
    )


def index(*locs: str, lastmod: str = "") -> str:
    """Return an index of sitemaps."""
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return _index("".join(f"  <sitemap><loc>{loc}</loc>{date}</sitemap>\n" for loc in locs))


def _index(body: str) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n'
        f"{body}</sitemapindex>\n"
    )


def entry(path: str = "", *more: str) -> str:
    """Return the content of an entry below the base URL."""
    return f"<loc>{BASE}{path}</loc>" + "".join(more)


HOME = urlset(entry())


def link(code: str, href: str) -> str:
    """Return a link to a translation."""
    return f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'


def links(**paths: str) -> str:
    """Return links to translations below the base URL; ``_`` in a code becomes ``-``."""
    return "".join(link(code.replace("_", "-"), BASE + path) for code, path in paths.items())


def image(loc: str) -> str:
    """Return an image."""
    return f"<image:image><image:loc>{loc}</image:loc></image:image>"


def page(*head: str, language: str = "") -> str:
    """Return a page with something in its head."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><title>A page</title>{"".join(head)}'
        "</head>\n<body><p>Hello.</p></body></html>\n"
    )


def packed(text: str) -> bytes:
    """Return a text as gzipped bytes."""
    return gzip.compress(text.encode(), mtime=0)


def _read_examples() -> Iterator[Example]:
    """Yield the examples of ``examples.toml``, whose head says how they are written."""
    text = Path(__file__).with_name("examples.toml").read_text(encoding="utf-8")
    for example in tomllib.loads(text)["example"]:
        target = example.get("target", "sitemap.xml")
        both = read_files(example.pop("both", {}), target)
        bad = both | read_files(example.pop("bad", {}), target)
        good = both | read_files(example.pop("good", {} if both else HOME), target)
        example["base_url"] = example.get("base_url", BASE) or None
        example["also"] = tuple(example.get("also", ()))
        yield Example(bad=bad, good=good, **example)


def read_files(content: Any, target: str) -> dict[str, str | bytes]:
    """Return files of a case of a data file; a text alone is the target."""
    files = {target: content} if isinstance(content, str) else content
    return {name: _whole(text) for name, text in files.items()}


def _whole(text: str) -> str:
    for name, date in DATES.items():
        text = text.replace(name, date)
    text = text.replace("{PAGE}", page())
    body = "".join(f"  {line}\n" for line in text.split("\n"))
    if text.startswith("<url>"):
        return urlset().replace("</urlset>", f"{body}</urlset>")
    return _index(body) if text.startswith("<sitemap>") else text


EXAMPLES = tuple(_read_examples())
