"""What the package says about the repository's address, which stands in pyproject.toml alone.

hatchling runs this when it builds: it makes `[project.urls]`, and turns the README's links to files
of the repository into absolute ones, because a package index shows the README without the files.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)\)")


class RepositoryAddress(MetadataHookInterface):
    """Fill in what depends on the address of the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README, and the URLs if the address is known."""
        address = str(self.config.get("repository", "")).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        if address:
            metadata["urls"] = urls(address)
            text = with_absolute_links(text, address)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def urls(address: str) -> dict[str, str]:
    """Return the links that a package index shows beside the README."""
    return {
        "Source": address,
        "Documentation": f"{address}/blob/main/docs/index.md",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
        "Security": f"{address}/security/policy",
    }


def with_absolute_links(text: str, address: str) -> str:
    """Return Markdown whose links and pictures lead to the repository."""

    def absolute(match: re.Match[str]) -> str:
        start, target = match.groups()
        kind = "raw" if start.startswith("!") else "blob"
        return f"{start}{address}/{kind}/main/{target})"

    return LINK.sub(absolute, text)
