"""An index for the two seeks of a pair."""
# ruff: noqa: INP001

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("seeks_by_table", "seeks", ["table_id"])


def downgrade() -> None:
    op.drop_index("seeks_by_table", "seeks")
