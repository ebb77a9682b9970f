"""Administrators, bans, reports, and messages of the host."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "admins",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("since", sa.Double, nullable=False),
    )
    op.create_table(
        "bans",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("reporter", sa.String, nullable=False),
        sa.Column("reported", sa.String, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("table_id", sa.String),
        sa.Column("event", sa.Integer),
        sa.Column("context", sa.Text, nullable=False),
        sa.Column("resolved", sa.Double),
        sa.Column("note", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    for column in ("reporter", "reported", "table_id", "resolved"):
        op.create_index(f"ix_reports_{column}", "reports", [column])
    op.create_table(
        "announcements",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.Column("texts", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    for table in ("announcements", "reports", "bans", "admins"):
        op.drop_table(table)
