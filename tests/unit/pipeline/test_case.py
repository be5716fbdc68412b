"""Declaring cases: what is taken, what is refused, and how a variant differs from its case."""

from __future__ import annotations

import pytest
import torch
from stand_in import Kernel

import pipeline.st as st
from pipeline.case import Case, RefusedCase
from pipeline.comparators import Callback, Elementwise, RelErrUnder
from pipeline.errors import BadArguments, BadName, BadSetting, NoOutput, UnknownSetting
from pypto.platforms import MemoryPlanner

add = Kernel("add", "a, b, c", ["c"], "c[:] = a + b")
a, b, c = torch.ones(2, 3), torch.ones(2, 3), torch.zeros(2, 3)
GOLDEN = {"golden": lambda _: a + b}


def declare(*args, **settings) -> Case:
    found = st.case(*args, **settings)
    assert isinstance(found, Case), found.error
    return found


def refuse(*args, **settings) -> RefusedCase:
    found = st.case(*args, **settings)
    assert isinstance(found, RefusedCase)
    return found


def test_a_case_is_a_value_with_its_place():
    case = declare(add, a, b, c, name="small", **GOLDEN)
    assert case.name == "small"
    assert [tensor.name for tensor in case.tensors] == ["a", "b", "c"]
    assert [tensor.name for tensor in case.outputs] == ["c"]
    assert case.place.file == __file__
    assert case.get_program().startswith("def kernel(a, b, c)")
    with pytest.raises(AttributeError):
        case.name = "other"


def test_the_default_name_tells_the_arguments():
    assert declare(add, a, b, c, **GOLDEN).name == "add-a=float32[2,3],b=float32[2,3],c=float32[2,3]"
    assert declare(add, a, c=c, b=b, **GOLDEN).name == declare(add, a, b, c, **GOLDEN).name


def test_a_variant_is_a_copy_with_its_own_id():
    case = declare(add, a, b, c, name="small", **GOLDEN)
    sim, other = case.for_platform("a2a3sim"), case.for_platform("a5sim", "ptoas")
    assert (case.platform, sim.case_id, other.case_id) == ("", "small@a2a3sim@default", "small@a5sim@ptoas")
    assert sim.tensors is case.tensors
    assert sim.declaration != other.declaration


def test_planner_precedence_is_case_config_session():
    by_case = declare(add, a, b, c, memory_planner=MemoryPlanner.DSA_RP, config={"memory_planner": "PTOAS"}, **GOLDEN)
    by_config = declare(add, a, b, c, config={"memory_planner": "PTOAS"}, **GOLDEN)
    forced = declare(add, a, b, c, memory_planner="default", **GOLDEN)
    assert by_case.for_platform("a5sim", "pypto").planner == "dsa_rp"
    assert by_config.for_platform("a5sim", "pypto").planner == "ptoas"
    assert forced.for_platform("a5sim", "pypto").planner == "default"


def test_comparison_settings_choose_the_comparator():
    assert declare(add, a, b, c, **GOLDEN).comparator == Elementwise(1e-5, 1e-5)
    assert declare(add, a, b, c, rtol=0, atol=0, **GOLDEN).comparator == Elementwise(0.0, 0.0)
    assert declare(add, a, b, c, config={"rtol": 0.5}, atol=0, **GOLDEN).comparator == Elementwise(0.5, 0.0)
    assert declare(add, a, b, c, compare=st.rel_err_under(0.1), **GOLDEN).comparator == RelErrUnder(0.1)

    def mine(actual, expected): ...

    assert declare(add, a, b, c, compare=mine, **GOLDEN).comparator == Callback(mine)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"tolerence": 1e-2}, UnknownSetting, "unknown setting 'tolerence'; did you mean rtol or atol"),
        ({"memory_planer": "pypto"}, UnknownSetting, "did you mean memory_planner"),
        ({"xyz": 1}, UnknownSetting, "known are name, golden"),
        ({"config": {"blockdim": 4}}, UnknownSetting, "unknown config key 'blockdim'; "),
        ({"config": {"memory_planer": 4}}, UnknownSetting, "did you mean memory_planner"),
        ({"config": 5}, BadSetting, "neither a RunConfig nor a dict"),
        ({"platform": "a7"}, BadSetting, "unknown platform 'a7'"),
        ({"memory_planner": "best"}, BadSetting, "unknown memory planner 'best'"),
        ({"rtol": -1}, BadSetting, "rtol=-1 is no number from 0 on"),
        ({"atol": float("nan")}, BadSetting, "atol=nan"),
        ({"rtol": True}, BadSetting, "rtol=True"),
        ({"rtol": 1, "compare": print}, BadSetting, "does nothing beside compare="),
        ({"compare": 5}, BadSetting, "no function of \\(actual, expected\\)"),
        ({"compare": lambda x: x}, BadSetting, "does not take two arguments"),
        ({"golden": None}, BadSetting, "golden=None is missing"),
        ({"golden": 5}, BadSetting, "golden=5 cannot be called"),
        ({"name": "a/b"}, BadName, "a slash"),
        ({"name": ""}, BadName, "is empty"),
        ({"tensors": []}, BadSetting, "takes its tensors from the sample arguments"),
    ],
)
def test_wrong_settings_are_refused_with_advice(settings, error, words):
    found = refuse(add, a, b, c, **(GOLDEN | settings))
    assert type(found.error) is error
    assert words.replace("\\", "") in str(found.error)


def test_wrong_arguments_are_refused_by_name():
    assert isinstance(refuse(add, a, b, **GOLDEN).error, BadArguments)
    assert isinstance(refuse("add", a, b, **GOLDEN).error, BadArguments)
    assert isinstance(refuse(Kernel("k", "a", [], ""), a, **GOLDEN).error, NoOutput)


def test_a_refused_case_keeps_its_name_and_pin_and_raises_when_used():
    found = refuse(add, a, b, c, name="small", platform="a5", tolerence=1, **GOLDEN)
    assert (found.name, found.settings.pin) == ("small", "a5")
    assert found.for_platform("a5").case_id == "small@a5@default"
    with pytest.raises(UnknownSetting):
        found.get_program()
    assert "/" not in refuse(add, a, b, c, name="../x", **GOLDEN).name


def test_another_kernel_source_comes_with_its_tensors():
    class Text:
        name = "text"

        def cache_id(self):
            return "text-1"

        def build_program(self):
            return "def kernel(x): x[:] = 1"

        def arguments(self, tensors):
            return {tensor.name: tensor.name for tensor in tensors}

    tensors = [st.TensorSpec("x", torch.zeros(3), is_output=True)]
    case = declare(Text(), tensors=tensors, golden=lambda _: torch.ones(3))
    assert (case.name, case.outputs) == ("text-1", tuple(tensors))
    assert isinstance(refuse(Text(), golden=lambda _: 0).error, BadArguments)


def test_the_declaration_changes_with_everything_declared():
    base = declare(add, a, b, c, name="n", **GOLDEN).for_platform("a2a3sim")
    others = [
        declare(add, a + 1, b, c, name="n", **GOLDEN),
        declare(add, a, b, c + 1, name="n", **GOLDEN),
        declare(add, a, b, c, name="n", rtol=0, **GOLDEN),
        declare(add, a, b, c, name="n", compare=st.rel_err_under(1), **GOLDEN),
        declare(add, a, b, c, name="m", **GOLDEN),
    ]
    digests = {other.for_platform("a2a3sim").declaration for other in others}
    assert len(digests | {base.declaration}) == 6
    assert declare(add, a, b, c, name="n", **GOLDEN).for_platform("a2a3sim").declaration == base.declaration


@pytest.mark.parametrize("entries", [([st.case(add, a, b, c, **GOLDEN)],), (5,), ({},), (x for x in [1])])
def test_st_cases_takes_cases_one_by_one(entries):
    with pytest.raises(TypeError, match=r"expected st\.case"):
        st.cases(*entries)


def test_st_cases_needs_a_case():
    with pytest.raises(TypeError, match="at least one case"):
        st.cases()
