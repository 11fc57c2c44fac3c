"""Run every benchmark, show what it prints, and put it into benchmarks/README.md.

``--quick`` runs small sizes once, to see that all of them still run; the README is then left alone.
"""

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INTRODUCTION = """# Benchmarks

Made by `make bench` on {machine}.

What counts are the ratios, each against a reference that was measured in the same run; the seconds
depend on the machine and on what else it did. Times are CPU times unless said otherwise, and each
figure is the median of interleaved rounds. Nothing here is asserted by a test.
"""
BENCHMARKS = {
    "writing": ("Writing", ("--entries", "10000", "100000", "1000000")),
    "pipeline": ("The whole pipeline", ()),
    "builds": ("Whole builds", ()),
    "git_dates": ("Dates from git", ()),
    "html_head": ("A rendered page", ()),
    "checking": ("Checking", ()),
}


def main() -> int:
    """Run the benchmarks one after the other; return 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"all by default: {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round")
    arguments = parser.parse_args()
    parts = [INTRODUCTION.format(machine=machine())]
    failed = False
    for name in arguments.names or BENCHMARKS:
        title, settings = BENCHMARKS[name]
        chosen = ("--quick",) if arguments.quick else settings
        print(f"\n## {title}\n", flush=True)
        result = subprocess.run(
            [sys.executable, HERE / f"{name}.py", *chosen],
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        print(result.stdout, flush=True)
        failed |= result.returncode != 0
        parts.append(f"## {title}\n\n{result.stdout.strip()}\n")
    if not failed and not arguments.quick and not arguments.names:
        (HERE / "README.md").write_text("\n".join(parts), encoding="utf-8")
    return int(failed)


def machine() -> str:
    """Return what the benchmarks ran on, without the machine's name."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line for line in cpuinfo.read_text().splitlines() if "model name" in line]
        processor = models[0].partition(":")[2].strip() if models else processor
    return (
        f"{os.cpu_count()} processors ({processor}), {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


if __name__ == "__main__":
    sys.exit(main())
