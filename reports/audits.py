"""What a careful reviewer checks besides outcomes: did both runs test the same things, alike, at the same cost?

Rules, which `docs/reports.md` repeats for readers:

* A digest that either side lacks is *unknown*, never equal.
* A margin *drifts* when both sides passed, head uses more than a tenth of the limit, and at least twice what base used.
* A stage time *matters* when, over at least five cases that both runs measured, the median ratio of head to base lies
  outside 0.8 to 1.25 and the totals differ by 50 ms or more; and only when both runs were on one host.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from db import ResultView, RunView, Stage

DRIFT_FROM = 0.1
DRIFT_FACTOR = 2.0
TIME_CASES = 5
TIME_RATIOS = (0.8, 1.25)
TIME_SECONDS = 0.05


class Touched(Enum):
    """What a change moved in a case, from its declaration to its emitted code."""

    INPUTS = "inputs"
    PROGRAM = "program"
    CODE = "emitted code"
    GOLDEN = "golden"
    LIMITS = "limits"


@dataclass(frozen=True)
class Evidence:
    """What moved in one case between two runs, and what either run cannot tell."""

    changed: frozenset[Touched] = frozenset()
    unknown: frozenset[Touched] = frozenset(Touched)

    @property
    def nothing_moved(self) -> bool:
        """All of it is known, and the same: a different outcome then comes from outside the case."""
        return not self.changed and not self.unknown


Pair = tuple[ResultView | None, ResultView | None, Evidence]


@dataclass(frozen=True)
class Items:
    """How many items each run has on one platform; plain tests have the platform ''."""

    platform: str
    base: int
    head: int


@dataclass(frozen=True)
class Identity:
    """How far one kind of content is the same in the cases that both runs have."""

    what: Touched
    same: int
    changed: tuple[str, ...]
    unknown: int


@dataclass(frozen=True)
class LimitChange:
    """A case that is compared in another way than before."""

    case_id: str
    base: str
    head: str


@dataclass(frozen=True)
class MarginDrift:
    """A case that still passes, nearer to its limit."""

    case_id: str
    base: float
    head: float


@dataclass(frozen=True)
class StageTime:
    """What one stage took in the cases that both runs measured."""

    stage: Stage
    cases: int
    base_seconds: float
    head_seconds: float
    ratio: float  # median over the cases
    matters: bool


@dataclass(frozen=True)
class Audits:
    """All that is checked besides outcomes."""

    items: tuple[Items, ...]
    identities: tuple[Identity, ...]
    limits: tuple[LimitChange, ...]
    drifts: tuple[MarginDrift, ...]
    times: tuple[StageTime, ...]
    same_host: bool


def audit(pairs: Sequence[Pair], base: RunView, head: RunView) -> Audits:
    """The audits of two runs, from the pairs of their results and what moved in each."""
    common = [(before, after) for before, after, _ in pairs if before and after]
    moved = [(after, evidence) for before, after, evidence in pairs if before and after]
    return Audits(
        items=_items(pairs),
        identities=tuple(_identity(what, moved) for what in Touched),
        limits=tuple(
            LimitChange(after.case_id, comparison(before), comparison(after))
            for before, after, evidence in pairs
            if before and after and Touched.LIMITS in evidence.changed
        ),
        drifts=_drifts(common),
        times=_times(common),
        same_host=base.host == head.host,
    )


def evidence_between(base: ResultView | None, head: ResultView | None) -> Evidence:
    """What differs in one case between two runs; all is unknown when one of them does not have it."""
    if base is None or head is None:
        return Evidence()
    before, after = _contents(base), _contents(head)
    if before == after and all(before):
        return _UNMOVED
    told = list(zip(Touched, before, after, strict=True))
    return Evidence(
        changed=frozenset(what for what, old, new in told if old and new and old != new),
        unknown=frozenset(what for what, old, new in told if not (old and new)),
    )


_UNMOVED = Evidence(frozenset(), frozenset())


def _contents(result: ResultView) -> tuple[object, ...]:
    """What a result is made of, in the order of `Touched`; a false value is unknown."""
    return (
        result.inputs_digest,
        result.program_digest,
        result.source_digest,
        result.golden_digest,
        (result.comparison, result.rtol, result.atol) if result.comparison else None,
    )


def comparison(result: ResultView) -> str:
    """How a result was compared, its kind and its limits; empty when it does not say."""
    if not result.comparison:
        return ""
    limits = {"rtol": result.rtol, "atol": result.atol}
    return " ".join([result.comparison, *(f"{name}={value}" for name, value in limits.items() if value is not None)])


def _items(pairs: Sequence[Pair]) -> tuple[Items, ...]:
    before = Counter(base.platform for base, _, _ in pairs if base)
    after = Counter(head.platform for _, head, _ in pairs if head)
    return tuple(Items(platform, before[platform], after[platform]) for platform in sorted({**before, **after}))


def _identity(what: Touched, moved: Sequence[tuple[ResultView, Evidence]]) -> Identity:
    # Plain tests have none of these contents; their absence there is nothing unknown.
    cases = [(head, evidence) for head, evidence in moved if head.kind == "case"]
    changed = tuple(head.case_id for head, evidence in cases if what in evidence.changed)
    unknown = sum(what in evidence.unknown for _, evidence in cases)
    return Identity(what, len(cases) - len(changed) - unknown, changed, unknown)


def _drifts(common: Sequence[tuple[ResultView, ResultView]]) -> tuple[MarginDrift, ...]:
    drifts = [
        MarginDrift(head.case_id, base.margin, head.margin)
        for base, head in common
        if base.outcome.counts_as_pass and head.outcome.counts_as_pass
        if base.margin is not None and head.margin is not None
        if head.margin > DRIFT_FROM and head.margin >= DRIFT_FACTOR * base.margin
    ]
    return tuple(sorted(drifts, key=lambda drift: (-drift.head, drift.case_id)))


def _times(common: Sequence[tuple[ResultView, ResultView]]) -> tuple[StageTime, ...]:
    times = []
    for stage in Stage:
        both = [
            (base.stage_seconds[stage], head.stage_seconds[stage])
            for base, head in common
            if stage in base.stage_seconds and stage in head.stage_seconds
        ]
        if both:
            times.append(_stage_time(stage, both))
    return tuple(times)


def _stage_time(stage: Stage, both: list[tuple[float, float]]) -> StageTime:
    base, head = (sum(side) for side in zip(*both, strict=True))
    ratios = [after / before for before, after in both if before > 0]
    ratio = _median(ratios) if ratios else 1.0
    outside = not TIME_RATIOS[0] <= ratio <= TIME_RATIOS[1]
    matters = len(both) >= TIME_CASES and outside and abs(head - base) >= TIME_SECONDS
    return StageTime(stage, len(both), base, head, ratio, matters)


def _median(values: Sequence[float]) -> float:
    """The median; the module `statistics` would cost a tenth of the start-up of the command."""
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
