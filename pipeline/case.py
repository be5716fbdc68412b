"""A case: a declared value. Kernel source, tensors, golden and settings; it says nothing about execution."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.comparators import Callback, Comparator, Elementwise
from pipeline.errors import BadArguments, BadSetting, CaseError, NoOutput, UnknownSetting, UsageProblem
from pipeline.kernel_source import Arguments, JitKernel, KernelSource, is_jit_function
from pipeline.matrix import DEFAULT_PLANNER, check_planner, check_platforms, effective_planner
from pipeline.names import check_name, shortened
from pipeline.place import Place
from pipeline.tensors import TensorSpec, outputs_of

Golden = Callable[..., Any]
DEFAULT_RTOL = 1e-5
DEFAULT_ATOL = 1e-5


@dataclass(frozen=True)
class Settings:
    """How a case is compared and what it insists on."""

    comparator: Comparator = field(default_factory=Elementwise)
    pin: str | None = None
    planner: str | None = None
    config_planner: str | None = None

    def __str__(self) -> str:
        return f"{self.comparator}, platform={self.pin}, planner={self.planner or self.config_planner}"


@dataclass(frozen=True, eq=False)
class Case:
    """A kernel measured against a reference. `for_platform` gives the copy that one variant owns."""

    name: str
    source: KernelSource
    tensors: tuple[TensorSpec, ...]
    golden: Golden
    settings: Settings
    place: Place
    platform: str = ""
    planner: str = DEFAULT_PLANNER

    @property
    def case_id(self) -> str:
        """`name@platform@planner`, the key of its history."""
        return f"{self.name}@{self.platform}@{self.planner}"

    @property
    def comparator(self) -> Comparator:
        """What judges its outputs."""
        return self.settings.comparator

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """The tensors that are compared."""
        return outputs_of(self.tensors)

    @property
    def arguments(self) -> Arguments:
        """What the compiled program is called with."""
        return self.source.arguments(self.tensors)

    @property
    def declaration(self) -> str:
        """The digest of what is declared: name, variant, settings and every tensor with its values."""
        parts = [self.case_id, str(self.settings)]
        parts += [f"{tensor.name} {tensor.is_output} {tensor} {tensor.digest}" for tensor in self.tensors]
        parts += [f"{name}={type(value).__name__}={value!r}" for name, value in self.arguments.items()]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def for_platform(self, platform: str, session_planner: str | None = None) -> Case:
        """The copy for one platform, with the planner in force there."""
        planner = effective_planner(self.settings.planner, self.settings.config_planner, session_planner)
        return dataclasses.replace(self, platform=platform, planner=planner)

    def get_program(self) -> Any:
        """The program before any pass. The source takes the lock that its kind needs."""
        return self.source.build_program()

    def __repr__(self) -> str:
        return f"Case({self.case_id if self.platform else self.name!r})"


@dataclass(frozen=True, eq=False)
class RefusedCase:
    """Stands for a declaration that means nothing, so that the other tests of its file still run; its own fails."""

    name: str
    error: CaseError
    place: Place
    settings: Settings = field(default_factory=Settings)
    platform: str = ""
    planner: str = DEFAULT_PLANNER

    @property
    def case_id(self) -> str:
        """The id the case would have had."""
        return f"{self.name}@{self.platform}@{self.planner}"

    def for_platform(self, platform: str, session_planner: str | None = None) -> RefusedCase:
        """The copy for one platform."""
        planner = effective_planner(self.settings.planner, self.settings.config_planner, session_planner)
        return dataclasses.replace(self, platform=platform, planner=planner)

    def get_program(self) -> Any:
        """Raise what is wrong with the declaration."""
        raise self.error


def declare(
    kernel: Any,
    args: Sequence[Any],
    settings: Mapping[str, Any],
    kernel_arguments: Mapping[str, Any],
    place: Place,
) -> Case:
    """A case from what a person wrote; raises `CaseError` when that means nothing."""
    label = _label(kernel)
    source, tensors = _source(kernel, args, kernel_arguments, settings, label)
    golden = settings.get("golden")
    if not callable(golden):
        problem = "is missing" if golden is None else "cannot be called"
        hint = "give a function of the tensors that returns what the kernel should write"
        raise BadSetting(kernel=label, key="golden", value=golden, problem=f"{problem}; {hint}")
    for tensor in tensors:
        if not tensor.name.isidentifier():
            raise BadArguments(kernel=label, problem=f"tensor name {tensor.name!r} is no identifier")
    if not outputs_of(tensors):
        raise NoOutput(kernel=label)
    name = settings.get("name")
    return Case(
        name=check_name(source.cache_id() if name is None else name),
        source=source,
        tensors=tensors,
        golden=golden,
        settings=_settings(settings, label),
        place=place,
    )


def refused(error: CaseError, settings: Mapping[str, Any], kernel: Any, place: Place) -> RefusedCase:
    """The stand-in of a declaration that raised."""
    try:
        name = check_name(settings.get("name"))
    except CaseError:
        name = shortened(f"{_label(kernel)}-{Path(place.file).stem}-line{place.line}")
    try:
        kept = _settings(settings, name)
    except CaseError:
        kept = Settings()
    return RefusedCase(name, error, place, kept)


def _label(kernel: Any) -> str:
    """The kernel as a person knows it."""
    name = getattr(kernel, "name", None) or getattr(kernel, "__name__", None)
    return name if isinstance(name, str) else type(kernel).__name__


def _source(
    kernel: Any, args: Sequence[Any], kwargs: Mapping[str, Any], settings: Mapping[str, Any], label: str
) -> tuple[KernelSource, tuple[TensorSpec, ...]]:
    """The source and its tensors; a keyword that means nothing to either is an error with the nearest that does."""
    explicit = settings.get("tensors")
    jit = is_jit_function(kernel)
    if jit:
        kernel = JitKernel(kernel, tuple(args), dict(kwargs))
    known = kernel.parameters if jit else []
    for key in kwargs:
        if key not in known:
            raise UnknownSetting(kernel=label, what="setting", key=key, hint=_nearest(key, [*settings, *known]))
    if isinstance(kernel, JitKernel):
        if explicit is not None:
            problem = "is for other kernel sources; a @pl.jit function takes its tensors from the sample arguments"
            raise BadSetting(kernel=label, key="tensors", value="...", problem=problem)
        if args and not jit:
            raise BadArguments(kernel=label, problem="arguments belong inside JitKernel(kernel, args, kwargs)")
        return kernel, kernel.tensors()
    if not isinstance(kernel, KernelSource):
        problem = f"{kernel!r} is no kernel; give a @pl.jit function or a KernelSource"
        raise BadArguments(kernel=label, problem=problem)
    if explicit is None or args:
        raise BadArguments(kernel=label, problem="give tensors=[TensorSpec(...), ...] with every tensor in call order")
    return kernel, tuple(explicit)


def _settings(given: Mapping[str, Any], label: str) -> Settings:
    config = _config(given.get("config"), label)
    pin = given.get("platform")
    try:
        if pin is not None:
            check_platforms([pin], "platform=")
        planner = given.get("memory_planner")
        planner = None if planner is None else check_planner(planner, "memory_planner=") or DEFAULT_PLANNER
        config_planner = config.get("memory_planner")
        if config_planner is not None:
            config_planner = check_planner(config_planner, "config.memory_planner")
    except UsageProblem as error:
        raise BadSetting(kernel=label, key="platform", value=repr(pin), problem=f"({error})") from None
    return Settings(_comparator(given, config, label), pin, planner, config_planner)


def _comparator(given: Mapping[str, Any], config: Mapping[str, Any], label: str) -> Comparator:
    compare = given.get("compare")
    limits = {}
    for key, default in (("rtol", DEFAULT_RTOL), ("atol", DEFAULT_ATOL)):
        value = given.get(key)
        if value is not None and compare is not None:
            raise BadSetting(
                kernel=label, key=key, value=value, problem="does nothing beside compare=; give one of them"
            )
        value = config.get(key, default) if value is None else value
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise BadSetting(kernel=label, key=key, value=repr(value), problem="is no number from 0 on")
        limits[key] = float(value)
    if compare is None:
        return Elementwise(**limits)
    if isinstance(compare, Comparator):
        return compare
    if not callable(compare):
        raise BadSetting(
            kernel=label, key="compare", value=repr(compare), problem="is no function of (actual, expected)"
        )
    try:
        inspect.signature(compare).bind({}, {})
    except TypeError:
        problem = "does not take two arguments; it is called with (actual, expected), two dicts of tensors"
        raise BadSetting(kernel=label, key="compare", value=_label(compare), problem=problem) from None
    except ValueError:
        pass  # a callable without a signature: the call will tell
    return Callback(compare)


def _config(config: Any, label: str) -> dict[str, Any]:
    """The fields of a run config, or of a dict of the same fields."""
    if config is None:
        return {}
    from pypto.runtime.config import RunConfig

    known = [entry.name for entry in dataclasses.fields(RunConfig)]
    if isinstance(config, RunConfig):
        return {name: getattr(config, name) for name in known}
    if not isinstance(config, Mapping):
        problem = "is neither a RunConfig nor a dict of its fields"
        raise BadSetting(kernel=label, key="config", value=repr(config), problem=problem)
    for key in config:
        if key not in known:
            raise UnknownSetting(kernel=label, what="config key", key=key, hint=_nearest(key, known))
    return dict(config)


def _nearest(key: Any, known: Sequence[str]) -> str:
    """Advice for a key that does not exist."""
    meant = _SYNONYMS.get(str(key).lower().strip("_"))
    if meant is None:
        near = difflib.get_close_matches(str(key), [*known, *_SYNONYMS], n=1, cutoff=0.6)
        meant = _SYNONYMS.get(near[0], near[0]) if near else None
    return f"did you mean {meant}?" if meant else f"known are {', '.join(known)}"


# Words people use for our settings, so that a near miss of one of them leads to the setting too.
_SYNONYMS = {
    "tolerance": "rtol or atol",
    "tol": "rtol or atol",
    "relative": "rtol",
    "absolute": "atol",
    "planner": "memory_planner",
    "reference": "golden",
    "expected": "golden",
    "comparator": "compare",
    "platforms": "platform, or @pytest.mark.platforms(...)",
    "timeout": "the option --case-timeout",
}
