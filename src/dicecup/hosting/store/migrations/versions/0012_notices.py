"""Channels by which people are told what happens while they are away, and the outbox."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "channels",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("secrets", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("daily", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("confirmed", sa.Double),
    )
    op.create_index("ix_channels_identity", "channels", ["identity"])
    op.create_table(
        "quiet_hours",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("zone", sa.String, nullable=False),
        sa.Column("begins", sa.Integer, nullable=False),
        sa.Column("ends", sa.Integer, nullable=False),
    )
    op.create_table(
        "mutes",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("table_id", sa.String, primary_key=True),
    )
    op.create_table(
        "notices",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("topic", sa.String, primary_key=True),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("due", sa.Double),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
    )
    op.create_index("ix_notices_due", "notices", ["due"])
    op.create_table(
        "deliveries",
        sa.Column("channel", sa.String, primary_key=True),
        sa.Column("topic", sa.String, primary_key=True),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
    op.create_index("ix_deliveries_due", "deliveries", ["due"])
    op.create_table(
        "mail_use",
        sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("address", sa.String, primary_key=True),
        sa.Column("used", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    for table in ("mail_use", "deliveries", "notices", "mutes", "quiet_hours", "channels"):
        op.drop_table(table)
