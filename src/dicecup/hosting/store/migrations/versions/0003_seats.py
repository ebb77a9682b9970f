"""The seats of each identity at a table, derived from the events."""
# ruff: noqa: INP001

import json
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column `seats` and fill it from the events of every table."""
    op.add_column("seats", sa.Column("seats", sa.String, nullable=False, server_default=""))
    connection = op.get_bind()
    tables = [table for (table,) in connection.execute(sa.text("SELECT DISTINCT table_id FROM seats ORDER BY table_id"))]
    for table in tables:
        bodies = connection.execute(
            sa.text("SELECT body FROM events WHERE table_id = :table ORDER BY number"), {"table": table}
        )
        for identity, seats in _seats(json.loads(body) for (body,) in bodies.all()).items():
            connection.execute(
                sa.text("UPDATE seats SET seats = :seats WHERE table_id = :table AND identity = :identity"),
                {"seats": ",".join(map(str, sorted(seats))), "table": table, "identity": identity},
            )


def _seats(events: Iterable[Mapping[str, Any]]) -> dict[str, list[int]]:
    """Return the seats of each identity after these events."""
    held: dict[int, str] = {}
    for event in events:
        if event["type"] == "seated":
            held[event["seat"]] = event["identity"]
        elif event["type"] in ("stood-up", "level-seated"):
            held.pop(event["seat"], None)
    found: dict[str, list[int]] = {}
    for seat, identity in held.items():
        found.setdefault(identity, []).append(seat)
    return found


def downgrade() -> None:
    op.drop_column("seats", "seats")
