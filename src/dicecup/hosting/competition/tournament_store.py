"""Storage of tournaments: their events, what derives from them, and their tables.

A step of a tournament is saved in one transaction with the tables that it opens and the notices
that it gives. The primary key of the events lets one of several workers save it.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Executable, bindparam, delete, func, insert, or_, select, update

from dicecup.hosting.event_rows import CommandKey
from dicecup.hosting.people import outbox
from dicecup.hosting.store import Append, AppendConflict, Store
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import NOTICES, TABLES
from dicecup.hosting.store.statements import append_statements, insert_if_missing, padded, upsert
from dicecup.hosting.store.tournament_models import TOURNAMENT_EVENTS, TOURNAMENT_PEOPLE, TOURNAMENT_TABLES, TOURNAMENTS
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import StoredEvent, tournament_event_from_json, tournament_event_to_text

BATCH: Final = 200
"""Tables or tournaments that a query returns at most."""
LISTED: Final = 100
"""Tournaments that a list holds at most."""


class TournamentDigest(NamedTuple):
    """Values that derive from the events of a tournament, for lists and timers; see
    `TOURNAMENTS`."""

    stage: str
    created: float
    organiser: str
    listed: bool
    wake: float | None
    finished: float | None
    summary: str


class TournamentTable(NamedTuple):
    """A table of a tournament. `is_over`: whether its game has ended, `None` for a deleted
    table."""

    table: str
    tournament: str
    pairing: int
    game: int
    is_over: bool | None = False


class RoundNotice(NamedTuple):
    """A message to an identity: round `number` begins, or with `None` nothing any more."""

    identity: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """New events of a tournament after event number `before`, and what is saved with them.

    `people` entered or became organisers. `opened` are new tables, whose first events are in
    `appends`. `closing` are tables whose pairing was decided otherwise. `collected` are tables
    whose result is in the events. `publishing` are tables whose dice are no secret any more.
    """

    tournament: str
    before: int
    events: tuple[StoredEvent, ...]
    digest: TournamentDigest
    command: CommandKey | None = None
    people: Collection[str] = ()
    opened: Sequence[TournamentTable] = ()
    appends: Sequence[Append] = ()
    closing: Collection[str] = ()
    publishing: Collection[str] = ()
    collected: Collection[str] = ()
    notices: Sequence[RoundNotice] = ()
    name: str = ""

    def telling(self, identities: Collection[str]) -> "Step":
        """Return the step with the notices for these identities alone."""
        return replace(self, notices=[notice for notice in self.notices if notice.identity in identities])


class TournamentStore:
    """Events and digests of tournaments. Every method raises `StoreError` if the database cannot be
    used."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def save(self, step: Step) -> None:
        """Save a step, all of it or nothing. Raises `AppendConflict` if the newest event has
        another number than `step.before`, because another worker was faster or the database went
        back to an earlier time."""

        def work(connection: Connection) -> None:
            newest = connection.execute(_NEWEST, {"tournament": step.tournament}).scalar_one()
            if (newest or 0) != step.before:
                raise AppendConflict
            connection.execute(insert(TOURNAMENT_EVENTS), _rows(step))
            dialect = connection.dialect.name
            row = {"tournament_id": step.tournament, **step.digest._asdict()}
            connection.execute(upsert(TOURNAMENTS, dialect), row)
            _save_people(connection, step)
            _save_tables(connection, step)
            for statement in append_statements(step.appends, self._store.engines.dialect) if step.appends else ():
                connection.exec_driver_sql(*statement)
            for notice in step.notices:
                _put_notice(connection, step, notice)

        await self._store.writer.work(work)

    async def events(self, tournament: str, since: int = 0) -> list[StoredEvent]:
        """Return the events of a tournament after a number. An unknown one has none. Raises
        `TournamentError` (`not-a-tournament-event`)."""
        rows = await self._read(_EVENTS, tournament=tournament, since=since)
        return [_event(row.number, row.time, row.body) for row in rows]

    async def number_of(self, tournament: str, command: CommandKey) -> int | None:
        """Return the number of the last event of a command, `None` if it was not saved."""
        rows = await self._read(_COMMAND, tournament=tournament, identity=command.identity, command=command.id)
        return int(rows[0].number) if rows else None

    async def due(self, now: float) -> list[str]:
        """Return the tournaments with something due, the oldest first."""
        return [row.tournament_id for row in await self._read(_DUE, now=now)]

    async def ended_tables(self) -> list[TournamentTable]:
        """Return tables whose game has ended, or that were deleted, and whose result no tournament
        has yet."""
        return [_table(row) for row in await self._read(_ENDED)]

    async def closing_tables(self) -> list[TournamentTable]:
        """Return tables that the server has to close, and whose secret it has to publish."""
        return [_table(row) for row in await self._read(_CLOSING)]

    async def mark_over(self, tables: Collection[str], before: str = "playing") -> None:
        """Note that nothing is left to do about those of these tables that have the state
        `before`."""

        def work(connection: Connection) -> None:
            rows = [{"table": table, "new_state": "over"} for table in sorted(tables)]
            connection.execute(_NEW_STATE.where(TOURNAMENT_TABLES.c.state == before), rows)

        if tables:
            await self._store.writer.work(work)

    async def of_person(self, identity: str) -> list[dict[str, Any]]:
        """Return the summaries of the newest tournaments of an identity."""
        return [_summary(row) for row in await self._read(_OF_PERSON, identity=identity)]

    async def ids_of(self, identity: str) -> list[str]:
        """Return all tournaments of an identity."""
        return [row.tournament_id for row in await self._read(_IDS_OF, identity=identity)]

    async def of_table(self, table: str, identity: str) -> str | None:
        """Return the tournament to which a table belongs, if this identity has entered or organises
        it."""
        rows = await self._read(_OF_TABLE, table=table, identity=identity)
        return str(rows[0].tournament_id) if rows else None

    async def unfinished_with(self, identities: Collection[str]) -> list[tuple[str, str]]:
        """Return the tournaments that are not over and that some of these people have entered or
        organise, each with the person."""
        return [(row.tournament_id, row.identity) for row in await self._read(_WITH, identities=padded(identities))]

    async def listed(self) -> list[dict[str, Any]]:
        """Return the summaries of the newest public tournaments that are not over."""
        return [_summary(row) for row in await self._read(_LISTED)]

    async def unfinished_of(self, identity: str) -> int:
        """Return how many tournaments that are not over an identity has created."""
        return int((await self._read(_UNFINISHED, identity=identity))[0].many)

    async def forget(self, tournament: str, identity: str, bodies: dict[int, str]) -> None:
        """Write new bodies of events, without the name of a person, and take the tournament from
        those of the person."""

        def work(connection: Connection) -> None:
            rows = [{"tournament": tournament, "event": number, "text": body} for number, body in bodies.items()]
            if rows:
                connection.execute(_NEW_BODY, rows)
            connection.execute(_FORGET, {"tournament": tournament, "identity": identity})

        await self._store.writer.work(work)

    async def _read(self, query: Executable, **values: object) -> Sequence[Any]:
        with translated():
            async with self._store.engines.readers.connect() as connection:
                return (await connection.execute(query, values)).all()


def delete_finished(connection: Connection, before: float) -> int:
    """Delete tournaments that ended before a time, and return how many."""
    ended = list(connection.execute(select(TOURNAMENTS.c.tournament_id).where(TOURNAMENTS.c.finished < before)).scalars())
    for start in range(0, len(ended), BATCH):
        part = ended[start : start + BATCH]
        for table in (TOURNAMENT_EVENTS, TOURNAMENTS, TOURNAMENT_PEOPLE, TOURNAMENT_TABLES):
            connection.execute(delete(table).where(table.c.tournament_id.in_(part)))
        connection.execute(delete(NOTICES).where(NOTICES.c.topic.in_(part)))
    return len(ended)


def _summary(row: Any) -> dict[str, Any]:
    """Return the summary of a row. Old ones have no `seconds`."""
    saved: dict[str, Any] = json.loads(row.summary)
    return {"seconds": 0} | saved


def _event(number: int, time: float, body: str) -> StoredEvent:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_EVENT, text=number, why="JSON") from None
    return StoredEvent(number, time, tournament_event_from_json(data))


def _rows(step: Step) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {
            "tournament_id": step.tournament,
            "number": stored.number,
            "time": stored.time,
            "identity": None,
            "command_id": None,
            "body": tournament_event_to_text(stored.event),
        }
        for stored in step.events
    ]
    if step.command is not None:
        rows[-1] |= {"identity": step.command.identity, "command_id": step.command.id}
    return rows


def _save_people(connection: Connection, step: Step) -> None:
    if step.people:
        rows = [{"identity": identity, "tournament_id": step.tournament} for identity in sorted(step.people)]
        connection.execute(insert_if_missing(TOURNAMENT_PEOPLE, connection.dialect.name), rows)


def _save_tables(connection: Connection, step: Step) -> None:
    if step.opened:
        rows = [
            {
                "table_id": opened.table,
                "tournament_id": opened.tournament,
                "pairing": opened.pairing,
                "game": opened.game,
                "state": "playing",
            }
            for opened in step.opened
        ]
        connection.execute(insert(TOURNAMENT_TABLES), rows)
    _set_state(connection, step.closing, "closing")
    _set_state(connection, step.collected, "over")
    _set_state(connection, step.publishing, "closing")


def _set_state(connection: Connection, tables: Iterable[str], state: str) -> None:
    rows = [{"table": table, "new_state": state} for table in sorted(tables)]
    if rows:
        connection.execute(_NEW_STATE, rows)


def _put_notice(connection: Connection, step: Step, notice: RoundNotice) -> None:
    now = step.events[-1].time
    if notice.number is None:
        outbox.withdraw(connection, to=notice.identity, topic=step.tournament, now=now)
        return
    outbox.tournament_round(
        connection,
        to=notice.identity,
        tournament=step.tournament,
        name=step.name,
        number=notice.number,
        path=f"/tournaments/{step.tournament}",
        now=now,
    )


def _table(row: Any) -> TournamentTable:
    is_over = None if row.stage is None else row.stage == "over"
    return TournamentTable(row.table_id, row.tournament_id, row.pairing, row.game, is_over)


_NEWEST: Final = select(func.max(TOURNAMENT_EVENTS.c.number)).where(
    TOURNAMENT_EVENTS.c.tournament_id == bindparam("tournament")
)
_EVENTS: Final = (
    select(TOURNAMENT_EVENTS.c.number, TOURNAMENT_EVENTS.c.time, TOURNAMENT_EVENTS.c.body)
    .where(TOURNAMENT_EVENTS.c.tournament_id == bindparam("tournament"), TOURNAMENT_EVENTS.c.number > bindparam("since"))
    .order_by(TOURNAMENT_EVENTS.c.number)
)
_COMMAND: Final = select(TOURNAMENT_EVENTS.c.number).where(
    TOURNAMENT_EVENTS.c.tournament_id == bindparam("tournament"),
    TOURNAMENT_EVENTS.c.identity == bindparam("identity"),
    TOURNAMENT_EVENTS.c.command_id == bindparam("command"),
)
_DUE: Final = (
    select(TOURNAMENTS.c.tournament_id).where(TOURNAMENTS.c.wake <= bindparam("now")).order_by(TOURNAMENTS.c.wake).limit(BATCH)
)
_WITH_STAGE: Final = (
    select(TOURNAMENT_TABLES, TABLES.c.state.label("stage"))
    .outerjoin(TABLES, TABLES.c.table_id == TOURNAMENT_TABLES.c.table_id)
    .limit(BATCH)
)
_ENDED: Final = _WITH_STAGE.where(
    TOURNAMENT_TABLES.c.state == "playing", or_(TABLES.c.state == "over", TABLES.c.state.is_(None))
)
_CLOSING: Final = _WITH_STAGE.where(TOURNAMENT_TABLES.c.state == "closing")
_NEWEST_FIRST: Final = (TOURNAMENTS.c.created.desc(), TOURNAMENTS.c.tournament_id)
_IDS_OF: Final = select(TOURNAMENT_PEOPLE.c.tournament_id).where(TOURNAMENT_PEOPLE.c.identity == bindparam("identity"))
_OF_TABLE: Final = (
    select(TOURNAMENT_TABLES.c.tournament_id)
    .join(TOURNAMENT_PEOPLE, TOURNAMENT_PEOPLE.c.tournament_id == TOURNAMENT_TABLES.c.tournament_id)
    .where(TOURNAMENT_TABLES.c.table_id == bindparam("table"), TOURNAMENT_PEOPLE.c.identity == bindparam("identity"))
)
_WITH: Final = (
    select(TOURNAMENT_PEOPLE.c.tournament_id, TOURNAMENT_PEOPLE.c.identity)
    .join(TOURNAMENTS, TOURNAMENTS.c.tournament_id == TOURNAMENT_PEOPLE.c.tournament_id)
    .where(TOURNAMENT_PEOPLE.c.identity.in_(bindparam("identities", expanding=True)), TOURNAMENTS.c.stage != "over")
)
_OF_PERSON: Final = (
    select(TOURNAMENTS.c.summary)
    .join(TOURNAMENT_PEOPLE, TOURNAMENT_PEOPLE.c.tournament_id == TOURNAMENTS.c.tournament_id)
    .where(TOURNAMENT_PEOPLE.c.identity == bindparam("identity"))
    .order_by(*_NEWEST_FIRST)
    .limit(LISTED)
)
_LISTED: Final = (
    select(TOURNAMENTS.c.summary)
    .where(TOURNAMENTS.c.listed.is_(True), TOURNAMENTS.c.stage != "over")
    .order_by(*_NEWEST_FIRST)
    .limit(LISTED)
)
_UNFINISHED: Final = (
    select(func.count().label("many"))
    .select_from(TOURNAMENTS)
    .where(TOURNAMENTS.c.organiser == bindparam("identity"), TOURNAMENTS.c.stage != "over")
)
_NEW_BODY: Final = (
    update(TOURNAMENT_EVENTS)
    .where(TOURNAMENT_EVENTS.c.tournament_id == bindparam("tournament"), TOURNAMENT_EVENTS.c.number == bindparam("event"))
    .values(body=bindparam("text"))
)
_FORGET: Final = delete(TOURNAMENT_PEOPLE).where(
    TOURNAMENT_PEOPLE.c.tournament_id == bindparam("tournament"), TOURNAMENT_PEOPLE.c.identity == bindparam("identity")
)
_NEW_STATE: Final = (
    update(TOURNAMENT_TABLES).where(TOURNAMENT_TABLES.c.table_id == bindparam("table")).values(state=bindparam("new_state"))
)
