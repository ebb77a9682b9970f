"""The lobby: public tables, people who look for an opponent, and people who blocked each other."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

LISTED = sa.text("listing IS NOT NULL")


def upgrade() -> None:
    op.add_column("tables", sa.Column("listing", sa.Text))
    op.create_index("tables_listed", "tables", ["created"], postgresql_where=LISTED, sqlite_where=LISTED)
    op.create_table(
        "seeks",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("identity", sa.String, nullable=False, unique=True),
        sa.Column("request", sa.String, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("clock", sa.Text),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("worker", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("table_id", sa.String),
        sqlite_autoincrement=True,
    )
    op.create_index("seeks_waiting", "seeks", ["state", "pool", "number"])
    op.create_table(
        "lobby_workers",
        sa.Column("worker", sa.String, primary_key=True),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
    )
    op.create_table(
        "person_blocks",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("other", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
    )
    op.create_index("ix_person_blocks_other", "person_blocks", ["other"])


def downgrade() -> None:
    op.drop_table("person_blocks")
    op.drop_table("lobby_workers")
    op.drop_table("seeks")
    op.drop_index("tables_listed", "tables")
    op.drop_column("tables", "listing")
