"""How the command line ends, whatever becomes of its output, and what it loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from commands.written import BASE, Capsys, entry, urlset, write
from interruptions import interrupted_at
from markdown_text import ROOT
from sitemap_plugin.commands.cli import main

PROGRAM = [sys.executable, "-m", "sitemap_plugin.commands.cli"]
KEY = "0123456789abcdef"
FULL = "sitemap-plugin: error: No space left on device\n"
COMMANDS = ("check new", "diff old new", "explain report.json nothing",
            f"index new --base-url {BASE}",
            f"indexnow old new --key {KEY} --dry-run")  # fmt: skip
BUILDS = (
    "import sitemap_plugin.build, sitemap_plugin_folder.build_command, sitemap_plugin_mkdocs, "
    "sitemap_plugin.commands.check.folder"
)
HELP = (
    "from sitemap_plugin.commands.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
)


@pytest.fixture
def _states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states of a site, in the current folder."""
    files = {"old/sitemap.xml": urlset(entry(), entry("b")), f"new/{KEY}.txt": KEY,
             "new/sitemap.xml": urlset(entry()), "new/index.html": "<title>T</title>",
             "new/de/sitemap.xml": urlset(entry("de/")), "new/de/index.html": "",
             "report.json": '{"version": 1, "pages": [], "problems": []}'}  # fmt: skip
    monkeypatch.chdir(write(tmp_path, files))


@pytest.mark.usefixtures("_states")
@pytest.mark.parametrize("words", COMMANDS)
def test_an_interruption_at_any_moment_is_one_line(words: str, capsys: Capsys) -> None:
    """Count the calls of a whole run, and interrupt others at some of them."""
    main(words.split())
    with interrupted_at(0) as calls:  # Without what is loaded and remembered.
        main(words.split())
    for number in range(1, 61):
        capsys.readouterr()
        with interrupted_at(2 + number * (calls[0] - 8) // 61):
            assert main(words.split()) == 130
        assert capsys.readouterr().err.endswith("sitemap-plugin: interrupted\n")
        assert not list(Path().rglob(".*"))


@pytest.mark.usefixtures("_states")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("words", [*COMMANDS[:2], "--version"])
@pytest.mark.parametrize(
    ("output", "status", "told"), [("> /dev/full", 1, FULL), (">&-", 0, ""), ("| true", 0, "")]
)
def test_whatever_becomes_of_the_output_there_is_no_traceback(
    words: str, output: str, status: int, told: str
) -> None:
    command = ["sh", "-c", f'"$@" {output}', "sh", *PROGRAM, *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, told)


def loaded(code: str) -> set[str]:
    """Return the modules of ours that a program has loaded at its end."""
    report = "import sys; print(*(name for name in sys.modules if 'sitemap_plugin' in name))"
    command = [sys.executable, "-c", f"{code}\n{report}"]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return set(result.stdout.splitlines()[-1].split())


def test_nothing_that_reaches_the_network_is_loaded_by_a_build_and_no_command_by_the_help() -> None:
    modules = loaded(BUILDS)
    names = {name for name in loaded(HELP) if name.startswith("sitemap_plugin.commands.")}

    assert "sitemap_plugin.build" in modules
    assert not [name for name in modules if ".commands.web" in name or ".indexnow" in name]
    assert names == {"sitemap_plugin.commands.cli"}


@pytest.mark.usefixtures("_states")
def test_a_password_is_not_shown(capsys: Capsys) -> None:
    for target in ("http:user:pw9@example.org/", "https://user:pw9@example.org/x"):
        for words in (["diff", target, "new"], ["check", target]):
            assert main(words) == 2
            assert "pw9" not in capsys.readouterr().err
