"""What the documentation says of ``diff`` and ``indexnow`` is what they do."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

import pytest

from markdown_text import ROOT, code, fences, table
from sitemap_plugin.commands.diff.compare import Change, Difference
from sitemap_plugin.commands.diff.formats import as_json, as_text
from sitemap_plugin.commands.diff.states import State
from sitemap_plugin.commands.indexnow import formats
from sitemap_plugin.commands.indexnow.announce import ENDPOINT, MEANINGS, Sent
from sitemap_plugin.commands.indexnow.formats import Result
from sitemap_plugin.commands.indexnow.key import Key

TEXTS = {
    name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("diff", "indexnow")
}
BASE = "https://example.org/"
GUIDE = f"{BASE}guide/"


@pytest.mark.parametrize("name", TEXTS)
def test_every_flag_is_documented(name: str) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    importlib.import_module(f"sitemap_plugin.{name}.command").add_arguments(parser)
    flags = [option for action in parser._actions for option in action.option_strings]  # noqa: SLF001 - argparse tells it in no other way
    rows = table(TEXTS[name], first="option")

    assert sorted(code(row[0])[0].split(" ")[0] for row in rows) == sorted(flags)


def _shown(name: str, number: int = 0) -> str:
    """Return what a console shows after its command."""
    return fences(TEXTS[name], "console")[number].text.partition("\n")[2]


def _example(name: str) -> Any:
    (fence,) = fences(TEXTS[name], "json")
    return json.loads(fence.text)


def test_the_difference_that_is_shown_is_written_so() -> None:
    new = State("2025-06-10", (("de", f"{BASE}de/guide/"),))
    change = Change(GUIDE, State("2025-03-01", ()), new)
    difference = Difference((f"{GUIDE}upgrade/",), (f"{BASE}old-news/",), (change,), 24)

    assert _shown("diff") == as_text(difference, BASE, "site")
    assert _example("diff") == json.loads(as_json(difference, BASE, "site"))


def test_the_announcement_that_is_shown_is_written_so() -> None:
    key = Key("0123456789abcdef", f"{BASE}0123456789abcdef.txt")
    urls = [GUIDE, f"{GUIDE}upgrade/", f"{BASE}old-news/"]
    place = "site/0123456789abcdef.txt"
    dry = Result(ENDPOINT, urls, key=key, key_found=place, dry_run=True)
    done = Result(ENDPOINT, urls, key=key, key_found=place, sent=[Sent(3, 200, MEANINGS[200])])
    one = done._replace(urls=urls[:1], sent=[Sent(1, 200, MEANINGS[200])])

    assert _shown("indexnow") == formats.as_text(dry)
    assert _shown("indexnow", 1) == formats.as_text(done)
    assert _example("indexnow") == json.loads(formats.as_json(one))


def test_the_dry_run_is_shown_first() -> None:
    assert "--dry-run" in fences(TEXTS["indexnow"])[0].text
