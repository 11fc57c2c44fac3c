"""Time reading the head of rendered pages, beside other ways to do the same.

Run ``python -m benchmarks.html_head`` for a made-up page of 30 KB, or name a folder of HTML to time
its pages, and to compare what each parser finds on every one of them. All contenders take turns,
page by page; the figures are medians and their ratios, as other work may share the machine.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from sitemap_plugin.html.head import parse_head, read_head

Found = tuple[bool, str | None]
"""Whether a page says noindex, and its canonical link."""

HEAD = """<!doctype html>
<html lang="en" class="no-js">
  <head>

      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
        <meta name="description" content="How to install it &amp; how to use it, from the start.">
        <meta name="author" content="The authors">
        <link rel="canonical" href="https://www.example.org/guide/getting-started/">
        <link rel="prev" href="../">
        <link rel="next" href="../installation/">
      <link rel="icon" href="../../assets/images/favicon.png">
      <meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.8.2">
        <title>Getting started - Example</title>
      <link rel="stylesheet" href="../../assets/stylesheets/main.57a0d79d.min.css">
        <link rel="stylesheet" href="../../assets/stylesheets/palette.fb2fffe2.min.css">
        <link rel="preconnect" href="https://fonts.gstatic.com" crossorigin>
        <link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Roboto:300,400,700">
        <style>:root{--md-text-font:"Roboto";--md-code-font:"Roboto Mono"}</style>
    <script>__md_scope=new URL("../..",location),__md_hash=e=>[...e].reduce(((e,_)=>(e<<5)-e+\
_.charCodeAt(0)),0),__md_get=(e,_=localStorage,t=__md_scope)=>JSON.parse(_.getItem(t.pathname+\
"."+e)),__md_set=(e,_,t=localStorage,a=__md_scope)=>{try{t.setItem(a.pathname+"."+e,\
JSON.stringify(_))}catch(e){}}</script>
        <meta property="og:type" content="website">
        <meta property="og:title" content="Getting started - Example">
        <meta property="og:description" content="How to install it and how to use it.">
        <meta property="og:image" content="https://www.example.org/assets/images/social/guide.png">
        <meta property="og:image:type" content="image/png">
        <meta property="og:image:width" content="1200">
        <meta property="og:image:height" content="630">
        <meta property="og:url" content="https://www.example.org/guide/getting-started/">
        <meta name="twitter:card" content="summary_large_image">
        <meta name="twitter:title" content="Getting started - Example">
        <meta name="twitter:image" content="https://www.example.org/assets/images/social/guide.png">
  </head>
  <body dir="ltr" data-md-color-scheme="default">
"""
BODY = (
    '    <p>Text with <a href="../installation/">a link</a> and <code>some code</code> in it.</p>\n'
)


def read_only(path: Path) -> Found:
    """Read the file and do nothing with it: the floor."""
    path.read_bytes()
    return False, None


def ours(path: Path) -> Found:
    """Read the head with this project."""
    head = read_head(path)
    return head.noindex, head.canonical


def lxml_on_head(path: Path) -> Found:
    """Cut the head out and let libxml2 parse it."""
    etree: Any = import_module("lxml.etree")
    data = path.read_bytes()
    root = etree.HTML(data[: data.find(b"</head") + 1 or None], etree.HTMLParser(encoding="utf-8"))
    robots = " ".join(root.xpath("//meta[@name='robots']/@content")).lower().replace(",", " ")
    links = root.xpath("//link[@rel='canonical']/@href")
    return "noindex" in robots.split(), links[0] if links else None


class _HeadParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.noindex = False
        self.canonical: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "link"}:
            return
        values = dict(attrs)
        if values.get("name") == "robots":
            rules = (values.get("content") or "").lower().replace(",", " ")
            self.noindex |= "noindex" in rules.split()
        elif values.get("rel") == "canonical" and self.canonical is None:
            self.canonical = values.get("href")


def html_parser_on_head(path: Path) -> Found:
    """Cut the head out and feed it to the standard library's parser."""
    data = path.read_bytes()
    parser = _HeadParser()
    parser.feed(data[: data.find(b"</head") + 1 or None].decode("utf-8", "replace"))
    return parser.noindex, parser.canonical


def beautiful_soup(path: Path) -> Found:
    """Parse the whole page, as most plugins do that look into HTML."""
    from bs4 import BeautifulSoup  # noqa: PLC0415 - optional

    soup = BeautifulSoup(path.read_bytes(), "html.parser")
    robots = soup.find("meta", attrs={"name": "robots"})
    link = soup.find("link", rel="canonical")
    rules = str(robots.get("content", "") if robots else "").lower().replace(",", " ")
    return "noindex" in rules.split(), str(link["href"]) if link else None


def contenders() -> dict[str, Callable[[Path], Found]]:
    """Return the ways to read a head that can be run here."""
    found: dict[str, Callable[[Path], Found]] = {"reading alone": read_only, "read_head": ours}
    if find_spec("lxml"):
        found["lxml on the head"] = lxml_on_head
    found["html.parser on the head"] = html_parser_on_head
    if find_spec("bs4"):
        found["BeautifulSoup"] = beautiful_soup
    return found


def microseconds(function: Callable[[Path], Found], path: Path, times: int) -> float:
    """Return the mean time of one call, in microseconds of wall clock."""
    start = time.perf_counter()
    for _ in range(times):
        function(path)
    return (time.perf_counter() - start) / times * 1e6


def measure(paths: Sequence[Path], rounds: int) -> dict[str, float]:
    """Return each contender's median time for a page."""
    samples: dict[str, list[float]] = {name: [] for name in contenders()}
    for _ in range(rounds):
        for path in paths:
            for name, function in contenders().items():
                times = 1 if name == "BeautifulSoup" else 20
                samples[name].append(microseconds(function, path, times))
    return {name: median(times) for name, times in samples.items()}


def compare(paths: Sequence[Path]) -> None:
    """Print where the contenders disagree."""
    others = {k: v for k, v in contenders().items() if k not in {"reading alone", "read_head"}}
    for path in paths:
        for name, function in others.items():
            theirs, mine = function(path), ours(path)
            if theirs != mine:
                print(f"{path}: {name} finds {theirs}, read_head {mine}")


def main(arguments: Sequence[str]) -> None:
    """Print the comparison for a folder of pages, or for one made-up page."""
    with tempfile.TemporaryDirectory() as folder:
        if arguments:
            paths = sorted(Path(arguments[0]).rglob("*.html"))
            compare(paths)
            paths = paths[:: max(1, len(paths) // 50)]
        else:
            paths = [Path(folder, "page.html")]
            paths[0].write_text(HEAD + BODY * 300 + "</body>\n</html>\n", encoding="utf-8")
            assert parse_head(paths[0].read_bytes()).canonical
        results = measure(paths, rounds=max(5, 40 // len(paths)))
    print(f"{len(paths)} pages timed" if arguments else f"a page with a head of {len(HEAD)} bytes")
    for name, value in results.items():
        ratio = value / results["read_head"]
        print(f"{name:24} {value:8.1f} µs  {ratio:7.2f} times read_head")


if __name__ == "__main__":
    main(sys.argv[1:])
