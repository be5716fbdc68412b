"""``pl.parse`` and ``pl.loads``: programs and functions from text. The text is executed, so it must be trusted."""

from __future__ import annotations

import linecache
import os
from pathlib import Path
from typing import Any

from pypto.frontend.source import parse_module
from pypto.ir.nodes import Function, Program


def parse(text: str, filename: str = "<string>") -> Program | Function:
    """The one program or function that ``text`` defines.

    The language is at hand as ``pl`` when the text does not import it. ParserError where the text is wrong, ValueError
    where it defines nothing or more than one thing.
    """
    parse_module(filename, text)  # mistakes of syntax get their place
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"__name__": "<kernel text>"}
    if "import pypto.language" not in text:
        exec("import pypto.language as pl", scope)
    exec(compile(text, filename, "exec"), scope)
    found = {name: value for name, value in scope.items() if isinstance(value, Program | Function)}
    programs = [name for name, value in found.items() if isinstance(value, Program)]
    if programs:  # functions beside a program are its parts
        found = {name: found[name] for name in programs}
    if len(found) != 1:
        what = f"{len(found)} of them: {', '.join(found)}" if found else "none"
        raise ValueError(f"{filename} must define one program or function, it defines {what}")
    return next(iter(found.values()))


def loads(path: str | os.PathLike[str]) -> Program | Function:
    """The one program or function that the file ``path`` defines."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"{file} does not exist")
    return parse(file.read_text(encoding="utf-8"), str(file))
