"""Which variants of a case a session runs."""

from __future__ import annotations

import pytest

from pipeline.errors import UnknownPlanner, UnknownPlatform
from pipeline.matrix import check_planner, check_platforms, effective_planner, planner_member, variants
from pypto.platforms import PLATFORMS, MemoryPlanner

ALL = tuple(PLATFORMS)


def test_an_unrestricted_case_runs_on_every_platform_of_the_session():
    assert variants(ALL, [], None).platforms == ALL
    assert variants(("a5sim", "a2a3sim"), [], None).platforms == ("a5sim", "a2a3sim")


def test_a_pin_excludes_every_other_platform():
    assert variants(ALL, [], "a5").platforms == ("a5",)


def test_markers_restrict_and_add_up():
    assert variants(ALL, [("a2a3sim", "a5sim")], None).platforms == ("a2a3sim", "a5sim")
    assert variants(ALL, [("a2a3sim", "a5sim"), ("a5sim", "a5")], None).platforms == ("a5sim",)


def test_a_case_without_a_platform_is_shown_once_with_the_reason():
    found = variants(("a2a3sim",), [], "a5")
    assert (found.platforms, found.excluded) == ((), "a5")
    assert found.reason == "needs a5, the session runs a2a3sim"
    found = variants(("a2a3sim",), [("a5sim", "a5")], None)
    assert found.excluded == "a5" and "a5 or a5sim" in found.reason
    assert "leave no platform" in variants(ALL, [("a5sim",)], "a2a3").reason


def test_the_planner_comes_from_whoever_says_it_first():
    assert effective_planner("pypto", "dsa_rp", "ptoas") == "pypto"
    assert effective_planner(None, "dsa_rp", "ptoas") == "dsa_rp"
    assert effective_planner(None, None, "ptoas") == "ptoas"
    assert effective_planner(None, None, None) == "default"


def test_unknown_platforms_are_refused_with_those_there_are():
    assert check_platforms(["a5sim", "a5", "a5sim"], "--platform") == ("a5sim", "a5")
    with pytest.raises(UnknownPlatform, match=r"--platform: unknown platform 'a2a3sin'; use a2a3sim \(or another"):
        check_platforms(["a2a3sin"], "--platform")
    with pytest.raises(UnknownPlatform, match="one of a2a3, a2a3sim, a5, a5sim"):
        check_platforms([], "--platform")


@pytest.mark.parametrize("word", ["PTOAS", "ptoas", MemoryPlanner.PTOAS])
def test_planners_are_known_in_any_case(word):
    assert check_planner(word, "--memory-planner") == "ptoas"


def test_every_planner_of_the_compiler_has_an_id_and_a_way_back():
    for member in MemoryPlanner:
        assert planner_member(check_planner(member, "here") or "default") is member
    assert check_planner("dsa-rp", "here") == "dsa_rp"
    assert check_planner("Default", "here") is None
    assert planner_member("default") is None
    with pytest.raises(UnknownPlanner, match="'best'; use one of pypto"):
        check_planner("best", "here")
