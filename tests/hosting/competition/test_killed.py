"""A server that is killed between any two steps of a tournament: the next one goes on."""

import pytest

from dicecup.hosting.competition.tournament_store import Step, TournamentStore
from dicecup.hosting.store.store_errors import StoreCode, StoreError
from dicecup.tournament.commands import Enter, StartRound
from dicecup.tournament.setup import Format
from tests.hosting.competition.clubs import ORGANISER, Club
from tests.hosting.test_timers import Time
from tests.tournament.playing import setup

ENTRANTS = ("p1", "p2", "p3")


class Fuse:
    """Kills the server after a number of saved steps: nothing else is saved by it."""

    def __init__(self, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = steps
        save = TournamentStore.save

        async def fused(store: TournamentStore, step: Step) -> None:
            if self.left > 0:
                await save(store, step)
            self.left -= 1
            if self.left <= 0:
                raise StoreError(StoreCode.DOWN)

        monkeypatch.setattr(TournamentStore, "save", fused)

    @property
    def has_blown(self) -> bool:
        return self.left <= 0


async def play_on(club: Club) -> None:
    """Do what is left to do of a knock-out, if another worker has done a part of it, too."""
    if not club.tournament:
        club.tournament = await club.tournaments.create(ORGANISER, setup(Format.KNOCK_OUT))
    for identity in ENTRANTS:
        if (await club.state()).entrant_of(identity) is None:
            await club.do(Enter(identity), identity, key=f"enter {identity}")
    for number in (1, 2):
        if len((await club.state()).rounds) < number:
            await club.do(StartRound(), key=f"start {number}")
        for _ in range(4):
            await club.organising.advance()
            running = await club.running()
            if not running:
                break
            await club.start_games()
            for pairing in running:
                table = None if pairing.game is None else await club.host.cache.state_of(pairing.game.table)
                if table is not None and table.end is None:
                    await club.resign(pairing, pairing.second)


@pytest.mark.slow
@pytest.mark.parametrize("steps", range(1, 11))
async def test_the_next_server_goes_on(tmp_path: object, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    database, time, known = f"sqlite:///{tmp_path}/tables.sqlite", Time(), ""
    fuse = Fuse(steps, monkeypatch)
    async with Club.opened(database, time) as killed:
        try:
            await play_on(killed)
        except StoreError:
            known = killed.tournament
    fuse.left = 10**9
    async with Club.opened(database, time, known) as club:
        if not club.tournament:  # the answer to the creation was lost
            found = await club.tournaments.store.ids_of(ORGANISER)
            club.tournament = found[0] if found else ""
        await play_on(club)
        state = await club.state()
        assert state.is_over
        assert await club.replayed() == state
        assert [pairing.result is not None for pairing in state.kept()] == [True, True]
        tables = [game.table for pairing in state.kept() for game in pairing.games]
        assert len(set(tables)) == len(tables) == 2
        assert {digest.table for digest in await club.host.store.tables()} == set(tables)
        assert await club.tournaments.store.ended_tables() == []
