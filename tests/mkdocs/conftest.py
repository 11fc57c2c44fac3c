"""Build real MkDocs and ProperDocs sites in temporary folders."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from files import write_files
from mkdocs_sites import Builder, Built, run_build


@pytest.fixture
def build_site(tmp_path: Path) -> Builder:
    """Return a function that writes a site, builds it with the real command, and returns it.

    ``files`` maps paths below the docs folder to contents; ``options`` are the plugin's,
    ``config`` is the rest of mkdocs.yml.
    """

    def build(
        files: Mapping[str, str | bytes],
        options: Mapping[str, Any] | None = None,
        *arguments: str,
        plugins: list[Any] | None = None,
        command: str = "mkdocs",
        environment: Mapping[str, str] | None = None,
        name: str = "site",
        **config: Any,
    ) -> Built:
        root = tmp_path / name
        write_files(root / "docs", files)
        settings = {
            "site_name": "Site",
            "site_url": "https://example.org/",
            "plugins": [*(plugins or []), {"sitemap": dict(options or {})}],
            **config,
        }
        root.mkdir(parents=True, exist_ok=True)
        (root / "mkdocs.yml").write_text(
            yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), encoding="utf-8"
        )
        return run_build(root, *arguments, command=command, environment=environment)

    return build
