"""What the administrators of a server did."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("time", sa.Double, nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in ("command", "subject", "operator", "outcome")),
    )


def downgrade() -> None:
    op.drop_table("audit")
