import json
import math

from reports.charts.margins import GL_FROM, HIGHEST, LOWEST, CaseMargin, margins_figure


def test_margins_without_place_on_a_log_axis_sit_on_its_edges_and_say_so() -> None:
    cases = [
        CaseMargin("exact", 0.0, 0.0),
        CaseMargin("nan", 0.5, math.inf),
        CaseMargin("gone", 0.25, None),
        CaseMargin("<b>", None, 2.0),
    ]
    base, head, limit = json.loads(margins_figure(cases, "base", "head").to_json())["data"]
    assert [one[0] for one in head["customdata"]] == ["gone", "exact", "&lt;b&gt;", "nan"]
    assert head["y"] == [None, LOWEST, 2.0, HIGHEST]
    assert base["y"] == [0.25, LOWEST, None, 0.5]
    assert [one[1] for one in head["customdata"]] == [
        "not compared",
        "exact",
        "2 of the limit",
        "no finite margin (NaN, or a limit of zero)",
    ]
    assert limit["y"] == [1, 1]


def test_many_points_are_drawn_by_webgl() -> None:
    drawn = margins_figure([CaseMargin(str(i), 0.1, 0.1) for i in range(GL_FROM)], "base", "head")
    assert [trace.type for trace in drawn.data] == ["scattergl", "scattergl", "scatter"]
