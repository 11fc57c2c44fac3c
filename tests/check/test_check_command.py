"""The command line: what it takes, what it writes, and how it ends."""

import json
from pathlib import Path

import pytest

from check.example import BASE, entry, urlset, write
from files import read_table
from sitemap_plugin.commands.cli import main

CASES = read_table(__file__, "check_command.yaml")

GOOD = urlset(entry())
WARNING = urlset(entry("#a"))
ERROR = urlset("<loc>/a</loc>")


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        (GOOD, "--fail-on notice", 0),
        (WARNING, "", 0),
        (WARNING, "--fail-on warning", 1),
        (WARNING, "--fail-on notice", 1),
        (ERROR, "", 1),
        (ERROR, "--fail-on warning", 1),
        (ERROR, "--fail-on never", 0),
        (ERROR, "--ignore loc-not-absolute", 0),
        (ERROR, "--ignore loc-fragment --ignore empty", 1),
    ],
)
def test_the_exit_status_tells_whether_something_grave_was_found(
    text: str, options: str, status: int, tmp_path: Path
) -> None:
    write(tmp_path, {"sitemap.xml": text})

    assert main(["check", str(tmp_path / "sitemap.xml"), *options.split()]) == status


@pytest.mark.parametrize("arguments", CASES["wrong usage ends with 2"])
def test_wrong_usage_ends_with_2(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["check", *arguments.split()])

    assert exit_.value.code == 2
    assert "usage: sitemap-plugin" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.xml"], "missing.xml"),
        (["http://127.0.0.1:1/"], "http://127.0.0.1:1/"),
        (["http://127.0.0.1:1/", "--base-url", BASE], "--base-url is for a file or a folder"),
        (["http://127.0.0.1:1/", "--against", "missing"], "missing is no folder"),
        (["s.xml", "--against", "."], "--against is for a published site"),
        (["s.xml", "--output", "s.xml/report.json"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_ends_with_2(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {"s.xml": GOOD})
    monkeypatch.chdir(tmp_path)

    assert main(["check", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_report_goes_to_the_file_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"sitemap.xml": ERROR})
    report, sitemap = tmp_path / "report.json", tmp_path / "sitemap.xml"

    assert main(["check", str(sitemap), "--format", "json", "--output", str(report)]) == 1
    assert capsys.readouterr().out == ""
    assert json.loads(report.read_text(encoding="utf-8"))["codes"] == {"loc-not-absolute": 1}
