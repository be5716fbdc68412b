"""The worker process: `python -m pipeline.worker REQUESTS REPLIES LOADER`, both pipes by descriptor number.

It imports once and runs many artifacts. Whatever a kernel does to the process stays in the process; what it prints goes
into files, so no amount of it can block. The verdict is not made here.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import queue
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline import framing
from pipeline.execution import Load, RunRequest, execute, loader

_LONGEST_TEXT = 64 * 1024


def main(arguments: list[str]) -> None:
    """Answer requests until the session closes its pipe."""
    requests, replies = int(arguments[0]), int(arguments[1])
    faulthandler.enable(all_threads=False)
    load = loader(arguments[2])
    inbox: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, inbox), daemon=True).start()
    framing.send(replies, {"ready": os.getpid()})
    while True:
        framing.send(replies, _answer(inbox.get(), load))


def _listen(requests: int, inbox: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Hand requests on. When the session is gone, end at once, even in the middle of a kernel that never returns."""
    try:
        while True:
            inbox.put(framing.receive(requests))
    except framing.Closed:
        os._exit(0)


def _answer(message: dict[str, Any], load: Load) -> dict[str, Any]:
    request = RunRequest.from_json(message)
    try:
        with _output_to(request.logs):
            seconds = execute(request, load)
    except Exception as error:
        return {"error": describe_error(error)}
    return {"seconds": seconds}


def describe_error(error: BaseException) -> dict[str, Any]:
    """An exception as plain values: class and bases by name, text, traceback."""
    return {
        "types": [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__ if kind is not object],
        "text": str(error)[:_LONGEST_TEXT],
        "traceback": "".join(traceback.format_exception(error))[-_LONGEST_TEXT:],
    }


@contextmanager
def _output_to(folder: Path) -> Iterator[None]:
    """Send what this process writes, C++ included, to files while the block runs."""
    folder.mkdir(parents=True, exist_ok=True)
    saved = {}
    try:
        for stream, descriptor in (("stdout", 1), ("stderr", 2)):
            saved[descriptor] = os.dup(descriptor)
            opened = os.open(folder / f"{stream}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, descriptor)
            os.close(opened)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        ctypes.CDLL(None).fflush(None)
        for descriptor, original in saved.items():
            os.dup2(original, descriptor)
            os.close(original)


if __name__ == "__main__":
    main(sys.argv[1:])
