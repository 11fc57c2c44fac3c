"""Take the head out of an HTML document and leave out of it what cannot matter, quickly.

Most heads are well formed. For those, one regular expression walks over the tags exactly as the
tokenizer would, and only what may say something to search engines is left for the tokenizer.
"""

from __future__ import annotations

import re

from sitemap_plugin.html.tokens import Token

__all__ = ["plain_tokens"]

_W = r"[\t\n\f\r ]"
_NAME = r"[^\t\n\f\r <>\"'=/]++"
_VALUE = r"""(?:="[^"]*+"|='[^']*+'|=[^\t\n\f\r <>"'=`]++)"""
_ATTRIBUTES = rf"(?:{_W}++{_NAME}{_VALUE}?+)*+{_W}*+/?+"


def _raw(name: str, forbidden: str) -> str:
    """Return the pattern of what a raw text element contains, up to an end tag in any letters."""
    return rf"[^<]*+(?:<(?!/(?i:{name})[\t\n\f\r />]{forbidden})[^<]*+)*+"


def _given(values: str) -> str:
    return rf"""=(?:"(?:{values})"|'(?:{values})'|(?:{values})(?=[\t\n\f\r >]))"""


# Values that say nothing about the page's place in an index. What is not listed is looked at.
_META_NAMES = (
    "viewport|description|keywords|author|generator|copyright|referrer|application-name"
    "|theme-color|color-scheme|msapplication-[A-Za-z-]++|apple-mobile-web-app-[a-z-]++"
    "|og:[a-z_:]++|twitter:[a-z_:0-9]++"
)
_HTTP_EQUIVS = "[Xx]-[Uu][Aa]-[Cc]ompatible|[Cc]ontent-[Tt]ype"
_RELS = (
    "stylesheet|icon|shortcut icon|apple-touch-icon(?:-precomposed)?|mask-icon|manifest|preload"
    "|modulepreload|prefetch|preconnect|dns-prefetch|prev|next|author|license|search|index|top|up"
    "|EditURI|wlwmanifest|pingback|me|alternate"
)
_IGNORED_META = (
    rf"<meta(?:{_W}++(?:(?:content|charset|id){_VALUE}|(?:name|property){_given(_META_NAMES)}"
    rf"|http-equiv{_given(_HTTP_EQUIVS)}))*+{_W}*+/?+>"
)
# A link with hreflang is a translation, one that is an alternate without it is a feed.
_UNLINKED = rf"(?:{_W}++(?!(?i:rel|hreflang)){_NAME}{_VALUE}?+)*+"
_IGNORED_LINK = (
    rf"<link{_UNLINKED}{_W}++rel{_given(_RELS)}(?:{_W}++(?!(?i:hreflang)){_NAME}{_VALUE}?+)*+"
    rf"{_W}*+/?+>"
)
_UNTYPED = rf"(?:{_W}++(?!(?i:type)){_NAME}{_VALUE}?+)*+"
_IGNORED_SCRIPT = (
    rf"<script{_UNTYPED}(?:{_W}++type{_given('text/javascript|module')}{_UNTYPED})?+{_W}*+>"
    rf"{_raw('script', '|!--')}</script>"
)
_IGNORED = "|".join(
    (
        rf"{_W}++",
        _IGNORED_META,
        _IGNORED_LINK,
        _IGNORED_SCRIPT,
        rf"<style{_ATTRIBUTES}>{_raw('style', '')}</style>",
        # A refresh in here may count.
        rf"<noscript{_ATTRIBUTES}>{_raw('noscript', '|[Mm][Ee][Tt][Aa]')}</noscript>",
        r"<!--(?!-?>)[^-]*+(?:-(?!-!?>)[^-]*+)*+-->",
        r"<(?:!doctype|!DOCTYPE|\?xml)[^<>]*+>",
        rf"<head{_ATTRIBUTES}>",
    )
)
_KEPT = "|".join(
    (
        rf"<(meta|link|base|html)({_ATTRIBUTES})>",
        rf"<(script)({_ATTRIBUTES})>({_raw('script', '|!--')})</script>",
        rf"<(title)({_ATTRIBUTES})>({_raw('title', '')})</title>",
    )
)
_TAGS = re.compile(rf"(?:{_IGNORED})*+(?:{_KEPT}|(\0|[\s\S]++))")
_END = re.compile(rb"</head>[\t\n\f\r ]*+<body[\t\n\f\r >]")


def plain_tokens(data: bytes) -> list[Token] | None:
    """Return the tags of a UTF-8 document's head that matter; None if its markup is unusual.

    They mean the same as all the tags that ``tokens.head_tokens`` finds in the head.
    """
    end = data.find(b"</head>")
    if end < 0 or not _END.match(data, end):
        return None
    text = data[:end].decode("utf-8", "replace").removeprefix("\ufeff")
    if "\0" in text:
        return None
    *tags, last = _TAGS.findall(text + "\0")
    if last[-1] != "\0":
        return None
    return [
        Token(name, attributes)
        if name
        else Token(script or title, of_script or of_title, code or words)
        for name, attributes, script, of_script, code, title, of_title, words, _ in tags
    ]
