"""Rated games, the ratings that follow from them, and requests for rated games."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

WAITING = sa.text("number IS NULL")


def upgrade() -> None:
    op.create_table(
        "rated_games",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, unique=True),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("refusal", sa.String),
    )
    op.create_index("rated_games_waiting", "rated_games", ["ended", "table_id"], postgresql_where=WAITING, sqlite_where=WAITING)
    op.create_table(
        "ratings",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("pool", sa.String, primary_key=True),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
    )
    op.create_index("ratings_by_pool", "ratings", ["pool", "rating"])
    op.create_table(
        "rating_changes",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("before", sa.Double, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("share", sa.Double, nullable=False),
    )
    op.create_index("ix_rating_changes_table_id", "rating_changes", ["table_id"])
    op.create_index("rating_changes_by_pool", "rating_changes", ["identity", "pool", "ended"])
    op.add_column("seeks", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("seeks", "rated")
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    op.drop_table("rated_games")
