"""Results tell from which run they were taken over.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("results") as results:
        results.add_column(sa.Column("origin_run", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("results") as results:
        results.alter_column("origin_run", server_default=None, existing_type=sa.String(), existing_nullable=False)


def downgrade() -> None:
    with op.batch_alter_table("results") as results:
        results.drop_column("origin_run")
