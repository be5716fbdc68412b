"""``@pl.program`` and ``@pl.function``: annotated signatures, calls between functions, text."""

from __future__ import annotations

import pytest

import pypto.language as pl
from pypto.errors import (
    ParserError,
    ParserSyntaxError,
    ParserTypeError,
    SSAViolationError,
    UndefinedVariableError,
)  # fmt: skip
from pypto.ir.nodes import Assign, Function, FunctionCall, Program
from pypto.ir.print import as_python
from pypto.ir.types import ScalarType, TensorType
from pypto.ops.dtypes import FP32, INT32
from pypto.ops.enums import FunctionType, Level, ParamDirection, Role

T, OUT = "pl.Tensor[[32, 64], pl.FP32]", "pl.Out[pl.Tensor[[32, 64], pl.FP32]]"
KERN = f"""
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: {T}, s: pl.FP32, y: {OUT}) -> {T}:
        t = pl.load(x, [0, 0], [32, 64])
        y = pl.store(pl.mul(t, s), [0, 0], y)
        return y
"""


def program(module, body: str, head: str = "@pl.program", before: str = "") -> Program:
    return module(f"{before}\n{head}\nclass Prog:\n{KERN}{body}").Prog


def main(statements: str) -> str:
    lines = "".join(f"        {line}\n" for line in statements.splitlines())
    return (
        f"\n    @pl.function(type=pl.FunctionType.Orchestration)\n    def main(self, x: {T}, y: {OUT}) -> {T}:\n{lines}"
    )


def test_class_becomes_a_program(module):
    made = program(module, main("y = self.kern(x, 2.0, y)\nreturn y"))
    assert isinstance(made, Program) and made.name == "Prog"
    kern = made["kern"]
    assert kern.kind is FunctionType.InCore and made["main"].kind is FunctionType.Orchestration
    assert [param.type for param in kern.params] == [TensorType((32, 64), FP32), ScalarType(FP32), kern.params[0].type]
    assert kern.directions == (ParamDirection.In, ParamDirection.In, ParamDirection.Out)
    call = made["main"].body[0]
    assert isinstance(call, Assign) and isinstance(call.value, FunctionCall) and call.value.callee == "kern"


def test_keyword_arguments_bind_by_name(module):
    by_name = program(module, main("y = self.kern(y=y, s=2.0, x=x)\nreturn y"))
    by_place = program(module, main("y = self.kern(x, 2.0, y)\nreturn y"))
    assert as_python(by_name) == as_python(by_place)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("self.kern(x, 2.0)", ParserTypeError, "needs an argument for 'y'"),
        ("self.kern(x, 2.0, y, 3)", ParserTypeError, "takes 3 arguments, got 4"),
        ("self.kern(x, 2.0, z=y)", ParserTypeError, "no parameter 'z'"),
        ("self.kern(x, 2.0, y, deps=[])", ParserTypeError, "pl.submit"),
        ("self.kern(x, x, y)", TypeError, "'s' of 'kern' is a scalar of FP32, got a tensor"),
        ("self.kern(x[0:16, :], 2.0, y)", TypeError, r"'x' of 'kern' is a tensor \[32, 64\]"),
        ("self.kern((x, x), 2.0, y)", ParserError, "tuple"),
        ("self.kern(y, 2.0, x)", ParserTypeError, "'x' is an input"),
        ("self.none(x)", ParserError, "no function 'none'; it has kern, main"),
        ("kern(x, 2.0, y)", UndefinedVariableError, "write self.kern"),
    ],
)
def test_wrong_calls(module, call, kind, words):
    with pytest.raises(kind, match=words) as caught:
        program(module, main(f"y = {call}\nreturn y"))
    assert caught.value.span.line > 10 and caught.value.hint


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("(self, x)", "'x' has no annotation"), ("(self, x: pl.Tensor)", "does not say which one"),
        ("(self, x: float)", "no type of the language"), ("(self, *x: pl.FP32)", "variadic"), ("()", "no 'self'"),
        ("(self, x: pl.InOut[pl.FP32])", "InOut of a scalar"),
    ],
)  # fmt: skip
def test_wrong_signatures(module, signature, words):
    with pytest.raises(ParserError, match=words) as caught:
        module(f"@pl.program\nclass P:\n    @pl.function\n    def kern{signature}:\n        pass\n")
    assert caught.value.span.line == 5


def test_parameter_may_be_a_bare_dtype(module):
    made = module("@pl.function\ndef kern(n: pl.INT32):\n    a = n + 1\n").kern
    assert made.params[0].type == ScalarType(INT32)


def test_declared_results_are_checked(module):
    with pytest.raises(ParserTypeError, match=r"\[32, 64\] of FP32 is returned, a tensor \[16, 64\]"):
        module(f"@pl.function\ndef kern(x: {T}) -> pl.Tensor[[16, 64], pl.FP32]:\n    return x\n")
    with pytest.raises(ParserTypeError, match="1 values returned, 2 declared"):
        module(f"@pl.function\ndef kern(x: {T}) -> tuple[{T}, {T}]:\n    return x\n")
    module(f"@pl.function\ndef kern(x: {T}) -> tuple[{T}, {T}]:\n    return x, x\n")


def test_program_without_functions(module):
    with pytest.raises(ParserSyntaxError, match="has no function") as caught:
        module("@pl.program\nclass Prog:\n    pass\n")
    assert caught.value.span.line == 3


def test_two_methods_of_one_name(module):
    with pytest.raises(ParserSyntaxError, match="two functions called 'kern'") as caught:
        program(module, KERN)
    assert caught.value.span.line == 13


def test_type_may_not_change_in_one_block(module):
    with pytest.raises(ParserTypeError, match="cannot become"):
        module("@pl.function\ndef kern(n: pl.INT32):\n    a = n\n    a = 2.0\n")


def test_recursion_names_the_chain(module):
    with pytest.raises(ParserError, match="main -> other -> main"):
        body = main("y = self.other(x, y)\nreturn y")
        program(module, body + body.replace("main", "other").replace("self.other", "self.main"))


def test_module_level_function_is_taken_in_once(module):
    free = (
        KERN.replace("    @", "@").replace("\n    def", "\ndef").replace("self, ", "").replace("\n        ", "\n    ")
    )
    made = program(
        module, main("y = free(x, 2.0, y)\ny = free(x, 3.0, y)\nreturn y"), before=free.replace("kern", "free")
    )
    assert sorted(function.name for function in made.functions) == ["free", "kern", "main"]


def test_two_different_functions_of_one_name(module):
    free = (
        KERN.replace("    @", "@").replace("\n    def", "\ndef").replace("self, ", "").replace("\n        ", "\n    ")
    )
    with pytest.raises(ParserError, match="two different functions are called 'kern'"):
        program(module, main("y = kern(x, 2.0, y)\nreturn y"), before=free)


def test_function_outside_a_class_is_parsed_at_once(module):
    made = module(
        f"@pl.function(type=pl.FunctionType.InCore)\ndef kern(x: {T}):\n    t = pl.load(x, [0, 0], [8, 64])\n"
    )
    assert isinstance(made.kern, Function) and made.kern.kind is FunctionType.InCore


def test_level_and_role(module):
    made = module(
        "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef kern(n: pl.INT32):\n    pass\n"
    ).kern
    assert (made.level, made.role) == (Level.HOST, Role.Orchestrator)


def test_func_attr(module):
    made = module("@pl.function\ndef kern(n: pl.INT32):\n    pl.func_attr({'split': 2})\n    a = n + 1\n").kern
    assert made.attrs == {"split": 2}


def test_attrs_of_the_decorator_are_deprecated(module):
    with pytest.warns(DeprecationWarning, match="pl.func_attr"):
        made = module("@pl.function(attrs={'a': 1})\ndef kern(n: pl.INT32):\n    pass\n").kern
    assert made.attrs == {"a": 1}


def test_strict_ssa(module):
    with pytest.raises(SSAViolationError, match="'a' is assigned a second time"):
        module("@pl.function(strict_ssa=True)\ndef kern(n: pl.INT32):\n    a = n\n    a = n + 1\n")
    with pytest.raises(ParserError, match="strict_ssa forbids"):
        module(f"@pl.function(strict_ssa=True)\ndef kern(x: {T}, y: {OUT}):\n    y[:] = x\n")


def test_inline_function_is_expanded_at_its_call(module):
    text = "@pl.inline\ndef twice(a):\n    r = pl.mul(a, 2.0)\n    return r\n"
    made = program(module, KERN.replace("kern", "other").replace("pl.mul(t, s)", "pl.add(twice(t), s)"), before=text)
    assert made["twice"].kind is FunctionType.Inline


def test_external_source(module, tmp_path):
    (tmp_path / "k.cpp").write_text("//")
    made = module(f"""
        @pl.function(type=pl.FunctionType.AIV, external_source="k.cpp")
        def kern(x: {T}, y: {OUT}): ...
    """).kern
    assert made.attrs["external_source"] == str(tmp_path / "k.cpp") and made.attrs["core_type"] == "aiv"


def test_parse_gives_the_program_of_a_text():
    text = f"import pypto.language as pl\n@pl.program\nclass Prog:{KERN}"
    made = pl.parse(text)
    assert isinstance(made, Program) and as_python(pl.parse(as_python(made))) == as_python(made)


def test_parse_of_a_function_without_import():
    assert isinstance(pl.parse("@pl.function\ndef kern(n: pl.INT32):\n    a = n + 1\n"), Function)


def test_parse_errors_carry_the_place_in_the_text():
    with pytest.raises(UndefinedVariableError) as caught:
        pl.parse("@pl.function\ndef kern(n: pl.INT32):\n    a = q\n", "my.py")
    assert "my.py:3:9" in str(caught.value) and "a = q" in str(caught.value)
    with pytest.raises(ParserSyntaxError):
        pl.parse("@pl.function\ndef kern(:\n")


def test_parse_wants_exactly_one():
    with pytest.raises(ValueError, match="none"):
        pl.parse("x = 1")
    one = "@pl.function\ndef {}(n: pl.INT32):\n    pass\n"
    with pytest.raises(ValueError, match="2 of them: a, b"):
        pl.parse(one.format("a") + one.format("b"))


def test_loads_reads_a_file(tmp_path):
    file = tmp_path / "kernel.py"
    file.write_text("@pl.function\ndef kern(n: pl.INT32):\n    pass\n")
    assert pl.loads(file).name == "kern"
    with pytest.raises(FileNotFoundError, match="does not exist"):
        pl.loads(tmp_path / "none.py")
