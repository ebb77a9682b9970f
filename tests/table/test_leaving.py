"""Resignations and draws."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.record import read
from dicecup.table.commands import (
    Act,
    AnswerDraw,
    EndGame,
    EnterDice,
    EnterDie,
    OfferDraw,
    Replace,
    Resign,
    Throw,
)
from dicecup.table.endings import ended, sides_without
from dicecup.table.events import (
    DrawAnswered,
    DrawOffered,
    EndAgreed,
    Ended,
    LevelSeated,
    Resigned,
    SecretPublished,
    Stored,
)
from dicecup.table.pending import Pending, PendingKind
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from tests.table.tables import OPEN, WIDE, Table, computer, duel, identity, people, setups, summary


def test_a_resignation_loses_and_publishes_the_secret() -> None:
    table = duel()
    events = table.send(Resign(), 1)
    assert events == (Resigned(1), Ended("resign", "x 0-0", (0,)), SecretPublished(table.secret.hex()))
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept
    assert check(kept).fault is None
    assert table.view(0)["result"] == {"end": "resign", "result": "x 0-0", "winners": [0]}


def test_the_best_of_several_other_sides_win() -> None:
    table = Table(people("yamm(players=4)", 4, dice=DiceOf.TABLE))
    table.send(EnterDie(1), 0)
    for seat, faces in enumerate(("66666", "11222", "66666", "33333")):
        table.send(EnterDice(faces), seat)
        table.send(Act("f1.H"), seat)
    assert table.send(Resign(), 0) == (Resigned(0),)
    for seat in (1, 2, 3):
        table.send(EndGame(), seat)
    assert table.state.end == Ended("resign", "130 8 130 115", (2,))
    assert record_of(table.state).tags["Winners"] == "2"


def three(**agreed: Any) -> Table:
    """Return a started game of Yamm with three sides."""
    table = Table(people("yamm(players=3)", 3, **agreed))
    assert table.state.order
    return table


def test_with_three_sides_a_resignation_does_not_end_the_game() -> None:
    table = three()
    assert table.send(Resign(), 1) == (Resigned(1),)
    assert table.state.pending == Pending(PendingKind.REPLACEMENT, (0, 2))
    assert table.view()["vacancy"] == {"seat": 1, "agreed": []}
    assert table.view(0)["may"][:-4] == ["replace", "end-game"]
    assert (table.view(1)["may"], table.view()["may"]) == (["say", "allow-texts"], [])
    assert table.refused(Replace("greedy"), 1) == "not-your-turn"
    assert table.refused(Replace("nobody"), 0) == "not-a-level"
    for command in (Throw(), Resign(), OfferDraw(), Act("k")):
        assert table.refused(command, table.state.order[0]) == "seat-vacant"
    assert table.send(Replace("greedy"), 2) == (LevelSeated(1, "greedy", "Name 1"),)
    assert table.refused(Replace("greedy"), 2) == table.refused(EndGame(), 2) == "no-seat-vacant"
    assert table.state.replaced == {identity(1)}
    assert record_of(table.finish(random.Random(1)).state).tags["Seats"].split(" ").count("greedy") == 1


def test_a_game_ends_when_all_who_remain_want_it() -> None:
    table = three()
    table.send(Resign(), 1)
    assert table.send(EndGame(), 0) == (EndAgreed(0),)
    assert table.view(0)["may"][:-4] == ["replace"]
    assert table.refused(EndGame(), 0) == "already-asked"
    events = table.send(EndGame(), 2)
    assert events[:2] == (EndAgreed(2), Ended("resign", "0 0 0", (0, 2)))
    assert table.state.vacancy is None
    assert replay(table.stored) == table.state


def test_one_person_who_remains_decides_alone() -> None:
    table = three()
    table.send(Resign(), 1)
    table.send(Replace("greedy"), 2)
    table.send(Resign(), 0)
    assert table.state.pending.seats == (2,)
    assert isinstance(table.send(EndGame(), 2)[1], Ended)


def test_the_last_person_ends_the_game_by_resigning() -> None:
    table = three()
    for seat in (1, 0):
        table.send(Resign(), seat)
        table.send(Replace("greedy"), 2)
    assert [type(event) for event in table.send(Resign(), 2)] == [Resigned, Ended, SecretPublished]


def test_no_clock_runs_while_a_replacement_is_chosen() -> None:
    table = three(clock=Clock(ClockKind.GAME, 300, 5))
    first, second, third = table.state.order
    table.wait(10)
    table.send(Resign(), second)
    assert table.view()["demand"]["deadline"] is None
    assert table.wait(1000) == ()
    table.send(Replace("greedy"), third)
    assert table.view()["seats"][first]["time_left"] == 290


def test_a_draw_offer_ends_with_a_resignation() -> None:
    table = three()
    table.send(OfferDraw(), 0)
    table.send(Resign(), 1)
    table.send(Replace("greedy"), 0)
    assert table.state.offer is None
    assert table.refused(AnswerDraw(accept=True), 2) == "no-draw-offered"


@given(st.integers(0, 2**32 - 1), st.integers(0, 60))
def test_old_logs_with_a_resignation_fold_as_before(seed: int, length: int) -> None:
    chance = random.Random(seed)
    setup = chance.choice([setup for setup in setups() if len(setup.seats) > 1])
    table = Table(setup, sit=True)
    for _ in range(length):
        if table.state.end is None and table.state.vacancy is None:
            table.step(chance)
            table.now += chance.random()
    state = table.state
    if state.end is not None or state.vacancy is not None or not state.order or not state.people:
        return
    seat = chance.choice(state.people)
    end = ended(state, "resign", sides_without(state, seat))
    stored = [*table.stored, Stored(state.number + 1, table.now, Resigned(seat)), Stored(state.number + 2, table.now, end)]
    folded = TableState.from_events(stored)
    last = state.number + 2
    assert folded == replace(state.apply(Stored(state.number + 1, table.now, end)), number=last, commanded=last)
    assert replay(stored) == folded
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


@pytest.mark.parametrize("setup", [people("yamm(players=1)", 1), people("yamm", dice=DiceOf.TABLE)], ids=summary)
def test_a_resignation_without_opponents_abandons_the_game(setup: Setup) -> None:
    table = Table(setup)
    table.send(Resign(), 0)
    assert table.state.end is not None
    assert (table.state.end.end, table.state.end.winners) == ("abandoned", tuple(range(len(setup.seats))))
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_a_partner_resigns_for_both() -> None:
    table = Table(people(WIDE, 4))
    table.send(Resign(), 2)
    assert table.state.end is not None
    assert table.state.end.winners == (1, 3)


def test_a_draw_needs_all_people() -> None:
    table = Table(people("yamm(players=3)", 3))
    assert table.refused(AnswerDraw(accept=True), 1) == "no-draw-offered"
    assert table.send(OfferDraw(), 2) == (DrawOffered(2),)
    assert table.refused(OfferDraw(), 1) == "draw-offered"
    assert table.refused(AnswerDraw(accept=True), 2) == "no-draw-offered"
    table.send(AnswerDraw(accept=True), 0)
    assert table.view()["draw"] == {"seat": 2, "agreed": [0, 2]}
    table.send(AnswerDraw(accept=True), 1)
    assert table.state.end is not None
    assert (table.state.end.end, table.state.end.winners) == ("agreed", (0, 1, 2))


def test_a_declined_draw_is_not_offered_again_in_the_round() -> None:
    table = duel()
    table.send(OfferDraw(), 0)
    assert table.send(AnswerDraw(accept=False), 1) == (DrawAnswered(1, accept=False),)
    assert table.view(0)["draw"] is None
    assert table.refused(OfferDraw(), 0) == "draw-offered"
    table.send(OfferDraw(), 1)
    table.send(AnswerDraw(accept=False), 0)
    for seat in (0, 1):
        table.send(Throw(), seat)
        table.send(Act("--"), seat)
    table.send(OfferDraw(), 0)


def test_a_draw_offer_is_open_for_a_round() -> None:
    table = duel()
    table.send(OfferDraw(), 0)
    for seat in (0, 1):
        assert table.view(seat)["draw"] == {"seat": 0, "agreed": [0]}
        table.send(Throw(), seat)
        table.send(Act("--"), seat)
    assert table.view(0)["draw"] is None
    assert table.refused(AnswerDraw(accept=True), 1) == "no-draw-offered"
    table.send(OfferDraw(), 0)


def test_a_draw_in_yam_master_has_no_winner() -> None:
    table = duel()
    table.send(OfferDraw(), 0)
    table.send(AnswerDraw(accept=True), 1)
    assert table.state.end == Ended("agreed", "draw 0-0", ())
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_all_seats_of_one_person_agree_to_their_draw_offer() -> None:
    table = Table(people("yam-master"), one_person=True)
    table.send(OfferDraw(), 0, 1)
    assert table.state.end is not None
    against = Table(Setup("yam-master", (OPEN, computer())))
    assert against.refused(OfferDraw(), 0) == "nobody-to-ask"
    assert Table(people("yamm(players=1)", 1)).refused(OfferDraw(), 0) == "nobody-to-ask"
