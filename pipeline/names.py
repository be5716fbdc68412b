"""Case names: part of an id, of a folder and of a file listing, so they are checked before anything uses them."""

from __future__ import annotations

import hashlib

from pipeline.errors import BadName

LONGEST = 160  # bytes; with platform and planner it must stay a file name everywhere
_REFUSED = {
    "/": "a slash would lead into another folder",
    "\\": "a backslash would lead into another folder",
    "@": "@ separates name, platform and planner in a case id",
    ":": "a colon separates file and test in a node id",
}


def check_name(name: object) -> str:
    """The name, if it can be the name of a case."""
    if not isinstance(name, str):
        raise BadName(name=name, problem=f"is a {type(name).__name__}, no text")
    problem = _problem(name)
    if problem:
        raise BadName(name=name, problem=problem)
    return name


def _problem(name: str) -> str:
    if not name.strip():
        return "is empty"
    if name != name.strip():
        return "starts or ends with blanks"
    if name.startswith("."):
        return "a dot at the start hides its folder or leads out of it"
    for character, reason in _REFUSED.items():
        if character in name:
            return reason
    if not name.isprintable():
        return "holds characters that cannot be printed"
    if len(name.encode("utf-8", "surrogatepass")) > LONGEST:
        return f"is longer than {LONGEST} bytes"
    return ""


def shortened(name: str, limit: int = LONGEST) -> str:
    """The name, or its beginning with a digest of the whole when it is too long or could not be a name."""
    if not _problem(name) and len(name.encode()) <= limit:
        return name
    readable = "".join(c if c.isascii() and (c.isalnum() or c in "._-+=,[]") else "_" for c in name).lstrip(".")
    return f"{readable[: limit - 17]}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
