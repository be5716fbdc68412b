import json
import math

from reports.charts.outcomes import OutcomeSeries, outcomes_figure


def test_a_missing_run_is_a_gap_and_totals_stay_right() -> None:
    figure = outcomes_figure(
        ["mon", "tue", "wed"],
        [
            OutcomeSeries("pass", "#0a0", [10, math.nan, 12]),
            OutcomeSeries("fail", "#a00", [5, math.nan, 8]),
            OutcomeSeries("infra", "#aaa", [0, None, 0]),
        ],
    )
    drawn = json.loads(figure.to_json())
    assert [trace["name"] for trace in drawn["data"]] == ["pass", "fail"]
    assert [trace["x"] for trace in drawn["data"]] == [[10, None, 12], [5, None, 8]]
    assert sum(value for trace in drawn["data"] for value in trace["x"] if value is not None) == 35


def test_runs_of_one_name_keep_a_bar_each() -> None:
    drawn = json.loads(outcomes_figure(["main", "main"], [OutcomeSeries("pass", "#0a0", [1, 2])]).to_json())
    assert drawn["data"][0]["y"] == ["0", "1"]
    assert drawn["layout"]["yaxis"]["ticktext"] == ["main", "main"]


def test_hostile_run_labels_are_literal() -> None:
    drawn = json.loads(outcomes_figure(["<img src=x onerror=alert(1)>"], []).to_json())
    assert drawn["layout"]["yaxis"]["ticktext"] == ["&lt;img src=x onerror=alert(1)&gt;"]
