"""One digest for one cause: what two failures must share to be the same failure."""

from __future__ import annotations

import hashlib
import re

from db.outcome import Stage

# In this order: what is long and particular goes before the numbers inside it.
_NOISE = (
    (re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]"), ""),  # colours of a terminal
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"), "<time>"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"), "<time>"),
    (re.compile(r"\b[A-Za-z]:\\[^\s:;,'\"<>|)\]]+"), "<path>"),
    (re.compile(r"(?<![\w<.])(?:~|\.{1,2})?(?:/[^\s/:;,'\"<>|)\]]+)+/?"), "<path>"),
    (re.compile(r"\b(?:[\w.+-]+/)+[\w.+-]+\.\w+\b"), "<path>"),
    (re.compile(r"\b0[xX][0-9a-fA-F]+\b"), "<address>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b"), "<id>"),
    (re.compile(r"\b\d+(?:x\d+)+\b"), "<n>"),  # shapes
    (re.compile(r"(?<![A-Za-z_\d.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_\d])"), "<n>"),
    (re.compile(r"(?<=\w)_\d+\b"), "_<n>"),  # numbered names of generated code
    (re.compile(r"(?<=<path>)(?::<n>)+"), ""),
    (re.compile(r"\bline <n>"), "line"),
    (re.compile(r"\s+"), " "),
)

_ENOUGH = 5000  # characters: a cause shows early, and some patterns are quadratic in hostile text


def normalize(message: str) -> str:
    """The message without what differs between two runs of one cause: paths, addresses, ids, times, numbers."""
    message = message[:_ENOUGH]
    for pattern, replacement in _NOISE:
        message = pattern.sub(replacement, message)
    return message.strip()


def signature(stage: Stage | str, error_type: str, message: str, frame: str = "") -> str:
    """The hex digest of a failure's cause.

    `frame` is the first frame of ours or the user's, such as "kernel.py:softmax", whose line number does not count. For
    the compare stage the message is the shape of the mismatch ("c: scattered, 10^3 over limit"), which holds no noise:
    its decade is part of the cause and stays.
    """
    stage = Stage(stage)
    cause = " ".join(message.split()) if stage is Stage.COMPARE else normalize(message)
    text = "\0".join((stage.value, error_type, cause, normalize(frame)))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
