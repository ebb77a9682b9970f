"""Cards of people's own mistakes and the answers to them."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cards",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("card", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("played", sa.String, nullable=False),
        sa.Column("theme", sa.String, nullable=False),
        sa.Column("unit", sa.String, nullable=False),
        sa.Column("loss", sa.Double, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("due", sa.Integer),
    )
    op.create_index("ix_cards_created", "cards", ["created"])
    op.create_table(
        "card_answers",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("card", sa.String, primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("played", sa.String, nullable=False),
        sa.Column("loss", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("card_answers")
    op.drop_table("cards")
