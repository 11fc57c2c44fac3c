"""The links of a site's ``llms.txt``, which are judged like those of a sitemap."""

from __future__ import annotations

import re
from collections.abc import Callable

from sitemap_plugin.commands.check.findings import FileFindings
from sitemap_plugin.commands.check.pages import Pages
from sitemap_plugin.common.urls import join_url

__all__ = ["LLMS_LIMIT", "judge_llms"]

LLMS_LIMIT = 1 << 20
_LINK = re.compile(r"\]\([ \t]*<?([^\s<>()]{1,2100})")
_MOST_LINKS = 1000


def judge_llms(  # noqa: PLR0913, PLR0917 - what is read, where, and by what it is judged
    data: bytes,
    url: str,
    found: FileFindings,
    pages: Pages,
    is_own: Callable[[str], bool],
    most: int | None = None,
) -> None:
    """Judge the pages that links of a Markdown file, served at ``url``, lead to."""
    most = min(_MOST_LINKS, _MOST_LINKS if most is None else most)
    seen: set[str] = set()
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1):
        for link in _LINK.findall(line):
            try:
                target = join_url(url, link.partition("#")[0])
            except ValueError:
                continue
            if target in seen or len(seen) >= most or not is_own(target):
                continue
            seen.add(target)
            if fault := pages.fault(target, pages.look(target)):
                cure = fault.cure.replace("the entry", "the link").replace(
                    "List that", "Link to that"
                )
                found.add(fault.code, fault.message, cure, line=number, url=target)
