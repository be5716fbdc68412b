"""Names of the language whose parts are not built yet: they exist, and say so when they are used."""

from __future__ import annotations

from typing import NoReturn

from pypto.frontend.markers import Marker

_PARTS = {
    "tasks and their dependencies": ("submit spmd_submit manual_scope scope ScopeMode no_dep dump_tag"),
    "launches on many blocks": "spmd",
    "kernels that join cube and vector cores": "cluster split_aiv split cross_core_slot optimizations SplitMode",
    "pipes and synchronisation": "PipeType system CompactMode",
    "arrays on a core": "array",
    "prefetching": "prefetch PrefetchAsyncContext AsyncEvent AsyncSession",
}
LATER = {name: part for part, names in _PARTS.items() for name in names.split()}


class Later(Marker):
    """A name whose part of the language is not built yet."""

    def __init__(self, name: str) -> None:
        super().__init__(name, f"pl.{name} is not built yet: {LATER[name]} come later")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(self.todo)
