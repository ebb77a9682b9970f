"""`dicecup admin ratings` and `unrate`."""

import asyncio

import pytest

from dicecup.cli import main
from dicecup.hosting.competition.rated_game import Member, RatedGame, row_of
from dicecup.hosting.competition.rater import Rater
from dicecup.hosting.settings import Settings
from dicecup.hosting.store import Append, Store
from tests.cli.served_tables import audit, here, tables

__all__ = ["here", "tables"]


async def rate() -> None:
    """Save two rated games that were finished, and rate them."""
    store = await Store.open(Settings.read().database)
    for number, (won, lost) in enumerate((("anna", "ben"), ("ben", "carla"))):
        game = RatedGame(f"table{number}", float(number), "yamm:open:duel:slow", ((Member(won),), (Member(lost),)), (0, 1))
        await store.append(Append((), rated=row_of(game)))
    await Rater(store, lambda _: None).run()
    await store.close()


@pytest.mark.usefixtures("tables")
def test_ratings_are_replayed_and_a_game_is_taken_out(capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(rate())
    assert main(["admin", "ratings"]) == 0
    assert capsys.readouterr().out == "2 rated games replayed, 3 ratings, 0 of them changed\n"
    assert main(["admin", "unrate", "table0"]) == 0
    assert capsys.readouterr().out == "table0: its game counts no more; 3 ratings changed\n"
    assert main(["admin", "unrate", "table0"]) == 1
    assert "not-rated" in capsys.readouterr().err
    assert main(["admin", "ratings", "--lang", "de"]) == 0
    assert capsys.readouterr().out == "1 gewertete Spiele neu gerechnet, 2 Wertungen, davon 0 geändert\n"
    assert [(each["command"], each["subject"], each["outcome"]) for each in audit(capsys)] == [
        ("ratings", "", "done"),
        ("unrate", "table0", "done"),
        ("unrate", "table0", "not-rated"),
        ("ratings", "", "done"),
    ]
