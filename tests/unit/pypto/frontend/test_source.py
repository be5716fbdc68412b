"""The right definition is found, whatever stands around it, and nothing of it is executed."""

from __future__ import annotations

import builtins
import linecache
from pathlib import Path

import pytest
import torch

import pypto.language as pl
from pypto.errors import ParserSyntaxError
from pypto.frontend.source import FunctionSource, parse_module

X = torch.zeros(32, 64)
BODY = """
def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:] = pl.add(x, VALUE)
    return y
"""


def constants(program) -> list[float]:
    from pypto.ir.nodes import Const
    from pypto.ir.visit import walk

    return [node.value for node in walk(program) if isinstance(node, Const) and isinstance(node.value, float)]


def test_decorator_with_a_lambda(module):
    text = "def deco(f):\n    return lambda g: g\n\n@pl.jit\n@deco(lambda x: 42)" + BODY.replace("VALUE", "1.5")
    assert constants(module(text).kern.specialize(X, X)) == [1.5]


def test_comments_and_blank_lines_between_decorator_and_def(module):
    text = "@pl.jit\n# a comment\n\n# def kern(): another\n" + BODY.strip().replace("VALUE", "2.5")
    assert constants(module(text).kern.specialize(X, X)) == [2.5]


def test_three_stacked_decorators(module):
    text = "def same(f):\n    return f\n\n@same\n@pl.jit\n@same" + BODY.replace("VALUE", "3.5")
    assert constants(module(text).kern.specialize(X, X)) == [3.5]


def test_two_functions_of_one_name(module):
    first, second = ("@pl.jit" + BODY.replace("VALUE", value) for value in ("1.5", "2.5"))
    loaded = module(f"{first}\nfirst = kern\n{second}")
    assert constants(loaded.first.specialize(X, X)) == [1.5]
    assert constants(loaded.kern.specialize(X, X)) == [2.5]


def test_functions_of_one_name_in_branches(module):
    first, second = ("    @pl.jit" + BODY.replace("VALUE", value).replace("\n", "\n    ") for value in ("1.5", "2.5"))
    loaded = module(f"if False:\n{first}\nelse:\n{second}")
    assert constants(loaded.kern.specialize(X, X)) == [2.5]


def test_notebook_cell(monkeypatch):
    text = "import pypto.language as pl\n@pl.jit" + BODY.replace("VALUE", "4.5")
    name = "<ipython-input-7-0123456789ab>"
    monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(keepends=True), name))
    scope: dict = {}
    exec(compile(text, name, "exec"), scope)
    assert constants(scope["kern"].specialize(X, X)) == [4.5]


def test_text_from_a_prompt_has_no_source():
    with pytest.raises(OSError, match="not from a prompt"):
        exec(compile("@pl.jit" + BODY, "<stdin>", "exec"), {"pl": pl})


def test_source_is_what_the_file_held_when_it_was_imported(module):
    loaded = module("@pl.jit" + BODY.replace("VALUE", "5.5"))
    Path(loaded.__file__).write_text("# nothing left\n")
    assert constants(loaded.kern.specialize(X, X)) == [5.5]


def test_file_that_changed_before_the_decorator_ran_is_an_error(tmp_path):
    file = tmp_path / "moved.py"
    file.write_text("\n\n\n# moved\n")
    code = compile("@pl.jit" + BODY, str(file), "exec")
    scope = {"pl": pl}
    exec(code, scope)
    with pytest.raises(OSError, match="the file changed"):
        scope["kern"].specialize(X, X)


def test_kernel_is_never_executed(module, monkeypatch):
    monkeypatch.setattr(builtins, "ran", [], raising=False)
    text = """
        def note():
            ran.append(1)
            return 2.0

        @pl.jit
        def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            unused = 1
            with pl.at(level=pl.Level.CORE_GROUP):
                y[:] = pl.add(x, 1.0)
            return y
            note()
    """
    module(text).kern.specialize(X, X)
    assert builtins.ran == []  # type: ignore[attr-defined]


def test_only_functions_can_be_decorated():
    with pytest.raises(TypeError, match="decorates a function"):
        pl.jit(len)
    with pytest.raises(TypeError, match="decorates a class"):
        pl.program(3)


def test_broken_syntax_has_its_place():
    with pytest.raises(ParserSyntaxError) as caught:
        parse_module("broken.py", "x = 1\ny = (2,\n")
    assert caught.value.span is not None and caught.value.span.line == 2


def test_source_of_a_wrapped_function_is_that_of_the_wrapped():
    import functools

    def inner():
        """The one."""

    @functools.wraps(inner)
    def outer():
        return inner()

    assert FunctionSource.of(outer).node().name == "inner"
