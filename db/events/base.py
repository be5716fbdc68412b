"""What an event is, and the registry that leads from a stored name back to the class.

An event class is the only declaration of its fact: stored JSON, decoding of old versions, the documentation page and
the argument of every projection follow from it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from db.errors import BadEventClass, UnknownEventType


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A fact about a run or a case, in the past tense.

    `type` is the stored name, so a class may be renamed or moved freely. `version` rises when the shape changes; the
    class then keeps one static method `upcast_v<n>(payload) -> payload` per earlier version, each leading to the next.
    """

    type: ClassVar[str]
    version: ClassVar[int]

    run_id: str

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "type" in cls.__dict__ and cls.__module__ != __name__:
            _register(cls)

    @property
    def stream(self) -> str:
        """The stream this event belongs to."""
        raise NotImplementedError


class RunEvent(Event, frozen=True, kw_only=True):
    """A fact about a whole run; its stream is the run id."""

    @property
    def stream(self) -> str:
        """The run id."""
        return self.run_id


class CaseEvent(Event, frozen=True, kw_only=True):
    """A fact about one case; its stream is the case id, so a stream tells the case's life over all runs."""

    case_id: str

    @property
    def stream(self) -> str:
        """The case id."""
        return self.case_id


_REGISTRY: dict[str, type[Event]] = {}


def _register(cls: type[Event]) -> None:
    other = _REGISTRY.get(cls.type)
    if other is not None and (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
        raise BadEventClass(cls=cls.__qualname__, problem=f"type {cls.type!r} already belongs to {other.__qualname__}")
    version = cls.__dict__.get("version")
    if not isinstance(version, int) or version < 1:
        raise BadEventClass(cls=cls.__qualname__, problem="needs its own `version`, an integer from 1")
    missing = [f"upcast_v{old}" for old in range(1, version) if not hasattr(cls, f"upcast_v{old}")]
    if missing:
        raise BadEventClass(cls=cls.__qualname__, problem=f"is at version {version} but lacks {', '.join(missing)}")
    _REGISTRY[cls.type] = cls


def event_class(type_name: str) -> type[Event]:
    """The class behind a stored name."""
    try:
        return _REGISTRY[type_name]
    except KeyError:
        raise UnknownEventType(type=type_name) from None


def event_classes() -> tuple[type[Event], ...]:
    """Every registered class, in order of stored names."""
    return tuple(_REGISTRY[name] for name in sorted(_REGISTRY))
