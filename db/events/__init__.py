"""The event classes: the contract between those who record facts and those who answer questions from them."""

from db.events.base import CaseEvent, Event, RunEvent, event_class, event_classes
from db.events.case import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseDeselected,
    CaseExecuted,
    CaseSkipped,
    CaseSpecialized,
    GoldenComputed,
    NondeterminismObserved,
    StageEvent,
    StageFailed,
    StageReused,
)
from db.events.codec import decode, encode, from_json, salvage, to_json
from db.events.envelope import Envelope, Recorded, seal
from db.events.run import RunAborted, RunFinished, RunStarted
from db.events.test import TestReported

__all__ = [
    "CaseCollected",
    "CaseCompared",
    "CaseCompiled",
    "CaseDeselected",
    "CaseEvent",
    "CaseExecuted",
    "CaseSkipped",
    "CaseSpecialized",
    "Envelope",
    "Event",
    "GoldenComputed",
    "NondeterminismObserved",
    "Recorded",
    "RunAborted",
    "RunEvent",
    "RunFinished",
    "RunStarted",
    "StageEvent",
    "StageFailed",
    "StageReused",
    "TestReported",
    "decode",
    "encode",
    "event_class",
    "event_classes",
    "from_json",
    "salvage",
    "seal",
    "to_json",
]
