"""SQLite has no index of commands: the one process that serves a file knows them."""
# ruff: noqa: INP001

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

INDEX = "events_by_command"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.drop_index(INDEX, "events")


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(INDEX, "events", ["table_id", "identity", "command_id"], unique=True)
