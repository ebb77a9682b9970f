"""The tournaments of a server: create a tournament, send it commands, look at it, follow it.

Every published state was saved before. A command is handled once, however often it is sent. Any
worker can carry a tournament on, and each step is saved once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from secrets import token_hex
from typing import Final, TypeAlias

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition.loaded_tournaments import LoadedTournament, TournamentCache
from dicecup.hosting.competition.pairing_jobs import Pairings
from dicecup.hosting.competition.steps import step_of
from dicecup.hosting.competition.tournament_store import Step, TournamentStore, TournamentTable
from dicecup.hosting.dice_secrets import new_secret
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import CommandKey, first_append
from dicecup.hosting.people.accounts import account_by_handle, account_of, check_account
from dicecup.hosting.quotas import Budget
from dicecup.hosting.store import Append, AppendConflict
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import LONGEST_COMMAND_ID, TableHost
from dicecup.table.handlers import Sitter, open_event_table, open_table
from dicecup.tournament import commands, handlers
from dicecup.tournament.commands import TournamentCommand
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import Opened, StoredEvent
from dicecup.tournament.progress import PairingLater
from dicecup.tournament.setup import Format, TournamentSetup, table_setup
from dicecup.tournament.state import TournamentState
from dicecup.tournament.swiss import is_installed
from dicecup.tournament.transition import Transition

ATTEMPTS: Final = 8
"""Attempts to save a step while other workers change the same tournament."""
MOST_UNFINISHED: Final = 20
"""Tournaments that are not over which one identity may have created."""
TABLES_AT_ONCE: Final = 32
"""Tables that one transaction opens."""
EXTRA: Final = "tournaments"
"""The extra that pairs the rounds of Swiss tournaments."""

Handler: TypeAlias = Callable[[TournamentState, float], Awaitable[Transition]]
"""Function that handles a command or the passing of time. Raises `DicecupError`."""


class Tournaments:
    """The tournaments of one worker. `organising` carries them on in the background."""

    def __init__(self, host: TableHost) -> None:
        self.store = TournamentStore(host.store)
        self.cache = TournamentCache(self.store)
        self._host = host
        self._clock = host.clock
        self._pairings = Pairings(host.pool)
        self._opening: set[str] = set()
        host.invalidations.on_tournament.append(self.notified)

    # --- What people do ---------------------------------------------------------------------------

    async def create(self, identity: str, setup: TournamentSetup) -> str:
        """Create a tournament and return its id.

        Raises `HostingError` (`too-many-tournaments`, `account-needed`, `not-installed` for a Swiss
        tournament without the extra `tournaments`), `TournamentError` (`not-a-start-time`) and
        `StoreError`.
        """
        if setup.format is Format.SWISS and not is_installed():
            raise HostingError(HostingCode.NOT_INSTALLED, name=Format.SWISS, extra=EXTRA)
        await check_account(self._host.store, self._host.settings, identity)
        if await self.store.unfinished_of(identity) >= MOST_UNFINISHED:
            raise HostingError(HostingCode.TOO_MANY_TOURNAMENTS, most=MOST_UNFINISHED)
        tournament, now = token_hex(10), self._clock()
        transition = handlers.create(tournament, setup, identity, token_hex(16), now)
        # a client that closes its connection does not interrupt the creation
        await asyncio.shield(self._host.tasks.spawn(self.store.save(step_of(None, transition, now))))
        return tournament

    async def send(
        self,
        tournament: str,
        identity: str,
        command: TournamentCommand,
        *,
        version: int,
        command_id: str,
        budget: Budget | None = None,
    ) -> int:
        """Handle a command and return the number of its last event, also if it was sent before.

        `budget` counts the command; `None` for no limit. Raises `DicecupError`. Then nothing was
        saved, except possibly with `storage-down`.
        """
        if not 1 <= len(command_id) <= LONGEST_COMMAND_ID or not command_id.isprintable():
            raise TournamentError(TournamentCode.NOT_A_TOURNAMENT_COMMAND, text="command_id", why="length")
        accounts = await self._accounts(command)
        command = await self._named(tournament, identity, command)
        loaded = self.cache.get(tournament)

        async def handler(state: TournamentState, now: float) -> Transition:
            if not handlers.is_meant_for(state, command, version):
                raise HostingError(HostingCode.STALE_VERSION, version=version, number=state.number)
            if budget is not None:
                budget.check()
            pair = await self._pairings.of(state, now, starts=isinstance(command, commands.StartRound))
            try:
                return handlers.handle(state, identity, command, now, accounts, pair)
            except PairingLater:  # something was due that changes the pairings
                raise HostingError(HostingCode.BUSY) from None

        key = CommandKey(identity, command_id)
        # a client that closes its connection does not interrupt the command
        number: int = await asyncio.shield(self._host.tasks.spawn(self.change(loaded, handler, key)))
        if budget is not None:
            budget.spend()
        return number

    async def state_of(self, tournament: str) -> TournamentState:
        """Return the newest known state. Raises `HostingError` (`no-such-tournament`) and
        `StoreError`."""
        return await self.cache.state_of(tournament)

    async def view_of(self, tournament: str, encode: Callable[[TournamentState], bytes]) -> tuple[TournamentState, bytes]:
        """Return the newest known state with its encoded view, which is made once for all who ask.
        Raises as `state_of`."""
        state, loaded = await self.state_of(tournament), self.cache.get(tournament)
        if loaded.state is not state:
            return state, encode(state)
        if loaded.view is None:
            loaded.view = encode(state)
        return state, loaded.view

    async def events(self, tournament: str, since: int) -> list[StoredEvent]:
        """Return the events after a number. Raises as `state_of`."""
        await self.state_of(tournament)
        return await self.store.events(tournament, since)

    @asynccontextmanager
    async def follow(self, tournament: str) -> AsyncIterator[AsyncIterator[TournamentState]]:
        """Yield the states of a tournament as they come, the newest first, until the end of the
        block. States that come faster than they are read are left out. Raises as `state_of`."""
        await self.state_of(tournament)
        loaded, changed = self.cache.get(tournament), asyncio.Event()
        loaded.followers.add(changed)
        try:
            yield self._states(loaded, changed)
        finally:
            loaded.followers.discard(changed)

    async def _states(self, loaded: LoadedTournament, changed: asyncio.Event) -> AsyncIterator[TournamentState]:
        changed.set()
        while True:
            await changed.wait()
            changed.clear()
            yield await self.cache.state_of(loaded.tournament)

    async def _accounts(self, command: TournamentCommand) -> Mapping[str, str]:
        """Return the identity of each handle that a command names. Raises `HostingError`
        (`no-such-person`), also for a banned person."""
        if not isinstance(command, commands.NameOrganiser):
            return {}
        account = await account_by_handle(self._host.store, command.handle)
        if account is None or self._host.credentials.bans.ban_of(account.identity) is not None:
            raise HostingError(HostingCode.NO_SUCH_PERSON, text=command.handle)
        return {command.handle: account.identity}

    async def _named(self, tournament: str, identity: str, command: TournamentCommand) -> TournamentCommand:
        """Return an entry with the handle of a person who has an account. Raises `HostingError` as
        `check_account`."""
        if not isinstance(command, commands.Enter):
            return command
        rated = (await self.state_of(tournament)).setup.rated
        await check_account(self._host.store, self._host.settings, identity, rated=rated)
        account = await account_of(self._host.store, identity)
        return command if account is None else commands.Enter(account.handle)

    # --- Steps ------------------------------------------------------------------------------------

    async def change(
        self,
        loaded: LoadedTournament,
        handler: Handler,
        command: CommandKey | None = None,
        *,
        opened: Callable[[Transition], Sequence[tuple[TournamentTable, Append]]] | None = None,
        collected: Collection[str] = (),
    ) -> int:
        """Save and publish the events of a handler, and return the number of the last one.

        The handler is called again with the newer state if another worker was faster. `opened`
        returns the tables that its events name. `collected` are tables whose results the handler
        takes. Raises what the handler raises, `HostingError` (`no-such-tournament`, `busy`) and
        `StoreError`.
        """
        async with loaded.lock:
            conflicted = 0
            for _ in range(ATTEMPTS):
                await self._host.outages.check()
                state = await self.cache.load(loaded)
                now = max(self._clock(), state.time)
                held = handlers.hold(state, now, self._host.outages.since(state.time))
                try:
                    transition = held if held.events else await handler(state, now)
                except DicecupError:
                    if command is not None and (number := await self.store.number_of(loaded.tournament, command)) is not None:
                        return number
                    raise
                if not transition.events:
                    return state.number
                tables = opened(transition) if opened is not None and not held.events else ()
                step = step_of(state, transition, now, None if held.events else command, tables, collected)
                try:
                    await self._save(loaded, step, transition.state)
                except AppendConflict:
                    loaded.stale = True  # another worker was faster
                    if state.number == conflicted:
                        loaded.state = None  # or the database went back to an earlier time
                    conflicted = state.number
                    if command is not None and (number := await self.store.number_of(loaded.tournament, command)) is not None:
                        return number
                    continue
                if not held.events:
                    return transition.state.number
        raise HostingError(HostingCode.BUSY)

    async def _save(self, loaded: LoadedTournament, step: Step, after: TournamentState) -> None:
        """Save a step and publish the state after it. Raises `AppendConflict` and `StoreError`."""
        recipients = self._host.recipients
        told = set(recipients.among({notice.identity for notice in step.notices})) if recipients else set()
        step = step.telling(told)
        try:
            await self.store.save(step)
        except (StoreError, asyncio.CancelledError):
            loaded.state = None  # the write may have succeeded before the connection broke
            raise
        self.cache.publish(loaded, after)
        self._host.invalidations.announce_tournament(loaded.tournament, after.number)
        for opened in step.opened:
            self._host.cache.get(opened.table)
            self._host.tasks.spawn(self._host.scheduler.run_due(opened.table))
        if after.games_to_open:
            self._host.tasks.spawn(self.open_games(loaded))

    async def run_due(self, tournament: str) -> None:
        """Save what is due in a tournament. Raises `HostingError` and `StoreError`."""
        loaded = self.cache.get(tournament)

        async def handler(state: TournamentState, now: float) -> Transition:
            return handlers.due(state, now, await self._pairings.of(state, now))

        await self.change(loaded, handler)
        if (state := loaded.state) is not None and state.games_to_open:
            await self.open_games(loaded)

    async def open_games(self, loaded: LoadedTournament) -> None:
        """Open the tables that games wait for, some at a time. Raises `HostingError` and
        `StoreError`."""
        if loaded.tournament in self._opening:
            return
        self._opening.add(loaded.tournament)
        try:
            while (await self.cache.state_of(loaded.tournament)).games_to_open:
                await self.change(loaded, _open_some, opened=self._opened)
        finally:
            self._opening.discard(loaded.tournament)

    def _opened(self, transition: Transition) -> list[tuple[TournamentTable, Append]]:
        """Return the tables that the events of a transition name, each with its first events."""
        state, now = transition.state, transition.state.time
        found, key = list[tuple[TournamentTable, Append]](), self._host.settings.host_key
        for opened in (each for event in transition.events for each in getattr(event, "games", ())):
            pairing = state.pairings[opened.pairing - 1]
            entrants = pairing.games[opened.game - 1].seats(pairing.first, pairing.second)
            sitters = [Sitter(seat, state.entrant(each).name, state.player(each)) for seat, each in enumerate(entrants)]
            setup = table_setup(state.setup, state.dice_event(pairing, opened.game))
            make = open_table if setup.duplicate is None else open_event_table
            opening = make(opened.table, setup, new_secret(key, opened.table, setup), sitters, now)
            table = TournamentTable(opened.table, state.tournament, opened.pairing, opened.game)
            found.append((table, first_append(opened.table, opening, now, None)))
        return found

    def notified(self, tournament: str) -> None:
        """Read a tournament again that another worker has changed, or all with an empty id."""
        for loaded in list(self.cache.tournaments.values()):
            if tournament in ("", loaded.tournament):
                self._host.tasks.spawn(self._refresh(loaded))

    async def _refresh(self, loaded: LoadedTournament) -> None:
        with suppress(DicecupError):
            await self.cache.refresh(loaded)


async def _open_some(state: TournamentState, now: float) -> Transition:
    """Open the tables of the next games."""
    games = [Opened(pairing.number, game, token_hex(10)) for pairing, game in state.games_to_open[:TABLES_AT_ONCE]]
    return handlers.open_tables(state, games, now) if games else Transition((), state)


def formats() -> list[Format]:
    """Return the formats that this server can hold: Swiss needs the extra `tournaments`."""
    return [each for each in Format if each is not Format.SWISS or is_installed()]
