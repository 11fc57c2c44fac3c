"""Whether a sitemap and its gzipped twin hold the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sitemap_plugin.commands.check.findings import FileFindings, Findings
from sitemap_plugin.commands.check.source import Content, is_gzip_name

__all__ = ["compare_twin"]


def compare_twin(path: Path, findings: Findings) -> None:
    """Compare a sitemap with the file beside it whose name is the same with ``.gz``."""
    twin = path.with_name(f"{path.name}.gz")
    if is_gzip_name(path.name) or not twin.is_file():
        return
    found = findings.for_file(twin)
    try:
        same = _digest(path, Findings().for_file(path)) == _digest(twin, found)
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        found.add("unreadable", message, "Make it readable for the user who runs the check.")
        return
    if not same:
        message = f"The file does not hold the same as {path.name}."
        found.add("twin-differs", message, "Remove it, or pack the sitemap again.")


def _digest(path: Path, found: FileFindings) -> bytes:
    digest = hashlib.blake2b()
    for chunk in Content(path, found):
        digest.update(chunk)
    return digest.digest()
