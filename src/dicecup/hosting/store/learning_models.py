"""Tables of the database for the cards of people's own mistakes."""

from typing import Final

from sqlalchemy import Column, Double, Integer, String, Table, Text

from dicecup.hosting.store.models import METADATA

CARDS: Final = Table(
    "cards",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("card", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("position", Text, nullable=False),
    Column("played", String, nullable=False),
    Column("theme", String, nullable=False),
    Column("unit", String, nullable=False),
    Column("loss", Double, nullable=False),
    Column("created", Double, nullable=False, index=True),
    Column("due", Integer),
)
"""The mistakes of each identity (`dicecup.hosting.learning.cards`).

`card` names the table and the place of the decision in its record. `position` is the position of
the question. `played` lost `loss` in `unit`, in a game that began at `created`. `due` follows from
the answers: the day (since 1970) from which on the card is to be asked again, null for a card that
was not asked yet, and the greatest number for one that its owner removed.
"""

CARD_ANSWERS: Final = Table(
    "card_answers",
    METADATA,
    Column("identity", String, primary_key=True),
    Column("card", String, primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("played", String, nullable=False),
    Column("loss", Double, nullable=False),
    Column("seconds", Double, nullable=False),
)
"""The first answer of each identity to each card on a day, with its loss and how long it took. The
key keeps an answer that is sent again from counting twice."""
