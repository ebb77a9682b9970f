"""Entering duplicate events: each person once, at the table that the entry creates."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import Final

from sqlalchemy import Connection, select

from dicecup import games
from dicecup.core.game import FirstPlayer
from dicecup.hosting.competition import events
from dicecup.hosting.competition.events import Entry, Event, check_over
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import first_append
from dicecup.hosting.link_keys import is_key
from dicecup.hosting.people.accounts import check_account, handles_of
from dicecup.hosting.store import Append
from dicecup.hosting.store.competition_models import BOARDS, ENTRIES
from dicecup.hosting.store.models import TABLES
from dicecup.hosting.store.statements import append_statements
from dicecup.hosting.table_host import TableHost
from dicecup.table import handlers
from dicecup.table.duplicate import Duplicate, event_secret
from dicecup.table.handlers import Sitter
from dicecup.table.names import check_name, free_name
from dicecup.table.setup import Clock, SeatSetup, Setup

ENTERING: Final = 30 * 86_400.0
"""Seconds in which people may enter a pair or a table of four."""
PLAYING: Final = 90 * 86_400.0
"""Seconds after which the games of a pair or of a table of four are ended."""
BOARDS_OF: Final[Mapping[str, Sequence[tuple[int, int]]]] = {"pair": ((0, 1), (1, 0)), "four": ((0, 2), (3, 1))}
"""The places on the seats of each table. In a pair the second game follows the first. At a table of
four A1 plays against B1 and B2 against A2, at the same time."""


class Entering:
    """The entries of people to duplicate events, at one worker."""

    def __init__(self, host: TableHost) -> None:
        self._host = host
        self._store = host.store
        self._key = host.settings.host_key
        self._clock = host.clock

    async def enter(self, event_id: str, identity: str, name: str, key: str | None = None) -> Entry:
        """Enter an event, once, and sit down.

        `key`: that of the link to a pair or a table of four. Raises `HostingError`:
        `no-such-event`, `event-not-open`, `event-over`, `already-entered` with the `table` where
        the person sits, `event-full`, `account-needed`, `rated-needs-account`; `TableError` for a
        text that is no name; and `StoreError`.
        """
        event, now = await events.event_of(self._store, event_id), self._clock()
        await check_account(self._store, self._host.settings, identity, rated=event.table_setup.rated)
        check_name(name, ())
        name = (await handles_of(self._store, [identity])).get(identity, name)
        if event.places is not None and not is_key(key, events.invitation_key(self._key, event_id)):
            raise HostingError(HostingCode.NO_SUCH_EVENT, text=event_id)
        if event.places is None:
            table = token_hex(10)
            entry = Entry(event_id, identity, name, now, 0, table, counts=True)
            appends = [self._opened(event, table, [(entry, 0)], now)]
            await self._save(lambda connection: self._enter(connection, entry, appends), [table])
        else:
            await self._save(lambda connection: self._join(connection, event_id, identity, name, now), [])
            await self.begin_boards(event_id)
        found = await events.entries_by(self._store, identity, [event_id])
        return found[event_id]

    def _enter(self, connection: Connection, entry: Entry, appends: Sequence[Append]) -> None:
        """Save an entry with its table, if the event is open."""
        event = self._checked(connection, entry)
        if not events.is_entered(connection, entry):
            raise _already_entered(connection, event.event, entry.identity)
        self._append(connection, appends)

    def _join(self, connection: Connection, event_id: str, identity: str, name: str, now: float) -> None:
        """Save an entry for a pair or a table of four on the next free place."""
        event = self._checked(connection, Entry(event_id, identity, name, now, 0, None, counts=True))
        held = connection.execute(select(ENTRIES).where(ENTRIES.c.event == event_id)).all()
        if any(row.identity == identity for row in held):
            raise _already_entered(connection, event_id, identity)
        if len(held) >= (event.places or 0):
            raise HostingError(HostingCode.EVENT_FULL, text=event_id)
        name = free_name(name, [row.name for row in held])
        events.is_entered(connection, Entry(event_id, identity, name, now, len(held), None, counts=True))

    def _checked(self, connection: Connection, entry: Entry) -> Event:
        """Return the event of an entry, which no other worker changes meanwhile. Raises
        `HostingError`."""
        event = events.locked_event(connection, entry.event)
        if event is None:
            raise HostingError(HostingCode.NO_SUCH_EVENT, text=entry.event)
        if entry.entered < event.opens:
            raise HostingError(HostingCode.EVENT_NOT_OPEN, text=entry.event)
        if event.is_over or entry.entered >= event.closes:
            raise HostingError(HostingCode.EVENT_OVER, text=entry.event)
        return event

    async def practise(self, event_id: str, identity: str, name: str) -> str:
        """Create a table at which a person plays the dice of a past challenge, and return its id.

        Raises `HostingError` (`event-running`, `no-such-event`, `too-many-tables`,
        `account-needed`), `TableError` and `StoreError`.
        """
        await check_account(self._store, self._host.settings, identity)
        event = await events.event_of(self._store, event_id)
        check_over(event)
        if event.day is None:
            raise HostingError(HostingCode.NO_SUCH_EVENT, text=event_id)
        setup = replace(event.table_setup, clock=None, duplicate=Duplicate(event_id, practice=True))
        table, now = token_hex(10), self._clock()
        secret = event_secret(self._key, event_id)
        opening = handlers.open_event_table(table, setup, secret, [Sitter(0, name, identity)], now)
        limit = self._host.settings.tables
        if not await self._store.create_table(first_append(table, opening, now, identity), identity, limit):
            raise HostingError(HostingCode.TOO_MANY_TABLES, most=limit)
        self._begin([table])
        return table

    async def invite(self, kind: str, identity: str, name: str, setup: Setup) -> Event:
        """Create a pair or a table of four and enter it. `setup` is that of a table for two people.
        If it is rated, the games of the event are rated together.

        Raises as `enter`, and `HostingError` (`no-such-event`) for another kind.
        """
        if kind not in events.PLACES:
            raise HostingError(HostingCode.NO_SUCH_EVENT, text=kind)
        event_id, now = f"{kind}-{token_hex(10)}", self._clock()
        setup = replace(setup, duplicate=Duplicate(event_id))
        times = (now, now, now + ENTERING, now + PLAYING)
        event = events.new_event(self._key, event_id, kind, setup, times, creator=identity)
        check_name(name, ())
        await check_account(self._store, self._host.settings, identity, rated=setup.rated)
        await events.add_events(self._store, [event])
        await self.enter(event_id, identity, name, events.invitation_key(self._key, event_id))
        return event

    # --- Tables -----------------------------------------------------------------------------------

    def _opened(self, event: Event, table: str, people: Sequence[tuple[Entry, int]], now: float) -> Append:
        """Return the append that creates a table of an event with these entries on their seats."""
        sitters = [Sitter(seat, entry.name, entry.identity) for entry, seat in people]
        secret = event_secret(self._key, event.event)
        opening = handlers.open_event_table(table, event.table_setup, secret, sitters, now)
        return first_append(table, opening, now, people[0][0].identity)

    async def _save(self, work: Callable[[Connection], None], tables: Sequence[str]) -> None:
        """Save a change and begin the tables that it made, also if the client does not wait for
        it."""

        async def saved() -> None:
            await self._store.writer.work(work)
            self._begin(tables)

        await asyncio.shield(self._host.tasks.spawn(saved()))

    def _append(self, connection: Connection, appends: Sequence[Append]) -> None:
        for statement in append_statements(appends, self._store.engines.dialect):
            connection.exec_driver_sql(*statement)

    def _begin(self, tables: Sequence[str]) -> None:
        """Start the timers and the computers of new tables."""
        for table in tables:
            self._host.cache.get(table)
            self._host.tasks.spawn(self._host.scheduler.run_due(table))

    async def begin_boards(self, event_id: str) -> None:
        """Create the tables of a pair or of a table of four that are due: all people have entered,
        and in a pair the game before is over. Raises `StoreError`."""
        made: list[str] = []
        await self._save(partial(self._add_boards, event_id, made), made)

    def _add_boards(self, event_id: str, made: list[str], connection: Connection) -> None:
        made.clear()
        event, now = events.locked_event(connection, event_id), self._clock()
        if event is None or event.is_over or event.places is None:
            return
        rows = connection.execute(select(ENTRIES).where(ENTRIES.c.event == event_id).order_by(ENTRIES.c.place))
        entries = [Entry(*row) for row in rows]
        if len(entries) < event.places:
            return
        held = connection.execute(
            select(BOARDS.c.board, TABLES.c.state)
            .join(TABLES, TABLES.c.table_id == BOARDS.c.table_id)
            .where(BOARDS.c.event == event_id)
        ).all()
        for board, seats in enumerate(BOARDS_OF[event.kind]):
            waits = event.kind == "pair" and any(row.state != "over" for row in held)
            if board < len(held) or waits or (event.kind == "pair" and board > len(held)):
                continue
            table = token_hex(10)
            people = [(entries[place], seat) for seat, place in enumerate(seats)]
            self._append(connection, [self._opened(event, table, people, now)])
            events.add_board(connection, event_id, board, table)
            made.append(table)


def two_people(game: str, clock: Clock | None, *, rated: bool = False) -> Setup:
    """Return the setup of a table of an event for two people. Raises as `Setup`."""
    first = 0 if games.from_id(game).first_player is FirstPlayer.LOT else None
    return Setup(game, (SeatSetup(), SeatSetup()), clock=clock, first=first, rated=rated)


def _already_entered(connection: Connection, event: str, identity: str) -> HostingError:
    """Return the refusal of a second entry, with the table of the first one."""
    query = select(ENTRIES.c.table_id).where(ENTRIES.c.event == event, ENTRIES.c.identity == identity)
    return HostingError(HostingCode.ALREADY_ENTERED, text=event, table=connection.execute(query).scalar_one() or "")
