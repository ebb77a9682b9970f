"""Tables of the database for ratings. `ratings` and `rating_changes` derive from `rated_games`."""

from typing import Final

from sqlalchemy import Column, Double, Index, Integer, String, Table, Text, text

from dicecup.hosting.store.models import METADATA

RATED_GAMES: Final = Table(
    "rated_games",
    METADATA,
    Column("table_id", String, primary_key=True),
    Column("number", Integer, unique=True),
    Column("ended", Double, nullable=False),
    Column("pool", String, nullable=False),
    Column("body", Text, nullable=False),
    Column("refusal", String),
    Index(
        "rated_games_waiting",
        "ended",
        "table_id",
        postgresql_where=text("number IS NULL"),
        sqlite_where=text("number IS NULL"),
    ),
)
"""The log of rated games, from which all ratings follow. A row is saved with the end of its table
(`competition.rated_game.RatedGame`). A rated pair of duels or table of four has a row of its own,
whose key is the id of the event (`competition.rated_event`). A worker that rates a row gives it the
next `number`; the games count in the order of their numbers. `refusal`: why a game does not
count."""

RATINGS: Final = Table(
    "ratings",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("pool", String, primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", Double, nullable=False),
    Index("ratings_by_pool", "pool", "rating"),
)
"""The rating of each identity in each pool after its last rated game, which ended at `updated`."""

RATING_CHANGES: Final = Table(
    "rating_changes",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("pool", String, nullable=False),
    Column("table_id", String, nullable=False, index=True),
    Column("ended", Double, nullable=False),
    Column("before", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("share", Double, nullable=False),
    Index("rating_changes_by_pool", "identity", "pool", "ended"),
)
"""What each rated game changed for each of its people. `before` and `rating` are the ratings before
and after it, `share` the part of the change that counted."""
