"""Duplicate events, their entries and the tables of pairs."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "duplicates",
        sa.Column("event", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("day", sa.Integer),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("creator", sa.String),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("opens", sa.Double, nullable=False),
        sa.Column("closes", sa.Double, nullable=False),
        sa.Column("settles", sa.Double, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("leased", sa.Double, nullable=False),
        sa.Column("analysis", sa.Text),
    )
    op.create_index("ix_duplicates_state", "duplicates", ["state"])
    op.create_index("duplicates_by_day", "duplicates", ["day", "kind"])
    op.create_table(
        "duplicate_entries",
        sa.Column("event", sa.String, primary_key=True),
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("entered", sa.Double, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String, unique=True),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("finished", sa.Boolean),
        sa.Column("score", sa.Double),
        sa.Column("result", sa.String),
        sa.Column("facts", sa.Text),
    )
    op.create_index("ix_duplicate_entries_identity", "duplicate_entries", ["identity"])
    op.create_index("duplicate_entries_by_score", "duplicate_entries", ["event", "finished", "score"])
    op.create_table(
        "duplicate_boards",
        sa.Column("event", sa.String, primary_key=True),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String, nullable=False, unique=True),
    )


def downgrade() -> None:
    op.drop_table("duplicate_boards")
    op.drop_table("duplicate_entries")
    op.drop_table("duplicates")
