"""Every mistake has its class, its code, the place of the offending expression, and a hint."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import torch

from pypto.errors import (
    InvalidOperationError,
    ParserError,
    ParserSyntaxError,
    ParserTypeError,
    PyptoError,
    SSAViolationError,
    UndefinedVariableError,
    UnsupportedFeatureError,
)  # fmt: skip

HEAD = """
K = 4
PAIR = (5, 6)

def plain(a):
    return a

@pl.jit.inline
def twice(a: pl.Tensor):
    return pl.add(a, a)

@pl.jit.inline
def silent(a: pl.Tensor):
    pl.static_assert(K == 4, "K")

@pl.jit.inline
def forth(a: pl.Tensor):
    return back(a)

@pl.jit.inline
def back(a: pl.Tensor):
    return forth(a)

@pl.jit
def kern(x: pl.Tensor, i: pl.Tensor, s: pl.Scalar[pl.INDEX], f: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor]):
"""
LOOP = "for k, (a,) in pl.range(3, init_values=(s,)):\n    "
TILE = "t = pl.load(x, [0, 0], [32, 64])\n"
SYNTAX, TYPE, NAME, SSA = ParserSyntaxError, ParserTypeError, UndefinedVariableError, SSAViolationError
FEATURE, OP = UnsupportedFeatureError, InvalidOperationError

# What is written in core code; the class, the code, the text the caret is under, a part of message or hint.
IN_CORE = [
    # statements
    ("try:\n    a = 1\nfinally:\n    a = 2", FEATURE, "E001", "try:\n    a = 1\nfinally:\n    a = 2", "no exceptions"),
    ("del x", FEATURE, "E001", "del x", "leave it out"),
    ("def g():\n    return 1", FEATURE, "E001", "def g():\n    return 1", "pl.jit.inline"),
    ("class A:\n    pass", FEATURE, "E001", "class A:\n    pass", "outside"),
    ("import math", FEATURE, "E001", "import math", "top of the module"),
    ("global K", FEATURE, "E001", "global K", "without it"),
    ("assert s > 1", FEATURE, "E001", "assert s > 1", "static_assert"),
    ("raise ValueError", FEATURE, "E001", "raise ValueError", "static_assert"),
    ("match s:\n    case 1:\n        a = 1", FEATURE, "E001", "match s:\n    case 1:\n        a = 1", "if and elif"),
    ("x", FEATURE, "E001", "x", "without effect"),
    ("len(PAIR)", FEATURE, "E001", "len(PAIR)", "stands alone"),
    # assignments
    ("a, *b = (1, 2, 3)", SYNTAX, "E006", "*b", "plain names"),
    ("a, b = (1, 2, 3)", SYNTAX, "E006", "a, b", "3 names"),
    ("a, b = s", SYNTAX, "E006", "a, b = s", "cannot be unpacked"),
    ("x.y = 3", SYNTAX, "E002", "x.y", "only names"),
    ("a: pl.Scalar[pl.INT32]", SYNTAX, "E002", "a: pl.Scalar[pl.INT32]", "without a value"),
    ("a = (b := 3)", FEATURE, "E301", "b := 3", "statement of its own"),
    (TILE + "t: pl.Tile[[32, 64], pl.FP16] = pl.add(t, 1.0)", TYPE, "E101", "pl.add(t, 1.0)", "FP16"),
    ("a: 5 = s", TYPE, "E102", "5", "no type"),
    ("a: pl.Scalar[pl.INT8] = 300", OP, "E302", "300", "-128 to 127"),
    ("y[0:16, :] = pl.add(x, 1.0)", TYPE, "E101", "pl.add(x, 1.0)", "does not fill"),
    ("y[:] = 1.0", TYPE, "E101", "1.0", "pl.full"),
    ("y[0, 0] = 1.0", FEATURE, "E301", "y[0, 0]", "pl.write(y, [i, i], value)"),
    ("y[0:16][0:8] = x[0:8, :]", SYNTAX, "E002", "y[0:16]", "combine the indices"),
    ("x[:] = pl.add(x, 1.0)", TYPE, "E101", "x[:]", "pl.Out"),
    (TILE + "pl.store(t, [0, 0], x)", TYPE, "E101", "pl.store(t, [0, 0], x)", "input"),
    ("z = pl.write(y, [0, 0], 1.0)", TYPE, "E101", "z = pl.write(y, [0, 0], 1.0)", "no value"),
    # names
    ("a = q + 1", NAME, "E200", "q", "not defined"),
    ("a = a + 1", NAME, "E200", "a", "read before"),
    ("if s > 1:\n    u = s\nz = u + 1", NAME, "E200", "u", "every path"),
    ("for k in pl.range(s):\n    u = k\nz = u + 1", NAME, "E200", "u", "every path"),
    ("for k in pl.range(3):\n    u = k\nz = k + 1", SSA, "E202", "k", "loop that has ended"),
    ("z = twise(x)", NAME, "E200", "twise", "not defined"),
    ("z = pl.ad(x, x)", OP, "E300", "pl.ad", "did you mean 'add'"),
    ("z = pl.tile.nothing(x)", OP, "E300", "pl.tile.nothing", "no operation 'nothing'"),
    # types
    ("for k in pl.range(4):\n    a = s\n    if s > 1:\n        a = f", TYPE, "E101", "a", "cannot become"),
    ("if s > 1:\n    a = s\nelse:\n    a = f", TYPE, "E101", "a", "in the other"),
    ("if s:\n    a = 1", TYPE, "E101", "s", "BOOL"),
    ("while s:\n    a = 1", TYPE, "E101", "s", "n != 0"),
    (TILE + "if t:\n    a = 1", TYPE, "E101", "t", "BOOL"),
    # operators
    ("a = s + 1.5", OP, "E303", "s + 1.5", "cast one"),
    ("a = True + s", OP, "E303", "True + s", "BOOL"),
    ("a = s ** 2", FEATURE, "E301", "s ** 2", "multiply"),
    ("a = s | 1", FEATURE, "E301", "s | 1", "pl.or_"),
    ("a = s @ s", FEATURE, "E301", "s @ s", "pl.matmul"),
    ("a = x // 2.0", OP, "E303", "x // 2.0", "pl.div"),
    ("a = not s", OP, "E304", "not s", "BOOL"),
    ("a = ~f", OP, "E304", "~f", "arithmetic"),
    ("a = 1 < s < 3", FEATURE, "E305", "1 < s < 3", "joined by 'and'"),
    ("a = s is None", FEATURE, "E305", "s is None", "=="),
    ("a = s in [1, 2]", FEATURE, "E305", "s in [1, 2]", "'or'"),
    ("a = (s > 1) and s", OP, "E303", "(s > 1) and s", "BOOL"),
    ("a = f > 1", OP, "E305", "f > 1", "cast one"),
    ("a = 1 if s > 2 else 3", FEATURE, "E301", "1 if s > 2 else 3", "if statement"),
    ("a = [k for k in pl.range(s)]", FEATURE, "E301", "[k for k in pl.range(s)]", "constants"),
    ("a = lambda: 1", FEATURE, "E301", "lambda: 1", "not supported"),
    ("a = K / 0", TYPE, "E101", "K / 0", "ZeroDivisionError"),
    ("a = s // 0", OP, "E303", "s // 0", "zero"),
    ("a = 10 ** 10 ** 10", TYPE, "E303", "10 ** 10 ** 10", "too large"),
    ("a = s + 2 ** 70", TYPE, "E101", "s + 2 ** 70", "64 bits"),
    ("a = b'x'", TYPE, "E101", "b'x'", "no meaning"),
    ("a = PAIR[s]", FEATURE, "E301", "s", "constant"),
    ("a = PAIR[7]", TYPE, "E101", "PAIR[7]", "IndexError"),
    ("a = x.stride", FEATURE, "E301", "x.stride", ".shape and .dtype"),
    ("a = x.exp()", FEATURE, "E301", "x.exp", "pl.exp(x"),
    # calls
    ("a = min(s, 3)", FEATURE, "E301", "min(s, 3)", "pl.min"),
    ("print(s)", FEATURE, "E301", "print(s)", "pl.static_print"),
    ("a = open('f')", FEATURE, "E301", "open('f')", "not available"),
    ("a = plain(x)", FEATURE, "E301", "plain(x)", "@pl.jit.inline"),
    ("a = K(3)", TYPE, "E101", "K(3)", "not callable"),
    ("t = pl.exp(x, bogus=1)", OP, "E302", "pl.exp(x, bogus=1)", "no parameter"),
    ("t = pl.add(x, None)", OP, "E302", "None", "cannot be None"),
    ("t = pl.load(x)", OP, "E302", "pl.load(x)", "missing"),
    ("t = pl.add(1.0, x)", OP, "E302", "pl.add(1.0, x)", "'lhs' must be"),
    (TILE + "t = pl.load(t, [0, 0], [32, 64])", OP, "E302", "t", "'src' must be a tensor"),
    ("t = pl.load(x, [0.5, 0], [32, 64])", OP, "E302", "[0.5, 0]", "integers"),
    ("t = pl.load(x, [0, 0], [32, 64], clamp=s)", OP, "E302", "s", "compile time"),
    (TILE + "u = pl.tensor.add(t, t)", OP, "E302", "t", "must be a tensor"),
    ("u = pl.tile.add(x, x)", OP, "E302", "x", "must be a tile"),
    ("a = pl.const(300, pl.INT8)", OP, "E302", "pl.const(300, pl.INT8)", "INT8 cannot hold 300"),
    ("a = pl.const(s, pl.INT8)", OP, "E302", "pl.const(s, pl.INT8)", "constant number"),
    ("a = pl.min(s)", OP, "E302", "pl.min(s)", "two values"),
    ("a = pl.dim(x, 5)", OP, "E302", "pl.dim(x, 5)", "axis 5"),
    ("a = twice(x, 3)", TYPE, "E101", "twice(x, 3)", "takes 1 arguments, got 2"),
    ("a = twice()", TYPE, "E101", "twice()", "needs an argument for 'a'"),
    ("a = twice(b=x)", TYPE, "E101", "x", "no parameter 'b'"),
    ("a = twice(x, a=x)", TYPE, "E101", "x", "given twice"),
    ("a = twice(s)", TYPE, "E101", "s", "takes a tensor"),
    ("a = silent(x)", TYPE, "E101", "a = silent(x)", "no value"),
    ("a = forth(x)", ParserError, "E301", "forth(a)", "forth -> back -> forth"),
    # subscripts
    ("a = x[0:32:2, :]", FEATURE, "E301", "2", "step"),
    ("a = x[..., 0:64]", TYPE, "E101", "...", "one index or slice"),
    ("a = x[None, :]", TYPE, "E101", "None", "one index or slice"),
    ("a = x[:, :, :]", TYPE, "E101", ":, :, :", "at most 2"),
    ("a = x[-1, :]", TYPE, "E101", "-1", "negative"),
    ("a = x[32, :]", TYPE, "E101", "32", "outside"),
    ("a = x[16:48, :]", TYPE, "E101", "16:48", "ends at 48"),
    ("a = x[16:8, :]", TYPE, "E101", "16:8", "larger than the start"),
    ("a = x[1.5, :]", TYPE, "E101", "1.5", "no index"),
    ("a = x[0:s, :]", FEATURE, "E301", "0:s", "valid_shape"),
    (TILE + "u = t[s:s + 16, :]", FEATURE, "E301", "s:s + 16", "pl.slice"),
    # loops
    ("for k in range(4):\n    a = k", SYNTAX, "E005", "range(4)", "pl.range(n)"),
    ("for k in x:\n    a = k", SYNTAX, "E005", "x", "pl.range(n)"),
    ("for k in pl.range(4, stage=2):\n    a = k", SYNTAX, "E004", "2", "only pl.pipeline"),
    ("for k in pl.range():\n    a = k", SYNTAX, "E004", "pl.range()", "1 to 3"),
    ("for k in pl.range(0, 4, 0):\n    a = k", SYNTAX, "E004", "0", "never ends"),
    ("for k in pl.range(4, 0, -1):\n    a = k", FEATURE, "E004", "-1", "count up"),
    ("for k in pl.range(1.5):\n    a = k", TYPE, "E101", "1.5", "integer"),
    ("for k in pl.unroll(s):\n    a = k", SYNTAX, "E004", "pl.unroll(s)", "constants"),
    ("for k in pl.pipeline(4):\n    a = k", SYNTAX, "E004", "pl.pipeline(4)", "stage=2"),
    ("for k in pl.pipeline(4, stage=0):\n    a = k", SYNTAX, "E004", "0", "1 or more"),
    ("for k, j in pl.range(4):\n    a = k", SYNTAX, "E003", "k, j", "one name"),
    (LOOP.replace("(a,)", "a") + "r = pl.yield_(a)", SYNTAX, "E003", "k, a", "tuple of names"),
    (LOOP.replace("(a,)", "(a, b)") + "r = pl.yield_(a)", SYNTAX, "E007", "(a, b)", "2 carried"),
    (LOOP + "pl.yield_(a)", SYNTAX, "E001", "pl.yield_(a)", "assigns"),
    (LOOP + "r, q = pl.yield_(a)", SYNTAX, "E007", "r, q = pl.yield_(a)", "2 names"),
    (LOOP + "r = pl.yield_(a)\nz = a", SSA, "E202", "a", "carried by a loop"),
    (LOOP + "r = pl.yield_(f)", TYPE, "E007", "f", "goes on as"),
    (LOOP + "r, q = pl.yield_(a, a)", SYNTAX, "E007", "r, q = pl.yield_(a, a)", "2 values yielded"),
    (TILE + "r = pl.yield_(t)", SYNTAX, "E001", "pl.yield_(t)", "last statement"),
    (TILE + "if s > 1:\n    r = pl.yield_(t)", SYNTAX, "E007", "if s > 1:\n    r = pl.yield_(t)", "else"),
    ("for (a,) in pl.while_():\n    pl.cond(s < 3)", SYNTAX, "E004", "pl.while_()", "init_values"),
    ("for (a,) in pl.while_(init_values=(0,)):\n    b = a\n    pl.cond(a < 3)", SYNTAX, "E001", "b = a", "pl.cond"),
    ("pl.cond(s < 3)", SYNTAX, "E001", "pl.cond(s < 3)", "first statement"),
    ("for k in pl.parallel(4):\n    break", SYNTAX, "E001", "break", "pl.parallel"),
    ("for k in pl.unroll(4):\n    continue", SYNTAX, "E001", "continue", "pl.unroll"),
    ("for k in pl.range(4):\n    return y", FEATURE, "E301", "return y", "use break"),
    ("while twice(x)[0, 0] > 1.0:\n    a = 1", ParserError, "E301", "twice(x)", "statement of its own"),
    # scopes and directives
    ("with open('f'):\n    a = 1", FEATURE, "E301", "open('f')", "pl.at"),
    ("with pl.at(3), pl.at(3):\n    a = 1", SYNTAX, "E001", "with pl.at(3), pl.at(3):\n    a = 1", "one scope"),
    ("with pl.at(level=pl.Level.CORE_GROUP, bogus=1):\n    a = 1", SYNTAX, "E001", "1", "no 'bogus'"),
    ("with pl.at(pl.Level.CORE_GROUP, name_hint='for'):\n    a = 1", SYNTAX, "E001", "'for'", "name_hint"),
    ("with pl.at():\n    a = 1", TYPE, "E101", "pl.at()", "needs a level"),
    ("with pl.range(3):\n    a = 1", SYNTAX, "E001", "pl.range(3)", "no scope"),
    ("a = pl.range(3)", SYNTAX, "E001", "pl.range(3)", "in an expression"),
    ("pl.static_assert(K == 5, 'five')", ParserError, "E306", "pl.static_assert(K == 5, 'five')", "five"),
    ("pl.static_assert(s == 5, 'x')", ParserError, "E306", "s == 5", "run time"),
    ("pl.static_assert(K == 4, K)", SYNTAX, "E001", "K", "string literal"),
    ("pl.static_print(f'{s:3d}')", FEATURE, "E301", "f'{s:3d}'", "plain {name}"),
    (TILE + "pl.func_attr({'a': 1})", SYNTAX, "E001", "pl.func_attr({'a': 1})", "first"),
]  # fmt: skip


def marked(error: PyptoError) -> str:
    """The source text that an error points at."""
    span = error.span
    assert span is not None
    lines = Path(span.file).read_text(encoding="utf-8").splitlines()[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column]
    lines[0] = " " * span.column + lines[0][span.column :]
    return textwrap.dedent("\n".join(lines))


def call(module, body: str, head: str = HEAD, indent: str = "        "):
    opening = "    with pl.at(level=pl.Level.CORE_GROUP):\n"
    kernel = module(head + opening + textwrap.indent(body, indent) + "\n    return y\n").kern
    return kernel.specialize(torch.zeros(32, 64), torch.zeros(4, dtype=torch.int32), 3, 0.5, torch.zeros(32, 64))


@pytest.mark.parametrize(("body", "kind", "code", "place", "words"), IN_CORE, ids=[case[0][-40:] for case in IN_CORE])
def test_error_names_the_place_and_the_next_step(module, body, kind, code, place, words):
    with pytest.raises(kind) as caught:
        call(module, body)
    error = caught.value
    assert error.error_code == code
    assert marked(error) == place
    assert words in error.message + error.hint
    assert error.hint and f"[{code}]" in str(error) and "^" in str(error)


def test_rebinding_in_one_block_may_change_the_type(module):
    call(module, "a = s\na = f\nb = a * 2.0")


def test_operand_errors_are_still_the_type_errors_and_value_errors_of_the_operation(module):
    with pytest.raises(TypeError):
        call(module, "t = pl.add(1.0, x)")
    with pytest.raises(ValueError):
        call(module, "t = pl.load(x, [0], [32, 64])")


def test_column_of_a_caret_counts_characters_not_bytes(module):
    with pytest.raises(UndefinedVariableError) as caught:
        call(module, "a = (len('äöü€𝛼'), q)")
    assert marked(caught.value) == "q"


def test_error_in_a_helper_points_into_the_helper(module):
    text = """
        @pl.jit.inline
        def helper(a: pl.Tensor):
            return pl.add(a, missing)

        @pl.jit
        def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            with pl.at(level=pl.Level.CORE_GROUP):
                y[:] = helper(x)
    """
    with pytest.raises(UndefinedVariableError) as caught:
        module(text).kern.specialize(torch.zeros(32, 64), torch.zeros(32, 64))
    assert marked(caught.value) == "missing"


def test_error_survives_pickling(module):
    import pickle

    with pytest.raises(UndefinedVariableError) as caught:
        call(module, "a = q")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.span == caught.value.span


@pytest.mark.parametrize("kind", [PyptoError, *PyptoError.__subclasses__(), *ParserError.__subclasses__()])
def test_error_tree_in_the_docstring_names_every_class(kind):
    import pypto.errors

    assert pypto.errors.__doc__ is not None and kind.__name__ in pypto.errors.__doc__
