"""A club: tournaments on a host whose people send commands, and whose clock only the test moves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Self

from dicecup.hosting.competition.organising import Organising
from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.table_host import TableHost
from dicecup.table.commands import Resign
from dicecup.tournament.commands import Enter, TournamentCommand
from dicecup.tournament.setup import Format, TournamentSetup
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Pairing
from tests.hosting.guests import settings
from tests.hosting.test_timers import Time
from tests.tournament.playing import setup

ORGANISER = "organiser"
ids = count()


class Club:
    """The tournaments of one worker. `tournament` is the one that commands are for."""

    def __init__(self, host: TableHost, tournament: str = "") -> None:
        self.host = host
        self.tournaments = Tournaments(host)
        self.organising = Organising(host, self.tournaments)
        self.tournament = tournament

    @classmethod
    @asynccontextmanager
    async def opened(cls, database: str, time: Time | None = None, tournament: str = "") -> AsyncIterator[Self]:
        host = await TableHost.open(settings(database), time)
        try:
            yield cls(host, tournament)
        finally:
            await host.close()

    async def create(self, made: TournamentSetup | Format, entrants: int) -> None:
        given = setup(made) if isinstance(made, Format) else made
        self.tournament = await self.tournaments.create(ORGANISER, given)
        for number in range(1, entrants + 1):
            await self.do(Enter(f"Player {number}"), f"p{number}")

    async def do(
        self, command: TournamentCommand, identity: str = ORGANISER, *, version: int | None = None, key: str = ""
    ) -> int:
        state = await self.state()
        return await self.tournaments.send(
            self.tournament,
            identity,
            command,
            version=state.number if version is None else version,
            command_id=key or f"t{next(ids)}",
        )

    async def state(self) -> TournamentState:
        return await self.tournaments.state_of(self.tournament)

    async def replayed(self) -> TournamentState:
        return TournamentState.from_events(await self.tournaments.store.events(self.tournament))

    async def running(self) -> list[Pairing]:
        """Return the pairings that are played, all with a table."""
        await self.host.tasks.finish()
        return (await self.state()).running_pairings()

    async def resign(self, pairing: Pairing, entrant: int) -> None:
        """Let an entrant resign at the table of a pairing."""
        assert pairing.game is not None
        table = await self.host.cache.state_of(pairing.game.table)
        identity = (await self.state()).entrant(entrant).identity
        assert identity is not None
        try:
            await self.host.send(table.table, identity, Resign(), version=table.number, command_id=f"r{next(ids)}")
        except HostingError as error:
            if error.code is not HostingCode.STALE_VERSION:
                raise
            await self.resign(pairing, entrant)  # the game began meanwhile

    async def start_games(self) -> None:
        """Let the time for seeds pass at all tables, so that their games begin."""
        assert isinstance(self.host.clock, Time)
        await self.host.clock.passes(130, self.host)
        for table in list(self.host.cache.tables):
            await self.host.scheduler.run_due(table)

    async def play_round(self) -> None:
        """Let the second entrant of every pairing resign, until the round is over."""
        number = len((await self.state()).rounds)
        while running := [each for each in await self.running() if each.round == number]:
            await self.start_games()
            for pairing in running:
                await self.resign(pairing, pairing.second)
            await self.organising.advance()
