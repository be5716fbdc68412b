"""Which buffer a tensor value is: writes, windows and loop carries name the buffer they started from."""

from __future__ import annotations

from pypto.ir import nodes as n
from pypto.ir.types import TensorType
from pypto.ir.visit import bodies, walk

_WRITES = {"assemble": 0, "store": 2, "write": 0, "mscatter": 2}  # op -> position of the tensor it writes into
_WINDOWS = {"slice", "view", "reshape", "transpose", "reinterpret_view"}


def written_operand(call: n.Expr) -> n.Expr | None:
    """The tensor that ``call`` writes into; None when it writes none."""
    if isinstance(call, n.Call) and call.op.name in _WRITES:
        target = call.args[_WRITES[call.op.name]]
        if target is not None and isinstance(target.type, TensorType):
            return target
    return None


def buffer_roots(body: n.Body) -> dict[n.Var, n.Var]:
    """For each tensor variable that names the buffer of another: that other, followed to the first. Needs SSA form."""
    roots: dict[n.Var, n.Var] = {}
    _collect(body, roots)
    return roots


def _collect(body: n.Body, roots: dict[n.Var, n.Var]) -> None:
    for stmt in body:
        if isinstance(stmt, n.Assign) and isinstance(stmt.var.type, TensorType):
            source = written_operand(stmt.value)
            if source is None and isinstance(stmt.value, n.Call) and stmt.value.op.name in _WINDOWS:
                source = stmt.value.args[0]
            if isinstance(stmt.value, n.Var):
                source = stmt.value
            if isinstance(source, n.Var):
                roots[stmt.var] = roots.get(source, source)
        elif isinstance(stmt, n.For | n.While):
            for arg in stmt.iter_args:
                if isinstance(arg.init, n.Var):
                    roots[arg] = roots.get(arg.init, arg.init)
            _collect(stmt.body, roots)
            _merge(stmt.results, (stmt.body,), roots)
        elif isinstance(stmt, n.If):
            _collect(stmt.then, roots)
            _collect(stmt.orelse, roots)
            _merge(stmt.results, (stmt.then, stmt.orelse), roots)
        else:
            for nested in bodies(stmt):
                _collect(nested, roots)


def _merge(results: tuple[n.Var, ...], sources: tuple[n.Body, ...], roots: dict[n.Var, n.Var]) -> None:
    """Results are the buffer that every one of the bodies hands on; a value of its own where they differ."""
    for index, result in enumerate(results):
        if isinstance(result.type, TensorType):
            found = set()
            for body in sources:
                last = body[-1]
                assert isinstance(last, n.Yield)
                value = last.values[index]
                found.add(roots.get(value, value) if isinstance(value, n.Var) else value)
            if len(found) == 1 and isinstance(root := found.pop(), n.Var):
                roots[result] = root


def writes_of(body: n.Body) -> tuple[set[n.Var], dict[n.Var, bool]]:
    """The buffers that ``body`` reads, and those it writes, with whether one write outside loops covers all of it."""
    roots = buffer_roots(body)
    reads: set[n.Var] = set()
    writes: dict[n.Var, bool] = {}
    _effects(body, roots, reads, writes, top=True)
    return reads, writes


def _effects(body: n.Body, roots: dict[n.Var, n.Var], reads: set[n.Var], writes: dict[n.Var, bool], top: bool) -> None:
    for stmt in body:
        if isinstance(stmt, n.Assign | n.Eval):
            target = written_operand(stmt.value)
            window = isinstance(stmt.value, n.Call) and stmt.value.op.name in _WINDOWS
            for node in walk(stmt.value):
                if isinstance(node, n.Var) and node is not target and not window:
                    reads.add(roots.get(node, node))
            if isinstance(target, n.Var):
                root = roots.get(target, target)
                writes[root] = (top and root is target and _covers(stmt.value)) or writes.get(root, False)
        for nested in bodies(stmt):
            _effects(nested, roots, reads, writes, top and isinstance(stmt, n.Scope))


def _covers(value: n.Expr) -> bool:
    """Whether a write fills the whole tensor: same shape, at the origin, all of it valid."""
    if not isinstance(value, n.Call) or value.op.name not in ("assemble", "store"):
        return False
    source, offsets, target = (
        (value.args[1], value.args[2], value.args[0]) if value.op.name == "assemble" else value.args[:3]
    )
    if source is None or target is None or not isinstance(offsets, n.MakeTuple):
        return False
    at_origin = all(isinstance(item, n.Const) and item.value == 0 for item in offsets.items)
    whole = source.type.valid_shape == target.type.shape  # type: ignore[attr-defined]
    return at_origin and whole
