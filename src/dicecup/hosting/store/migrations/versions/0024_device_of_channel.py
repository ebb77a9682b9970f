"""A push subscription names its device, whose end it shares."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("channels", sa.Column("device", sa.String))


def downgrade() -> None:
    op.drop_column("channels", "device")
