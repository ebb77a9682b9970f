"""What the database holds. The events are the truth; `tables`, `seats`, `finished` and `reviews` derive from them and can be built again.

Times are seconds since 1970 (UTC). Events and summaries are JSON as text, the same text in both databases.
"""

from typing import Final

from sqlalchemy import Column, Double, Index, Integer, MetaData, String, Table, Text

METADATA: Final = MetaData()

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", Double, nullable=False),
    Column("identity", String),
    Column("command_id", String),
    Column("body", Text, nullable=False),
    Index("events_by_command", "table_id", "identity", "command_id", unique=True),
    sqlite_with_rowid=False,
)
"""The state of every table. Of two workers that append the same number one loses. `command_id` stands at the last event of a
command, so that the same command is never done twice."""

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("created", Double, nullable=False, index=True),
    Column("creator", String, index=True),
    Column("wake", Double, index=True),
    Column("summary", Text, nullable=False),
)
"""A table at a glance. `state`: open, running or over; `wake`: when somebody must look after it, though nobody asks."""

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("table_id", String, primary_key=True),
    Column("outcome", String),
    Index("seats_by_table", "table_id"),
)
"""Who sits where. `outcome`, at the end: won, drawn or lost; nothing for who held several seats."""

FINISHED: Final = Table(
    "finished",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("ended", Double, nullable=False),
    *(Column(f"face_{face}", Integer, nullable=False) for face in range(1, 7)),
)
"""How often the server's dice showed each face in a game that is over."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("made_by", String, nullable=False),
    Column("facts", Text, nullable=False),
)
"""What the review of a game that is over found, as JSON (`own_games`), and the version of Dicecup that made it."""

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("identity", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("expires", Double),
)
"""Secrets that stand for an identity, as SHA-256: of kind bearer (programs), or transfer (a second device, used once)."""

PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("identity", String, primary_key=True),
    Column("seen", Double, nullable=False, index=True),
)
"""Who followed a table lately, where several workers serve it."""
