"""``x.bind_dynamic(axis, n)`` in a kernel, read ahead of its body because it decides the signature."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto.errors import ParserTypeError, UndefinedVariableError
from pypto.frontend.dynamic import DynVar

if TYPE_CHECKING:
    from pypto.frontend.jit import JITFunction


def dynamic_axes(function: JITFunction) -> dict[str, dict[int, DynVar]]:
    """By parameter, which axes are which dimension variables."""
    found: dict[str, dict[int, DynVar]] = {}
    for statement in function.node.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "bind_dynamic":
            name, axis, variable = _read(function, call)
            found.setdefault(name, {})[axis] = variable
    return found


def _read(function: JITFunction, call: ast.Call) -> tuple[str, int, DynVar]:
    place = function.module.span(call)
    hint = "write x.bind_dynamic(0, n) with n = pl.dynamic('n') at module level"
    target = call.func.value  # type: ignore[attr-defined]
    name = target.id if isinstance(target, ast.Name) else ""
    parameter = next((param for param in function.params if param.name == name), None)
    if parameter is None or not parameter.spec.is_tensor:
        raise ParserTypeError("bind_dynamic is for tensor parameters", place, hint)
    if len(call.args) != 2 or call.keywords or not isinstance(call.args[1], ast.Name):
        raise ParserTypeError("bind_dynamic takes an axis and a dimension variable", place, hint)
    axis = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    if type(axis) is not int or axis < 0:
        raise ParserTypeError("the axis is a literal that is not negative", function.module.span(call.args[0]), hint)
    try:
        variable = function.surroundings().find(call.args[1].id)
    except KeyError:
        raise UndefinedVariableError(
            f"'{call.args[1].id}' is not defined", function.module.span(call.args[1]), hint
        ) from None
    if not isinstance(variable, DynVar):
        raise ParserTypeError(f"'{call.args[1].id}' is no dimension variable", function.module.span(call.args[1]), hint)
    return name, axis, variable


def check_axes(function: JITFunction, name: str, rank: int) -> None:
    """Refuse ``bind_dynamic`` of an axis that the argument does not have."""
    for axis in function.dynamic_axes.get(name, ()):
        if axis >= rank:
            text = f"{name}.bind_dynamic({axis},"
            calls = (item.value for item in function.node.body if isinstance(item, ast.Expr))
            call = next(item for item in calls if ast.unparse(item).startswith(text))
            message = f"bind_dynamic: '{name}' has {rank} dimensions, there is no axis {axis}"
            raise ParserTypeError(message, function.module.span(call), f"use 0 to {rank - 1}")
