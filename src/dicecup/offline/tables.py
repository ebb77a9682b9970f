"""The tables of a room without a server: commands, computers and time change them, and every change
is saved before it is published."""

import hmac
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final, TypeAlias

from dicecup import games
from dicecup.core.errors import DicecupError
from dicecup.core.game import Position
from dicecup.offline.engine import Engine
from dicecup.offline.errors import OfflineCode, OfflineError, expected
from dicecup.offline.messages import Do, NamedSeat
from dicecup.offline.store import Append, Row, Store
from dicecup.table import assistance, fairness
from dicecup.table.clock import Gap
from dicecup.table.commands import TalkCommand
from dicecup.table.computers import ComputerTask, command_for, next_task, seconds_to_wait
from dicecup.table.consequences import is_meant_for
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import NextTable, Stored, event_from_json, event_to_text, public
from dicecup.table.handlers import (
    Actor,
    Sitter,
    due,
    handle,
    next_transition,
    open_next_table,
    open_table,
    wake_at,
)
from dicecup.table.handover import SEPARATOR, HandedBack, Seen, go_on, hand_back_of
from dicecup.table.setup import Occupant, Setup
from dicecup.table.state import TableState
from dicecup.table.summaries import outcome, stage, summary
from dicecup.table.table_record import record_of
from dicecup.table.transition import Transition
from dicecup.table.views import Views

PERSON: Final = "here"
"""The identity of all people at this device."""
ATTEMPTS: Final = 8
"""Attempts to save a change while other pages change the same table."""
SILENCE: Final = 15.0
"""Seconds without a call of the room after which nobody could play: the device slept, or the
browser stopped the page. They count for no clock."""
HEARTBEAT: Final = 5.0
"""Seconds within which the room wants to be called while a clock runs."""
AGAIN: Final = 5.0
"""Seconds until a step that could not be saved is tried again."""

Handler: TypeAlias = Callable[[TableState, float], Transition]
Json: TypeAlias = dict[str, Any]


class Subscriber:
    """A receiver of the updates of one table. `send` takes a message."""

    def __init__(self, table: str, send: Callable[[Json], None]) -> None:
        self.table = table
        self.send = send


@dataclass(eq=False, slots=True)
class LoadedTable:
    """A table in memory. `commands` maps the ids of saved commands to their last events. `stuck`
    holds the number of the event at which a computer could not decide, and why. After a step that
    could not be saved none is tried before the time `rests_until`."""

    state: TableState
    commands: dict[str, int] = field(default_factory=dict)
    stuck: tuple[int, str] | None = None
    rests_until: float = 0.0


class Tables:
    """The tables in a store.

    `key`: 32 random bytes of this device, from which the secrets of all dice follow. `clock`
    returns the time in seconds since 1970. `new_id` returns a new id for a table: 20 hex digits.
    Callers wait for the end of a call before the next one.
    """

    def __init__(self, store: Store, key: bytes, engine: Engine, clock: Callable[[], float], new_id: Callable[[], str]) -> None:
        self._store = store
        self._key = key
        self._players = hmac.digest(key, b"\xffplayers", "sha256")
        """The key of the seeds of players that choose by chance. No dice follow from it."""
        self.engine = engine
        self._clock = clock
        self._new_id = new_id
        self._loaded: dict[str, LoadedTable] = {}
        self._subscribers: set[Subscriber] = set()
        self._seen = clock()
        self._gaps = [Gap(0.0, self._seen)]

    # --- Reading ----------------------------------------------------------------------------------

    async def state_of(self, table: str) -> TableState:
        """Return the newest state of a table. Raises `OfflineError` (`no-such-table`,
        `table-incomplete`) and the errors of `Store`."""
        return (await self._load(table)).state

    async def lines(self) -> list[Json]:
        """Return the tables of this device for lists, the newest first. Raises the errors of
        `Store`."""
        found: list[Json] = [json.loads(line) for line in await self._store.lines()]
        return sorted(found, key=lambda line: (-line["created"], line["table"]))

    async def guarded_positions(self) -> tuple[Position, ...]:
        """Return the positions of running games between people, in which no analysis may help
        (`dicecup.table.assistance`). A game that cannot be read cannot go on."""
        positions = set()
        for table in [line["table"] for line in await self.lines() if line["state"] == "running"]:
            try:
                state = await self.state_of(table)
            except OfflineError as error:
                if error.code not in (OfflineCode.TABLE_INCOMPLETE, OfflineCode.NO_SUCH_TABLE):
                    raise
            else:
                positions |= {state.position} if assistance.is_guarded(state) else set()
        return tuple(positions)

    def look(self, state: TableState) -> Json:
        """Return the whole view of a table."""
        return Views(state, self._clock(), {}).whole(state.seats_of(PERSON))

    # --- Subscribers ------------------------------------------------------------------------------

    async def subscribe(self, subscriber: Subscriber, since: int | None) -> None:
        """Send a table to a subscriber, with the events after `since` if it is given, and from then
        on every change. Raises as `state_of`."""
        state = await self.state_of(subscriber.table)
        is_known = since is not None and 0 <= since < state.number
        rows = await self._store.rows(subscriber.table, since or 0) if is_known else []
        events = [_event_json(_stored(row)) for row in rows if row.number <= state.number]
        subscriber.send(_update(state.number, events, self.look(state)))
        self._subscribers.add(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send nothing more to a subscriber."""
        self._subscribers.discard(subscriber)

    def _publish(self, state: TableState, events: Sequence[Stored], before: TableState) -> None:
        """Send the change of a table to its subscribers."""
        waiting = [subscriber for subscriber in self._subscribers if subscriber.table == state.table]
        if waiting:
            view = Views(state, self._clock(), {}, before).changed(state.seats_of(PERSON))
            message = _update(state.number, [_event_json(event) for event in events], view)
            for subscriber in waiting:
                subscriber.send(message)

    # --- Changes ----------------------------------------------------------------------------------

    async def create(self, setup: Setup, name: str, seats: Sequence[NamedSeat]) -> str:
        """Create a table and return its id. Raises `TableError` as `handlers.open_table`, for a
        level that does not play here (`not-a-level`), and for a rated game (`not-a-setup`). Raises
        as the store."""
        await self._check_levels(setup.game, [held.level for held in setup.seats])
        if setup.rated:
            raise TableError(TableCode.NOT_A_SETUP, text="rated", why="device")
        named = [(seat.seat, seat.name) for seat in seats]
        if name and not named:
            named = [(seat, name) for seat, held in enumerate(setup.seats) if held.kind is Occupant.OPEN][:1]
        sitters = [Sitter(seat, called, PERSON) for seat, called in named]
        table, now = self._new_id(), self._now()
        transition = open_table(table, setup, fairness.secret_of(self._key, table), sitters, now)
        if not await self._store.append([self._append(transition, 1, now)]):
            raise OfflineError(OfflineCode.BUSY)
        self._loaded[table] = LoadedTable(transition.state)
        return table

    async def go_on(self, seen: Seen) -> str:
        """Go on with the game of a server's table and return the id of the table here. The same
        game gets the same table, however often and in how many pages it is asked for.

        Raises as `handover.go_on`, `TableError` (`not-a-level`), and as the store.
        """
        await self._check_levels(seen.game, [held.level for held in seen.seats])
        table = hmac.digest(self._key, f"go on {seen.table} {seen.number}".encode(), "sha256").hex()[:20]
        if not await self._store.rows(table, 0):
            now = self._now()
            transition = go_on(table, seen, PERSON, fairness.secret_of(self._key, table), now)
            if await self._store.append([self._append(transition, 1, now)]):  # else another page has done it
                self._loaded[table] = LoadedTable(transition.state)
        return table

    async def _check_levels(self, game: str, wanted: Iterable[str]) -> None:
        """Get the levels of a game's computers ready. Raises `TableError` (`not-a-level`) for one
        that does not play here."""
        rules = games.from_id(game)
        levels = self.engine.levels(type(rules))
        for level in filter(None, wanted):
            if level not in levels:
                raise TableError(TableCode.NOT_A_LEVEL, text=level, levels=", ".join(levels))
            await self.engine.prepare(rules, level)

    async def send(self, table: str, sent: Do) -> int:
        """Handle a command of a person and return the number of its last event, also if it was sent
        before.

        Raises `DicecupError`; then nothing has changed.
        """

        def handler(state: TableState, now: float) -> Transition:
            actor = Actor(PERSON, state.seats_of(PERSON))
            return handle(state, actor, sent.command, now, self._secret(state), {}, earlier=self._earlier(state))

        meant_for = None if isinstance(sent.command, TalkCommand) else sent.version
        return await self._change(table, handler, sent.id, meant_for)

    async def refresh(self, table: str) -> None:
        """Read and publish what another page has saved at a table. Raises the errors of `Store`."""
        if table in self._loaded:
            await self._read(table, self._loaded[table])

    def seconds_to_tick(self) -> float | None:
        """Return after how many seconds `tick` has something to do, `None` for never."""
        found = [seconds for loaded in self._watched() if (seconds := self._seconds(loaded)) is not None]
        return min(found, default=None)

    async def tick(self) -> None:
        """Take one step at each table that a page shows: handle a deadline that has passed, or make
        one throw or action of a computer. Subscribers learn why a step could not be saved, and it
        is tried again later."""
        for loaded in self._watched():
            if loaded.rests_until > self._clock():
                continue
            try:
                await self._step(loaded)
            except Exception as error:  # noqa: BLE001 the game has to go on
                loaded.rests_until = self._clock() + AGAIN
                self._publish_trouble(loaded, str(expected(error).code))

    async def _step(self, loaded: LoadedTable) -> None:
        """Take one step at a table. Raises as `_change`."""
        state = loaded.state
        task = next_task(state)
        wake = wake_at(state)
        if wake is not None and wake <= self._now():
            await self._change(state.table, self._due)
        elif task is not None and loaded.stuck is None and seconds_to_wait(state, self._now()) <= 0:
            await self._play(loaded, task)

    def _watched(self) -> list[LoadedTable]:
        """Return the loaded tables that have subscribers."""
        watched = {subscriber.table for subscriber in self._subscribers}
        return [loaded for table, loaded in self._loaded.items() if table in watched]

    def _seconds(self, loaded: LoadedTable) -> float | None:
        """Return after how many seconds `tick` has something to do at a table."""
        state, now = loaded.state, self._clock()
        found = []
        if (wake := wake_at(state)) is not None:
            found.append(max(0.0, wake - now))
        if state.clocks.deadline is not None and state.end is None:
            found.append(HEARTBEAT)
        if next_task(state) is not None and loaded.stuck is None:
            found.append(seconds_to_wait(state, now))
        return max(min(found), loaded.rests_until - now) if found else None

    async def _play(self, loaded: LoadedTable, task: ComputerTask) -> None:
        """Do what a computer has to do. If it cannot decide, note it and tell the subscribers."""
        state = loaded.state
        try:
            seed = hmac.digest(self._players, f"{state.table} {state.number}".encode(), "sha256").hex()
            if task.asks_player:
                await self.engine.prepare(state.position.game, task.level)
            answer = self.engine.decide(state.position, task.level, seed) if task.asks_player else None
            command = command_for(state, task, answer)
        except DicecupError as error:
            self._stop(loaded, str(error.code))
            return
        if command is None:
            self._stop(loaded, "")
            return
        actor = Actor(None, frozenset({task.seat}))

        def handler(held: TableState, now: float) -> Transition:
            return handle(held, actor, command, now, self._secret(held), {}, earlier=self._earlier(held))

        try:
            await self._change(state.table, handler, version=state.number)
        except OfflineError as error:
            if error.code is not OfflineCode.STALE_VERSION:
                raise

    def _stop(self, loaded: LoadedTable, code: str) -> None:
        """Let the computers of a table rest until its next event. With a `code`, subscribers learn
        that the game cannot go on here."""
        loaded.stuck = loaded.state.number, code
        if code:
            self._publish_trouble(loaded, code)

    def _publish_trouble(self, loaded: LoadedTable, code: str) -> None:
        """Tell the subscribers of a table why it cannot go on now."""
        for subscriber in self._subscribers:
            if subscriber.table == loaded.state.table:
                subscriber.send(_update(loaded.state.number, [], None, code))

    def _due(self, state: TableState, now: float) -> Transition:
        return due(state, now, self._secret(state), earlier=self._earlier(state))

    async def _change(self, table: str, handler: Handler, command: str = "", version: int | None = None) -> int:
        """Save and publish the events of a handler and return the number of the last one.

        The handler is called again with the newer state if another page changed the table first. A
        command that was saved before returns the number of its last event again. Raises what the
        handler raises, `OfflineError` (`stale-version`, `no-such-table`, `busy`) and as the store.
        """
        loaded = await self._load(table)
        for _ in range(ATTEMPTS):
            if command in loaded.commands:
                return loaded.commands[command]
            state = loaded.state
            now = max(self._now(), state.time)
            if version is not None and not is_meant_for(state, version):
                raise OfflineError(OfflineCode.STALE_VERSION, version=version, number=state.number)
            # A silence is saved first, so that the handler sees the clocks without it.
            transition, holds_clock = next_transition(state, now, self._gaps, handler)
            if not transition.events:
                return state.number
            if not await self._save(loaded, transition, now, "" if holds_clock else command):
                await self._read(table, loaded)
            elif not holds_clock:
                return loaded.state.number
            else:
                version = None if version is None else loaded.state.number
        raise OfflineError(OfflineCode.BUSY)

    async def _save(self, loaded: LoadedTable, transition: Transition, now: float, command: str) -> bool:
        """Save the events of a transition, then publish them. Return `False` if another page was
        first. Raises the errors of `Store`."""
        before, after = loaded.state, transition.state
        append = self._append(transition, before.number + 1, now, command, ends=before.end is None)
        appends = [append]
        following = next((event.table for event in transition.events if isinstance(event, NextTable)), None)
        if following is not None and not await self._store.rows(following, 0):
            opening = open_next_table(after, fairness.secret_of(self._key, following), now)
            appends.append(self._append(opening, 1, now))
        if not await self._store.append(appends):
            return False
        loaded.state, loaded.stuck, loaded.rests_until = after, None, 0.0
        if command:
            loaded.commands[command] = after.number
        self._publish(after, [_stored(row) for row in append.rows], before)
        return True

    def _append(self, transition: Transition, first: int, now: float, command: str = "", *, ends: bool = False) -> Append:
        """Return the append of a transition whose first event has the number `first`. `ends`:
        whether a game that is over now has ended with it. A game of computers, or one that never
        began, joins nothing."""
        state = transition.state
        rows = [Row(number, now, event_to_text(event), "") for number, event in enumerate(transition.events, first)]
        rows[-1] = rows[-1]._replace(command=command)
        joins = joining(state) if ends and state.end is not None and state.order and state.seats_of(PERSON) else None
        line_text = json.dumps(line(state), ensure_ascii=False)
        if state.origin is None:
            return Append(state.table, tuple(rows), line_text, joins)
        back = hand_back_of(state, self._secret(state))
        return Append(state.table, tuple(rows), line_text, joins, state.origin.table, back and returning(back))

    # --- Loading ----------------------------------------------------------------------------------

    async def _load(self, table: str) -> LoadedTable:
        """Return a table, from the store if it is not loaded. Raises as `state_of`."""
        loaded = self._loaded.get(table)
        if loaded is None:
            rows = await self._store.rows(table, 0)
            if not rows:
                raise OfflineError(OfflineCode.NO_SUCH_TABLE)
            try:
                loaded = LoadedTable(TableState.from_events(map(_stored, rows)))
            except Exception as error:  # damaged events can raise anything
                raise OfflineError(OfflineCode.TABLE_INCOMPLETE) from error
            _note_commands(loaded, rows)
            self._loaded[table] = loaded
        return loaded

    async def _read(self, table: str, loaded: LoadedTable) -> None:
        """Take over, and publish, the events that another page has saved."""
        before = loaded.state
        rows = await self._store.rows(table, before.number)
        if rows:
            events = [_stored(row) for row in rows]
            loaded.state = reduce(TableState.apply, events, before)
            loaded.stuck, loaded.rests_until = None, 0.0
            _note_commands(loaded, rows)
            self._publish(loaded.state, events, before)

    def _secret(self, state: TableState) -> bytes:
        return fairness.secret_of(self._key, state.table, state.commitment.salt)

    def _earlier(self, state: TableState) -> tuple[bytes, ...]:
        return tuple(fairness.secret_of(self._key, state.table, held.salt) for held in state.earlier)

    def _now(self) -> float:
        """Return the time, and note a silence before it."""
        now = self._clock()
        if now > self._seen + SILENCE:
            self._gaps.append(Gap(self._seen, now))
        self._seen = now
        return now


def _note_commands(loaded: LoadedTable, rows: Iterable[Row]) -> None:
    loaded.commands |= {row.command: row.number for row in rows if row.command}


def joining(state: TableState) -> str:
    """Return the body of the request with which a finished game joins the games of its people on a
    server."""
    found = {"table": state.table, "record": record_of(state).to_text(), "created": state.begun}
    return json.dumps(found, ensure_ascii=False)


def returning(back: HandedBack) -> str:
    """Return the body of the request that hands a game back to a server."""
    return json.dumps(back._asdict() | {"steps": SEPARATOR.join(back.steps)})


def line(state: TableState) -> Json:
    """Return the line of a table in the list of its people (docs/protocol.md)."""
    own = sorted(state.seats_of(PERSON))
    return {
        "table": state.table,
        "game": state.setup.game,
        "state": stage(state),
        "created": state.begun,
        "outcome": outcome(state, own),
        "you": own,
        "summary": summary(state),
    }


def _stored(row: Row) -> Stored:
    """Return the event of a row. Raises `TableError` (`not-an-event`) and, for a damaged text,
    `ValueError`."""
    return Stored(row.number, row.time, event_from_json(json.loads(row.body)))


def _event_json(stored: Stored) -> Json:
    return {"number": stored.number, "time": stored.time, **public(stored.event)}


def _update(number: int, events: list[Json], view: Json | None, trouble: str = "") -> Json:
    return {"type": "update", "number": number, "events": events, "view": view, "trouble": trouble}
