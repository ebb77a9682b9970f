"""Times in which nobody could reach the tables."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outages",
        sa.Column("until", sa.Double, primary_key=True, autoincrement=False),
        sa.Column("since", sa.Double, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("outages")
