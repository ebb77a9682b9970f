"""The browsers that are signed in as each identity, and those that were signed out."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "devices",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("device", sa.String, primary_key=True),
        sa.Column("agent", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("ended", sa.Double),
    )
    op.create_index("ix_devices_seen", "devices", ["seen"])


def downgrade() -> None:
    op.drop_table("devices")
