"""Accounts, their passkeys, open challenges, and logins with an OpenID Connect provider."""
# ruff: noqa: INP001

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("identity", sa.String, primary_key=True),
        sa.Column("handle", sa.String, nullable=False),
        sa.Column("handle_key", sa.String, nullable=False, unique=True),
        sa.Column("handle_shape", sa.String, nullable=False, unique=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("passkey", sa.String, primary_key=True),
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("public_key", sa.String, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double),
    )
    op.create_index("ix_passkeys_identity", "passkeys", ["identity"])
    op.create_table(
        "challenges",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("data", sa.String, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
    )
    op.create_index("ix_challenges_expires", "challenges", ["expires"])
    op.create_table(
        "logins",
        sa.Column("issuer", sa.String, primary_key=True),
        sa.Column("subject", sa.String, primary_key=True),
        sa.Column("identity", sa.String, nullable=False),
    )
    op.create_index("ix_logins_identity", "logins", ["identity"])


def downgrade() -> None:
    for name in ("logins", "challenges", "passkeys", "accounts"):
        op.drop_table(name)
