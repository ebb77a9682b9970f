"""Tables of the database. `tables`, `seats`, `finished` and `reviews` derive from `events` and can
be rebuilt.

Times are seconds since 1970 (UTC). Events and summaries are JSON texts, the same in both databases.
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
"""The event log of every table.

The primary key lets one of two workers win that append the same number. `command_id` stands in the
last event of a command and keeps it from being stored twice.
"""

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
"""The digest of each table. `state` is `open`, `running` or `over`. At `wake` a timer of the table
is due."""

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("table_id", String, primary_key=True),
    Column("outcome", String),
    Column("seats", String, nullable=False),
    Index("seats_by_table", "table_id"),
)
"""The identities at each table.

`outcome` is `won`, `drawn` or `lost` after the end, and null for an identity whose seats ended
differently. `seats` holds the numbers of the seats of the identity, as in `0,2`.
"""

FINISHED: Final = Table(
    "finished",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("ended", Double, nullable=False),
    *(Column(f"face_{face}", Integer, nullable=False) for face in range(1, 7)),
)
"""How often the server's dice showed each face in each finished game."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("made_by", String, nullable=False),
    Column("facts", Text, nullable=False),
)
"""The result of the review of each finished game as JSON (`own_games`), and the version of Dicecup
that made it."""

TOKENS: Final = Table(
    "tokens",
    METADATA,
    Column("hash", String, primary_key=True),
    Column("identity", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("expires", Double),
)
"""SHA-256 of the secrets that stand for an identity. `kind` is `bearer` (programs) or `transfer`
(another device, once)."""

PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("identity", String, primary_key=True),
    Column("seen", Double, nullable=False, index=True),
)
"""When each identity was last online at a table, and when the server itself last ran (both keys
empty)."""
