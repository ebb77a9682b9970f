"""Handles are also compared in small letters. Those that look alike already stay."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

from dicecup.hosting.people.handles import small_shape

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

INDEX = "ix_accounts_handle_small_shape"
ACCOUNTS = sa.table("accounts", *map(sa.column, ("identity", "handle", "created", "handle_small_shape")))


def upgrade() -> None:
    op.add_column("accounts", sa.Column("handle_small_shape", sa.String))
    database = op.get_bind()
    known = set[str]()
    oldest_first = sa.select(ACCOUNTS.c.identity, ACCOUNTS.c.handle).order_by(ACCOUNTS.c.created)
    for identity, handle in database.execute(oldest_first).all():
        shape = small_shape(handle)
        if shape not in known:
            known.add(shape)
            own = ACCOUNTS.c.identity == identity
            database.execute(sa.update(ACCOUNTS).where(own).values(handle_small_shape=shape))
    op.create_index(INDEX, "accounts", ["handle_small_shape"], unique=True)


def downgrade() -> None:
    op.drop_index(INDEX, "accounts")
    op.drop_column("accounts", "handle_small_shape")
