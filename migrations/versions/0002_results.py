"""Checkpoints of projections, and the `results` projection with its runs and cases.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.Text().with_variant(sa.JSON(), "postgresql")
TEXT, NUMBER, TRUTH = sa.String(), sa.BigInteger(), sa.Boolean()
REAL: sa.Double[float] = sa.Double()

STAGES = ("collect", "specialize", "compile", "golden", "run", "compare", "test")
OUTCOMES = ("pass", "fail", "crash", "timeout", "infra", "skipped", "deselected", "not_reached", "aborted")


def upgrade() -> None:
    op.create_table(
        "projections",
        *columns(TEXT, "name"),
        *columns(NUMBER, "version", "position"),
        sa.PrimaryKeyConstraint("name", name="pk_projections"),
    )
    op.create_table(
        "runs",
        *columns(KEY, "run_key"),
        *columns(TEXT, "run_id", "state", "reason", "label", "command", "root", "git_commit", "git_branch"),
        *columns(TRUTH, "git_dirty"),
        *columns(TEXT, "diff_digest", "host"),
        *columns(JSON, "platforms", "options", "environment"),
        *columns(NUMBER, "started_at"),
        *columns(NUMBER, "finished_at", nullable=True),
        *columns(REAL, "seconds", nullable=True),
        *columns(NUMBER, "exit_status", "collected", "recorded", "deselected", nullable=True),
        *columns(JSON, "missing", "outcomes"),
        sa.PrimaryKeyConstraint("run_key", name="pk_runs"),
        sa.UniqueConstraint("run_id", name="uq_runs_run_id"),
        one_of("runs", "state", ("finished", "aborted", "unfinished")),
    )
    op.create_index("ix_runs_label", "runs", ["label"])
    op.create_table(
        "cases",
        *columns(KEY, "case_key"),
        *columns(TEXT, "case_id", "kind", "name", "platform", "planner"),
        sa.PrimaryKeyConstraint("case_key", name="pk_cases"),
        sa.UniqueConstraint("case_id", name="uq_cases_case_id"),
        one_of("cases", "kind", ("case", "test")),
    )
    op.create_table(
        "results",
        *columns(NUMBER, "run_key", "case_key", "attempt"),
        *columns(TRUTH, "final"),
        *columns(TEXT, "outcome", "stage", "reason", "signature", "error_type", "message"),
        *columns(NUMBER, "signal", nullable=True),
        *columns(REAL, "seconds"),
        *columns(REAL, "seconds_specialize", "seconds_compile", "seconds_golden", nullable=True),
        *columns(REAL, "seconds_run", "seconds_compare", "seconds_test", nullable=True),
        *columns(TEXT, "node_id", "source_file"),
        *columns(NUMBER, "source_line"),
        *columns(TEXT, "declaration", "inputs_digest", "program_digest", "source_digest", "library_digest"),
        *columns(TEXT, "golden_digest", "outputs_digest", "comparison"),
        *columns(REAL, "rtol", "atol", "margin", "worst_abs", "worst_rel", nullable=True),
        *columns(NUMBER, "mismatches", "elements", nullable=True),
        *columns(TEXT, "shape", "device", "worker"),
        sa.PrimaryKeyConstraint("run_key", "case_key", "attempt", name="pk_results"),
        one_of("results", "outcome", OUTCOMES),
        one_of("results", "stage", STAGES),
    )
    op.create_index("ix_results_case_key_run_key", "results", ["case_key", "run_key"])
    not_passed = sa.text("outcome <> 'pass'")
    op.create_index(
        "ix_results_not_passed",
        "results",
        ["run_key", "case_key"],
        sqlite_where=not_passed,
        postgresql_where=not_passed,
    )


def downgrade() -> None:
    # Nothing is lost: these rows follow from the events.
    for table in ("results", "cases", "runs", "projections"):
        op.drop_table(table)


def columns(kind: TypeEngine[Any], *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=nullable, autoincrement=False) for name in names]


def one_of(table: str, column: str, values: tuple[str, ...]) -> sa.CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=op.f(f"ck_{table}_{column}"))
