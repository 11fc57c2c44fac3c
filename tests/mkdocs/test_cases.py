"""Whole MkDocs sites as data, in the folder ``cases``."""

import re
from pathlib import Path

import pytest

from case_files import compare, lay_out, parametrize
from mkdocs_sites import Built, run_build

SETTINGS = "site_name: Site\nsite_url: https://kiln.example/\ntheme: {name: mkdocs}\n"
_OURS = re.compile(r"sitemap'?: |skipped|'sitemap' option|^ERROR")


@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # In mkdocs-monorepo-plugin.
@parametrize(__file__)
def test_case(path: Path, tmp_path: Path) -> None:
    case = lay_out(path, tmp_path)
    config = tmp_path / "mkdocs.yml"
    given = {line.partition(":")[0] for line in config.read_text().splitlines()}
    missing = [line for line in SETTINGS.splitlines() if line.partition(":")[0] not in given]
    config.write_text("\n".join([*missing, config.read_text()]))
    log: list[str] = []
    for arguments in case.builds:
        built = run_build(tmp_path, *arguments)
        log = log or _own_lines(built)

        assert "Traceback" not in built.log
        compare(case, built.site, log)


def _own_lines(built: Built) -> list[str]:
    lines = [line for line in built.log.splitlines() if _OURS.search(line)]
    shown = [
        re.sub(r" +-  (sitemap: )?", " ", line.replace(f"{built.root}/", "")) for line in lines
    ]
    return [*shown, f"exit {built.status}"] if built.status else shown
