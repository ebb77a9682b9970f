"""Tournaments: their event logs, what derives from them, and their tables."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("identity", sa.String),
        sa.Column("command_id", sa.String),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "tournament_events_by_command", "tournament_events", ["tournament_id", "identity", "command_id"], unique=True
    )
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", sa.String, primary_key=True),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("organiser", sa.String, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("wake", sa.Double),
        sa.Column("finished", sa.Double),
        sa.Column("summary", sa.Text, nullable=False),
    )
    for column in ("organiser", "listed", "wake", "finished"):
        op.create_index(f"ix_tournaments_{column}", "tournaments", [column])
    op.create_table(
        "tournament_people",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("tournament_id", sa.String, primary_key=True),
    )
    op.create_index("ix_tournament_people_tournament_id", "tournament_people", ["tournament_id"])
    op.create_table(
        "tournament_tables",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("tournament_id", sa.String, nullable=False),
        sa.Column("pairing", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("state", sa.String, nullable=False),
    )
    op.create_index("ix_tournament_tables_tournament_id", "tournament_tables", ["tournament_id"])
    op.create_index("ix_tournament_tables_state", "tournament_tables", ["state"])


def downgrade() -> None:
    for table in ("tournament_tables", "tournament_people", "tournaments", "tournament_events"):
        op.drop_table(table)
