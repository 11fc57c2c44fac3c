"""Show where the time of a MkDocs build goes in this plugin."""

import argparse
import os
import pstats
import subprocess
import sys
import tempfile
from pathlib import Path

from builds import commit_all, make_mkdocs


def main() -> None:
    """Profile a build and print this plugin's share, function by function."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--lines", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_mkdocs(folder, arguments.pages)
        commit_all(folder)
        output = folder / "profile"
        profiled = (sys.executable, "-m", "cProfile", "-o", str(output), "-m")
        subprocess.run(
            [*profiled, "mkdocs", "build", "-q", "-f", "with.yml"],
            check=True,
            cwd=folder,
            env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        )
        stats = pstats.Stats(str(output))
    stats.sort_stats("cumulative").print_stats("sitemap_plugin", arguments.lines)


if __name__ == "__main__":
    main()
