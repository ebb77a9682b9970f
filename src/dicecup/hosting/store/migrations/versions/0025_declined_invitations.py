"""An invitation that was declined is kept, so that the person who sent it hears of that."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("invitations", sa.Column("declined", sa.Double))


def downgrade() -> None:
    op.execute("DELETE FROM invitations WHERE declined IS NOT NULL")
    op.drop_column("invitations", "declined")
