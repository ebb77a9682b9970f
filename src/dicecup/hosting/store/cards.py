"""Storage of the cards of people's own mistakes, and of the answers to them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, or_, select, update

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import is_right
from dicecup.analysis.mistakes.schedule import Answered, due_day
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.learning_models import CARD_ANSWERS, CARDS
from dicecup.hosting.store.statements import insert_if_missing
from dicecup.hosting.store.store import Store

REMOVED: Final = 2**31 - 1
"""The day on which a removed card returns. Its row stays, so that the mistake makes no new card."""


class StoredCard(NamedTuple):
    """A row of the table `cards` without its identity."""

    card: str
    game: str
    position: str
    played: str
    theme: str
    unit: str
    loss: float
    created: float
    due: int | None

    @property
    def removed(self) -> bool:
        """Return whether its owner removed the card."""
        return self.due == REMOVED


class StoredAnswer(NamedTuple):
    """A row of the table `card_answers` without its identity."""

    card: str
    day: int
    played: str
    loss: float
    seconds: float


async def cards_of(store: Store, identity: str) -> list[StoredCard]:
    """Return the cards of an identity without removed ones, the newest first. Raises
    `StoreError`."""
    return [card for card in await all_cards_of(store, identity) if not card.removed]


async def all_cards_of(store: Store, identity: str) -> list[StoredCard]:
    """Return the cards of an identity, also removed ones, the newest first. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [StoredCard(*row) for row in await connection.execute(_CARDS, {"identity": identity})]


async def answers_of(store: Store, identity: str) -> list[StoredAnswer]:
    """Return the answers of an identity in the order of their days. Raises `StoreError`."""
    with translated():
        async with store.engines.readers.connect() as connection:
            return [StoredAnswer(*row) for row in await connection.execute(_ANSWERS, {"identity": identity})]


async def cards_for_export(store: Store, identity: str) -> list[dict[str, Any]]:
    """Return the cards of an identity as plain values, each with its answers. Raises
    `StoreError`."""
    answers = defaultdict[str, list[dict[str, Any]]](list)
    for answer in await answers_of(store, identity):
        answers[answer.card].append({name: value for name, value in answer._asdict().items() if name != "card"})
    return [
        card._asdict() | {"due": None if card.removed else card.due, "removed": card.removed, "answers": answers[card.card]}
        for card in await all_cards_of(store, identity)
    ]


async def add_cards(store: Store, identity: str, cards: Iterable[StoredCard]) -> None:
    """Save new cards. Known ones stay as they are. Raises `StoreError`."""
    rows = [{"identity": identity, **card._asdict()} for card in sorted(cards)]

    def work(connection: Connection) -> None:
        connection.execute(insert_if_missing(CARDS, connection.dialect.name), rows)

    if rows:
        await store.writer.work(work)


async def remove_card(store: Store, identity: str, card: str) -> None:
    """Remove a card of an identity: it is not asked again, and its mistake makes no new card. An
    unknown card changes nothing. Raises `StoreError`."""

    def work(connection: Connection) -> None:
        connection.execute(_REMOVE, {"own": identity, "one": card})

    await store.writer.work(work)


async def add_answers(store: Store, identity: str, answers: Sequence[StoredAnswer]) -> dict[str, int]:
    """Save answers and return the day on which each of their cards returns.

    An answer to a card that was answered on the same day before, or that is sent again, changes
    nothing. Answers to unknown cards are left out. Raises `StoreError`."""
    rows = [{"identity": identity, **answer._asdict()} for answer in sorted(answers)]

    def work(connection: Connection) -> dict[str, int]:
        known = {"identity": identity, "cards": sorted({answer.card for answer in answers})}
        units = {row.card: Unit(row.unit) for row in connection.execute(_UNITS, known)}
        new = [row for row in rows if row["card"] in units]
        if not new:
            return {}
        connection.execute(insert_if_missing(CARD_ANSWERS, connection.dialect.name), new)
        return _schedule(connection, identity, units)

    return await store.writer.work(work) if rows else {}


def merge_cards(connection: Connection, before: str, after: str) -> None:
    """Give the cards and answers of one identity to another one. Both may have a card; then the
    answers of both count."""
    own = {"identity": before}
    cards = [StoredCard(*row) for row in connection.execute(_CARDS, own)]
    if not cards:
        return
    answers = [StoredAnswer(*row) for row in connection.execute(_ANSWERS, own)]
    for table, rows in ((CARDS, cards), (CARD_ANSWERS, answers)):
        if rows:
            given = [{"identity": after, **row._asdict()} for row in rows]
            connection.execute(insert_if_missing(table, connection.dialect.name), given)
        connection.execute(delete(table).where(table.c.identity == before))
    answered = {answer.card for answer in answers}
    _schedule(connection, after, {card.card: Unit(card.unit) for card in cards if card.card in answered})


async def delete_cards_before(store: Store, time: float) -> int:
    """Delete the cards from games that began before a time, with their answers, and return their
    number. Raises `StoreError`."""

    def work(connection: Connection) -> int:
        deleted = connection.execute(delete(CARDS).where(CARDS.c.created < time)).rowcount
        if deleted:
            known = select(CARDS.c.card).where(CARDS.c.identity == CARD_ANSWERS.c.identity, CARDS.c.card == CARD_ANSWERS.c.card)
            connection.execute(delete(CARD_ANSWERS).where(~known.exists()))
        return deleted

    return await store.writer.work(work)


def _schedule(connection: Connection, identity: str, units: dict[str, Unit]) -> dict[str, int]:
    """Save and return the day on which each of these cards returns, from all answers to it."""
    answered = defaultdict[str, list[Answered]](list)
    asked = {"identity": identity, "cards": sorted(units)}
    for row in connection.execute(_ANSWERS_TO, asked):
        answered[row.card].append(Answered(row.day, is_right(row.loss, units[row.card])))
    found = {card: day for card, given in answered.items() if (day := due_day(given)) is not None}
    if found:
        connection.execute(_DUE, [{"own": identity, "one": card, "day": day} for card, day in sorted(found.items())])
    return found


_CARDS: Final = (
    select(*(CARDS.c[name] for name in StoredCard._fields))
    .where(CARDS.c.identity == bindparam("identity"))
    .order_by(CARDS.c.created.desc(), CARDS.c.card)
)
_ANSWERS: Final = (
    select(*(CARD_ANSWERS.c[name] for name in StoredAnswer._fields))
    .where(CARD_ANSWERS.c.identity == bindparam("identity"))
    .order_by(CARD_ANSWERS.c.day, CARD_ANSWERS.c.card)
)
_UNITS: Final = select(CARDS.c.card, CARDS.c.unit).where(
    CARDS.c.identity == bindparam("identity"), CARDS.c.card.in_(bindparam("cards", expanding=True))
)
_ANSWERS_TO: Final = select(CARD_ANSWERS.c.card, CARD_ANSWERS.c.day, CARD_ANSWERS.c.loss).where(
    CARD_ANSWERS.c.identity == bindparam("identity"), CARD_ANSWERS.c.card.in_(bindparam("cards", expanding=True))
)
_OWN: Final = update(CARDS).where(CARDS.c.identity == bindparam("own"), CARDS.c.card == bindparam("one"))
_DUE: Final = _OWN.where(or_(CARDS.c.due.is_(None), CARDS.c.due != REMOVED)).values(due=bindparam("day"))
_REMOVE: Final = _OWN.values(due=REMOVED)
