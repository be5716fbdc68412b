"""All the files of a compiled program: kernels, orchestration, manifest, and the file that builds them in one go."""

from __future__ import annotations

import pprint
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypto.codegen.kernel import core_type, kernel_source
from pypto.codegen.orchestration import orchestration_source
from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.types import TensorType
from pypto.ops.enums import FunctionType, ParamDirection

IN_CORE = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)
_DIRECTIONS = {ParamDirection.In: "IN", ParamDirection.Out: "OUT", ParamDirection.InOut: "INOUT"}


@dataclass(frozen=True)
class GeneratedProgram:
    """The texts of the emitted files by path below the output directory, and the orchestration they run."""

    files: dict[str, str]
    orchestration: n.Function


def generate(program: n.Program) -> GeneratedProgram:
    """The files of ``program``, which has gone through all passes.

    Raises LoweringError when there is no orchestration, or several, or one that holds what only a core can run.
    """
    kernels = [function for function in program.functions if function.kind in IN_CORE]
    orchestrations = [function for function in program.functions if function.kind is FunctionType.Orchestration]
    if len(orchestrations) != 1:
        names = ", ".join(function.name for function in orchestrations) or "none"
        raise LoweringError(f"{program.name}: a program needs one orchestration, found {names}", program.span)
    entry = orchestrations[0]
    files: dict[str, str] = {}
    rows: list[dict[str, Any]] = []
    for func_id, kernel in enumerate(kernels):
        core, external = core_type(kernel), kernel.attrs.get("external_source")
        path = str(external) if external else f"kernels/{core}/{kernel.name}.cpp"
        if not external:
            files[path] = kernel_source(kernel)
        elif not Path(path).is_file():
            raise LoweringError(
                f"{kernel.name}: its source {path} is not there", kernel.span, "correct source= of pl.jit.extern"
            )
        row = {
            "func_id": func_id,
            "name": kernel.name,
            "source": path,
            "core_type": core,
            "signature": signature(kernel),
        }
        rows.append(row | ({"external": True} if external else {}))
    by_name = {kernel.name: (func_id, kernel) for func_id, kernel in enumerate(kernels)}
    files[f"orchestration/{entry.name}.cpp"] = orchestration_source(entry, by_name)
    files["kernel_config.py"] = manifest(entry, rows)
    files["build.cpp"] = unity(entry, rows)
    return GeneratedProgram(files, entry)


def signature(function: n.Function) -> list[str]:
    """IN, OUT or INOUT for each tensor parameter; scalars are not listed."""
    return [
        _DIRECTIONS[direction]
        for param, direction in zip(function.params, function.directions, strict=True)
        if isinstance(param.type, TensorType)
    ]


def manifest(entry: n.Function, rows: list[dict[str, Any]]) -> str:
    """The text of kernel_config.py."""
    orchestration = {
        "source": f"orchestration/{entry.name}.cpp",
        "function_name": "aicpu_orchestration_entry",
        "signature": signature(entry),
    }
    parts = {
        "RUNTIME_CONFIG": {"runtime": "tensormap_and_ringbuffer", "aicpu_thread_num": 0},
        "ORCHESTRATION": orchestration,
        "KERNELS": rows,
    }
    texts = [f"{name} = {pprint.pformat(value, width=120, sort_dicts=False)}" for name, value in parts.items()]
    return '"""What the runtime loads: generated."""\n\n' + "\n\n".join(texts) + "\n"


def unity(entry: n.Function, rows: list[dict[str, Any]]) -> str:
    """One file that includes all sources, so that one compiler run builds the library; entries get distinct names."""
    lines = ["// Builds all sources of this program in one compiler run.", '#include "pto/sim.hpp"']
    for row in rows:
        name = f"kernel_entry_{row['func_id']}"
        lines += [f"#define kernel_entry {name}", f'#include "{row["source"]}"', "#undef kernel_entry"]
    lines.append(f'#include "orchestration/{entry.name}.cpp"')
    entries = ", ".join(f"kernel_entry_{row['func_id']}" for row in rows)
    lines += [
        'extern "C" {',
        f"pto::KernelEntry pto_kernels[] = {{{entries or 'nullptr'}}};",
        f"int32_t pto_kernel_count = {len(rows)};",
        "}",
    ]
    return "\n".join(lines) + "\n"
