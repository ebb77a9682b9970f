"""A tournament whose games are played to their ends with real dice, and decided by mean loss."""

from random import Random

import pytest

from dicecup.hosting.competition.tournaments import Tournaments
from dicecup.table.commands import Act, EnterDice
from dicecup.table.setup import DiceOf
from dicecup.tournament.commands import StartRound
from dicecup.tournament.setup import DiceKind, Format, TieBreak
from dicecup.tournament.standings import games_to_measure, standings
from tests.hosting.competition.clubs import Club
from tests.hosting.competition.duplicates.days import place
from tests.hosting.guests import ids
from tests.hosting.test_timers import Time
from tests.tournament.playing import setup

MADE = setup(Format.ROUND_ROBIN, dice=DiceKind.TABLE, best_of=2, tie_breaks=(TieBreak.MEAN_LOSS,))


async def play(club: Club, table: str, random: Random) -> None:
    """Type dice and act for both people until the game is over."""
    host = club.host
    while (state := await host.cache.state_of(table)).end is None:
        (seat,) = state.pending.seats
        identity = state.seats[seat].identity
        assert identity is not None
        view = (await host.look(table, identity)).view
        if view["demand"]["what"] == "action":
            command: Act | EnterDice = Act(place(view["actions"])["action"])
        else:
            kept = view["turn"]["dice"]
            thrown = [random.randint(1, 6) for _ in range(5 - len(kept))]
            command = EnterDice("".join(map(str, [*kept, *thrown])))
        await host.send(table, identity, command, version=state.number, command_id=f"d{next(ids)}")


@pytest.mark.slow
async def test_games_with_typed_dice_end_a_tournament_that_mean_loss_decides(database: str) -> None:
    random = Random(19)
    async with Club.opened(database, Time()) as club:
        await club.create(MADE, 2)
        await club.do(StartRound())
        tables = set()
        while running := await club.running():
            (pairing,) = running
            assert pairing.game is not None
            tables.add(pairing.game.table)
            assert (await club.host.cache.state_of(pairing.game.table)).setup.dice is DiceOf.TABLE
            await play(club, pairing.game.table, random)
            await club.organising.advance()
        while games_to_measure(await club.state()):
            await club.host.tasks.finish()
        state = await club.replayed()
        games = [game for pairing in state.kept() for game in pairing.games]
        reviewed = await Tournaments(club.host).state_of(club.tournament)
    assert state.is_over
    assert {game.table for game in games} == tables
    assert len(games) == 2
    assert all(min(game.decisions) > 10 for game in games)
    first, second = standings(state)
    losses = [line.tie_breaks[0] for line in (first, second)]
    assert None not in losses
    if first.points == second.points:
        assert losses == sorted(losses)  # type: ignore[type-var]
    assert reviewed == state
