"""Whole folders of HTML as data, in the folder ``cases``."""

from pathlib import Path

import pytest

from case_files import BASE, compare, lay_out, parametrize
from sitemap_plugin.commands.cli import main


@parametrize(__file__)
def test_case(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = lay_out(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    own = {"mkdocs.yml", "zensical.toml"} & {file.name for file in tmp_path.iterdir()}
    usual = [] if own else ["site", f"--base-url={BASE}/"]
    log: list[str] = []
    for arguments in case.builds:
        status = main(["build", *usual, *arguments])
        out, err = capsys.readouterr()
        lines = f"{err}{out}".replace(f"{tmp_path}/", "").splitlines()
        log = log or [*lines, *([f"exit {status}"] if status else [])]

        compare(case, tmp_path / "site", log)
