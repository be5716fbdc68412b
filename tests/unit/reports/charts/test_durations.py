import json
import math

from reports.charts.durations import FLOOR_SECONDS, RunDurations, durations_figure


def test_boxes_hold_quartiles_and_ignore_what_was_not_measured() -> None:
    seconds = {"compile": [0.1, 0.2, 0.3, 0.4, 0.5, math.nan], "run": [], "compare": [0.0]}
    drawn = json.loads(durations_figure([RunDurations("base", seconds)]).to_json())
    box = drawn["data"][0]
    assert box["x"] == ["compile", "compare"]
    assert [box[key][0] for key in ("lowerfence", "q1", "median", "q3", "upperfence")] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert box["median"][1] == FLOOR_SECONDS


def test_a_run_without_times_has_no_box() -> None:
    assert not durations_figure([RunDurations("base", {"run": []})]).data
