"""Text that every database takes and gives back unchanged.

NUL is refused by PostgreSQL and a lone surrogate by every UTF-8 encoder, yet both turn up in test ids and messages. We
mark such a character with U+FDD0, a code point that Unicode reserves as never being text, followed by four hex digits;
U+FDD0 itself is marked the same way, so the way back is exact.
"""

from __future__ import annotations

import re

MARK = "\ufdd0"
_HARD = re.compile("[\x00\ud800-\udfff\ufdd0]")
_MARKED = re.compile(f"{MARK}([0-9a-f]{{4}})")


def storable(text: str) -> str:
    """The text with NUL and lone surrogates marked; nearly always the very same object."""
    if text.isascii() and "\0" not in text:
        return text
    return _HARD.sub(lambda hard: f"{MARK}{ord(hard[0]):04x}", text)


def restored(text: str) -> str:
    """The text that `storable` was given."""
    return _MARKED.sub(lambda marked: chr(int(marked[1], 16)), text) if MARK in text else text
