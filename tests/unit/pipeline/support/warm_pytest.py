"""Runs pytest sessions in forks of a process that has imported torch, since importing it takes longer than they do.

One JSON line per session comes in: folder, arguments, output file. One line goes out: the exit status.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import db.recorder  # noqa: F401
import pipeline.case_hooks
import pipeline.runner
import pipeline.st  # noqa: F401


def main() -> None:
    """Serve until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            run(request)
        status = os.waitpid(child, 0)[1]
        print(os.waitstatus_to_exitcode(status), flush=True)


def run(request: dict[str, Any]) -> None:
    """Be a session, and end with its status."""
    os.chdir(request["folder"])
    output = Path(request["output"]).open("w")
    for descriptor in (1, 2):
        os.dup2(output.fileno(), descriptor)
    sys.argv = ["pytest"]
    status = pytest.main(["-W", "ignore::pytest.PytestAssertRewriteWarning", *request["arguments"]])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(status))


if __name__ == "__main__":
    main()
