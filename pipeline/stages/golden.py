"""Golden: what the kernel should write, from the user's own function, kept as the values after the call."""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from pipeline.case import Case, Golden
from pipeline.errors import GoldenError, GoldenNames, GoldenRaised, GoldenSilent, GoldenValue
from pipeline.tensor_files import save_tensors
from pipeline.tensors import TensorSpec, describe, digests, dtype_name, plain

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Computed:
    """The digest of each expected output; the values are in the files."""

    outputs: dict[str, str]
    seconds: float


def compute_golden(case: Case, folder: Path) -> Computed:
    """Call the golden of a case on fresh tensors and keep what it expects."""
    started = time.perf_counter()
    outputs = golden_outputs(case.golden, case.tensors)
    save_tensors(folder, outputs)
    return Computed(digests(outputs), time.perf_counter() - started)


def golden_outputs(golden: Golden, specs: tuple[TensorSpec, ...]) -> Tensors:
    """The expected value of every output; a `GoldenError` says what is wrong with what came."""
    tensors = {spec.name: spec.fresh() for spec in specs}
    outputs = [spec for spec in specs if spec.is_output]
    given = dict(tensors)
    versions = {spec.name: tensors[spec.name]._version for spec in outputs}
    try:
        returned = _call(golden, given)
    except GoldenError:
        raise
    except (Exception, SystemExit) as error:
        raise GoldenRaised(
            error=f"{type(error).__name__}: {error}".rstrip(": "), hint=_hint(golden, tensors)
        ) from error
    if returned is None:
        _check_written(given, tensors, versions, outputs)
        returned = {spec.name: given[spec.name] for spec in outputs}
    return _checked(returned, outputs)


def _call(golden: Golden, tensors: Tensors) -> Any:
    """Hand over the tensors as the function asks for them: one parameter takes all, several take theirs by name."""
    try:
        parameters = inspect.signature(golden).parameters.values()
    except (TypeError, ValueError):
        return golden(tensors)
    kinds = inspect.Parameter
    wanted = [p.name for p in parameters if p.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)]
    required = [p for p in parameters if p.name in wanted and p.default is p.empty]
    takes_all = any(p.kind is kinds.VAR_KEYWORD for p in parameters)
    if len(required) == 1 and not takes_all and required[0].kind is not kinds.KEYWORD_ONLY:
        return golden(tensors)
    if not required:
        if takes_all:
            return golden(**tensors)
        takes_one = any(p.kind is not kinds.KEYWORD_ONLY for p in parameters)
        return golden(tensors) if takes_one else golden()
    unknown = [p.name for p in required if p.name not in tensors]
    if unknown:
        raise GoldenNames(
            problem=f"asks for {', '.join(unknown)}, which the case has not (it has {', '.join(tensors)})",
            outputs="handed over by name when there are several parameters, as one dict when there is one",
        )
    positional = [tensors[p.name] for p in required if p.kind is kinds.POSITIONAL_ONLY]
    named = {p.name: tensors[p.name] for p in required if p.kind is not kinds.POSITIONAL_ONLY}
    return golden(*positional, **(tensors | named if takes_all else named))


def _check_written(
    given: Mapping[str, Any], tensors: Tensors, versions: dict[str, int], outputs: list[TensorSpec]
) -> None:
    """A golden that returns nothing must have written: into a tensor, or a new one into the dict."""
    for spec in outputs:
        value = given.get(spec.name)
        if value is not tensors[spec.name] or value._version != versions[spec.name]:
            return
        if not _same_bits(value, spec.sample):  # written through NumPy, which counts no versions
            return
    raise GoldenSilent(outputs=", ".join(spec.name for spec in outputs))


def _same_bits(a: torch.Tensor, b: torch.Tensor) -> bool:
    return torch.equal(a.reshape(-1).view(torch.uint8), b.reshape(-1).view(torch.uint8)) if a.numel() else True


def _checked(returned: Any, outputs: list[TensorSpec]) -> Tensors:
    names = [spec.name for spec in outputs]
    if isinstance(returned, torch.Tensor):
        if len(outputs) > 1:
            raise GoldenNames(problem="returned one tensor; return a dict by name", outputs=", ".join(names))
        returned = {names[0]: returned}
    if not isinstance(returned, Mapping):
        kind = type(returned).__name__
        raise GoldenNames(problem=f"returned a {kind}; return a tensor, or a dict by name", outputs=", ".join(names))
    missing = [name for name in names if name not in returned]
    extra = [str(name) for name in returned if name not in names]
    if missing or extra:
        told = [f"gave no {', '.join(missing)}"] if missing else []
        told += [f"gave {', '.join(extra)}, which the kernel does not write"] if extra else []
        raise GoldenNames(problem=" and ".join(told), outputs=", ".join(names))
    return {spec.name: _value(returned[spec.name], spec) for spec in outputs}


def _value(value: Any, spec: TensorSpec) -> torch.Tensor:
    if not isinstance(value, torch.Tensor):
        raise GoldenValue(output=spec.name, expected=str(spec), got=f"a {type(value).__name__}", hint="")
    if tuple(value.shape) != spec.shape:
        raise GoldenValue(output=spec.name, expected=str(spec), got=describe(value), hint="; nothing is broadcast")
    if value.dtype != spec.dtype:
        hint = f"; add .to(torch.{dtype_name(spec.dtype)})"
        raise GoldenValue(output=spec.name, expected=str(spec), got=describe(value), hint=hint)
    return plain(value)


def _hint(golden: Golden, tensors: Tensors) -> str:
    """A word for the likeliest slip: one parameter with a tensor's name, which is the dict all the same."""
    try:
        names = list(inspect.signature(golden).parameters)
    except (TypeError, ValueError):
        return ""
    if len(names) == 1 and names[0] in tensors:
        return f" (its one parameter is the dict of all tensors: use {names[0]}['{names[0]}'])"
    return ""
