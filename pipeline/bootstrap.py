"""Wires the concrete parts together: which recorder, compiler, worker. Everything else is given them."""

from __future__ import annotations

import functools
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import provenance
from pipeline.errors import BadDatabase
from pipeline.house import check_packages
from pipeline.node_ids import NodeIds, project_folder
from pipeline.options import Options

if TYPE_CHECKING:
    import pytest

    from db.events import Event
    from db.recorder import Counts, Recorder
    from pipeline.case_hooks import CaseHooks
    from pipeline.execution import Execution
    from pipeline.recording import Recording
    from pipeline.runner import Runner
    from pipeline.stages.compile import Built
    from pipeline.workspace import Workspace

LOADER = "pypto.runtime.compiled:CompiledProgram.from_dir"


def start_recording(config: pytest.Config, options: Options) -> Recording:
    """The hooks that record this session, connected to its database."""
    check_packages()
    project = project_folder(config.rootpath, config.inipath)
    node_ids = NodeIds(config.rootpath, project)
    if hasattr(config, "workerinput"):
        from pipeline.relay import RUN, RecordingRelay

        return RecordingRelay(config, config.workerinput[RUN], node_ids)
    from db.engine import redacted
    from db.errors import DbError
    from db.identity import new_run_id
    from db.recorder import Recorder
    from pipeline.plugin import command_line
    from pipeline.recording import RecordingWriter
    from pipeline.relay import RecordingController
    from pipeline.session import Session

    assert options.database is not None
    try:
        recorder = Recorder(options.database)
    except DbError as error:
        raise BadDatabase(problem=error) from error
    session = Session(new_run_id(), recorder.record)

    def start() -> None:
        session.start(
            label=options.label,
            command=command_line(config),
            root=os.fspath(project),
            revision=provenance.git_revision(project),
            host=provenance.host(),
            platforms=options.platforms,
            options=options.as_facts(),
            environment=provenance.environment(),
        )

    def close() -> str:
        return _trouble(recorder.close(), recorder)

    kind = RecordingWriter if config.getoption("dist", "no") == "no" else RecordingController
    return kind(config, session, node_ids, start, close, redacted(options.database))


def _trouble(counts: Counts, recorder: Recorder) -> str:
    """What did not go as it should while recording; empty when all is in the database."""
    told = []
    if counts.spooled:
        told.append(
            f"{counts.spooled} events wait in {recorder.spool} ({recorder.problem}); "
            "the next session, or `pypto-report ingest`, brings them in"
        )
    if counts.lost:
        told.append(f"{counts.lost} events could be written nowhere and are lost ({recorder.problem})")
    if counts.repaired:
        told.append(f"{len(counts.repaired)} events held values of a wrong type: {'; '.join(counts.repaired[:3])}")
    return "; ".join(told)


@dataclass(frozen=True)
class Tools:
    """Makes what cases need, when they need it."""

    options: Options
    run_id: str = ""
    record: Callable[[Event], Any] | None = None
    session: str = ""  # what the processes of this session have in common

    def runner(self) -> Runner:
        """The stages with the real compiler and a worker process, or this process."""
        from pipeline.runner import Runner
        from pipeline.workspace import Workspace

        workspace = Workspace.claim(self.options.work, self.session)
        return Runner(
            run_id=self.run_id,
            workspace=workspace,
            compiler=compile_artifact,
            digest=program_digest,
            execution=self.execution(workspace),
            timeout=self.options.timeout,
            record=self.record or (lambda event: None),
        )

    def execution(self, workspace: Workspace) -> Execution:
        """Where kernels run."""
        from pipeline.execution import InlineExecution, loader
        from pipeline.hot_worker import HotWorker

        if self.options.inline:
            return InlineExecution(loader(LOADER))
        return HotWorker(LOADER, workspace.workers, name=f"worker-{os.getpid()}")


def compile_artifact(program: Any, folder: Path, platform: str, planner: str) -> Built:
    """Build a program with the compiler of this project."""
    from pipeline.matrix import planner_member
    from pipeline.stages.compile import Built
    from pypto.compiler import compile as compile_program
    from pypto.compiler import source_digest
    from pypto.runtime.toolchain import kernel_library

    _build_simulator()

    built = compile_program(
        program, folder, platform=platform, memory_planner=planner_member(planner), dump_passes=False
    )
    return Built(source_digest(folder), kernel_library(folder), dict(built.phases))


@functools.cache
def _build_simulator() -> None:
    """Have the simulator's own library built: in the first run of a kernel it would count as time of that kernel."""
    from pypto.runtime.toolchain import simulator_library

    simulator_library()


def program_digest(program: Any) -> str:
    """The digest of a program's structure."""
    from pypto.ir.equal import digest

    return digest(program)


def start_cases(config: pytest.Config, options: Options, recording: Recording | None) -> CaseHooks:
    """The hooks for a session with cases."""
    from pipeline.case_hooks import CaseHooks

    session = recording.session if recording is not None else None
    tools = Tools(
        options=options,
        run_id=session.run_id if session is not None else "",
        record=session.record if session is not None else None,
        session=getattr(config, "workerinput", {}).get("testrunuid") or uuid.uuid4().hex,
    )
    return CaseHooks(tools, recording)
