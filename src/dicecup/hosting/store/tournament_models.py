"""Tables of the database for tournaments. All but `tournament_events` derive from it.

Times are seconds since 1970 (UTC). Events and summaries are JSON texts.
"""

from typing import Final

from sqlalchemy import Boolean, Column, Double, Index, Integer, String, Table, Text

from dicecup.hosting.store.models import METADATA

TOURNAMENT_EVENTS: Final = Table(
    "tournament_events",
    METADATA,
    Column("tournament_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", Double, nullable=False),
    Column("identity", String),
    Column("command_id", String),
    Column("body", Text, nullable=False),
    Index("tournament_events_by_command", "tournament_id", "identity", "command_id", unique=True),
    sqlite_with_rowid=False,
)
"""The event log of every tournament, as `events` is that of every table."""

TOURNAMENTS: Final = Table(
    "tournaments",
    METADATA,
    Column("tournament_id", String, primary_key=True),
    Column("stage", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("organiser", String, nullable=False, index=True),
    Column("listed", Boolean, nullable=False, index=True),
    Column("wake", Double, index=True),
    Column("finished", Double, index=True),
    Column("summary", Text, nullable=False),
)
"""The digest of each tournament. `stage` is `open`, `running` or `over`. At `wake` something is
due. `organiser` is the identity that created it; if that account was deleted, another organiser's,
and empty without one."""

TOURNAMENT_PEOPLE: Final = Table(
    "tournament_people",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("tournament_id", String, primary_key=True, index=True),
)
"""The identities that have entered each tournament or organise it."""

TOURNAMENT_TABLES: Final = Table(
    "tournament_tables",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("tournament_id", String, nullable=False, index=True),
    Column("pairing", Integer, nullable=False),
    Column("game", Integer, nullable=False),
    Column("state", String, nullable=False, index=True),
)
"""The tables that the server made for tournaments. `state` is `playing` until the tournament has
the result, `closing` for a table whose pairing was decided otherwise or whose secret can be
published, and then `over`."""
