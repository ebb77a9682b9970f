"""Changes tables: reads their states, lets commands, time and computers act on them, saves what comes of it, and only then tells it.

Everything that happens at a table happens under its lock in this process; between processes the numbers of the events decide.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any, Final, NamedTuple, TypeAlias

from dicecup.core.errors import DicecupError
from dicecup.hosting import computers
from dicecup.hosting.digest import at_a_glance, digest_of, stored
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.loaded import Follower, Live, Update
from dicecup.hosting.outages import Outages
from dicecup.hosting.pool import Pool
from dicecup.hosting.presence import Presence, people_of
from dicecup.hosting.store import Append, Digest, Raced, Row, Store
from dicecup.hosting.store.errors import StoreCode, StoreError
from dicecup.table import fairness
from dicecup.table.errors import TableError
from dicecup.table.events import NextTable, Stored, event_to_text, public
from dicecup.table.handlers import due, hold_clock, open_next_table, wake_at
from dicecup.table.state import TableState
from dicecup.table.transition import Transition
from dicecup.table.views import Views

LOG: Final = logging.getLogger(__name__)

FORGET_AFTER: Final = 60.0
"""Seconds after which the state of a table that nobody touches is forgotten: it costs disk only."""
ATTEMPTS: Final = 8
"""How often other workers may be first."""
AGAIN: Final = 1.0
"""Seconds until something is tried again that could not be done."""

Make: TypeAlias = Callable[[TableState, float], Transition]
"""A function that handles a command or the passing of time for a state at a time. Raises `DicecupError`."""


@dataclass(frozen=True, slots=True)
class Command:
    """Whose command it is that is saved, so that it is done once."""

    identity: str
    id: str


class News(NamedTuple):
    """How a table stands, its last events as everybody may see them, and what those see who hold which seats."""

    state: TableState
    events: tuple[dict[str, Any], ...]
    views: Views


class Keeper:
    """The tables that somebody looks at, or that time or a computer moves."""

    def __init__(self, store: Store, players: Pool, host_key: bytes, clock: Callable[[], float]) -> None:
        self.store = store
        self.presence = Presence(clock())
        self.outages = Outages(store, clock)
        self.tables: dict[str, Live] = {}
        self.hints: dict[str, int] = {}
        self.hinted = asyncio.Event()
        self._players = players
        self._host_key = host_key
        self._clock = clock
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    def now(self) -> float:
        """Seconds since 1970."""
        return self._clock()

    def secret(self, table: str) -> bytes:
        """From which the dice of this table follow."""
        return fairness.secret_of(self._host_key, table)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Does it beside everything else."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, DicecupError):
            LOG.error("work at a table failed", exc_info=error)

    async def close(self) -> None:
        """What was begun is finished; followers are told that no more comes."""
        self._closed = True
        for live in self.tables.values():
            live.stop_timer()
            if live.thinking is not None:
                live.thinking.cancel()
            for follower in live.followers:
                follower.end()
        while self._tasks:
            await asyncio.wait(self._tasks)

    # --- Reading -------------------------------------------------------------------------------------------------------------

    def at(self, table: str) -> Live:
        """The table, of which nothing may be known yet."""
        live = self.tables.get(table)
        if live is None:
            live = self.tables[table] = Live(table)
        live.used = asyncio.get_running_loop().time()
        return live

    async def fresh(self, live: Live) -> TableState:
        """The state as it is saved, as far as this process was told; under the lock. What followers do not know yet, they are told.
        Raises `HostingError` (`no-such-table`) and `StoreError`."""
        if live.state is not None and live.sure:
            return live.state
        known = live.state
        rows = await self.store.events(live.table, 0 if known is None else known.number)
        if known is None and not rows:
            self._gone(live)
            raise HostingError(HostingCode.NO_SUCH_TABLE)
        events = [stored(row) for row in rows]
        if known is None:
            state, live.creator = TableState.from_events(events), rows[0].identity
        else:
            state = reduce(TableState.apply, events, known)
        live.sure = True
        if state is not known:
            live.digest = None  # whoever wrote these knows it
            self._stands(live, state, [event for event in events if event.number > live.number])
        return state

    def _gone(self, live: Live) -> None:
        self._drop(live)
        for follower in live.followers:
            follower.end(HostingError(HostingCode.NO_SUCH_TABLE))

    def _drop(self, live: Live) -> None:
        self.tables.pop(live.table, None)
        self.presence.forget(live.table)
        live.stop_timer()

    def gone(self, table: str) -> None:
        """The table was deleted."""
        if (live := self.tables.get(table)) is not None:
            self._gone(live)

    def forget(self) -> None:
        """What nobody needed for a while."""
        before = asyncio.get_running_loop().time() - FORGET_AFTER
        for live in list(self.tables.values()):
            if live.used > before or live.lock.locked() or (live.thinking is not None and not live.thinking.done()):
                continue
            if not live.followers:
                self._drop(live)
            live.state = live.digest = None

    # --- Changing ------------------------------------------------------------------------------------------------------------

    async def change(self, live: Live, make: Make, by: Command | None = None, version: int | None = None) -> int:
        """Lets something happen, and answers the number of its last event. It is made anew of how the table stands where another
        worker was first.

        Raises what `make` raises, `HostingError` (`stale-version`, `no-such-table`) and `StoreError`."""
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self.outages.check()
                state = await self.fresh(live)
                now = max(self.now(), state.time)
                try:
                    if version is not None and version != state.number:
                        raise HostingError(HostingCode.STALE_VERSION, version=version, number=state.number)
                    transition = hold_clock(state, now, self.outages.gap)
                    held = bool(transition.events)
                    if not held:
                        transition = make(state, now)
                except DicecupError:
                    if (number := await self._done_before(live, by)) is not None:
                        return number
                    raise
                if not transition.events:
                    return state.number
                try:
                    await self._save(live, state, transition, now, None if held else by)
                except Raced:
                    live.sure = False
                    if (number := await self._done_before(live, by)) is not None:
                        await self.fresh(live)
                        return number
                except asyncio.CancelledError:  # whoever hangs up does not undo what is being saved
                    self._doubt(live)
                    raise
                except StoreError as error:
                    if error.code is StoreCode.DOWN:
                        self.outages.lost()
                        self._doubt(live)
                    raise
                else:
                    if not held:
                        return transition.state.number
                    version = None if version is None else transition.state.number
        raise HostingError(HostingCode.BUSY)

    def _doubt(self, live: Live) -> None:
        """It may have been saved all the same."""
        live.sure = False
        asyncio.get_running_loop().call_later(AGAIN, self._ask_again, live)

    def _ask_again(self, live: Live) -> None:
        if not self._closed:
            self.spawn(self.hear(live))

    async def _done_before(self, live: Live, by: Command | None) -> int | None:
        return None if by is None else await self.store.number_of(live.table, by.identity, by.id)

    async def begin(self, table: str, transition: Transition, now: float, creator: str) -> None:
        """A table that is new. Raises `StoreError`."""
        await self.store.append(first_append(table, transition, now, creator))
        self.at(table)
        self.spawn(self.look_after(table))

    async def _save(self, live: Live, state: TableState, transition: Transition, now: float, by: Command | None) -> None:
        """Raises `Raced` and `StoreError`; then the table is as it was."""
        events, after = transition
        told = [Stored(state.number + at, now, event) for at, event in enumerate(events, 1)]
        digest, glance = live.digest, at_a_glance(after)
        if digest is None or glance != live.glance:
            before = () if after.end is None else [stored(row) for row in await self.store.events(live.table)]
            digest = digest_of(after, live.creator, (*before, *told))
        next_table = next((event.table for event in events if isinstance(event, NextTable)), None)
        appends = [Append(rows_of(live.table, told, by), _changed(live.digest, digest))]
        if next_table is not None and not await self.store.newest([next_table]):
            opening = open_next_table(after, self.secret(next_table), now)
            appends.append(first_append(next_table, opening, now, None))
        saved = self.store.append(*appends)
        news = self.news(after, told, state) if live.followers else None  # made while it is being written
        await saved
        self.outages.reached()
        live.digest, live.glance = digest, glance
        self._stands(live, after, told, news, None if by is None else by.identity)
        if self.store.shared:
            self.hints[live.table] = after.number
            self.hinted.set()
        if next_table is not None:
            for identity in people_of(after).values():  # they are on their way
                self.presence.acted(next_table, identity, now)
            self.spawn(self.look_after(next_table))

    # --- What follows --------------------------------------------------------------------------------------------------------

    def _stands(
        self, live: Live, state: TableState, events: Sequence[Stored], news: News | None = None, actor: str | None = None
    ) -> None:
        """So it stands now: followers are told of these events, somebody must look after it at another time, or a computer act."""
        known = bool(live.number)
        live.state, live.number, live.people = state, state.number, people_of(state)
        live.used = asyncio.get_running_loop().time()
        if known and events and live.followers:
            self.tell(live, news or self.news(state, events), actor)
        asyncio.get_running_loop().call_soon(self._look_ahead, live)  # those who wait for it first

    def _look_ahead(self, live: Live) -> None:
        """Somebody must look after the table at another time, or a computer act."""
        if live.state is None or self._closed or self.tables.get(live.table) is not live:
            return
        self._arm(live, wake_at(live.state))
        if computers.wish(live.state) is not None and (live.thinking is None or live.thinking.done()):
            live.thinking = self.spawn(self._think(live))

    def _arm(self, live: Live, wake: float | None, least: float = 0.0) -> None:
        if wake is None or self._closed:
            live.stop_timer()
            return
        loop = asyncio.get_running_loop()
        after = min(max(wake - self.now(), least), FORGET_AFTER)
        if live.timer is not None and live.timer.when() <= loop.time() + after:
            return  # it looks again soon enough
        live.stop_timer()
        live.timer = loop.call_later(after, self._wake, live)

    def _wake(self, live: Live) -> None:
        live.timer = None
        if live.state is None:  # forgotten: whoever looks for what is due finds it
            return
        wake = wake_at(live.state)
        if wake is not None and wake > self.now():
            self._arm(live, wake)
        else:
            self.spawn(self.look_after(live.table))

    async def look_after(self, table: str) -> None:
        """Lets happen what is due. Of several workers one does it, and the others find it done."""
        live = self.at(table)
        secret = self.secret(table)
        try:
            await self.change(live, lambda state, now: due(state, now, secret))
        except StoreError:
            pass
        except (HostingError, TableError) as error:
            if error.code is not HostingCode.NO_SUCH_TABLE:
                LOG.error("nobody can look after table %s: %s", table, error)  # noqa: TRY400 what is wrong with it says it all
            return
        if live.timer is None and live.state is not None:
            self._arm(live, wake_at(live.state), least=AGAIN)

    async def _think(self, live: Live) -> None:
        """Computers act until somebody else is to."""
        while not self._closed and (state := live.state) is not None and (wished := computers.wish(state)) is not None:
            seed = computers.player_seed(self._host_key, live.table, state.number)
            answer = None
            try:
                if wished.decides or wished.sheet is not None:
                    answer = await self._players.run(
                        computers.think, state.rules.id, str(state.position), wished.level, seed, wished.sheet
                    )
                command = computers.command(state, wished, answer)
                if command is None:
                    return
                await self.change(live, computers.act(wished.seat, command, self.secret(live.table)), version=state.number)
            except (HostingError, TableError, StoreError) as error:
                if error.code is HostingCode.NO_SUCH_TABLE:
                    return
                if error.code is not HostingCode.STALE_VERSION:
                    await asyncio.sleep(AGAIN)
            except DicecupError:
                if live.state is state:
                    raise

    # --- Transition -------------------------------------------------------------------------------------------------------------

    def news(self, state: TableState, events: Sequence[Stored] = (), before: TableState | None = None) -> News:
        """What followers are told of: these events, and how the table stands. `before`: the state that they were told last."""
        shown = tuple(shown_event(event) for event in events)
        now = self.now()
        return News(state, shown, Views(state, now, self.presence.away(state.table, people_of(state), now), before))

    def tell(self, live: Live, news: News, actor: str | None = None) -> None:
        """To every follower what it may know, and how the table stands now: first to those who wait for it, then to whoever acted."""
        told: dict[frozenset[int], Update] = {}
        for follower in sorted(live.followers, key=lambda follower: follower.identity == actor):
            seats = news.state.seats_of(follower.identity)
            if seats not in told:
                views = news.views
                told[seats] = Update(news.state.number, news.events, partial(views.whole, seats), partial(views.changed, seats))
            follower.tell(told[seats])

    def update(self, state: TableState, identity: str | None, events: tuple[dict[str, Any], ...] = ()) -> Update:
        """How the table stands now, for this person."""
        look = partial(self.news(state).views.whole, state.seats_of(identity))
        return Update(state.number, events, look, look)

    def tell_presence(self) -> None:
        """To the followers of tables at which somebody came or went."""
        for live in list(self.tables.values()):
            self.tell_presence_at(live)

    def tell_presence_at(self, live: Live) -> None:
        """The same of one table."""
        away = frozenset(self.presence.away(live.table, live.people, self.now()))
        if live.followers and away != live.away:
            live.away = away
            self.spawn(self.tell_anew(live))

    async def tell_anew(self, live: Live) -> None:
        """How the table stands, though nothing may have happened; nothing where that cannot be found out now."""
        async with live.lock:
            with suppress(HostingError, TableError, StoreError):
                state = await self.fresh(live)
                if live.followers:
                    self.tell(live, self.news(state))

    def tell_trouble(self, code: str) -> None:
        """To everybody: for now nothing can be done or heard of."""
        for live in list(self.tables.values()):
            for follower in list(live.followers):
                follower.tell(Update(live.number, (), dict, dict, code))

    def tell_recovered(self) -> None:
        """To everybody: it goes on."""
        for live in list(self.tables.values()):
            if live.followers:
                self.spawn(self.tell_anew(live))

    async def hear(self, live: Live) -> None:
        """Others changed the table."""
        async with live.lock:
            live.sure = False
            if live.followers:
                with suppress(HostingError, TableError, StoreError):
                    await self.fresh(live)

    def follow(self, live: Live, follower: Follower) -> None:
        """From now on it is told of changes."""
        live.followers.add(follower)
        if follower.identity is not None:
            self.presence.came(live.table, follower.identity)

    def unfollow(self, live: Live, follower: Follower) -> None:
        """It has heard enough."""
        live.followers.discard(follower)
        if follower.identity is not None:
            self.presence.left(live.table, follower.identity, self.now())


def shown_event(stored: Stored) -> dict[str, Any]:
    """An event as everybody at the table may see it, with its number and time."""
    return {"number": stored.number, "time": stored.time, **public(stored.event)}


def rows_of(table: str, events: Sequence[Stored], by: Command | None) -> tuple[Row, ...]:
    """As they are stored; the last one carries the command."""
    *earlier, last = (Row(table, number, time, event_to_text(event)) for number, time, event in events)
    return (*earlier, last if by is None else last._replace(identity=by.identity, command_id=by.id))


def first_append(table: str, transition: Transition, now: float, creator: str | None) -> Append:
    """A table that begins with these events. `creator`: who made it; None for one that follows another."""
    told = [Stored(number, now, event) for number, event in enumerate(transition.events, 1)]
    rows = rows_of(table, told, None)
    return Append((rows[0]._replace(identity=creator), *rows[1:]), digest_of(transition.state, creator, told))


def _changed(before: Digest | None, after: Digest) -> Digest | None:
    """What has to be written: nothing, or all but the seats that are as they were."""
    if before is None:
        return after
    if before == after:
        return None
    return replace(after, seats=None) if before.seats == after.seats else after
