"""Several runs in one process do not know of each other."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pelican_sites import Build, Site

RUNS = """
import sys
from pathlib import Path
from pelican import Pelican
from pelican.settings import read_settings

def build(settings=None):
    pelican = Pelican(settings or read_settings("pelicanconf.py"))
    pelican.run()
    return pelican

def sitemap():
    return Path("output/sitemap.xml").read_bytes()
"""


def run_script(site: Site, script: str) -> Build:
    """Run a script in Pelican's own Python."""
    site.write("script.py", RUNS + script)
    return site.run("script.py")


@pytest.mark.parametrize("subsites", [False, True])
def test_repeated_runs_of_one_pelican_give_the_same_bytes(
    site: Site, subsites: bool, has_plugin: Callable[[str], None]
) -> None:
    if subsites:
        has_plugin("i18n_subsites")
        site.settings |= {"PLUGINS": ["i18n_subsites", "sitemap_plugin"]}
        site.settings |= {"I18N_SUBSITES": {"de": {}}}
    site.article("hello.md", "Tags: a\nLang: en")
    site.article("hello-de.md", "Lang: de\nSlug: hello")
    site.configure()
    build = run_script(site, """
pelican = build()
first = sitemap()
assert b"hello-de.html" in first or b"/de/hello.html" in first
for _ in range(3):
    pelican.run()
    assert sitemap() == first
build()
assert sitemap() == first
Path("content/hello.md").unlink()
Path("content/new.md").write_text("Title: new\\nDate: 2024-01-01\\n\\nText")
pelican.run()
assert b"org/hello.html" not in sitemap() and b"new.html" in sitemap()
""")  # fmt: skip

    assert build.status == 0, build.text


def test_a_run_after_one_that_failed_is_not_disturbed(site: Site) -> None:
    site.settings["THEME_TEMPLATES_OVERRIDES"] = ["theme"]
    site.article("hello.md")
    site.write("theme/article.html", "{{ 1 / 0 }}")
    site.configure()
    build = run_script(site, """
pelican = Pelican(read_settings("pelicanconf.py"))
try:
    pelican.run()
except Exception as error:
    failed = error
assert failed and not Path("output/sitemap.xml").exists()
Path("theme/article.html").unlink()
build()
assert b"hello.html" in sitemap()
Path("output/sitemap.xml").unlink()
pelican.run()
assert b"hello.html" in sitemap()
""")  # fmt: skip

    assert build.status == 0, build.text


def test_a_pelican_is_forgotten_with_all_that_it_wrote(site: Site) -> None:
    site.article("hello.md")
    site.configure()
    build = run_script(site, """
import gc
from sitemap_plugin_pelican import runs

for _ in range(3):
    build()
gc.collect()
assert not runs._runs and not runs._options
""")  # fmt: skip

    assert build.status == 0, build.text


@pytest.mark.slow
def test_autoreload_says_nothing_of_a_local_address_and_survives_errors(site: Site) -> None:
    state = {"lastmod": ["state"], "state_file": "state.json"}
    site.settings |= {"SITEURL": "http://localhost:8000", "SITEMAP": state}
    site.article("hello.md")
    site.configure()
    log = site.folder / "log.txt"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [site.program, "-r"],
            cwd=site.folder, env={**site.environment, "PYTHONUNBUFFERED": "1"},
            stdout=file, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        wait_for(log, "Done: Processed", process)
        site.settings["SITEMAP"] = {"exlude": []}
        touch_until(site.configure, log, "exlude", process)
        site.settings["SITEMAP"] = state
        site.article("new.md")
        touch_until(site.configure, log, "Processed 2 articles", process)
    finally:
        process.terminate()
        process.wait(10)
    text = log.read_text()

    assert "search engines cannot reach" not in text
    assert "Traceback" not in text
    assert "http://localhost:8000/new.html" in (site.folder / "output/sitemap.xml").read_text()
    # What is only looked at is not what the site says.
    assert not (site.folder / "state.json").exists()


def wait_for(log: Path, text: str, process: subprocess.Popen[bytes], seconds: float = 60) -> bool:
    for _ in range(int(seconds * 10)):
        if text in log.read_text():
            return True
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    return False


def touch_until(
    touch: Callable[[], object], log: Path, text: str, process: subprocess.Popen[bytes]
) -> None:
    """Change a file again and again, for the watcher needs a while to see the first change."""
    for _ in range(20):
        touch()
        if wait_for(log, text, process, 3):
            return
    raise AssertionError(f"{text!r} is not in the output:\n{log.read_text()}")
