"""Tables of inputs and what is expected of them, kept as data beside their tests."""

from pathlib import Path
from typing import Any

import yaml


def read_table(module: str, name: str) -> dict[str, list[Any]]:
    """Return the lists of a YAML file beside a test module."""
    text = Path(module).with_name(name).read_text(encoding="utf-8")
    data: dict[str, list[Any]] = yaml.safe_load(text)
    return data
