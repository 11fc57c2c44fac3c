"""Take the head out of an HTML document and leave out of it what cannot matter, quickly.

Most heads are well formed. For those, one regular expression walks over the tags exactly as the
tokenizer would, and only what may say something to search engines is left for the tokenizer.
"""

from __future__ import annotations

import re

__all__ = ["plain_head"]

_W = r"[\t\n\f\r ]"
_NAME = r"[^\t\n\f\r <>\"'=/]++"
_VALUE = r"""(?:="[^"]*+"|='[^']*+'|=[^\t\n\f\r <>"'=`]++)"""
_REST = rf"(?:{_W}++{_NAME}{_VALUE}?+)*+{_W}*+/?+>"


def _raw(name: str, forbidden: str) -> str:
    """Return the pattern of a raw text element, from the end of its start tag on."""
    return rf"[^<]*+(?:<(?!/{name}[\t\n\f\r />]{forbidden})[^<]*+)*+</{name}>"


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
    + _raw("script", "|!--")
)
_IGNORED = "|".join(
    (
        rf"{_W}++",
        _IGNORED_META,
        _IGNORED_LINK,
        _IGNORED_SCRIPT,
        rf"<style{_REST}{_raw('style', '')}",
        # A refresh in here may count.
        rf"<noscript{_REST}{_raw('noscript', '|[Mm][Ee][Tt][Aa]')}",
        r"<!--(?!-?>)[^-]*+(?:-(?!-!?>)[^-]*+)*+-->",
        r"<(?:!doctype|!DOCTYPE|\?xml)[^<>]*+>",
        rf"<head{_REST}",
    )
)
_KEPT = "|".join(
    (
        rf"<(?:meta|link|base|html){_REST}",
        rf"<script{_REST}{_raw('script', '|!--')}",
        rf"<title{_REST}{_raw('title', '')}",
    )
)
_TAGS = re.compile(rf"(?:{_IGNORED})*+({_KEPT}|\0|[\s\S]++)")
_END = re.compile(rb"</head>[\t\n\f\r ]*+<body[\t\n\f\r >]")


def plain_head(data: bytes) -> str | None:
    """Return the tags of a UTF-8 document's head that matter; None if its markup is unusual.

    What comes back has the same meaning as the whole head has for ``tokens.head_tokens``.
    """
    end = data.find(b"</head>")
    if end < 0 or not _END.match(data, end):
        return None
    text = data[:end].decode("utf-8", "replace").removeprefix("\ufeff")
    if "\0" in text:
        return None
    tags = _TAGS.findall(text + "\0")
    return "".join(tags[:-1]) if tags[-1] == "\0" else None
