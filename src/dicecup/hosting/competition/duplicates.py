"""The duplicate events of a server: people enter them, and time opens and settles them.

Any worker does what is due (`tick`). Every step is a change of a row that one worker alone can
make, or one that may be repeated, so a server that stops between two steps goes on later.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from sqlalchemy import Connection, select

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition import events, lines, results
from dicecup.hosting.competition.entering import BOARDS_OF, Entering
from dicecup.hosting.competition.events import Event, check_over
from dicecup.hosting.competition.rated_event import save_rated_event
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.store.competition_models import BOARDS, ENTRIES
from dicecup.hosting.store.driver_errors import translated
from dicecup.hosting.store.models import TABLES
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.record import Record
from dicecup.table import daily, handlers
from dicecup.table.duplicate import event_secret
from dicecup.table.event_file import FORMAT, EventFile, EventGame
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.transition import Transition

LOG: Final = logging.getLogger(__name__)

TICK: Final = 5.0
"""Seconds between two looks at what is due."""
MOST_MISSED: Final = 31
"""Days without a server whose challenges are made afterwards, for practice."""
GRACE: Final = 900.0
"""Seconds after the start of a worker before it ends games: people may need to come back."""
LEASE: Final = 600.0
"""Seconds for which a worker analyses an event before another one tries."""
MOST_REVIEWED: Final = 200
"""Entries of an event that are reviewed, the best ones."""
ANALYSES: Final = Client("events")


class Duplicates:
    """The duplicate events of one worker."""

    def __init__(self, host: TableHost) -> None:
        self.entering = Entering(host)
        self._host = host
        self._store = host.store
        self._key = host.settings.host_key
        self._clock = host.clock
        self._since = host.clock()
        self.analyses: set[asyncio.Task[None]] = set()
        """The analyses that run. They end with the server and are begun again by another one."""
        self._day: int | None = None
        """The day whose challenges this worker has seen in the database."""

    def secret_of(self, event: Event) -> str:
        """Return the secret of an event in hex. Raises `HostingError` (`event-running`) before its
        end."""
        check_over(event)
        return event_secret(self._key, event.event).hex()

    # --- Time -------------------------------------------------------------------------------------

    async def tick(self) -> None:
        """Do what is due: make the challenges of the day, settle events, publish their secrets and
        begin to analyse them. Raises `StoreError`."""
        await self.make_days()
        for event in await events.events_in(self._store, (events.OPEN, events.SETTLED, events.PUBLISHED)):
            try:
                await self._carry_on(event)
            except StoreError:
                raise
            except DicecupError as error:
                LOG.warning("event %s could not be carried on: %s", event.event, error)

    async def _carry_on(self, event: Event) -> None:
        """Do the steps of an event that are due."""
        while await self._step(event) and event.state != events.PUBLISHED:
            event = await events.event_of(self._store, event.event)

    async def make_days(self) -> None:
        """Make the challenges of today, and for practice those of the days on which no server ran.
        Raises `StoreError`."""
        now = self._clock()
        today = daily.day_of(now)
        if self._day == today:
            return
        newest = await events.newest_day(self._store)
        first = today if newest is None else max(newest + 1, today - MOST_MISSED)
        for day in range(min(first, today), today + 1):
            await events.add_events(self._store, events.daily_events(self._key, day, now))
        self._day = today

    async def _step(self, event: Event) -> bool:
        """Do the next step of an event, and return whether it was due."""
        if event.state == events.OPEN:
            if event.places is not None:
                await self.entering.begin_boards(event.event)
            return await self._is_due(event) and await self._settle(event)
        if event.state == events.SETTLED:
            await self._publish(event)
        elif event.places is not None or event.created >= event.closes:
            await events.advance(self._store, event.event, events.PUBLISHED, events.ANALYSED)
        elif event.leased <= (now := self._clock()) and await events.lease(self._store, event, now, LEASE):
            analysis = self._host.tasks.run_until_cancelled(self._analyse(event))
            self.analyses.add(analysis)
            analysis.add_done_callback(self.analyses.discard)
        return True

    async def _is_due(self, event: Event) -> bool:
        """Return whether all games of an event are over. Games that are late are ended."""
        now = self._clock()
        entered = (await events.counts_of(self._store, [event.event])).get(event.event, 0)
        if event.places is None or entered < event.places:
            if now < event.closes:
                return False
        elif len(await events.boards_of(self._store, event.event)) < len(BOARDS_OF[event.kind]) and now < event.settles:
            return False
        if now >= max(event.settles, self._since + GRACE):
            for table in await self._tables_of(event):
                await self._change(table, handlers.expire)
        return True

    async def _settle(self, event: Event) -> bool:
        """Save the results of an event whose games are over, and return whether they were. From
        then on its secret is public."""
        entries = await events.entries_of(self._store, event.event)
        if await self._is_played(event, len(entries)):
            return False
        scored = []
        for entry in entries:
            if entry.table_id is not None and (state := await self._state(entry.table_id)) is not None:
                score = results.score_of(state, entry.identity)
                scored.append(entry if score is None else entry._replace(**score._asdict()))

        states = await self._boards(event)
        now = self._clock()

        def work(connection: Connection) -> bool:
            locked = events.locked_event(connection, event.event)
            if locked is None or locked.is_over or _unfinished(connection, event.event, len(entries)):
                return False
            events.is_advanced(connection, event.event, events.OPEN, events.SETTLED)
            for entry in scored:
                events.save_result(connection, entry)
            if event.places is not None and event.table_setup.rated:
                save_rated_event(connection, event, entries, states, now)
            return True

        return await self._store.writer.work(work)

    async def _is_played(self, event: Event, known: int) -> bool:
        """Return whether games of an event still run. It reads no table. Raises `StoreError`."""
        with translated():
            async with self._store.engines.readers.connect() as connection:
                return await connection.run_sync(lambda sync: _unfinished(sync, event.event, known))

    async def _publish(self, event: Event) -> None:
        """Publish the secret at all tables of an event."""
        for table in await self._tables_of(event):
            await self._change(table, handlers.publish_secret)
        await events.advance(self._store, event.event, events.SETTLED, events.PUBLISHED)

    async def _change(self, table: str, handler: Callable[[TableState, float, bytes], Transition]) -> None:
        """Change a table with the secret of its event. A table that was deleted stays deleted."""

        def change(state: TableState, now: float) -> Transition:
            assert state.setup.duplicate is not None
            return handler(state, now, event_secret(self._key, state.setup.duplicate.event))

        try:
            await self._host.changes.change(self._host.cache.get(table), change)
        except HostingError as error:
            if error.code is not HostingCode.NO_SUCH_TABLE:
                raise

    async def _tables_of(self, event: Event) -> list[str]:
        """Return the tables of an event."""
        if event.places is not None:
            return await events.boards_of(self._store, event.event)
        return [entry.table_id for entry in await events.entries_of(self._store, event.event) if entry.table_id is not None]

    async def _state(self, table: str) -> TableState | None:
        """Return the state of a table, `None` for one that was deleted."""
        try:
            return await self._host.cache.state_of(table)
        except HostingError as error:
            if error.code is HostingCode.NO_SUCH_TABLE:
                return None
            raise

    # --- After the end ----------------------------------------------------------------------------

    async def _analyse(self, event: Event) -> None:
        """Let `master` play the dice of an event, and find the decision that cost most. An event
        that cannot be analysed is tried again after `LEASE`."""
        secret = event_secret(self._key, event.event)
        pool = self._host.pool
        found: list[list[lines.Lost]] = []
        try:
            line = await pool.run_for(ANALYSES, lines.line_of, event.setup, secret)
            for entry in (await events.entries_of(self._store, event.event))[:MOST_REVIEWED]:
                state = None if entry.table_id is None else await self._state(entry.table_id)
                if state is None or entry.facts is not None:
                    found.append(lines.lost_from_text(entry.facts))
                    continue
                player = state.player_of(min(state.seats_of(entry.identity), default=0))
                lost = await self._losses(record_of(state).to_text(), player)
                await events.save_facts(self._store, entry, lines.lost_to_text(lost))
                found.append(lost)
        except DicecupError as error:
            LOG.warning("event %s could not be analysed yet: %s", event.event, error)
            return
        costly = lines.costliest(found)
        analysis = json.dumps({"line": line, "costly": None if costly is None else costly._asdict()})
        await events.advance(self._store, event.event, events.PUBLISHED, events.ANALYSED, analysis=analysis)

    async def _losses(self, text: str, player: int) -> list[lines.Lost]:
        """Return the costly decisions of a player, none for a game that cannot be reviewed. Raises
        `HostingError` if too many other computations wait."""
        try:
            return await self._host.pool.run_for(ANALYSES, lines.losses_of, text, player)
        except HostingError as error:
            if error.code is not HostingCode.TOOK_TOO_LONG:
                raise
        except DicecupError as error:
            LOG.info("a game of an event cannot be reviewed: %s", error)
        return []

    async def file(self, event_id: str) -> EventFile:
        """Return the file of an event with the records of all its games. Raises `HostingError`
        (`no-such-event`, `event-running`) and `StoreError`."""
        event = await events.event_of(self._store, event_id)
        secret = self.secret_of(event)
        games = []
        for number, table in enumerate(await self._tables_of(event), 1):
            if (state := await self._state(table)) is not None:
                games.append(EventGame(1 if event.places is not None else number, self.record_with_secret(state).to_text()))
        game = event.table_setup.rules.id
        return EventFile(FORMAT, event_id, game, event.commitment, secret, event.opens, event.closes, tuple(games))

    def record_with_secret(self, state: TableState) -> Record:
        """Return the record of a game of an event that is over. The secret may not be in its log
        yet."""
        assert state.setup.duplicate is not None
        secret = event_secret(self._key, state.setup.duplicate.event)
        return record_of(handlers.publish_secret(state, state.time, secret).state)

    async def game(self, event_id: str, number: int) -> tuple[str, str]:
        """Return the name and the record of the entry on place `number` of the ranking, from 1; 0
        is the line of `master`. Raises `HostingError` (`no-such-event`, `event-running`,
        `no-such-game`) and `StoreError`."""
        event = await events.event_of(self._store, event_id)
        check_over(event)
        if number == 0 and event.analysis is not None:
            return lines.LINE, str(json.loads(event.analysis)["line"])
        entries = await events.entries_of(self._store, event_id)
        if 0 < number <= len(entries) and (table := entries[number - 1].table_id) is not None:
            state = await self._state(table)
            if state is not None:
                return entries[number - 1].name, self.record_with_secret(state).to_text()
        raise HostingError(HostingCode.NO_SUCH_GAME, text=number)

    async def sums(self, event: Event) -> list[results.Sum]:
        """Return the sums of a pair or of a table of four. Raises `StoreError`."""
        entries = sorted(await events.entries_of(self._store, event.event), key=lambda entry: entry.place)
        return results.sums(entries, await self._boards(event))

    async def _boards(self, event: Event) -> list[TableState]:
        """Return the tables of a pair or of a table of four that were not deleted."""
        states = [await self._state(table) for table in await events.boards_of(self._store, event.event)]
        return [state for state in states if state is not None]


def _unfinished(connection: Connection, event: str, known: int) -> bool:
    """Return whether a game of an event runs, or a person entered after `known` people had."""
    own = select(ENTRIES.c.table_id).where(ENTRIES.c.event == event)
    boards = select(BOARDS.c.table_id).where(BOARDS.c.event == event)
    running = select(TABLES.c.table_id).where(
        TABLES.c.state != "over", TABLES.c.table_id.in_(own) | TABLES.c.table_id.in_(boards)
    )
    entered = len(connection.execute(own).all())
    return entered != known or connection.execute(running.limit(1)).first() is not None


def analysis_of(event: Event) -> Mapping[str, Any] | None:
    """Return the analysis of an event, `None` before it is known."""
    return None if event.analysis is None else json.loads(event.analysis)


def line_result(analysis: Mapping[str, Any]) -> str:
    """Return the result in the record of the line of `master`."""
    for line in analysis["line"].splitlines():
        if line.startswith('[Result "'):
            return str(line.removeprefix('[Result "').removesuffix('"]'))
    return lines.LINE
