"""Events to JSON text and back, for ever.

The JSON is plain, with two exceptions that JSON cannot say: text that databases refuse is marked as in `db.text`, and
a float that is not finite is the string U+FDD0 followed by `nan`, `inf` or `-inf`. The way back is exact, for real text
holding U+FDD0 is marked itself. Every payload is read back before it is accepted: the log holds nothing undecodable.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from os import PathLike, fspath
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args, get_origin

import msgspec

from db.errors import EventTooNew, InvalidEvent
from db.events.base import Event, event_class
from db.text import MARK, restored, storable

_NON_FINITE = {f"{MARK}nan": math.nan, f"{MARK}inf": math.inf, f"{MARK}-inf": -math.inf}
_LONGEST_REPR = 1000
# What encoding and decoding raise for values that do not fit; a lone surrogate is a ValueError.
_REFUSALS = (msgspec.ValidationError, TypeError, ValueError, OverflowError, RecursionError)


def encode(event: Event) -> str:
    """The payload of an event as JSON text; a field of the wrong type is an `InvalidEvent` that names it."""
    cls = type(event)
    read, nullable = _KITS.get(cls) or _kit(cls)
    try:
        payload = _write(event).decode()
        hard = not (payload.isascii() and "\\" not in payload) and ("\\u0000" in payload or MARK in payload)
        if not hard and not (nullable and "null" in payload and _any_non_finite(event, nullable)):
            read(payload)
            return payload
    except _REFUSALS:
        pass  # perhaps only because plain JSON cannot say it: a NaN becomes null
    try:
        payload = to_json(event)
        decode(cls.type, cls.version, payload)
    except _REFUSALS as error:
        raise InvalidEvent(type=cls.type, problem=str(error)) from error
    return payload


def decode(type_name: str, version: int, payload: str) -> Event:
    """The event behind a stored payload, brought up to the present version of its class."""
    cls = event_class(type_name)
    if version == cls.version and MARK not in payload:
        read, _ = _KITS.get(cls) or _kit(cls)
        return read(payload)
    if version > cls.version:
        raise EventTooNew(type=type_name, found=version, known=cls.version)
    values = from_json(payload)
    for old in range(version, cls.version):
        values = getattr(cls, f"upcast_v{old}")(values)
    return msgspec.convert(values, cls)


def to_json(value: Any) -> str:
    """Plain values as JSON text under the rules of this module."""
    return _write(_soften(value)).decode()


def from_json(text: str) -> Any:
    """The plain values behind such a text."""
    return _harden(msgspec.json.decode(text))


def salvage(event: Event) -> tuple[Event, list[str]]:
    """An event that can be stored, and the names of the fields that had to give way.

    One value of a wrong type must not cost the fact: text fields keep a description of the value, the rest fall back
    to their default or to a neutral value of their type.
    """
    values: dict[str, Any] = {}
    lost: list[str] = []
    for field in msgspec.structs.fields(type(event)):
        value = getattr(event, field.name)
        try:
            values[field.name] = _checked(value, field.type)
        except _REFUSALS:
            lost.append(field.name)
            values[field.name] = _stand_in(value, field)
    return type(event)(**values), lost


def describe(value: Any) -> str:
    """A bounded description of any object, even of one whose `repr` raises."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} whose repr raised {type(error).__name__}>"
    return text if len(text) <= _LONGEST_REPR else text[: _LONGEST_REPR - 1] + "…"


def _foreign(value: Any) -> Any:
    """The plain form of an object that JSON does not know: paths, array scalars, else a description."""
    if isinstance(value, PathLike):
        return fspath(value)
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return value.item()
    return describe(value)


_write = msgspec.json.Encoder(enc_hook=_foreign).encode


# For each event class, made when it is first met: the method that reads its payload, and the fields that may be null.
# The encoder writes a float that is not finite as null; where null is not allowed, reading the payload finds that out.
_Kit: TypeAlias = tuple[Callable[[str], Event], tuple[str, ...]]
_KITS: dict[type[Event], _Kit] = {}


def _kit(cls: type[Event]) -> _Kit:
    nullable = tuple(field.name for field in msgspec.structs.fields(cls) if _allows_null(field.type))
    kit = _KITS[cls] = (msgspec.json.Decoder(cls).decode, nullable)
    return kit


def _allows_null(annotation: Any) -> bool:
    if annotation in (Any, None, NoneType):
        return True
    return any(_allows_null(part) for part in get_args(annotation) if not isinstance(part, str))


def _any_non_finite(event: Event, names: tuple[str, ...]) -> bool:
    return any(_holds_non_finite(getattr(event, name)) for name in names)


def _holds_non_finite(value: Any) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    if value is None or isinstance(value, (str, int)):
        return False
    if isinstance(value, dict):
        return any(map(_holds_non_finite, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(_holds_non_finite, value))
    return getattr(value, "shape", None) == () and _holds_non_finite(_foreign(value))


def _soften(value: Any) -> Any:
    """The same values with hard text and non-finite floats marked."""
    if isinstance(value, str) and not isinstance(value, Enum):
        return storable(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else f"{MARK}{float(value)}"
    if isinstance(value, msgspec.Struct):
        return {name: _soften(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {_soften(key): _soften(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_soften(item) for item in value]
    if value is None or isinstance(value, (int, Enum)):
        return value
    return _soften(_foreign(value))


def _harden(value: Any) -> Any:
    """The inverse of `_soften` on decoded JSON."""
    if isinstance(value, str):
        return _NON_FINITE[value] if value in _NON_FINITE else restored(value)
    if isinstance(value, dict):
        return {restored(key): _harden(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_harden(item) for item in value]
    return value


def _checked(value: Any, annotation: Any) -> Any:
    return msgspec.convert(from_json(to_json(value)), annotation)


def _is_allowed(value: Any, annotation: Any) -> bool:
    try:
        _checked(value, annotation)
    except _REFUSALS:
        return False
    return True


def _stand_in(value: Any, field: msgspec.structs.FieldInfo) -> Any:
    if field.type is str:
        return describe(value)
    if isinstance(value, dict) and get_origin(field.type) is dict:
        return {key: item for key, item in value.items() if _is_allowed({key: item}, field.type)}
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    # Of a closed set of words the last: the most neutral one, as it happens ("skipped", "infra", `Stage.TEST`).
    words = get_args(field.type) if get_origin(field.type) is Literal else ()
    members = tuple(field.type) if isinstance(field.type, type) and issubclass(field.type, Enum) else ()
    for neutral in (*reversed(words), *reversed(members), math.nan, 0, False, [], {}, None):
        try:
            return msgspec.convert(neutral, field.type)
        except msgspec.ValidationError:
            continue
    raise InvalidEvent(type=field.name, problem=f"no stand-in for {field.type}")
