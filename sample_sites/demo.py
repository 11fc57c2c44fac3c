"""Build every sample site and show its summary and the first entries of its sitemap."""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITES = ROOT / "sample_sites"
OUTPUT = ROOT / "build" / "demo"
FIRST = 5


def main() -> int:
    """Build the sites one after the other; return 1 if one of them fails."""
    # The folder adapter writes into the folder that it is given.
    for name in ("html", "zensical"):
        shutil.rmtree(OUTPUT / name, ignore_errors=True)
        shutil.copytree(SITES / name / "site", OUTPUT / name)
    failed = [name for name, command in commands().items() if not show(name, command)]
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


def commands() -> dict[str, list[str]]:
    """Return the command that builds each site."""
    mkdocs = str(ROOT / ".venv/bin/mkdocs")
    pelican = str(ROOT / ".venv-pelican/bin/pelican")
    built = {
        name: [mkdocs, "build", "-f", str(SITES / name / "mkdocs.yml"), "-d", str(OUTPUT / name)]
        for name in sorted(path.parent.name for path in SITES.glob("*/mkdocs.yml"))
    }
    built["pelican"] = [
        pelican, str(SITES / "pelican/content"), "-s", str(SITES / "pelican/pelicanconf.py"),
        "-o", str(OUTPUT / "pelican"),
    ]  # fmt: skip
    program = str(ROOT / ".venv/bin/sitemap-plugin")
    built |= {name: [program, "build", str(OUTPUT / name)] for name in ("html", "zensical")}
    built["sphinx"] = [str(ROOT / ".venv/bin/sphinx-build"), ".", str(OUTPUT / "sphinx"), "-E"]
    return built


def show(name: str, command: list[str]) -> bool:
    """Build one site and print what the user would look at."""
    print(f"\n== sample_sites/{name}")
    result = subprocess.run(command, check=False, capture_output=True, text=True, cwd=SITES / name)
    if result.returncode:
        print(result.stdout + result.stderr)
        return False
    for line in (result.stdout + result.stderr).splitlines():
        if "sitemap" in line.lower() and "template skipped" not in line.lower():
            print(line.replace(str(ROOT) + "/", ""))
    text = (OUTPUT / name / "sitemap.xml").read_text(encoding="utf-8")
    lines = text.splitlines()
    ends = [index for index, line in enumerate(lines) if "</url>" in line]
    end = ends[min(FIRST, len(ends)) - 1]
    print("\n".join(itertools.chain(lines[: end + 1], ["..."] if len(ends) > FIRST else [])))
    return True


if __name__ == "__main__":
    sys.exit(main())
