"""Text from tests made safe to print: ids and messages are hostile input.

Control characters (a terminal obeys them), direction overrides (they reorder the line) and lone surrogates (no encoding
takes them) are shown as escapes; everything else, CJK included, stays as it is.
"""

from __future__ import annotations

import re
import unicodedata

# C0, DEL, C1; zero-width and direction marks and overrides; line and paragraph separators; surrogates; BOM.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")
_COLOUR = re.compile(r"\x1b\[[\d;]*m")  # pytest and compilers colour their output when told to
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def one_line(text: str) -> str:
    """`text` on one line, with every unprintable character as a visible escape."""
    return _UNPRINTABLE.sub(_escape, text)


def block(text: str) -> list[str]:
    """`text` as printable lines: breaks and tabs keep their meaning, colours are dropped, the rest is escaped."""
    plain = _COLOUR.sub("", text).replace("\r\n", "\n")
    return [one_line(line.expandtabs(4)) for line in plain.split("\n")]


def shorten(text: str, width: int) -> str:
    """`text` in at most `width` terminal cells, its end replaced by an ellipsis when it is longer."""
    if cells(text) <= width:
        return text
    kept, used = [], 0
    for character in text:
        used += cells(character)
        if used > width - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def shorten_middle(text: str, width: int) -> str:
    """`text` in at most `width` cells, keeping both ends: for ids, whose end tells platform and planner."""
    if cells(text) <= width:
        return text
    tail = shorten(text[::-1], width // 2)[::-1].removeprefix("…")
    return shorten(text, width - cells(tail)) + tail


def pad(text: str, width: int, right: bool = False) -> str:
    """`text` filled with blanks to `width` cells."""
    blanks = " " * max(0, width - cells(text))
    return blanks + text if right else text + blanks


def cells(text: str) -> int:
    """Terminal cells that `text` takes: wide East Asian characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
