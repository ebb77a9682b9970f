"""Networks that may not use the server."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("network", sa.String, primary_key=True),
        sa.Column("until", sa.Double),
    )


def downgrade() -> None:
    op.drop_table("blocks")
