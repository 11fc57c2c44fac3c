"""Read the main content of an HTML page: what a reader reads, and the images.

That is what Material's ``md-content`` holds, else ``main``, else ``article``; in a page with none
of them it is everything but headers, footers, navigation and asides. Navigation within it is no
content either, nor is the sidebar that Material's blog puts there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from selectolax.lexbor import LexborNode

from sitemap_plugin.html.document import is_too_deep, parse, to_utf8

_BEST_FIRST = (".md-content", "main, [role=main]", "article")
_AROUND = frozenset({"aside", "footer", "header", "nav"})
_UNSEEN = frozenset({"-comment", "noscript", "script", "style", "template"})
_NO_TEXT = _UNSEEN | {
    "aside", "button", "footer", "form", "iframe", "nav", "noembed", "noframes", "svg", "textarea",
    "time", "title",
}  # fmt: skip
_INLINE = frozenset(
    {
        "-text", "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del",
        "dfn", "em", "font", "i", "img", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby",
        "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr",
    }
)  # fmt: skip
_STAMPED = frozenset({"a", "div", "p", "section", "small", "span"})
_STAMP = re.compile(
    r"headerlink|permalink|md-source-|md-content__button|git-revision-date|last-?updated"
    r"|build-?(?:date|info|time)|edit-?(?:this|page|link|button)",
    re.IGNORECASE,
)
"""Classes and ids of what a theme adds to the text, which a new build changes."""

_HASH = re.compile(r"(?<=[.\-_/])[0-9a-f]{8,64}(?=[.\-_/]|$)", re.IGNORECASE)


def main_images(data: bytes) -> list[Mapping[str, str | None]]:
    """Return the attributes of each ``img`` of a page's main content, in its order."""
    return [node.attributes for node in _walk(data, _UNSEEN) if node and node.tag == "img"]


def main_text(data: bytes, *, targets: bool = True) -> str:
    """Return what a reader reads of a page's main content.

    With ``targets``, where its links and images lead is among the words. Tags within a line part no
    words, all others do. Left out are the dates, signs and buttons that themes add, the hashes in
    the names of assets, and links within the page.
    """
    text: list[str] = []
    for node in _walk(data, _NO_TEXT, without_stamps=True):
        if node is None or node.tag not in _INLINE:
            text.append(" ")
        elif node.tag == "-text":
            text.append(node.text_content or "")
        elif node.tag == "img":
            given = node.attributes
            source = _lasting(given.get("src")) if targets else ""
            text.append(f" {given.get('alt') or ''} {source} ")
        elif targets and node.tag == "a" and (target := _lasting(node.attributes.get("href"))):
            text.append(f" {target} ")
    return " ".join("".join(text).split())


def _walk(
    data: bytes, left_out: Collection[str], *, without_stamps: bool = False
) -> Iterator[LexborNode | None]:
    """Yield the nodes of the main content in their order, and None where a block ends."""
    data = to_utf8(data)
    if is_too_deep(data):
        return
    tree = parse(data)
    found = next(filter(None, map(tree.css, _BEST_FIRST)), None)
    left_out = {*left_out, "nav"} if found else {*left_out, *_AROUND}
    roots = {node.mem_id: node for node in found or (tree.body,) if node}
    waiting: list[LexborNode | None] = [*reversed(roots.values())]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node is None:
            yield None
            continue
        if node.mem_id in roots:
            if node.mem_id in seen:  # It lies in another one.
                continue
            seen.add(node.mem_id)
        elif node.tag in left_out or _is_apart(node, without_stamps=without_stamps):
            continue
        yield node
        if node.tag not in _INLINE:
            waiting.append(None)
        waiting += reversed([*node.iter(include_text=True)])


def _is_apart(node: LexborNode, *, without_stamps: bool) -> bool:
    if node.tag not in _STAMPED:
        return False
    given = node.attributes
    classes = given.get("class") or ""
    if "md-sidebar" in classes.split():
        return True
    return without_stamps and _STAMP.search(f"{classes} {given.get('id') or ''}") is not None


def _lasting(url: str | None) -> str:
    """Return a URL without hashes, query and fragment."""
    return _HASH.sub("", re.sub(r"(?s)[?#].*", "", url or "").strip())
