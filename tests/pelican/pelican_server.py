"""Run Pelican for many tests: imported once, then forked for each job, so that none sees another.

Reads jobs as JSON, one a line, and answers each with Pelican's exit status.
"""

import functools
import json
import os
import runpy
import sys
import tempfile
import time
import traceback
from typing import Any

import jinja2
import pelican
import pelican.plugins.sitemap_plugin

import sitemap_plugin_pelican  # noqa: F401 - imported once for all


def run(job: dict[str, Any]) -> int:
    """Run Pelican, or a script in its Python, as its own program would."""
    os.chdir(job["folder"])
    os.environ.update(job["environment"])
    time.tzset()
    log = os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.path[0] = job["folder"]
    sys.argv = ["pelican", *job["arguments"]]
    try:
        if job["arguments"][:1] == ["script.py"]:
            runpy.run_path("script.py", run_name="__main__")
        else:
            pelican.main(job["arguments"])  # type: ignore[attr-defined] # untyped
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 - as Python itself would tell it
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    """Answer jobs until there are no more; compiled templates are kept from one to the next."""
    answers = os.fdopen(os.dup(1), "w")
    templates = tempfile.TemporaryDirectory()
    cache = jinja2.FileSystemBytecodeCache(templates.name)
    kept = functools.partialmethod(jinja2.Environment.__init__, bytecode_cache=cache)
    jinja2.Environment.__init__ = kept  # type: ignore[assignment]
    for line in sys.stdin:
        child = os.fork()
        if not child:
            status = run(json.loads(line))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


if __name__ == "__main__":
    main()
