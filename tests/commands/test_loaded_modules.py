"""Nothing that reaches the network is loaded unless a command asks for it."""

from __future__ import annotations

import subprocess
import sys

from markdown_text import ROOT

BUILDS = (
    "import sitemap_plugin.build, sitemap_plugin_folder.build_command, sitemap_plugin_mkdocs, "
    "sitemap_plugin.commands.check.run"
)
HELP = (
    "from sitemap_plugin.commands.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
)


def loaded(code: str) -> set[str]:
    """Return the modules of ours that a program has loaded at its end."""
    report = "import sys; print(*(name for name in sys.modules if 'sitemap_plugin' in name))"
    command = [sys.executable, "-c", f"{code}\n{report}"]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    return set(result.stdout.splitlines()[-1].split())


def test_no_build_loads_what_reaches_the_network() -> None:
    modules = loaded(BUILDS)

    assert "sitemap_plugin.build" in modules
    assert not [name for name in modules if name.startswith("sitemap_plugin.commands.web")]
    assert not [name for name in modules if name.startswith("sitemap_plugin.commands.indexnow")]


def test_the_help_of_all_commands_loads_none_of_them() -> None:
    loaded_commands = {name for name in loaded(HELP) if name.startswith("sitemap_plugin.commands.")}

    assert loaded_commands == {"sitemap_plugin.commands.cli"}
