"""Links lead somewhere, on the documentation's site and on a page that shows the repository."""

import posixpath
import re

import pytest

from markdown_text import ROOT, fences, links

TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
}


def _without_fences(text: str) -> str:
    for fence in fences(text):
        text = text.replace(fence.text, "")
    return text


def _github_anchors(text: str) -> set[str]:
    """Return the anchors of a text's headings as GitHub makes them: each space becomes a hyphen."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", _without_fences(text), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = sum(
            re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", other) is not None for other in found
        )
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere_where_the_repository_is_shown(name: str) -> None:
    for target in links(TEXTS[name]):
        path, _, anchor = target.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        assert (ROOT / there).is_file(), target
        assert not anchor or anchor in _github_anchors(TEXTS[there]), target
