"""A database that went back to an earlier time under a running server."""

from dicecup.hosting.store.tournament_models import TOURNAMENT_EVENTS
from dicecup.tournament.commands import Enter
from dicecup.tournament.setup import Format
from tests.hosting.competition.clubs import Club
from tests.hosting.competition.test_tournaments import club, code_of, time

__all__ = ["club", "time"]


async def test_a_log_that_went_back_is_read_again(club: Club) -> None:
    await club.create(Format.SWISS, 3)
    lost = TOURNAMENT_EVENTS.delete().where(TOURNAMENT_EVENTS.c.number == 4)
    await club.host.store.writer.work(lambda connection: connection.execute(lost))
    assert await code_of(club.do(Enter("Dan"), "dan")) == "stale-version", "the client saw an event that is lost"
    await club.do(Enter("Dan"), "dan")
    state = await club.state()
    assert [entrant.name for entrant in state.entrants] == ["Player 1", "Player 2", "Dan"]
    assert await club.replayed() == state
