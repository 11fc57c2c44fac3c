"""Whatever becomes of the output, there is a message and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.org/</loc></url></urlset>
"""
WORDS = [["check", "s.xml"], ["diff", "s.xml", "s.xml"], ["--version"]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
def test_a_full_output_is_an_error(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "s.xml").write_text(SITEMAP)
    command = [sys.executable, "-m", "sitemap_plugin.commands.cli", *words]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert done.stderr == "sitemap-plugin: error: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor by the shell")
@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[0])
def test_a_closed_output_is_no_error(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "s.xml").write_text(SITEMAP)
    command = [
        "sh",
        "-c",
        '"$@" >&-',
        "sh",
        sys.executable,
        "-m",
        "sitemap_plugin.commands.cli",
        *words,
    ]
    done = subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
