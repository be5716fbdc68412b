"""Write `docs/events.md`, the catalogue of events, from the classes.

python -m db.events.docs
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from db.events import CaseEvent, Event, event_classes
from db.events.codec import from_json, to_json
from db.events.examples import example

COMMAND = "python -m db.events.docs"
PAGE = Path(__file__).parents[2] / "docs" / "events.md"

_INTRODUCTION = f"""\
# Events

What the log can hold, generated from the classes in `db/events/` by `{COMMAND}`. Each event is stored with its
position in the log, an `event_id` (UUIDv7: delivering it twice stores it once), its stream, its version in that stream,
its type and schema version, its run and the time it was recorded (UTC, nanoseconds).

Payloads are JSON, with two additions that JSON cannot express. A float that is not finite is the character U+FDD0
followed by `nan`, `inf` or `-inf`; below, U+FDD0 is shown as `\\ufdd0`. NUL, lone surrogates and U+FDD0 itself are
U+FDD0 followed by their four hex digits. Old payloads are never rewritten: a class whose shape changes raises its
version and reads the old ones through an upcaster.
"""


def render() -> str:
    """The whole page."""
    classes = sorted(event_classes(), key=lambda cls: (not cls.type.startswith("run."), cls.type))
    rows = "".join(f"| `{cls.type}` | {cls.version} | {_first_line(cls)} |\n" for cls in classes)
    table = f"| stored name | version | fact |\n|---|---|---|\n{rows}"
    return "\n".join([_INTRODUCTION, table, *map(_section, classes)])


def _section(cls: type[Event]) -> str:
    stream = "`case_id`" if issubclass(cls, CaseEvent) else "`run_id`"
    hints = get_type_hints(cls)
    fields = "".join(
        f"| `{field.name}` | {_type(hints[field.name])} | {_default(field)} |\n"
        for field in msgspec.structs.fields(cls)
    )
    payload = msgspec.json.format(to_json(from_json(to_json(example(cls.type)))), indent=2).replace("\ufdd0", "\\ufdd0")
    return (
        f"## `{cls.type}`\n\n{inspect.getdoc(cls)}\n\n"
        f"Class `{cls.__name__}`, version {cls.version}, stream {stream}.\n\n"
        f"| field | type | default |\n|---|---|---|\n{fields}\n```json\n{payload}\n```\n"
    )


def _first_line(cls: type[Event]) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0]


def _type(annotation: Any) -> str:
    name = annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else annotation
    return f"`{str(name).replace('typing.', '')}`".replace("|", "\\|")


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return ""
    if field.default_factory is not msgspec.NODEFAULT:
        return f"`{field.default_factory()!r}`"
    return f"`{field.default!r}`"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
