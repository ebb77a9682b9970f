"""Remarks in reports, and an index that counts what people say on a day."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

SAID = sa.text('(body LIKE \'%"type":"said"}\' OR body LIKE \'%"type":"reacted"}\' OR body LIKE \'%"type":"wrote"}\')')


def upgrade() -> None:
    op.add_column("reports", sa.Column("remark", sa.Text, nullable=False, server_default=""))
    op.create_index("events_said", "events", ["time"], postgresql_where=SAID, sqlite_where=SAID)


def downgrade() -> None:
    op.drop_index("events_said", "events")
    op.drop_column("reports", "remark")
