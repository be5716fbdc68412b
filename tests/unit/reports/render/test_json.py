import json
import math
from pathlib import Path

import pytest

from db.queries import runs
from reports.load import load_diff
from reports.render.json import case_report_json, diff_json, dumps, run_report_json, runs_json
from reports.show import CaseReport, RunReport, show

DOCS = Path(__file__).parents[4] / "docs" / "reports.md"


def test_the_demonstration_as_data(history, first_light, golden) -> None:
    first_light(history)
    data = diff_json(load_diff(history.store, "base", "head"))
    del data["cases"]
    golden(data)


def test_one_case_of_every_change(history, first_light, golden) -> None:
    first_light(history)
    cases = diff_json(load_diff(history.store, "base", "head"))["cases"]
    golden({case["change"]: case for case in reversed(cases)})


def test_runs_as_data(history, first_light, golden) -> None:
    first_light(history)
    golden(runs_json(runs(history.store)))


def test_a_run_and_a_case_as_data(history, first_light, golden) -> None:
    first_light(history)
    run, case = show(history.store, "head"), show(history.store, "gelu@a5sim@default")
    assert isinstance(run, RunReport)
    assert isinstance(case, CaseReport)
    assert len(run_report_json(run)["results"]) == 28
    golden(case_report_json(case))


def test_numbers_that_json_lacks_are_strings(history) -> None:
    history.run("base", {"a@a5sim@default": history.case(margin=math.nan)})
    history.run("head", {"a@a5sim@default": history.case(margin=math.inf)})
    text = dumps(diff_json(load_diff(history.store, "base", "head")))
    (case,) = json.loads(text, parse_constant=pytest.fail)["cases"]
    assert [case[side]["errors"]["margin"] for side in ("base", "head")] == ["nan", "inf"]


def test_hostile_text_survives_the_round_trip(history) -> None:
    hostile = "\x00\x1b\u202e</script>\ud800漢字|" + "x" * 10_000
    history.run("base", {f"{hostile}@a5sim@default": history.case()})
    history.run("head", {f"{hostile}@a5sim@default": history.case()})
    text = dumps(diff_json(load_diff(history.store, "base", "head")))
    assert text.isascii()
    assert json.loads(text)["cases"][0]["case"] == f"{hostile}@a5sim@default"


def test_every_key_is_documented(history, first_light) -> None:
    first_light(history)
    answers = [
        diff_json(load_diff(history.store, "base", "head")),
        runs_json(runs(history.store)),
        run_report_json(show(history.store, "head")),
        case_report_json(show(history.store, "gelu@a5sim@default")),
    ]
    documented = DOCS.read_text()
    missing = sorted({key for answer in answers for key in keys(answer) if f"`{key}`" not in documented})
    assert not missing, f"describe in docs/reports.md: {', '.join(missing)}"


# Under these keys other data has its own names: counts by enumeration value, times by stage, tools by name.
OPEN = {"counts", "outcomes", "stage_seconds", "environment", "contents", "digests"}


def keys(data: object, inside: str = "") -> set[str]:
    if isinstance(data, list):
        return {key for item in data for key in keys(item, inside)}
    if not isinstance(data, dict):
        return set()
    own = set() if inside in OPEN else set(data)
    return own | {key for name, item in data.items() for key in keys(item, name)}
