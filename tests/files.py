"""Read the tables of a test, write its files, and run programs on them."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

BIN = Path(sys.executable).parent
Files = Mapping[str, str | bytes]


def read_table(module: str, name: str) -> dict[str, Any]:
    """Return the inputs, and what is expected of them, in a YAML file beside a test module."""
    data: dict[str, Any] = yaml.safe_load(Path(module).with_name(name).read_text("utf-8"))
    return data


def write_files(folder: Path, files: Files) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def run_program(
    *command: str | Path, cwd: Path, env: Mapping[str, str] | None = None, status: int | None = 0
) -> str:
    """Run a program, which has to end with the status; return all that it says."""
    run = subprocess.run(
        command, cwd=cwd, env=env or os.environ, check=False, capture_output=True, text=True
    )
    told = run.stdout + run.stderr
    assert status in {None, run.returncode}, told
    return told
