"""The command line: what it takes, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from check.example import BASE, entry, urlset, write
from sitemap_plugin.commands.cli import COMMANDS, main

GOOD = urlset(entry())
WARNING = urlset(entry("#a"))
ERROR = urlset("<loc>/a</loc>")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "sitemap_plugin.commands.cli", *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={"PATH": os.environ["PATH"], "LANG": "C", "PYTHONIOENCODING": "ascii"},
    )


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        (GOOD, [], 0),
        (GOOD, ["--fail-on", "notice"], 0),
        (WARNING, [], 0),
        (WARNING, ["--fail-on", "warning"], 1),
        (WARNING, ["--fail-on", "notice"], 1),
        (ERROR, [], 1),
        (ERROR, ["--fail-on", "warning"], 1),
        (ERROR, ["--fail-on", "never"], 0),
        (ERROR, ["--ignore", "loc-not-absolute"], 0),
        (ERROR, ["--ignore", "loc-fragment", "--ignore", "empty"], 1),
    ],
)
def test_the_exit_status_tells_whether_something_grave_was_found(
    text: str, options: list[str], status: int, tmp_path: Path
) -> None:
    write(tmp_path, {"sitemap.xml": text})

    assert main(["check", str(tmp_path / "sitemap.xml"), *options]) == status


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check"],
        ["chek", "x"],
        ["check", "x", "--format", "yaml"],
        ["check", "x", "--fail-on", "fatal"],
        ["check", "x", "--base-url", "example.org"],
        ["check", "x", "--ignore", "loc-relative"],
        ["check", "x", "y"],
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)

    assert exit_.value.code == 2
    assert "usage: sitemap-plugin" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["missing.xml", "missing/", "http://127.0.0.1:1/"])
def test_input_that_cannot_be_read_ends_with_2(target: str, tmp_path: Path) -> None:
    result = run("check", target if "://" in target else tmp_path / target)

    assert result.returncode == 2
    assert result.stdout == ""
    assert target.rstrip("/") in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_report_that_cannot_be_written_ends_with_2(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": GOOD})
    result = run(
        "check", tmp_path / "sitemap.xml", "--output", tmp_path / "sitemap.xml" / "report.json"
    )

    assert result.returncode == 2
    assert "cannot be written" in result.stderr


def test_a_report_goes_to_the_file_that_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": ERROR})
    report = tmp_path / "report.json"
    result = run("check", tmp_path / "sitemap.xml", "--format", "json", "--output", report)

    assert (result.returncode, result.stdout) == (1, "")
    assert json.loads(report.read_text(encoding="utf-8"))["codes"] == {"loc-not-absolute": 1}


def test_a_terminal_without_unicode_is_enough(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": urlset(f"<loc>{BASE}\u4e2d</loc>")})
    result = run("check", tmp_path / "sitemap.xml")

    assert (result.returncode, result.stderr) == (1, "")
    assert "%E4%B8%AD" in result.stdout


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    write(tmp_path, {"sitemap.xml": urlset(*("<loc>x</loc>" for _ in range(3000)))})
    command = [sys.executable, "-m", "sitemap_plugin.commands.cli", "check", "--format", "json"]
    with subprocess.Popen(
        [*command, str(tmp_path / "sitemap.xml")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        errors = process.stderr.read()

    assert errors == b""


def test_the_help_names_every_command() -> None:
    result = run("--help")

    assert result.returncode == 0
    assert all(f"    {command.name} " in result.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_explains_itself(command: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([str(getattr(command, "name", "")), "--help"])

    assert exit_.value.code == 0
    assert "options:" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("sitemap-plugin 0.")
