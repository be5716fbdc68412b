"""Which tile variables share one buffer from the start, and where a copy must keep two values apart.

Views and in-place operations must share the buffer of their operand. The values that a loop carries, and those that the
branches of an If hand on, share one buffer where their lifetimes allow; a copy remains where they do not. Values merge
greedily, the ones carried round a loop first, since a copy there runs every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import binary
from pypto.ir.types import TileType
from pypto.ir.visit import bodies
from pypto.ops.enums import MemorySpace
from pypto.ops.row import Trait
from pypto.passes.memory.lifetimes import Lifetimes, lifetimes, points
from pypto.passes.memory.sizes import element_bytes, extents, packed

COPYABLE = {MemorySpace.Vec}  # there is no way from another on-chip space back into itself


@dataclass(frozen=True)
class Place:
    """Where a variable lies: bytes into the buffer that ``root`` owns, and its strides in elements."""

    root: n.Var
    offset: int
    strides: tuple[int, int]
    start: n.Expr | None = None  # elements more, known at run time only

    def is_exact(self, tile: TileType) -> bool:
        """Whether the buffer holds ``tile`` from its first byte without gaps."""
        return self.offset == 0 and self.start is None and self.strides == packed(tile)


@dataclass
class Aliases:
    """The outcome: a place per variable, and the copies that must be made."""

    places: dict[n.Var, Place] = field(default_factory=dict)
    copied_operand: dict[n.Assign, n.Var] = field(default_factory=dict)  # made in front; reads its copy instead
    owners: dict[n.Var, n.Var] = field(default_factory=dict)

    def owner(self, var: n.Var) -> n.Var:
        """The variable that stands for the buffer of ``var``."""
        root = self.places[var].root
        while root in self.owners:
            root = self.owners[root]
        return root

    def in_slot(self, value: n.Expr, slot: n.Var) -> bool:
        """Whether ``value`` already lies where the carried variable ``slot`` is kept."""
        if not isinstance(value, n.Var) or not isinstance(value.type, TileType):
            return True
        return self.owner(value) is self.owner(slot) and self.places[value].is_exact(value.type)


def tile_aliases(function: n.Function) -> Aliases:
    """The aliases of the tiles of ``function``; LoweringError where a value would need a copy that cannot be made."""
    solver = _Solver(function, lifetimes(function))
    solver.run()
    return solver.found


class _Solver:
    def __init__(self, function: n.Function, times: Lifetimes) -> None:
        self.function = function
        self.times = times
        self.found = Aliases()
        self._owned: dict[n.Var, int] = {}  # owner -> the points at which its buffer is live

    def run(self) -> None:
        for param in self.function.params:
            self._own(param)
        self._body(self.function.body)
        self._merge(self.function.body)

    # Must share

    def _own(self, var: n.Var) -> None:
        """``var`` gets a buffer of its own."""
        if isinstance(var.type, TileType):
            self.found.places[var] = Place(var, 0, packed(var.type))
            self._owned[var] = self.times.live[var]

    def _body(self, body: n.Body) -> None:
        for stmt in body:
            if isinstance(stmt, n.Assign):
                if isinstance(stmt.var.type, TileType):
                    self._assign(stmt)
                continue
            if isinstance(stmt, n.For | n.While):
                for arg, result in zip(stmt.iter_args, stmt.results, strict=True):
                    self._own(arg)
                    self._own(result)
                    if isinstance(arg.type, TileType):
                        self._join(result, arg)
            elif isinstance(stmt, n.If):
                for result in stmt.results:
                    self._own(result)
            for nested in bodies(stmt):
                self._body(nested)

    def _assign(self, stmt: n.Assign) -> None:
        source = _viewed(stmt)
        if source is not None:
            place = self._view(stmt, source)
            if place is not None:
                self._put(stmt.var, place)
                return
            self._copy_operand(stmt, source, "is reshaped, but its rows have gaps between them")
        elif isinstance(stmt.value, n.Call) and Trait.IN_PLACE in stmt.value.op.traits:
            target = stmt.value.args[0]
            assert isinstance(target, n.Var), "flatten_call_expr left a nested operand"
            owner = self.found.owner(target)
            if not self._owned[owner] & self.times.live[stmt.var]:
                self._put(stmt.var, self.found.places[target])
                return
            self._copy_operand(stmt, target, f"is changed in place by {stmt.value.op.name}, but read again later")
        else:
            self._own(stmt.var)

    def _put(self, var: n.Var, place: Place) -> None:
        self.found.places[var] = place
        self._owned[self.found.owner(var)] |= self.times.live[var]

    def _copy_operand(self, stmt: n.Assign, operand: n.Var, why: str) -> None:
        self.check_copy(operand, stmt.span, why)
        copy = n.Var(operand.type, f"{operand.name}_copy", span=stmt.span)
        now = self.times.reads_at[stmt]
        self.times.live[copy] = points(now, now)
        self._own(copy)
        self.found.copied_operand[stmt] = copy
        self._put(
            stmt.var, self.found.places[copy] if _viewed(stmt) is None else Place(copy, 0, packed(_tile(stmt.var)))
        )

    def _view(self, stmt: n.Assign, source: n.Var) -> Place | None:
        """The place of a view; None when only a copy has the cells in the order that it needs."""
        place, value = self.found.places[source], stmt.value
        if isinstance(value, n.Var):
            return place
        assert isinstance(value, n.Call)
        if value.op.name == "slice":
            return _window(place, _tile(source), _tile(stmt.var), value)
        if value.op.name == "transpose_view":
            return Place(place.root, place.offset, place.strides[::-1], place.start)
        if value.op.name == "reshape":
            full = place.strides == packed(_tile(source))
            return Place(place.root, place.offset, packed(_tile(stmt.var)), place.start) if full else None
        return place

    # May share

    def _merge(self, body: n.Body) -> None:
        for stmt in body:
            for nested in bodies(stmt):
                self._merge(nested)
            if isinstance(stmt, n.For | n.While | n.If):
                for slots, values in handed_on(stmt):
                    for slot, value in zip(slots, values, strict=True):
                        if isinstance(value.type, TileType):
                            assert isinstance(value, n.Var)
                            self._try_join(value, slot, stmt)

    def _try_join(self, value: n.Var, slot: n.Var, stmt: n.Stmt) -> None:
        if self.found.in_slot(value, slot):
            return
        a, b = self.found.owner(value), self.found.owner(slot)
        if a is not b and self.found.places[value].is_exact(_tile(value)) and not self._owned[a] & self._owned[b]:
            self._join(value, slot)
        else:
            kind = "branches hand on one of several values" if isinstance(stmt, n.If) else "a loop carries it on"
            self.check_copy(
                value, stmt.span, f"has to move where '{slot.name}' is kept ({kind}), but is needed besides"
            )

    def _join(self, var: n.Var, other: n.Var) -> None:
        """Both buffers are one from now on."""
        a, b = self.found.owner(var), self.found.owner(other)
        if a is not b:
            self.found.owners[a] = b
            self._owned[b] |= self._owned.pop(a)

    def check_copy(self, var: n.Var, span: n.Span, why: str) -> None:
        """LoweringError when ``var`` lies where nothing can be copied."""
        space = _tile(var).space
        if space not in COPYABLE:
            name = space.name if space is not None else "no space"
            raise LoweringError(
                f"{self.function.name}: '{var.name}' in {name} {why}; a tile in {name} cannot be copied within {name}",
                span if span.line else var.span,
                "use the old value before the new one is made, or make it anew from its source",
            )


def handed_on(stmt: n.For | n.While | n.If) -> Iterator[tuple[tuple[n.Var, ...], tuple[n.Expr, ...]]]:
    """What flows into the carried variables of ``stmt``: yields before initial values, each with the variables."""
    slots = stmt.results if isinstance(stmt, n.If) else stmt.iter_args
    for body in bodies(stmt):
        if slots:
            last = body[-1]
            assert isinstance(last, n.Yield)
            yield slots, last.values
    if not isinstance(stmt, n.If):
        yield slots, tuple(arg.init for arg in stmt.iter_args)


def _viewed(stmt: n.Assign) -> n.Var | None:
    """The tile that an assignment looks at without making a new value."""
    value = stmt.value
    if isinstance(value, n.Call) and Trait.VIEW in value.op.traits:
        value = value.args[0]  # type: ignore[assignment]
    elif not isinstance(value, n.Var):
        return None
    return value if isinstance(value, n.Var) and isinstance(value.type, TileType) else None


def _tile(var: n.Var) -> TileType:
    assert isinstance(var.type, TileType)
    return var.type


def _window(place: Place, source: TileType, result: TileType, call: n.Call) -> Place:
    """The place of a slice: constant parts of its offset in bytes, the rest in elements."""
    offset = call.args[2]
    assert isinstance(offset, n.MakeTuple)
    start, elements = place.start, 0
    for item, stride in zip(offset.items[-2:], place.strides[-len(offset.items) :], strict=True):
        if isinstance(item, n.Const):
            elements += int(item.value) * stride
        else:
            step = binary(n.BinaryKind.Mul, item, stride)
            start = step if start is None else binary(n.BinaryKind.Add, start, step)
    one_row = extents(result)[0] == 1 and place.strides[1] == 1  # no other row, so no gap
    apart = packed(result) if one_row else place.strides
    return Place(place.root, place.offset + element_bytes(source, elements), apart, start)
