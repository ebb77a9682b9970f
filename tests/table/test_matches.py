"""The next game: matches and rematches."""

from dicecup.table.commands import (
    Act,
    AnswerDraw,
    EnterDice,
    EnterDie,
    OfferDraw,
    Rematch,
    Resign,
)
from dicecup.table.endings import standing_after
from dicecup.table.events import (
    NextTable,
)
from dicecup.table.handlers import open_next_table
from dicecup.table.pending import PendingKind
from dicecup.table.setup import DiceOf
from dicecup.table.table_record import record_of
from tests.table.tables import WIDE, Table, duel, people


def test_the_start_alternates_in_a_match() -> None:
    first = duel(games=3)
    events = first.send(Resign(), 1)
    assert isinstance(events[-1], NextTable)
    second = Table.after(first)
    assert second.state.order == (1, 0)
    assert [held.name for held in second.state.seats] == [held.name for held in first.state.seats]
    assert [held.identity for held in second.state.seats] == [held.identity for held in first.state.seats]
    assert second.view()["match"] == {"match": "table-1", "game": 2, "games": 3, "standing": [1, 0]}
    assert record_of(second.state).tags["Match"] == "table-1 2/3"
    assert record_of(second.state).tags["Standing"] == "0 1"
    second.send(Resign(), 1)
    third = Table.after(second)
    assert third.state.order == (0, 1)
    third.send(Resign(), 0)
    assert third.state.next is None
    assert standing_after(third.state) == (2, 1)


def test_a_match_of_yamm_adds_totals_by_side() -> None:
    first = Table(people(WIDE, 4, games=2, dice=DiceOf.TABLE))
    first.send(EnterDie(2), 0)
    first.send(EnterDie(6), 1)
    assert first.state.order == (1, 2, 3, 0)
    for seat, faces in ((1, "66666"), (2, "11222")):
        first.send(EnterDice(faces), seat)
        first.send(Act("f1.H"), seat)
    first.send(OfferDraw(), 0)
    for seat in (1, 2, 3):
        first.send(AnswerDraw(accept=True), seat)
    second = Table.after(first)
    assert second.view()["match"]["standing"] == [8, 130]
    assert second.state.pending.kind is PendingKind.DIE


def test_an_abandoned_game_ends_its_match() -> None:
    table = duel(games=3)
    table.close()
    assert table.state.next is None


def test_a_rematch_needs_all_people_and_a_new_table() -> None:
    table = duel()
    assert table.refused(Rematch(), 0) == "game-not-over"
    table.send(Resign(), 0)
    assert table.view(0)["may"][:-4] == ["rematch"]
    table.send(Rematch(), 0)
    assert table.refused(Rematch(), 0) == "already-asked"
    assert table.view(1)["seats"][0]["wants_rematch"]
    assert isinstance(table.send(Rematch(), 1)[-1], NextTable)
    assert table.refused(Rematch(), 1) == "game-running"
    again = Table.after(table)
    assert again.state.order == (1, 0)
    assert again.state.table == table.state.next
    assert again.view()["match"] is None
    assert open_next_table(table.state, again.secret, again.now).events[0] == again.stored[0].event


def test_the_rematch_of_a_match_is_a_match() -> None:
    table = duel(games=2)
    table.send(Resign(), 0)
    last = Table.after(table)
    last.send(Resign(), 0)
    for seat in (0, 1):
        last.send(Rematch(), seat)
    again = Table.after(last)
    assert again.view()["match"] == {"match": again.state.table, "game": 1, "games": 2, "standing": [0, 0]}
