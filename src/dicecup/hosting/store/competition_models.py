"""The tables of the database for competition. `models` has all others."""

from typing import Final

from sqlalchemy import Boolean, Column, Double, Index, Integer, String, Table, Text

from dicecup.hosting.store.models import METADATA

DUPLICATES: Final = Table(
    "duplicates",
    METADATA,
    Column("event", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("day", Integer),
    Column("setup", Text, nullable=False),
    Column("commitment", String, nullable=False),
    Column("creator", String),
    Column("created", Double, nullable=False),
    Column("opens", Double, nullable=False),
    Column("closes", Double, nullable=False),
    Column("settles", Double, nullable=False),
    Column("state", String, nullable=False, index=True),
    Column("leased", Double, nullable=False),
    Column("analysis", Text),
    Index("duplicates_by_day", "day", "kind"),
)
"""Duplicate events (`competition.events.Event`), whose entrants all have the same dice.

`kind` is the series of a daily challenge, or `pair` or `four`. `setup` is that of each table as
JSON. People enter from `opens` to `closes`, and games are ended at `settles`. `state` is `open`
until the secret of the dice may be published, then `settled`, `published` when all records have it,
and `analysed`. A worker that analyses the event sets `leased` to the time at which another one may
try. `analysis` is JSON."""

ENTRIES: Final = Table(
    "duplicate_entries",
    METADATA,
    Column("event", String, primary_key=True),
    Column("identity", String, primary_key=True, index=True),
    Column("name", String, nullable=False),
    Column("entered", Double, nullable=False),
    Column("place", Integer, nullable=False),
    Column("table_id", String, unique=True),
    Column("counts", Boolean, nullable=False),
    Column("finished", Boolean),
    Column("score", Double),
    Column("result", String),
    Column("facts", Text),
    Index("duplicate_entries_by_score", "event", "finished", "score"),
)
"""The people who entered each event, each once. `place` is 0 in a challenge, else the place in the
pair or at the table of four. `table_id` is the table of a challenge. An entry does not count if its
throws may have been seen before they were asked for (a restored backup). `finished`, `score` and
`result` are those of its game after the end of the event, `facts` the decisions that lost something
as JSON (`competition.lines`)."""

BOARDS: Final = Table(
    "duplicate_boards",
    METADATA,
    Column("event", String, primary_key=True),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String, nullable=False, unique=True),
)
"""The tables of each pair and of each table of four, numbered from 0."""
