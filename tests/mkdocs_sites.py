"""Build real MkDocs and ProperDocs sites in temporary folders."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from sitemaps import Url, read_sitemap

BIN = Path(sys.executable).parent


class Built(NamedTuple):
    """A finished build: its folders, its log and its exit status."""

    root: Path
    site: Path
    log: str
    status: int

    @property
    def urls(self) -> dict[str, Url]:
        """The sitemap's entries by their path below the base URL."""
        entries = read_sitemap(self.site / "sitemap.xml")
        return {url.loc.removeprefix("https://example.org/"): url for url in entries}

    @property
    def problems(self) -> list[str]:
        """The plugin's own log lines, without its summary."""
        lines = [line for line in self.log.splitlines() if "sitemap: " in line]
        return [line for line in lines if "robots.txt" not in line]


Builder = Callable[..., Built]


def run_build(
    root: Path,
    *arguments: str,
    command: str = "mkdocs",
    environment: Mapping[str, str] | None = None,
) -> Built:
    """Run ``mkdocs build`` or ``properdocs build`` in a folder."""
    result = subprocess.run(
        [BIN / command, "build", "-f", root / "mkdocs.yml", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=root,
        env={
            "PATH": f"{BIN}:/usr/bin:/bin",
            "HOME": str(root),
            "LANG": "C.UTF-8",
            "NO_MKDOCS_2_WARNING": "1",
            "DISABLE_MKDOCS_2_WARNING": "true",
            "XDG_CACHE_HOME": str(root / ".cache"),
            **(environment or {}),
        },
    )
    log = result.stdout + result.stderr
    assert "Traceback" not in log, log
    return Built(root, root / "site", log, result.returncode)
