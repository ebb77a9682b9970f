"""Games that people played on their devices without the server."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "device_games",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("joined", sa.Double, nullable=False),
        sa.Column("outcome", sa.String),
        sa.Column("seats", sa.String, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("reviewed_by", sa.String),
        sa.Column("facts", sa.Text),
    )
    op.create_index("ix_device_games_joined", "device_games", ["joined"])


def downgrade() -> None:
    op.drop_table("device_games")
