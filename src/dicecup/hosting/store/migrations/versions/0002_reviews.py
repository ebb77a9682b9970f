"""Reviews of games that are over, for the statistics of those who played them."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("made_by", sa.String, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("reviews")
