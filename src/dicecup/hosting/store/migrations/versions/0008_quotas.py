"""The daily use of each network for quotas, and an index by which old tables are found."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "daily_use",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("quota", sa.String, primary_key=True),
        sa.Column("network", sa.String, primary_key=True),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_finished_ended", "finished", ["ended"])


def downgrade() -> None:
    op.drop_index("ix_finished_ended", "finished")
    op.drop_table("daily_use")
