"""Events, and what derives from them; tokens; presence."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("identity", sa.String),
        sa.Column("command_id", sa.String),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("events_by_command", "events", ["table_id", "identity", "command_id"], unique=True)
    op.create_table(
        "tables",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("creator", sa.String),
        sa.Column("wake", sa.Double),
        sa.Column("summary", sa.Text, nullable=False),
    )
    for column in ("state", "created", "creator", "wake"):
        op.create_index(f"ix_tables_{column}", "tables", [column])
    op.create_table(
        "seats",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("outcome", sa.String),
    )
    op.create_index("seats_by_table", "seats", ["table_id"])
    op.create_table(
        "finished",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        *(sa.Column(f"face_{face}", sa.Integer, nullable=False) for face in range(1, 7)),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("expires", sa.Double),
    )
    op.create_index("ix_tokens_identity", "tokens", ["identity"])
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_index("ix_presence_seen", "presence", ["seen"])


def downgrade() -> None:
    for table in ("presence", "tokens", "finished", "seats", "tables", "events"):
        op.drop_table(table)
