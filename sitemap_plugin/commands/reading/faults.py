"""What can be wrong with a sitemap or its site; ``faults.toml`` has all codes and their texts."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sitemap_plugin.common.text import shown
from sitemap_plugin.errors import Severity

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "notice")

_LONGEST = {"reason": 500, "cure": 500}  # These are sentences.


class FaultRule(NamedTuple):
    """What a code stands for."""

    severity: Severity
    summary: str


class Fault(NamedTuple):
    """Something wrong with a file or a value: a code, what is wrong, and how to cure it."""

    code: str
    message: str
    cure: str


_TEXTS: Mapping[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
RULES: Mapping[str, FaultRule] = MappingProxyType(
    {code: FaultRule(texts["severity"], texts["summary"]) for code, texts in _TEXTS.items()}
)


def fault(key: str, **values: str | int) -> Fault:
    """Create a fault from a code, or a code and a variant as ``empty.file``, and any values."""
    code, _, variant = key.partition(".")
    texts = {**_TEXTS[code], **_TEXTS[code].get(variant, {})}
    said = {
        name: shown(value, _LONGEST.get(name, 120)) if isinstance(value, str) else value
        for name, value in values.items()
    }
    return Fault(code, texts["message"].format_map(said), texts["cure"].format_map(said))
