"""Python expressions as IR expressions. What involves no value of the kernel is computed by Python right away."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidOperationError, ParserTypeError, UndefinedVariableError, UnsupportedFeatureError
from pypto.frontend import calls, subscripts
from pypto.frontend.assign import read_binding
from pypto.frontend.dynamic import DynExpr
from pypto.frontend.operators import binary_op, boolean_op, compare_op, unary_op
from pypto.frontend.session import LANGUAGE
from pypto.ir.nodes import Expr, TupleItem
from pypto.ir.types import ShapedType, TupleType

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def evaluate(p: Parser, node: ast.expr) -> Any:
    """The value of ``node``: an IR expression or a Python value."""
    rule = _RULES.get(type(node))
    if rule is None:
        return _python(p, node)
    return rule(p, node)


def _constant(p: Parser, node: ast.Constant) -> Any:
    if isinstance(node.value, complex | bytes) or node.value is Ellipsis:
        raise p.error(ParserTypeError, f"{node.value!r} has no meaning in a kernel", node, "use a number or a string")
    return node.value


def _name(p: Parser, node: ast.Name) -> Any:
    binding = p.names.get(node.id)
    if binding is not None:
        return read_binding(p, node, binding)
    if node.id in p.assigned:
        raise p.error(
            UndefinedVariableError, f"'{node.id}' is read before it is assigned", node,
            f"assign '{node.id}' earlier; a name assigned in a function is local to all of it",
        )  # fmt: skip
    value = _outside(p, node)
    p.surroundings.record(node.id, (), value)
    return value.expr if isinstance(value, DynExpr) else value


def _outside(p: Parser, node: ast.Name) -> Any:
    try:
        return p.surroundings.find(node.id)
    except KeyError:
        pass
    hint = f"define '{node.id}' before it is used"
    methods = p.names.get("self")
    if methods is not None and node.id in dir(methods.value):
        hint = f"functions of the program are called as methods: write self.{node.id}(...)"
    close = _similar(node.id, [*p.assigned, *p.variables])
    raise p.error(
        UndefinedVariableError, f"'{node.id}' is not defined", node, f"did you mean '{close}'?" if close else hint
    )


def _similar(name: str, known: list[str]) -> str:
    return next(iter(difflib.get_close_matches(name, known, 1)), "")


def _attribute(p: Parser, node: ast.Attribute) -> Any:
    chain = _outside_chain(p, node)
    if chain is not None:
        return chain
    base = p.value(node.value)
    if isinstance(base, Expr):
        return expr_attribute(p, node, base)
    return _python_attribute(p, node, base)


def _outside_chain(p: Parser, node: ast.Attribute) -> Any:
    """The value of ``name.attribute...`` where ``name`` is no name of the kernel; remembered as one capture."""
    path: list[str] = []
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        path.append(root.attr)
        root = root.value
    if not isinstance(root, ast.Name) or p.names.get(root.id) is not None or root.id in p.assigned:
        return None
    value = _outside(p, root)
    if isinstance(value, DynExpr):
        return None
    for attribute in reversed(path):
        value = _python_attribute(p, node, value, attribute)
    if not p.session.is_language(root.id, p.surroundings):
        p.surroundings.record(root.id, tuple(reversed(path)), value)
    return value.expr if isinstance(value, DynExpr) else value


def _python_attribute(p: Parser, node: ast.Attribute, base: Any, name: str = "") -> Any:
    name = name or node.attr
    try:
        return getattr(base, name)
    except AttributeError as error:
        known = getattr(base, "__all__", None) or [item for item in dir(base) if not item.startswith("_")]
        close = _similar(name, list(known))
        hint = f"did you mean '{close}'?" if close else "see docs/language for the names there are"
        language = getattr(base, "__name__", "") == LANGUAGE
        message = f"pl has no operation '{name}'" if language else str(error)
        raise p.error(InvalidOperationError, message, node, hint, "E300") from None


def expr_attribute(p: Parser, node: ast.Attribute, base: Expr) -> Any:
    """``x.shape`` and ``x.dtype`` of a tensor, tile or scalar."""
    if node.attr == "shape" and isinstance(base.type, ShapedType):
        return tuple(base.type.shape)
    if node.attr == "ndim" and isinstance(base.type, ShapedType):
        return base.type.rank
    if node.attr == "dtype" and hasattr(base.type, "dtype"):
        return base.type.dtype
    raise p.error(
        UnsupportedFeatureError, f"a value of a kernel has no attribute '{node.attr}'", node,
        "use .shape and .dtype; operations are written pl.<name>(x)",
    )  # fmt: skip


def _sequence(p: Parser, node: ast.List | ast.Tuple) -> Any:
    items: list[Any] = []
    for item in node.elts:
        if isinstance(item, ast.Starred):
            items.extend(starred(p, item))
        else:
            items.append(p.value(item))
    return tuple(items) if isinstance(node, ast.Tuple) else items


def starred(p: Parser, node: ast.Starred) -> list[Any]:
    """The values that ``*x`` stands for."""
    value = p.value(node.value)
    if not isinstance(value, list | tuple):
        raise p.error(
            UnsupportedFeatureError, "* needs a tuple that is known while parsing", node, "write the items out"
        )
    return list(value)


def _binary(p: Parser, node: ast.BinOp) -> Any:
    return binary_op(p, node.op, p.value(node.left), p.value(node.right), node)


def _unary(p: Parser, node: ast.UnaryOp) -> Any:
    return unary_op(p, node.op, p.value(node.operand), node)


def _boolean(p: Parser, node: ast.BoolOp) -> Any:
    return boolean_op(p, node.op, [p.value(value) for value in node.values], node)


def _compare(p: Parser, node: ast.Compare) -> Any:
    values = [p.value(node.left), *(p.value(item) for item in node.comparators)]
    if len(node.ops) > 1:
        if any(isinstance(value, Expr) for value in values):
            raise p.error(
                UnsupportedFeatureError,
                "a chained comparison",
                node,
                "write the comparisons apart, joined by 'and'",
                "E305",
            )
        return _python(p, node)
    return compare_op(p, node.ops[0], values[0], values[1], node)


def _subscript(p: Parser, node: ast.Subscript) -> Any:
    base = p.value(node.value)
    if not isinstance(base, Expr):
        return _python_subscript(p, node, base)
    if isinstance(base.type, ShapedType):
        return subscripts.read(p, node, base)
    if isinstance(base.type, TupleType):
        index = p.value(node.slice)
        if type(index) is not int or not -len(base.type.items) <= index < len(base.type.items):
            raise p.error(
                UnsupportedFeatureError, "a tuple is indexed by a constant inside its length", node.slice,
                f"use 0 to {len(base.type.items) - 1}",
            )  # fmt: skip
        index %= len(base.type.items)
        return TupleItem(base.type.items[index], base, index, span=p.span(node))
    return subscripts.read_array(p, node, base)


def _python_subscript(p: Parser, node: ast.Subscript, base: Any) -> Any:
    index = _slice(p, node.slice) if isinstance(node.slice, ast.Slice) else p.value(node.slice)
    if isinstance(index, Expr):
        raise p.error(
            UnsupportedFeatureError, "a Python list or tuple is indexed by a constant", node.slice,
            "put the values into a tensor or pl.array to index them at run time",
        )  # fmt: skip
    return p.python(node, lambda: base[index])


def _slice(p: Parser, node: ast.Slice) -> slice:
    return slice(*(None if part is None else p.value(part) for part in (node.lower, node.upper, node.step)))


def _conditional(p: Parser, node: ast.IfExp) -> Any:
    test = p.value(node.test)
    if isinstance(test, Expr):
        raise p.error(
            UnsupportedFeatureError, "a conditional expression on a run-time value", node,
            "write an if statement that assigns the variable in both branches",
        )  # fmt: skip
    return p.value(node.body if p.python(node.test, lambda: bool(test)) else node.orelse)


def _walrus(p: Parser, node: ast.NamedExpr) -> Any:
    raise p.error(
        UnsupportedFeatureError, "an assignment inside an expression", node, "assign in a statement of its own"
    )


_WORDS: dict[type, str] = {
    ast.Lambda: "a lambda", ast.ListComp: "a comprehension", ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension", ast.GeneratorExp: "a generator", ast.JoinedStr: "an f-string",
    ast.Await: "await", ast.Yield: "yield", ast.YieldFrom: "yield from", ast.Set: "a set", ast.Dict: "a dictionary",
    ast.Starred: "a starred expression", ast.Slice: "a slice", ast.FormattedValue: "an f-string",
    ast.Compare: "a chained comparison",
}  # fmt: skip
_PLAIN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.Set, ast.Dict, ast.Compare)


def _python(p: Parser, node: ast.expr) -> Any:
    """An expression outside the language, which is fine as long as all its names are plain Python values."""
    word = _WORDS.get(type(node), f"'{type(node).__name__}'")
    refused = p.error(
        UnsupportedFeatureError, f"{word} on values of the kernel", node, "only constants can be computed this way"
    )
    if not isinstance(node, _PLAIN):
        refused.message = f"{word} is not supported in a kernel"
        raise refused
    bound = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    scope: dict[str, Any] = {}
    for name in ast.walk(node):
        if isinstance(name, ast.Lambda | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            raise refused
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load) and name.id not in bound:
            scope[name.id] = p.value(name)
            if _involves_kernel(scope[name.id]):
                raise refused
    code = compile(ast.Expression(node), p.module.file, "eval")
    return p.python(node, lambda: eval(code, {"__builtins__": calls.HARMLESS, **scope}))


def _involves_kernel(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_involves_kernel, value))
    return isinstance(value, Expr)


_RULES: dict[type, Callable[[Parser, Any], Any]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.Call: calls.call,
    ast.Subscript: _subscript,
    ast.IfExp: _conditional,
    ast.NamedExpr: _walrus,
}
