"""``sitemap-plugin build FOLDER``, as people run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_plugin_folder.command import LONG_RUN
from sitemaps import read_sitemap

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).parent / "sitemap-plugin"
PAGE = "<!doctype html><html><head><title>T</title></head><body></body></html>"
BASE = "--base-url=https://example.org/"


def run(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        [PROGRAM, "build", *arguments], check=False, capture_output=True, text=True, cwd=cwd
    )
    assert "Traceback" not in result.stderr, result.stderr
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("index.html", "a.html", "b/index.html"):
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE)
    return tmp_path


def locs(folder: Path) -> list[str]:
    urls = read_sitemap(folder / "site" / "sitemap.xml")
    return [url.loc.removeprefix("https://example.org/") for url in urls]


def test_a_folder_gets_its_sitemap_with_nothing_but_the_base_url(folder: Path) -> None:
    result = run(folder, "site", BASE)

    assert (result.returncode, result.stderr) == (0, "")
    step = "next: publish, then submit https://example.org/sitemap.xml in the search consoles"
    assert result.stdout == f"sitemap: 3 URLs in site/sitemap.xml; robots.txt created; {step}\n"
    assert locs(folder) == ["", "a.html", "b/"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sitemap.toml", 'base_url = "https://example.org/"\nexclude = ["b/"]\n'),
        (
            "pyproject.toml",
            '[tool.sitemap-plugin]\nbase_url = "https://example.org/"\nexclude = ["b/"]\n',
        ),
    ],
)
def test_options_are_found_in_the_current_folder(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)

    assert run(folder, "site").returncode == 0
    assert locs(folder) == ["", "a.html"]


def test_a_named_file_is_read_and_flags_win_over_it(folder: Path) -> None:
    (folder / "other.toml").write_text('exclude = ["b/"]\npriority = 0.5\n')
    result = run(folder, "site", BASE, "--config=other.toml", "--exclude=a.html", "--gzip=false")

    assert result.returncode == 0, result.stderr
    assert locs(folder) == ["", "b/"]
    assert not (folder / "site/sitemap.xml.gz").exists()


def test_a_flag_that_is_repeated_makes_a_list_and_others_are_read_as_toml(folder: Path) -> None:
    result = run(
        folder, "site", BASE, "--exclude=b/", "--exclude=a.html", "--priority=1",
        '--sections={blog = "b/"}', "--no-such=1",
    )  # fmt: skip
    assert result.returncode == 2
    result = run(folder, "site", BASE, "--exclude=b/", "--exclude=a.html", "--priority=1")

    assert result.returncode == 0, result.stderr
    (url,) = read_sitemap(folder / "site" / "sitemap.xml")
    assert url.priority == "1.0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone", BASE], "error: gone: there is no such folder"),
        (["site"], "error: --base-url: not set"),
        (["site", "--base-url=www.example.org"], "write 'https://www.example.org/'"),
        (["site", BASE, "--priority=7"], "error: --priority: expected a number from 0.0 to 1.0"),
        (["site", BASE, "--config=gone.toml"], "error: gone.toml: cannot be read"),
    ],
)
def test_a_wrong_call_is_a_message_and_status_2(
    folder: Path, arguments: list[str], message: str
) -> None:
    result = run(folder, *arguments)

    assert result.returncode == 2
    assert message in result.stderr


@pytest.mark.parametrize("name", ["sitemap.toml", "pyproject.toml", "other.toml"])
def test_each_wrong_option_is_told_with_the_file_or_the_flag_that_sets_it(
    folder: Path, name: str
) -> None:
    (folder / name).write_text(
        "[tool.sitemap-plugin]\nbase_url = 'example.org'\nmax-urls = 5\npriority = 7\n"
    )
    more = ["--config", name] if name == "other.toml" else []
    several = run(folder, "site", "--max-bytes=0", "--priority=8", *more)
    (folder / name).write_text("[tool.sitemap-plugin]\nbase_url = 'example.org'\n")
    one = run(folder, "site", *more)

    assert {line.split(";")[0] for line in several.stderr.splitlines()} == {
        f"error: {name}: max-urls: unknown option",
        "error: --priority: expected a number from 0.0 to 1.0, got 8",
        "error: --max-bytes: expected a whole number from 1 to 52428800, got 0",
    }
    assert one.stderr.startswith(f"error: {name}: base_url: ")


def test_a_settings_file_that_is_not_toml_is_a_message(folder: Path) -> None:
    (folder / "sitemap.toml").write_text("exclude: [a]")
    result = run(folder, "site", BASE)

    assert result.returncode == 2
    assert "sitemap.toml: not TOML" in result.stderr


def test_warnings_are_told_and_fail_a_strict_run(folder: Path) -> None:
    lax = run(folder, "site", BASE, "--exclude=nothing/")
    strict = run(folder, "site", BASE, "--exclude=nothing/", "--strict=true")
    short = run(folder, "site", BASE, "--exclude=nothing/", "--strict")

    assert (lax.returncode, strict.returncode, short.returncode) == (0, 1, 1)
    assert lax.stderr.startswith("warning: exclude[0]: 'nothing/' matches no page")


def test_the_sample_site_gives_its_golden_sitemap(tmp_path: Path) -> None:
    site = tmp_path / "html"
    shutil.copytree(ROOT / "sample_sites/html", site)
    result = run(site, "site")

    assert result.returncode == 0, result.stderr
    golden = Path(__file__).parent / "golden.xml"
    assert (site / "site/sitemap.xml").read_text() == golden.read_text()
    assert "5 left out (1 error page, 1 fragment, 1 noindex, 1 redirect, 1 search page)" in (
        result.stdout
    )


def test_of_many_problems_of_one_kind_ten_are_told(folder: Path) -> None:
    for number in range(15):
        date = f'<meta property="article:published_time" content="2024-13-{number:02}">'
        (folder / "site" / f"{number}.html").write_text(PAGE.replace("</head>", f"{date}</head>"))
    *lines, last = run(folder, "site", BASE, "--exclude=nothing/").stderr.splitlines()

    assert len([line for line in lines if "2024-13-" in line]) == 10
    assert [line for line in lines if "nothing/" in line]
    assert last.endswith("(5 more like this)")
    assert "HTML head '...': '...' is no date" in last


def on_terminal(folder: Path) -> str:
    """Run the command with a terminal for its messages, and return what that shows."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    ours, theirs = pty.openpty()
    command: list[str | Path] = [PROGRAM, "build", "site", BASE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=theirs, cwd=folder)
    os.write(theirs, b"end")
    shown = b""
    while not shown.endswith(b"end"):
        shown += os.read(ours, 1 << 16)
    os.close(theirs)
    os.close(ours)
    return shown.decode().removesuffix("end")


def test_a_long_run_tells_its_progress_on_a_terminal(folder: Path) -> None:
    assert on_terminal(folder) == ""

    for number in range(LONG_RUN):
        (folder / "site" / f"{number}.html").write_text(PAGE)
    steps = on_terminal(folder).split("\r")
    assert steps[1] == "reading pages: 500 of 5,003"
    assert steps[-2:] == ["reading pages: 5,003 of 5,003", "\n"]
    assert run(folder, "site", BASE).stderr == ""
