"""Several runs, in one process or not, do not know of each other and give the same bytes."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pelican_sites import Build, Site
from sitemaps import read_sitemap

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


def test_what_was_written_is_forgotten_when_the_sitemap_is_there(site: Site) -> None:
    site.article("hello.md")
    site.configure()
    build = run_script(site, """
import gc
from sitemap_plugin_pelican.pelican_pages import Write

for _ in range(3):
    build()
gc.collect()
assert not [found for found in gc.get_objects() if isinstance(found, Write)]
""")  # fmt: skip

    assert build.status == 0, build.text


def test_cached_contents_keep_their_dates(site: Site) -> None:
    for layer in ("generator", "reader"):
        site.settings.update(
            CACHE_CONTENT=True, LOAD_CONTENT_CACHE=True, CONTENT_CACHING_LAYER=layer
        )
        site.article("hello.md", "Tags: a", date="2024-01-02 00:00")
        first = site.build()
        data = first.sitemap.read_bytes()

        assert first.entries["hello.html"].lastmod == "2024-01-02T00:00:00+00:00"
        assert [path for path in (site.folder / "cache").rglob("*") if path.is_file()]
        assert site.build().sitemap.read_bytes() == data
        assert "Cannot" not in first.text


def test_a_build_on_another_day_gives_the_same_bytes(site: Site) -> None:
    site.article("hello.md", "Tags: a, b, c")
    site.page("about.md")
    site.build(PYTHONHASHSEED="1")
    files = [site.folder / "output" / name for name in ("sitemap.xml", "sitemap.xml.gz")]
    first = [path.read_bytes() for path in files]
    for path in (site.folder / "content").rglob("*.md"):
        os.utime(path, (1, 1))
    site.build(PYTHONHASHSEED="2", SOURCE_DATE_EPOCH="1")

    assert [path.read_bytes() for path in files] == first


SAMPLE = Path(__file__).parents[2] / "sample_sites" / "pelican"


def test_the_sample_sites_sitemap_is_the_expected_one(site: Site) -> None:
    shutil.copytree(
        SAMPLE, site.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("output", "__py*")
    )
    build = site.run()
    golden = Path(__file__).parent / "golden" / "sitemap.xml"

    assert build.status == 0, build.text
    assert "WARNING" not in build.text
    assert build.sitemap.read_text(encoding="utf-8") == golden.read_text(encoding="utf-8")
    assert read_sitemap(build.sitemap)
    assert (build.output / "robots.txt").read_text().splitlines() == [
        "User-agent: *",
        "Disallow: /drafts/",
        "Sitemap: https://blog.example.org/sitemap.xml",
    ]
    for reason in ("draft", "hidden", "noindex", "sitemap: false", "error page",
                   "canonical elsewhere", "later page of a listing", "excluded"):  # fmt: skip
        assert build.said("left out", reason)


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
