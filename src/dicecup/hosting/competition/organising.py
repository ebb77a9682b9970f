"""What carries tournaments on in the background: planned rounds, deadlines, results of tables, and
reviews for the tie-break by mean loss. Any worker does it."""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, TypeAlias

from dicecup.core.errors import DicecupError
from dicecup.hosting.competition.table_results import ended_game
from dicecup.hosting.competition.tournament_store import TournamentTable
from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.own_games import OWN_GAMES, facts_of_table
from dicecup.hosting.store.reviews import reviews_of, save_review
from dicecup.hosting.store.store_errors import StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.table import handlers as table_handlers
from dicecup.table.events import Stored
from dicecup.table.state import TableState
from dicecup.table.transition import Transition as TableTransition
from dicecup.tournament import handlers
from dicecup.tournament.events import LossMeasured
from dicecup.tournament.handlers import EndedGame
from dicecup.tournament.progress import pair_later
from dicecup.tournament.setup import TieBreak
from dicecup.tournament.standings import games_to_measure
from dicecup.tournament.state import TournamentState
from dicecup.tournament.transition import Transition
from dicecup.tournament.values import Pairing, TournamentGame

INTERVAL: Final = 1.0
"""Seconds between two looks at what is due, unless a table of a tournament ends before."""

LOG: Final = logging.getLogger(__name__)


class Organising:
    """Carries the tournaments of a database on."""

    def __init__(self, host: TableHost, tournaments: Tournaments) -> None:
        self._host = host
        self._tournaments = tournaments
        self._store = tournaments.store
        self._ended = asyncio.Event()
        self._measuring: set[str] = set()
        host.changes.on_ended.append(self._table_ended)

    async def run(self) -> None:
        """Wait for an ended table or `INTERVAL` seconds, and do what is due. Raises
        `StoreError`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(INTERVAL):
                await self._ended.wait()
        self._ended.clear()
        await self.advance()

    async def advance(self) -> None:
        """Do what is due in all tournaments. Raises `StoreError`."""
        await self._collect()
        await self._close()
        await self._exclude_banned()
        for tournament in await self._store.due(self._host.clock()):
            with _logged(tournament):
                await self._tournaments.run_due(tournament)
                self._measure_later(await self._tournaments.state_of(tournament))
        self._tournaments.cache.evict_idle()

    async def _exclude_banned(self) -> None:
        """Withdraw banned people from tournaments. Raises `StoreError`."""
        bans = self._host.credentials.bans
        banned = [ban.identity for ban in bans.rows if bans.ban_of(ban.identity) is not None]
        for tournament, identity in await self._store.unfinished_with(banned) if banned else ():
            with _logged(tournament):
                entrant = (await self._tournaments.state_of(tournament)).entrant_of(identity)
                if entrant is not None and entrant.is_active:
                    await self._tournaments.change(self._tournaments.cache.get(tournament), partial(_excluded, identity))

    def _table_ended(self, state: TableState) -> None:
        """Look for results soon if a loaded tournament plays at a table that has ended."""
        for loaded in self._tournaments.cache.tournaments.values():
            known = loaded.state
            if known is not None and any(each.game and each.game.table == state.table for each in known.running_pairings()):
                self._ended.set()
                return

    async def _collect(self) -> None:
        """Take the results of tables that have ended. Raises `StoreError`."""
        by_tournament: dict[str, list[TournamentTable]] = defaultdict(list)
        for table in await self._store.ended_tables():
            by_tournament[table.tournament].append(table)
        for tournament, tables in by_tournament.items():
            with _logged(tournament):
                await self._take_results(tournament, tables)

    async def _take_results(self, tournament: str, tables: Sequence[TournamentTable]) -> None:
        ends = [await self._end_of(table) for table in tables]

        async def handler(state: TournamentState, now: float) -> Transition:
            games = [game for table, end in zip(tables, ends, strict=True) if (game := _game(state, table, end))]
            return handlers.end_games(state, games, now, pair_later)

        collected = [table.table for table in tables]
        await self._tournaments.change(self._tournaments.cache.get(tournament), handler, collected=collected)
        await self._store.mark_over(collected)
        self._measure_later(await self._tournaments.state_of(tournament))

    async def _end_of(self, table: TournamentTable) -> "_End | None":
        """Return the state and the events of an ended table, `None` for a deleted one."""
        try:
            state = await self._host.cache.state_of(table.table)
            if state.end is None:  # another worker has ended the game
                await self._host.cache.invalidate(self._host.cache.get(table.table))
                state = await self._host.cache.state_of(table.table)
        except HostingError as error:
            if error.code is not HostingCode.NO_SUCH_TABLE:
                raise
            return None
        rows = await self._host.store.events(table.table, 1)
        return state, [event_of_row(row) for row in rows]

    async def _close(self) -> None:
        """Close tables whose pairing was decided otherwise, and publish the secret of dice that
        fell at several tables. Raises `StoreError`."""
        closed = []
        for table in await self._store.closing_tables():
            with _logged(table.tournament):
                if table.is_over is not None:
                    loaded, key = self._host.cache.get(table.table), self._host.settings.host_key
                    await self._host.changes.change(loaded, partial(_closed, key))
                    if (await self._tournaments.state_of(table.tournament)).setup.duplicate:
                        await self._publish(table)
                closed.append(table.table)
        await self._store.mark_over(closed, "closing")

    async def _publish(self, table: TournamentTable) -> None:
        """Publish the secret of the dice of a table, unless others still play with them."""
        tournament = await self._tournaments.state_of(table.tournament)
        pairing = tournament.pairings[table.pairing - 1]
        if table.pairing in tournament.deleted or not tournament.has_secret_dice(pairing):
            loaded = self._host.cache.get(table.table)
            await self._host.changes.change(loaded, partial(_published, self._host.settings.host_key))

    def _measure_later(self, state: TournamentState) -> None:
        """Review games in the background if the tie-breaks need their losses."""
        wanted = TieBreak.MEAN_LOSS in state.setup.chosen_tie_breaks and games_to_measure(state)
        if wanted and state.tournament not in self._measuring:
            self._measuring.add(state.tournament)
            self._host.tasks.spawn(self._measure(state.tournament))

    async def _measure(self, tournament: str) -> None:
        """Review the games of a tournament, one after another."""
        try:
            while games := games_to_measure(await self._tournaments.state_of(tournament)):
                pairing, game = games[0]
                measured = await self._measured(pairing, game)

                async def handler(state: TournamentState, now: float, measured: LossMeasured = measured) -> Transition:
                    return handlers.measure(state, measured, now)

                await self._tournaments.change(self._tournaments.cache.get(tournament), handler)
        finally:
            self._measuring.discard(tournament)

    async def _measured(self, pairing: Pairing, game: TournamentGame) -> LossMeasured:
        """Return the losses of a game; without decisions if it cannot be reviewed."""
        nothing = LossMeasured(pairing.number, game.number, (0.0, 0.0), (0, 0))
        facts = (await reviews_of(self._host.store, [game.table])).get(game.table)
        if facts is None:
            rows = await self._host.store.events(game.table)
            if not rows:
                return nothing
            try:
                facts = await self._host.pool.run_for(OWN_GAMES, facts_of_table, rows)
            except HostingError as error:
                if error.code is not HostingCode.TOOK_TOO_LONG:
                    raise
                return nothing
            await save_review(self._host.store, game.table, facts)
        found = json.loads(facts)
        table = await self._host.cache.state_of(game.table)
        players = [found["players"][table.player_of(seat)] for seat in (0, 1)]
        if any("decisions" not in player for player in players):
            return nothing
        first, second = players if game.seats(1, 2) == (1, 2) else players[::-1]
        losses, decisions = (first["loss"], second["loss"]), (first["decisions"], second["decisions"])
        return LossMeasured(pairing.number, game.number, losses, decisions)


_End: TypeAlias = tuple[TableState, Sequence[Stored]]
"""The state of a table that has ended, and its events."""


def _game(state: TournamentState, table: TournamentTable, end: _End | None) -> EndedGame | None:
    """Return the result of a game, `None` if its pairing is decided already."""
    if table.pairing not in state.running or table.game > len(state.pairings[table.pairing - 1].games):
        return None
    pairing = state.pairings[table.pairing - 1]
    return ended_game(state, pairing, table.game, None, ()) if end is None else ended_game(state, pairing, table.game, *end)


async def _excluded(identity: str, state: TournamentState, now: float) -> Transition:
    return handlers.exclude(state, identity, now, pair_later)


def _closed(host_key: bytes, state: TableState, now: float) -> TableTransition:
    return table_handlers.close(state, now, secret_of(host_key, state), earlier_secrets(host_key, state))


def _published(host_key: bytes, state: TableState, now: float) -> TableTransition:
    return table_handlers.publish_secret(state, now, secret_of(host_key, state))


@contextmanager
def _logged(tournament: str) -> Iterator[None]:
    """Log why a tournament could not be carried on now. Raises `StoreError`."""
    try:
        yield
    except StoreError:
        raise
    except DicecupError as error:
        LOG.warning("tournament %s was not carried on: %s", tournament, error)
