"""Read the main content of an HTML page: what a reader reads, and the images.

That is what Material's ``md-content`` holds, else ``main``, else ``article``, else everything but
headers, footers, navigation and asides. Navigation within it is no content either, nor is what a
theme adds to the text: signs, buttons, the day of the build, the sidebar of Material's blog.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from selectolax.lexbor import LexborNode

from sitemap_plugin.html.document import is_too_deep, parse, to_utf8

_BEST_FIRST = (".md-content", "main, [role=main]", "article")
_UNSEEN = frozenset({"-comment", "nav", "noscript", "script", "style", "template"})
_NO_TEXT = _UNSEEN | {"aside", "button", "footer", "form", "iframe", "noembed", "noframes", "svg",
                      "textarea", "time", "title"}  # fmt: skip
_WITHIN_WORDS = frozenset(
    {"-text", "a", "b", "code", "em", "i", "img", "mark", "s", "small", "span", "strong", "sub",
     "sup", "u"}
)  # fmt: skip
_ADDED = re.compile(
    r"headerlink|permalink|md-source-|md-content__button|md-sidebar|git-revision-date"
    r"|last-?updated|build-?(?:date|info|time)|edit-?(?:this|page|link|button)",
    re.IGNORECASE,
)
_HASH = re.compile(r"(?<=[.\-_/])[0-9a-f]{8,64}(?=[.\-_/]|$)", re.IGNORECASE)

_HIDDEN = re.compile(
    r"(?:^|;)\s*+(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)\b", re.IGNORECASE
)
_TINY = re.compile(
    # At most 32 pixels, or two letters M.
    r"(?:^|;)\s*+(?:max-)?(?:width|height)\s*+:\s*+"
    r"(?:(?:[12]?[0-9]|3[0-2])(?:\.[0-9]*+)?(?:px)?|(?:[01]?(?:\.[0-9]++)?|2)r?em)(?![0-9.%a-z])",
    re.IGNORECASE,
)
_ICON = re.compile(
    r"(?<!\S)(?:twemoji|emojione|gemoji|emoji)(?!\S)|(?<![a-z])(?:avatar|badge|icon)s?(?![a-z])",
    re.IGNORECASE,
)
_MARK = re.compile(
    # Services that draw the state of a project,
    r"//(?:[\w-]+\.)*(?:shields\.io|badgen\.net|badgesize\.io|travis-ci\.(?:org|com))/"
    r"|//(?:[\w-]+\.)?circleci\.com/.*\.svg|//ci\.appveyor\.com/api/"
    r"|//dev\.azure\.com/.*/build/status"
    # and nearly all the others, which say so. A photo is none, whatever its name.
    r"|(?<![a-z])badges?(?![a-z])(?!.*\.(?:jpe?g|webp|avif)$)"
    # Services that keep the pictures of people.
    r"|//avatars?[0-9]*\.githubusercontent\.com/"
    r"|//(?:[\w-]+\.)?(?:gravatar\.com|libravatar\.org)/avatar/",
    re.IGNORECASE,
)


def main_images(data: bytes) -> Iterator[Mapping[str, str | None]]:
    """Yield the attributes of each ``img`` of a page's main content, in its order."""
    return (node.attributes for node in _walk(data, _UNSEEN) if node and node.tag == "img")


def main_text(data: bytes, *, targets: bool = True) -> str:
    """Return what a reader reads of a page's main content; only tags within a line part no words.

    With ``targets``, where its links and images lead is among the words, but for links within the
    page and the hashes in the names of assets.
    """
    text: list[str] = []
    for node in _walk(data, _NO_TEXT):
        if node is None or node.tag not in _WITHIN_WORDS:
            text.append(" ")
        elif node.tag == "-text":
            text.append(node.text_content or "")
        elif node.tag in {"a", "img"}:
            given = node.attributes
            target = re.sub(r"(?s)[?#].*", "", given.get("href") or given.get("src") or "").strip()
            words = (given.get("alt"), _HASH.sub("", target) if targets else "")
            text += (f" {word} " for word in words if word)
    return " ".join("".join(text).split())


def _walk(data: bytes, left_out: Collection[str]) -> Iterator[LexborNode | None]:
    """Yield the nodes of the main content in their order, and None where a block ends."""
    data = to_utf8(data)
    if is_too_deep(data):
        return
    tree = parse(data)
    found = next(filter(None, map(tree.css, _BEST_FIRST)), None)
    if found is None:
        left_out = {*left_out, "aside", "footer", "header"}
    waiting: list[LexborNode | None] = [*reversed(found or ())] or [tree.body]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node is None:
            yield None
        elif node.tag not in left_out and node.mem_id not in seen and not _is_added(node):
            seen.add(node.mem_id)
            yield node
            if node.tag not in _WITHIN_WORDS:
                waiting.append(None)
            waiting += reversed([*node.iter(include_text=True)])


def _is_added(node: LexborNode) -> bool:
    given = node.attributes
    return _ADDED.search(f"{given.get('class')} {given.get('id')}") is not None


def is_decoration(given: Mapping[str, str | None]) -> bool:
    """Tell from the attributes of an ``img`` whether it is an icon, is hidden or counts readers."""
    style = given.get("style") or ""
    return bool(
        "hidden" in given
        or given.get("role") in {"none", "presentation"}
        or given.get("aria-hidden") == "true"
        or _HIDDEN.search(style)
        or _TINY.search(f"width:{given.get('width')};height:{given.get('height')};{style}")
        or _ICON.search(given.get("class") or "")
    )


def is_mark(url: str) -> bool:
    """Tell from the URL of an image on another host whether it is a badge or an avatar."""
    return _MARK.search(url[:2048]) is not None  # A longer one cannot be listed.
