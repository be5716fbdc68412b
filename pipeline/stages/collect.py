"""Collect: what a case is, before anything is built."""

from __future__ import annotations

import os

from pipeline.case import Case, RefusedCase
from pipeline.facts import CaseFacts


def collect(case: Case | RefusedCase, project: str) -> CaseFacts:
    """The facts of a declaration, with a digest of every tensor; paths are relative to the project."""
    file = os.path.relpath(case.place.file, project) if case.place.file.startswith(project) else case.place.file
    if isinstance(case, RefusedCase):
        return CaseFacts(case.name, case.platform, case.planner, source_file=file, source_line=case.place.line)
    return CaseFacts(
        name=case.name,
        platform=case.platform,
        planner=case.planner,
        inputs={tensor.name: tensor.digest for tensor in case.tensors},
        declaration=case.declaration,
        comparison=str(case.comparator),
        rtol=case.comparator.rtol,
        atol=case.comparator.atol,
        source_file=file,
        source_line=case.place.line,
    )
