"""What Chromium makes of a page: which text it draws where, and in which colours."""

import re
import shutil
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip


class Box(NamedTuple):
    """A piece of text as it is drawn, generated text included, and its place in the page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def joined(self, other: "Box") -> "Box":
        """Return the box of this text and another that follows it."""
        start = min(self.left, other.left), min(self.top, other.top)
        end = max(self.right, other.right), max(self.bottom, other.bottom)
        return Box(self.text + other.text, *start, *end)


MOST_FRAMES = 100
TWO_FRAMES = """() => new Promise(
    done => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))
)"""


def drawn(page: Page) -> list[Box]:
    """Return all text that has a place in the layout, in the order of the document.

    What ``content-visibility`` skips, because it is far from the view, has none. What is in view is
    known some frames after the page has loaded, so this waits for two frames that are alike.
    """
    # The session ends with the page: to detach it would also end the emulation of media.
    session = page.context.new_cdp_session(page)
    before: list[Box] = []
    for _ in range(MOST_FRAMES):
        page.evaluate(TWO_FRAMES)
        boxes = _snapshot(session)
        if boxes == before:
            break
        before = boxes
    return before


def _snapshot(session: CDPSession) -> list[Box]:
    snapshot = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    layout, strings = snapshot["documents"][0]["layout"], snapshot["strings"]
    boxes: dict[int, Box] = {}
    pieces = zip(layout["nodeIndex"], layout["text"], layout["bounds"], strict=True)
    for node, text, (left, top, width, height) in pieces:
        if text >= 0 and strings[text].strip():
            box = Box(strings[text], left, top, left + width, top + height)
            boxes[node] = boxes[node].joined(box) if node in boxes else box
    return list(boxes.values())


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    code = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(code))


def contrast(page: Page, selector: str, pseudo: str = "") -> float:
    """Return the ratio of an element's colour to the page's ground (WCAG 2.2, 1.4.3)."""
    colours = page.evaluate(
        """([selector, pseudo]) => [
            getComputedStyle(document.querySelector(selector), pseudo || null).color,
            getComputedStyle(document.documentElement).backgroundColor,
        ]""",
        [selector, pseudo],
    )
    lighter, darker = sorted(map(_luminance, colours), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Any) -> float:
    channels = [int(number) / 255 for number in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
