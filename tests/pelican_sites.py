"""Small Pelican sites, built by a real Pelican in a process of its own."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from files import run_program, write_files
from sitemaps import Url, read_sitemap

ROOT = Path(__file__).parents[1]
HERE = ROOT / ".venv-pelican" / Path(sys.executable).parent.name / "pelican"
PELICAN = Path(os.environ.get("SITEMAP_PLUGIN_PELICAN") or HERE)
needs_pelican = pytest.mark.skipif(not PELICAN.exists(), reason=f"there is no Pelican at {PELICAN}")

Server = subprocess.Popen[str]  # It builds sites; see pelican/pelican_server.py.
AT_START = {"PYTHONHASHSEED", "COLUMNS"}  # Variables that are read when a process starts.

DEFAULTS: dict[str, Any] = {
    "SITENAME": "Test", "SITEURL": "https://example.org", "AUTHOR": "Ada", "TIMEZONE": "UTC",
    "THEME": "simple", "PATH": "content", "PLUGINS": ["sitemap_plugin"], "FEED_ALL_ATOM": None,
    "CATEGORY_FEED_ATOM": None, "TRANSLATION_FEED_ATOM": None, "AUTHOR_FEED_ATOM": None,
    "AUTHOR_FEED_RSS": None,
}  # fmt: skip


@dataclass(frozen=True)
class Build:
    """What one run of Pelican said and wrote."""

    status: int
    text: str
    output: Path

    @property
    def sitemap(self) -> Path:
        return self.output / "sitemap.xml"

    @property
    def entries(self) -> dict[str, Url]:
        """The sitemap's entries by what follows the base URL."""
        return {
            url.loc.removeprefix("https://example.org/"): url for url in read_sitemap(self.sitemap)
        }

    @property
    def paths(self) -> list[str]:
        return list(self.entries)

    def said(self, *words: str) -> bool:
        """Tell whether one line of the output holds all the words."""
        return any(all(word in line for word in words) for line in self.text.splitlines())


@dataclass
class Site:
    """A Pelican site in a temporary folder."""

    folder: Path
    program: Path
    environment: Mapping[str, str]
    settings: dict[str, Any] = field(default_factory=dict)
    server: Server | None = None

    def write(self, name: str, text: str) -> Path:
        write_files(self.folder, {name: textwrap.dedent(text).lstrip("\n")})
        return self.folder / name

    def article(self, name: str, text: str = "", *, date: str | None = "2024-05-06") -> Path:
        lines = [f"Title: {Path(name).stem}", f"Date: {date}" if date else "", *text.split("\n")]
        header = "\n".join(line.strip() for line in lines if line.strip())
        return self.write(f"content/{name}", f"{header}\n\nText.\n")

    def page(self, name: str, text: str = "") -> Path:
        return self.article(f"pages/{name}", text, date=None)

    def configure(self, extra: str = "") -> Path:
        values = {**DEFAULTS, **self.settings}
        lines = [f"{name} = {value!r}" for name, value in values.items()]
        return self.write("pelicanconf.py", "\n".join([*lines, extra]))

    def run(self, *arguments: str, **environment: str) -> Build:
        """Run Pelican on the folder as it is."""
        if self.server is not None and not AT_START & environment.keys():
            return self._serve(arguments, environment)
        program = "python" if arguments[:1] == ("script.py",) else "pelican"
        command: list[str | Path] = [Path(self.program).parent / program, *arguments]
        env = {**self.environment, **environment}
        ran = subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )
        return self._built(ran.returncode, ran.stdout + ran.stderr)

    def _serve(self, arguments: tuple[str, ...], environment: Mapping[str, str]) -> Build:
        server, log = self.server, self.folder / "pelican.log"
        assert server and server.stdin and server.stdout  # noqa: PT018 - for the type checker
        job = {
            "folder": str(self.folder), "arguments": arguments,
            "environment": environment, "log": str(log),
        }  # fmt: skip
        server.stdin.write(json.dumps(job) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        return self._built(status, log.read_text(encoding="utf-8"))

    def _built(self, status: int, text: str) -> Build:
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        return Build(status, lines, self.folder / "output")

    def build(self, *arguments: str, extra: str = "", **environment: str) -> Build:
        """Build the site and expect success and a valid sitemap of served URLs."""
        self.configure(extra)
        (self.folder / "content").mkdir(exist_ok=True)
        build = self.run(*arguments, **environment)
        assert build.status == 0, build.text
        if build.sitemap.exists() and "<url>" in build.sitemap.read_text("utf-8"):
            _check_served(build)
        return build


def run_pelican(folder: Path, *arguments: str) -> str:
    """Run Pelican with the plugin of this repository; return what it says."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "adapters")])
    env = {"PATH": os.defpath, "HOME": str(folder), "COLUMNS": "500", "PYTHONPATH": paths}
    return run_program(PELICAN, *arguments, cwd=folder, env=env)


def _check_served(build: Build) -> None:
    """Check that each URL of the site is one that a web server answers from a written file."""
    for path in build.entries:
        file = build.output / unquote(path)
        candidates = (file, file.with_name(f"{file.name}.html"), file / "index.html")
        assert any(file.is_file() for file in candidates), f"{path} is not served"
