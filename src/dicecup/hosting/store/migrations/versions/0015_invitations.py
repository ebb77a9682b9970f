"""Invitations to tables, and the people who show when they are in the lobby."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("invited", sa.String, primary_key=True),
        sa.Column("inviter", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("links", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("ix_invitations_invited", "invitations", ["invited"])
    op.create_index("ix_invitations_inviter", "invitations", ["inviter"])
    op.create_table("shown_online", sa.Column("identity", sa.String, primary_key=True))


def downgrade() -> None:
    op.drop_table("shown_online")
    op.drop_table("invitations")
