"""The addresses to announce, from a list or from what two sitemaps differ in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from sitemap_plugin.commands.check.findings import quote
from sitemap_plugin.commands.check.source import READ_LIMIT
from sitemap_plugin.commands.diff.states import normal_url
from sitemap_plugin.common.urls import host_root
from sitemap_plugin.errors import SitemapError

__all__ = ["STDIN", "check_urls", "read_urls"]

STDIN = "-"
_NEWLINE = re.compile(r"\r\n?|\n")
_ABSOLUTE = re.compile(r"https?://[^/?#]")


def read_urls(name: str, stdin: BinaryIO | None = None) -> list[str]:
    """Read a list of addresses, one a line; ``-`` is the standard input.

    Raises SitemapError for what cannot be read or is no list of absolute URLs.
    """
    try:
        if name == STDIN:
            data = (stdin or sys.stdin.buffer).read(READ_LIMIT + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(READ_LIMIT + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise SitemapError(f"{name}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SitemapError(f"{name}: not UTF-8; give a list of URLs, one a line") from error
    if len(data) > READ_LIMIT:
        raise SitemapError(f"{name}: more than {READ_LIMIT:,} bytes; give several lists")
    lines = ((number, line.strip()) for number, line in enumerate(_NEWLINE.split(text), start=1))
    return check_urls((f"{name}:{number}", line) for number, line in lines if line)


def check_urls(urls: Iterable[tuple[str, str]]) -> list[str]:
    """Return URLs, each once, in the spelling in which they are sent.

    ``urls`` are places with URLs. Raises SitemapError for one that is not absolute.
    """
    checked: dict[str, None] = {}
    for place, url in urls:
        normal = normal_url(url)
        try:
            host_root(normal)
        except ValueError as error:
            raise SitemapError(f"{place}: {error}; correct or remove it") from error
        if not _ABSOLUTE.match(normal):
            raise SitemapError(f"{place}: {quote(url)} is not of http:// or https://; remove it")
        checked[normal] = None
    return list(checked)
