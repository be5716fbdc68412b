"""The rules that event classes keep, and how old payloads become new events."""

import pytest

from db.errors import BadEventClass
from db.events import RunEvent, decode, event_class, event_classes
from db.events.base import Event


@pytest.mark.parametrize("cls", event_classes(), ids=lambda cls: cls.type)
def test_every_class_states_its_name_and_is_documented(cls):
    assert cls.__dict__["type"] == cls.type
    assert cls.version >= 1
    assert cls.__doc__
    assert cls.__struct_config__.frozen
    assert event_class(cls.type) is cls


def test_two_classes_cannot_share_a_name(registry):
    with pytest.raises(BadEventClass, match=r"already belongs to RunAborted"):

        class Impostor(RunEvent, frozen=True, kw_only=True):
            """Not the first."""

            type = "run.aborted"
            version = 1


def test_a_class_needs_its_version(registry):
    with pytest.raises(BadEventClass, match="version"):

        class Unversioned(RunEvent, frozen=True, kw_only=True):
            """Forgot it."""

            type = "run.unversioned"


def test_a_raised_version_needs_an_upcaster(registry):
    with pytest.raises(BadEventClass, match="lacks upcast_v2"):

        class Changed(RunEvent, frozen=True, kw_only=True):
            """Remembers only one of its two forms."""

            type = "run.changed"
            version = 3

            @staticmethod
            def upcast_v1(payload):
                return payload


def test_old_payloads_go_through_every_upcaster(registry):
    class Renamed(RunEvent, frozen=True, kw_only=True):
        """A fact with two earlier forms."""

        type = "run.renamed"
        version = 3

        seconds: float
        compiler: str

        @staticmethod
        def upcast_v1(payload):
            return {**payload, "compiler": "unknown"}

        @staticmethod
        def upcast_v2(payload):
            return {"run_id": payload["run_id"], "seconds": payload["ms"] / 1000, "compiler": payload["compiler"]}

    expected = Renamed(run_id="r", seconds=1.5, compiler="unknown")
    assert decode("run.renamed", 1, '{"run_id": "r", "ms": 1500}') == expected
    assert decode("run.renamed", 2, '{"run_id": "r", "ms": 1500, "compiler": "unknown"}') == expected
    assert decode("run.renamed", 3, '{"run_id": "r", "seconds": 1.5, "compiler": "unknown"}') == expected


def test_the_base_has_no_stream():
    with pytest.raises(NotImplementedError):
        _ = Event(run_id="r").stream
