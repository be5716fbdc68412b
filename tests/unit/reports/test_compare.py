"""The whole grid: every outcome, and absence, on either side."""

import itertools

import pytest

from db.outcome import Change, Outcome, Stage
from reports.compare import Verdict, compare

FAILURES = [Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT]
SILENT = [Outcome.INFRA, Outcome.SKIPPED, Outcome.DESELECTED, Outcome.NOT_REACHED, Outcome.ABORTED]
PASS = Verdict(Outcome.PASS)


def failed(outcome: Outcome = Outcome.FAIL, signature: str = "one", stage: Stage = Stage.RUN) -> Verdict:
    return Verdict(outcome, stage, signature)


def kinds(verdicts: dict[str, list[Verdict | None]]) -> list[tuple[str, Verdict | None]]:
    return [(kind, verdict) for kind, members in verdicts.items() for verdict in members]


ALL = kinds(
    {
        "pass": [PASS],
        "fail": [failed(outcome) for outcome in FAILURES],
        "silent": [Verdict(outcome, Stage.RUN, "why") for outcome in SILENT],
        "absent": [None],
    }
)

# Rows are base, columns head, as in the design; failures here carry one signature on both sides.
GRID = {
    "pass": {"pass": "same", "fail": "newly_failing", "silent": "inconclusive", "absent": "removed"},
    "fail": {"pass": "fixed", "fail": "still_failing", "silent": "inconclusive", "absent": "removed"},
    "silent": {
        "pass": "no_baseline_pass",
        "fail": "no_baseline_failing",
        "silent": "inconclusive",
        "absent": "removed",
    },
    "absent": {"pass": "added", "fail": "born_red", "silent": "added_inconclusive", "absent": "same"},
}


def test_the_grid_covers_every_outcome() -> None:
    assert {verdict.outcome for _, verdict in ALL if verdict} == set(Outcome)


@pytest.mark.parametrize(("base", "head"), list(itertools.product(ALL, ALL)))
def test_every_pair_has_its_class(base: tuple[str, Verdict | None], head: tuple[str, Verdict | None]) -> None:
    assert compare(base[1], head[1]) is Change(GRID[base[0]][head[0]])


@pytest.mark.parametrize(
    "head",
    [failed(signature="two"), failed(stage=Stage.COMPILE), failed(Outcome.CRASH, signature="two")],
)
def test_another_stage_or_signature_is_failing_differently(head: Verdict) -> None:
    assert compare(failed(), head) is Change.FAILING_DIFFERENTLY


def test_a_failure_that_vanishes_is_never_fixed() -> None:
    assert compare(failed(), None) is Change.REMOVED
    assert compare(failed(), Verdict(Outcome.INFRA)) is Change.INCONCLUSIVE


def test_every_change_is_reachable() -> None:
    verdicts = [verdict for _, verdict in ALL] + [failed(signature="two")]
    assert {compare(base, head) for base, head in itertools.product(verdicts, verdicts)} == set(Change)
