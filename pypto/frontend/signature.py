"""How the arguments of a kernel become its signature: parameters, binding, the types and constants of one call."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pypto.frontend.annotations import ParamSpec, annotated_type
from pypto.frontend.dynamic import DynVar
from pypto.ir.types import Dim, TensorType
from pypto.ops.dtypes import ALL, BOOL, FP4, FP32, INT32, DataType
from pypto.ops.enums import ParamDirection

EMPTY: Any = object()  # a parameter without default
OMITTED: Any = object()  # an output that the caller left out


class _Runtime:
    """``pl.RUNTIME``: a scalar that stays open when a kernel is compiled without its value."""

    def __repr__(self) -> str:
        return "pl.RUNTIME"


RUNTIME = _Runtime()
_DTYPES = {f"torch.{dtype.torch}": dtype for dtype in ALL if dtype.torch}
_BY_OBJECT: dict[Any, DataType] = {}  # torch dtypes that were seen


@dataclass(frozen=True)
class Parameter:
    """One parameter as declared."""

    name: str
    spec: ParamSpec
    default: Any = EMPTY

    @property
    def is_output(self) -> bool:
        """Whether the kernel writes it."""
        return self.spec.direction is not ParamDirection.In


@dataclass(frozen=True)
class ScalarArg:
    """A run-time scalar of ``dtype``; its value is no part of the signature."""

    dtype: DataType


@dataclass(frozen=True)
class ConstantArg:
    """A compile-time constant."""

    value: Any


Argument = TensorType | ScalarArg | ConstantArg


def is_tensor(value: Any) -> bool:
    """Whether ``value`` is a torch tensor, found out without importing torch."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and hasattr(value, "data_ptr")


def tensor_dtype(name: str, value: Any) -> DataType:
    """The dtype of a tensor argument; TypeError where the language has none like it."""
    found = _BY_OBJECT.get(value.dtype)
    if found is None:
        found = _DTYPES.get(str(value.dtype))
        if found is None:
            raise TypeError(f"'{name}': the language has no dtype for {value.dtype}; convert the tensor first")
        _BY_OBJECT[value.dtype] = found
    return found


def tensor_shape(value: Any, dtype: DataType) -> tuple[int, ...]:
    """The shape of a tensor argument; a carrier of FP4 pairs counts pairs."""
    shape = tuple(value.shape)
    return (*shape[:-1], shape[-1] * 2) if dtype is FP4 and shape else shape


def bind(name: str, params: Sequence[Parameter], args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """One value per parameter, OMITTED for outputs in return style; TypeError as Python gives it."""
    values = _bind(name, params, args, kwargs, list(params))
    if values is None:
        inputs = [param for param in params if param.spec.direction is not ParamDirection.Out]
        values = _bind(name, params, args, kwargs, inputs)
    if values is None:
        raise TypeError(_explain(name, params, args, kwargs))
    return values


def _bind(
    name: str, params: Sequence[Parameter], args: Sequence[Any], kwargs: Mapping[str, Any], positional: list[Parameter]
) -> list[Any] | None:
    """Positional arguments go to ``positional`` in order; None when that does not work out."""
    return_style = len(positional) < len(params)
    if len(args) > len(positional):
        return None
    given = {param.name: value for param, value in zip(positional, args, strict=False)}
    known = {param.name for param in params}
    for key in kwargs:
        if key not in known:
            raise TypeError(f"{name}() has no parameter '{key}'; it has {', '.join(p.name for p in params)}")
        if key in given:
            if return_style:
                return None
            raise TypeError(f"{name}() got two values for '{key}'")
    given.update(kwargs)
    values = []
    for param in params:
        value = given.get(param.name, param.default)
        out = param.spec.direction is ParamDirection.Out
        if return_style and out:
            if param.name in given:
                return None
            value = OMITTED
        if value is EMPTY or (out and value is not OMITTED and not is_tensor(value)):
            return None
        values.append(value)
    return values


def _explain(name: str, params: Sequence[Parameter], args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    if len(args) > len(params):
        return f"{name}() takes {len(params)} arguments ({', '.join(p.name for p in params)}), got {len(args)}"
    given = {param.name: value for param, value in zip(params, args, strict=False)} | dict(kwargs)
    for param in params:
        if param.spec.direction is ParamDirection.Out and param.name in given and not is_tensor(given[param.name]):
            return f"{name}(): '{param.name}' is an output and takes a tensor, got {given[param.name]!r}"
    missing = [p.name for p in params if p.name not in given and p.default is EMPTY]
    outs = [p.name for p in params if p.spec.direction is ParamDirection.Out]
    advice = f"; pass all of {', '.join(outs)}, or none of them to get them returned" if outs else ""
    return f"{name}() is missing {', '.join(repr(m) for m in missing)}{advice}"


def argument(param: Parameter, value: Any, dynamic: Mapping[int, DynVar]) -> Argument:
    """What the signature keeps of an argument; TypeError where it contradicts the annotation."""
    if is_tensor(value):
        return _tensor_argument(param, value, dynamic)
    dtype = param.spec.scalar_dtype
    if dtype is not None:
        exact_scalar(value, dtype, param.name)
        return ScalarArg(dtype)
    if param.spec.is_tensor:
        raise TypeError(f"'{param.name}' takes a tensor, got {value!r}")
    if type(value) not in (bool, int, float):
        raise TypeError(
            f"'{param.name}': {value!r} is neither a tensor nor a number; capture other values as module constants"
        )
    declared = param.spec.declared
    if declared is not None and type(value) is not declared and not (declared is float and type(value) is int):
        raise TypeError(f"'{param.name}' is declared {declared.__name__}, got {value!r}")
    return ConstantArg(declared(value) if declared is float else value)


def _tensor_argument(param: Parameter, value: Any, dynamic: Mapping[int, DynVar]) -> TensorType:
    if not param.spec.is_tensor and param.spec.declared is not None:
        raise TypeError(f"'{param.name}' takes a scalar, got a tensor of shape {list(value.shape)}")
    dtype = tensor_dtype(param.name, value)
    shape: tuple[Dim, ...] = tensor_shape(value, dtype)
    type_ = TensorType(shape, dtype)
    if not param.spec.is_bare_tensor and param.spec.declared is not None:
        type_ = agree(param.name, declared_tensor(param), shape, dtype)
    if dynamic:
        type_ = TensorType(
            tuple(dynamic[i].var if i in dynamic else d for i, d in enumerate(type_.shape)), dtype, type_.view
        )
    return type_


def declared_tensor(param: Parameter) -> TensorType:
    """The type a tensor parameter is annotated with."""
    declared = annotated_type(param.spec.declared)
    assert isinstance(declared, TensorType)
    return declared


def agree(name: str, declared: TensorType, shape: tuple[Dim, ...], dtype: DataType) -> TensorType:
    """The declared type, when a tensor of ``shape`` and ``dtype`` may stand for it; TypeError naming both otherwise."""
    fits = len(shape) == len(declared.shape) and all(
        wanted == given for wanted, given in zip(declared.shape, shape, strict=True)
        if isinstance(wanted, int) and isinstance(given, int)
    )  # fmt: skip
    if not fits or dtype != declared.dtype:
        raise TypeError(
            f"'{name}' is declared {_text(declared.shape, declared.dtype)}, the argument is {_text(shape, dtype)}"
        )
    return declared


def _text(shape: tuple[Dim, ...], dtype: DataType) -> str:
    return f"[{', '.join(str(d) if isinstance(d, int) else getattr(d, 'name', '?') for d in shape)}] of {dtype.name}"


def exact_scalar(value: Any, dtype: DataType, name: str) -> int | float | bool:
    """``value`` as a scalar of ``dtype``; TypeError where that would change it."""
    if type(value) not in (bool, int, float):
        raise TypeError(f"'{name}' takes a scalar of {dtype.name}, got {value!r}")
    if dtype.is_float:
        return float(value)
    if dtype.kind == "bool":
        if value not in (0, 1):
            raise TypeError(f"'{name}' takes True or False, got {value!r}")
        return bool(value)
    low = -(1 << dtype.bits - 1) if dtype.is_signed else 0
    high = (1 << (dtype.bits - 1 if dtype.is_signed else dtype.bits)) - 1
    if value != value or value in (float("inf"), float("-inf")) or int(value) != value or not low <= value <= high:
        raise TypeError(f"'{name}': {value!r} is no {dtype.name}; it takes integers from {low} to {high}")
    return int(value)


def declared_argument(param: Parameter, value: Any, dynamic: Mapping[int, DynVar]) -> Argument:
    """What a parameter is when the annotations alone decide; ``value`` is a scalar given by keyword, or EMPTY."""
    spec = param.spec
    if spec.is_bare_tensor:
        raise TypeError(f"'{param.name}' is a bare pl.Tensor; annotate its shape and dtype, or pass sample arguments")
    if spec.is_tensor:
        type_ = declared_tensor(param)
        shape = tuple(dynamic[i].var if i in dynamic else d for i, d in enumerate(type_.shape))
        return TensorType(shape, type_.dtype, type_.view)
    if spec.scalar_dtype is not None:
        return ScalarArg(spec.scalar_dtype)
    if value is RUNTIME:
        dtype = {int: INT32, float: FP32, bool: BOOL}.get(spec.declared)
        if dtype is None:
            raise TypeError(f"'{param.name}' is pl.RUNTIME but has no type; annotate it pl.Scalar[dtype]")
        return ScalarArg(dtype)
    if value is EMPTY:
        raise TypeError(f"'{param.name}' is a compile-time constant; give it by keyword, or pl.RUNTIME to keep it open")
    return argument(param, value, dynamic)


def constant_key(value: Any) -> Any:
    """A compile-time constant as part of a cache key: by type and value, floats by their bits."""
    return ("float", struct.pack("<d", value)) if type(value) is float else (type(value).__name__, value)
