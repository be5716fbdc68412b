"""The difference between two runs, as one frozen value: `diff(base, head)` makes it, the renderers show it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from db import Change, Outcome, ResultView, RunState, RunView, Stage
from reports.audits import Audits, Evidence, audit, evidence_between
from reports.cause import cause_of
from reports.compare import Verdict, compare

# Beyond this share of cases that lost their verdict by accident, "nothing new" would be a guess.
MAX_INCONCLUSIVE = 0.05

# The order in which a reader wants them: what to act on first, what is merely true last.
CHANGE_ORDER = (
    Change.NEWLY_FAILING,
    Change.BORN_RED,
    Change.FAILING_DIFFERENTLY,
    Change.NO_BASELINE_FAILING,
    Change.STILL_FAILING,
    Change.INCONCLUSIVE,
    Change.ADDED_INCONCLUSIVE,
    Change.FIXED,
    Change.NO_BASELINE_PASS,
    Change.ADDED,
    Change.REMOVED,
    Change.SAME,
)


class Conclusion(Enum):
    """What a diff comes to; the value is the exit status of the command."""

    NOTHING_NEW = 0
    NEW_FAILURES = 1
    INCONCLUSIVE = 3


@dataclass(frozen=True)
class RunResults:
    """One side of a diff: a run and the last attempt of each of its cases."""

    run: RunView
    results: Sequence[ResultView]


@dataclass(frozen=True)
class CaseDiff:
    """One case on both sides. A side without a result is None; its note says why when the case may still exist."""

    case_id: str
    change: Change
    base: ResultView | None
    head: ResultView | None
    base_note: str
    head_note: str
    evidence: Evidence

    @property
    def known(self) -> ResultView:
        """The result of head, or of base where head has none."""
        result = self.head or self.base
        assert result is not None  # a case of neither run is in no diff
        return result

    @property
    def has_verdict(self) -> bool:
        """Either side says something about the code."""
        return any(side is not None and side.outcome.is_verdict for side in (self.base, self.head))

    @property
    def by_choice(self) -> bool:
        """Head is silent because somebody wanted it so: a skip, a selection."""
        if not self.change.is_inconclusive:
            return False
        if self.head is None:
            return self.head_note != NOT_REACHED
        return self.head.outcome in (Outcome.SKIPPED, Outcome.DESELECTED)

    @property
    def lost_by_accident(self) -> bool:
        """Nobody chose that this case says nothing, so that nobody can say nothing is new."""
        if self.change is Change.NO_BASELINE_FAILING:
            return True
        if not self.change.is_inconclusive or self.by_choice:
            return False
        return self.base.outcome.is_verdict if self.base else not self.base_note


@dataclass(frozen=True)
class Cause:
    """Cases that changed alike for one reason: one line to read instead of many."""

    change: Change
    stage: Stage | None
    signature: str
    text: str
    was: str  # of a case failing differently, how it failed before
    cases: tuple[str, ...]
    devices: tuple[str, ...]
    by_choice: bool  # as of each of its cases
    evidence: Evidence | None  # None when the cases differ in it


@dataclass(frozen=True)
class DiffReport:
    """What changed from `base` to `head`."""

    base: RunView
    head: RunView
    cases: tuple[CaseDiff, ...]  # every case of either run, by id
    causes: tuple[Cause, ...]  # in the order of `CHANGE_ORDER`, the widest first
    audits: Audits
    conclusion: Conclusion
    why: str  # one sentence for the conclusion

    @cached_property
    def counts(self) -> dict[Change, int]:
        """How many cases changed in each way, in reading order."""
        counted = Counter(case.change for case in self.cases)
        return {change: counted[change] for change in CHANGE_ORDER if counted[change]}

    @cached_property
    def devices(self) -> frozenset[str]:
        """The devices that head ran on."""
        return frozenset(case.head.device for case in self.cases if case.head and case.head.device)

    def of(self, change: Change) -> tuple[CaseDiff, ...]:
        """The cases that changed in one way."""
        return tuple(case for case in self.cases if case.change is change)


NOT_REACHED = "the run ended before it"


def diff(base: RunResults, head: RunResults, max_inconclusive: float = MAX_INCONCLUSIVE) -> DiffReport:
    """The report on two runs."""
    cases = _pair(base, head)
    conclusion, why = _conclude(cases, base, head, max_inconclusive)
    return DiffReport(
        base=base.run,
        head=head.run,
        cases=cases,
        causes=_causes(cases),
        audits=audit([(case.base, case.head, case.evidence) for case in cases], base.run, head.run),
        conclusion=conclusion,
        why=why,
    )


def _pair(base: RunResults, head: RunResults) -> tuple[CaseDiff, ...]:
    before = {result.case_id: result for result in base.results}
    after = {result.case_id: result for result in head.results}
    return tuple(_case(key, before.get(key), after.get(key), base.run, head.run) for key in sorted({**before, **after}))


def _case(case_id: str, before: ResultView | None, after: ResultView | None, base: RunView, head: RunView) -> CaseDiff:
    base_note = _absence(after, base) if before is None else ""
    head_note = _absence(before, head) if after is None else ""
    return CaseDiff(
        case_id=case_id,
        change=compare(_verdict(before, base_note), _verdict(after, head_note)),
        base=before,
        head=after,
        base_note=base_note,
        head_note=head_note,
        evidence=evidence_between(before, after),
    )


def _absence(other: ResultView | None, run: RunView) -> str:
    """Why a run has no result for a case that the other has; empty when the case was not part of the code any more.

    A run that did not end, or that was told to leave a platform out, never says that a case is gone.
    """
    if run.state is not RunState.FINISHED:
        return NOT_REACHED
    platform = other.platform if other else ""
    if platform and run.platforms and platform not in run.platforms:
        return f"platform {platform} was not selected"
    return ""


def _verdict(result: ResultView | None, note: str) -> Verdict | None:
    if result is not None:
        return Verdict(result.outcome, result.stage, result.signature)
    return Verdict(Outcome.NOT_REACHED) if note else None


def _causes(cases: Iterable[CaseDiff]) -> tuple[Cause, ...]:
    groups: dict[tuple[object, ...], list[CaseDiff]] = defaultdict(list)
    for case in cases:
        if case.change.show_in_summary:
            groups[_cause_key(case)].append(case)
    rank = {change: index for index, change in enumerate(CHANGE_ORDER)}
    made = [_cause(group) for group in groups.values()]
    return tuple(sorted(made, key=lambda cause: (rank[cause.change], -len(cause.cases), cause.text, cause.cases)))


def _cause_key(case: CaseDiff) -> tuple[object, ...]:
    """Failures are alike by stage and signature, whatever numbers they tell; silent results by their words."""
    base = _side_key(case.base, case.base_note) if _tells_base(case.change) else ()
    return (case.change, case.by_choice, base, _side_key(case.head, case.head_note))


def _side_key(result: ResultView | None, note: str) -> tuple[object, ...]:
    if result is None:
        return (note,)
    if result.outcome.counts_as_pass:
        return ()
    if result.outcome.counts_as_failure:
        return (result.stage, result.signature or cause_of(result))
    return (result.outcome, result.signature or result.reason)


def _tells_base(change: Change) -> bool:
    """Whether the result of base is part of the story: it failed, or could not be told."""
    return change in (Change.FAILING_DIFFERENTLY, Change.FIXED, Change.REMOVED, Change.NO_BASELINE_PASS)


def _cause(group: list[CaseDiff]) -> Cause:
    first = group[0]
    failed = first.head if first.head and first.head.outcome.counts_as_failure else None
    evidence = {case.evidence for case in group}
    return Cause(
        change=first.change,
        stage=failed.stage if failed else None,
        signature=failed.signature if failed else "",
        text=_told(first.head, first.head_note),
        was=_told(first.base, first.base_note) if _tells_base(first.change) else "",
        cases=tuple(case.case_id for case in group),
        devices=tuple(sorted({case.head.device for case in group if case.head and case.head.device})),
        by_choice=first.by_choice,
        evidence=evidence.pop() if len(evidence) == 1 else None,
    )


def _told(result: ResultView | None, note: str) -> str:
    """What one side has to tell beyond a pass."""
    if result is None:
        return note
    return "" if result.outcome.counts_as_pass else cause_of(result)


def _conclude(
    cases: Sequence[CaseDiff], base: RunResults, head: RunResults, max_inconclusive: float
) -> tuple[Conclusion, str]:
    new = sum(case.change.counts_as_regression for case in cases)
    if new:
        return Conclusion.NEW_FAILURES, f"{new} new {'failure' if new == 1 else 'failures'}"
    for name, side in (("base", base), ("head", head)):
        if side.run.state is not RunState.FINISHED:
            return Conclusion.INCONCLUSIVE, f"{name} is {side.run.state.label}: what it did not reach is unknown"
        if not any(result.outcome.is_verdict for result in side.results):
            return Conclusion.INCONCLUSIVE, f"{name} holds no verdict: there is nothing to compare"
    lost = sum(case.lost_by_accident for case in cases)
    told = sum(case.lost_by_accident or case.has_verdict for case in cases)
    share = f"{lost} of {told} cases say nothing about a change"
    if lost > max_inconclusive * told:
        return Conclusion.INCONCLUSIVE, f"{share}, more than {max_inconclusive:.0%}"
    return Conclusion.NOTHING_NEW, f"nothing new, though {share}" if lost else "nothing new"
