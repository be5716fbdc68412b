"""Wires the concrete parts together: which recorder, which store, which worker. Everything else is given them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pipeline import provenance
from pipeline.errors import BadDatabase
from pipeline.house import check_packages
from pipeline.node_ids import NodeIds, project_folder
from pipeline.options import Options

if TYPE_CHECKING:
    import pytest

    from db.recorder import Counts, Recorder
    from pipeline.recording import Recording


def start_recording(config: pytest.Config, options: Options) -> Recording:
    """The hooks that record this session, connected to its database."""
    check_packages()
    from db.engine import redacted
    from db.errors import DbError
    from db.identity import new_run_id
    from db.recorder import Recorder
    from pipeline.plugin import command_line
    from pipeline.recording import RecordingWriter
    from pipeline.session import Session

    assert options.database is not None
    project = project_folder(config.rootpath, config.inipath)
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

    node_ids = NodeIds(config.rootpath, project)
    return RecordingWriter(config, session, node_ids, start, close, redacted(options.database))


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
