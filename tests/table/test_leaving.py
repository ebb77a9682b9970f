"""Resignations, draws, clocks, claims, changed secrets, matches and rematches."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.record import read
from dicecup.table import fairness
from dicecup.table.commands import (
    Act,
    AnswerDraw,
    Claim,
    EndGame,
    EnterDice,
    EnterDie,
    OfferDraw,
    Rematch,
    Remedy,
    Replace,
    Resign,
    TakeBack,
    Throw,
)
from dicecup.table.endings import ended, sides_without, standing_after
from dicecup.table.events import (
    Claimed,
    CommitmentBegun,
    CommitmentEnded,
    DrawAnswered,
    DrawOffered,
    EndAgreed,
    Ended,
    LevelSeated,
    NextTable,
    Resigned,
    SecretPublished,
    Stored,
    TimeUp,
)
from dicecup.table.handlers import due, open_next_table, wake_at
from dicecup.table.pending import Pending, PendingKind
from dicecup.table.replay import replay
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from tests.table.tables import OPEN, WIDE, Table, computer, identity, people, setups, summary

MINUTE = Clock(ClockKind.TURN, 60)
BLITZ = Clock(ClockKind.GAME, 60, 10)
SLOW = Clock(ClockKind.DAYS, 86_400)


def duel(**agreed: Any) -> Table:
    """Return a game of Yam Master whose first seat is x."""
    return Table(people("yam-master", 2, first=0, **agreed))


# --- Resigning and draws --------------------------------------------------------------------------


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
    assert table.view(0)["may"] == ["replace", "end-game"]
    assert table.view(1)["may"] == table.view()["may"] == []
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
    assert table.view(0)["may"] == ["replace"]
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
    assert folded == replace(state.apply(Stored(state.number + 1, table.now, end)), number=state.number + 2)
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


# --- Clocks ---------------------------------------------------------------------------------------


def test_a_turn_clock_ends_the_game() -> None:
    table = duel(clock=MINUTE)
    assert wake_at(table.state) == table.now + 60
    table.wait(59)
    table.send(Throw(), 0)
    assert table.view()["demand"]["deadline"] == table.now + 1
    table.wait(0.5)
    table.send(Act("--"), 0)
    assert wake_at(table.state) == table.now + 60
    assert table.wait(59.9) == ()
    events = table.wait(0.2)
    assert events[:2] == (TimeUp(1), Ended("time", "x 0-0", (0,)))
    assert read(record_of(table.state).to_text()).tags["End"] == "time"


def test_no_command_is_accepted_after_the_clock_ran_out() -> None:
    table = duel(clock=MINUTE)
    table.now += 60
    assert table.refused(Throw(), 0) == "game-over"
    assert table.state.end is None
    assert table.wait(0)[0] == TimeUp(0)


def test_a_game_clock_adds_an_increment_each_turn() -> None:
    table = duel(clock=BLITZ)
    table.wait(20)
    table.send(Throw(), 0)
    table.wait(5)
    table.send(Act("--"), 0)
    assert [seat["time_left"] for seat in table.view()["seats"]] == [45, 60]
    table.wait(30)
    assert [seat["time_left"] for seat in table.view()["seats"]] == [45, 30]
    table.send(Throw(), 1)
    table.send(Act("--"), 1)
    assert [seat["time_left"] for seat in table.view()["seats"]] == [45, 40]
    assert table.wait(44.9) == ()
    assert table.wait(0.2)[0] == TimeUp(0)


def test_taking_back_costs_time_and_brings_no_increment() -> None:
    table = duel(clock=BLITZ, dice=DiceOf.TABLE)
    table.send(EnterDice("11346"), 0)
    table.wait(20)
    for left in (40, 25):
        assert [seat["time_left"] for seat in table.view()["seats"]] == [left, 60]
        table.send(Act("--"), 0)
        assert [seat["time_left"] for seat in table.view()["seats"]] == [left + 10, 60]
        table.wait(15)
        table.send(TakeBack(), 0)
    assert [seat["time_left"] for seat in table.view()["seats"]] == [10, 60]
    assert table.wait(9.9) == ()
    assert table.wait(0.2)[0] == TimeUp(0)


def test_taking_back_does_not_move_the_deadline() -> None:
    table = duel(clock=Clock(ClockKind.TURN, 10), dice=DiceOf.TABLE)
    table.send(EnterDice("11346"), 0)
    table.wait(7)
    table.send(TakeBack(), 0)
    assert table.view()["demand"]["deadline"] == table.now + 3
    table.send(EnterDice("11346"), 0)
    assert table.wait(3)[0] == TimeUp(0)


def test_nothing_is_taken_back_after_the_clock_ran_out() -> None:
    table = duel(clock=Clock(ClockKind.TURN, 10), dice=DiceOf.TABLE)
    table.send(EnterDice("11346"), 0)
    table.wait(7)
    table.send(Act("--"), 0)
    table.wait(2.9)
    assert "take-back" in table.view(0)["may"]
    table.wait(0.1)
    assert "take-back" not in table.view(0)["may"]
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"


def test_a_computer_has_no_clock() -> None:
    table = Table(Setup("yam-master", (computer(), OPEN), clock=MINUTE, first=0))
    assert table.state.clocks.deadline is None
    assert table.wait(3600) == ()
    table.step(random.Random(1))
    table.finish(random.Random(1), most=1)


def test_slow_games_have_days() -> None:
    table = duel(clock=SLOW)
    assert table.wait(86_399) == ()
    table.offline = {0: table.now - 80_000}
    assert table.refused(Claim(Remedy.WIN), 1) == "not-away"
    assert table.wait(1)[0] == TimeUp(0)


# --- Claims ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what, end", [(Remedy.WIN, Ended("abandoned", "o 0-0", (1,))), (Remedy.DRAW, Ended("abandoned", "draw 0-0", ()))]
)
def test_a_game_is_claimed_against_a_person_who_left(what: Remedy, end: Ended) -> None:
    table = duel()
    table.wait(100)
    assert table.refused(Claim(what), 1) == "not-away"
    table.offline = {0: table.now - 79, 1: table.now - 500}
    assert table.view(1)["claim"] == {"seat": 0, "at": table.now + 1}
    assert table.refused(Claim(what), 1) == "not-away"
    table.wait(1)
    assert f"claim {what}" in table.view(1)["may"]
    assert table.refused(Claim(what, "greedy"), 1) == "not-a-claim"
    assert table.refused(Claim(what), 0) == "not-away"
    events = table.send(Claim(what), 1)
    assert events[:2] == (Claimed(1, what, 0), end)
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_only_the_pending_seat_is_claimed_against() -> None:
    table = duel()
    table.wait(100)
    table.offline = {1: table.now - 1000}
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    table.send(Throw(), 0)
    table.send(Act("--"), 0)
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    table.wait(79)
    assert table.refused(Claim(Remedy.WIN), 0) == "not-away"
    table.wait(1)
    table.send(Claim(Remedy.WIN), 0)


@pytest.mark.parametrize("what", [Remedy.DRAW, Remedy.COMPUTER])
def test_a_claim_may_wait_for_a_starting_die(what: Remedy) -> None:
    table = Table(people("yamm", dice=DiceOf.TABLE))
    table.wait(100)
    table.offline = {0: table.now - 500}
    assert table.refused(Claim(what, "greedy" if what is Remedy.COMPUTER else ""), 0) == "not-away"
    assert f"claim {what}" in table.view(1)["may"]
    assert "claim win" not in table.view(1)["may"]
    assert table.refused(Claim(Remedy.WIN), 1) == "not-a-claim"
    table.send(Claim(what, "greedy" if what is Remedy.COMPUTER else ""), 1)
    table.finish(random.Random(1))
    assert replay(table.stored) == table.state
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_a_claimed_computer_plays_on() -> None:
    table = Table(people(WIDE, 4, writers=(0,)))
    first = table.state.order[0]
    table.wait(100)
    table.offline = {first: table.now - 100}
    partner, other = (first + 2) % 4, (first + 1) % 4
    assert table.refused(Claim(Remedy.WIN), partner) == "not-a-claim"
    assert table.refused(Claim(Remedy.COMPUTER), other) == "not-a-claim"
    assert table.refused(Claim(Remedy.COMPUTER, "nobody"), other) == "not-a-level"
    events = table.send(Claim(Remedy.COMPUTER, "greedy"), partner)
    assert events == (Claimed(partner, Remedy.COMPUTER, first), LevelSeated(first, "greedy", f"Name {first}"))
    assert table.state.seats_of(f"identity-{first}-of-a-person") == frozenset()
    assert table.finish(random.Random(2)).state.end is not None


def test_a_table_without_events_is_closed_after_a_month() -> None:
    table = duel()
    assert wake_at(table.state) == table.now + 30 * 86_400
    assert table.wait(30 * 86_400 - 1) == ()
    events = table.wait(1)
    assert events == (Ended("abandoned", "draw 0-0", ()), SecretPublished(table.secret.hex()))
    assert wake_at(table.state) is None


def test_an_empty_table_is_closed_after_a_month() -> None:
    table = Table(people("yamm"), sit=False)
    table.wait(31 * 86_400)
    assert table.state.end == Ended("abandoned", "0 0", (0, 1))
    assert read(record_of(table.state).to_text()).tags == record_of(table.state).tags


def test_closing_publishes_the_secret() -> None:
    table = duel()
    assert [type(event) for event in table.close()] == [Ended, SecretPublished]
    assert table.close() == ()


# --- Another secret--------------------------------------------------------------------------------


def test_a_table_gets_a_new_commitment_on_another_server() -> None:
    table = duel()
    table.send(Throw(), 0)
    old, table.secret = fairness.commitment(table.secret), bytes(range(32))
    assert due(table.state, table.now, table.secret).events == (
        CommitmentEnded(old),
        CommitmentBegun(fairness.commitment(table.secret)),
    )
    table.finish(random.Random(1))
    assert table.view()["fairness"]["earlier"] == [old]
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept
    assert kept.tags["From"] == "1.2"
    report = check(kept)
    assert report.wrong == 0
    assert report.right == table.state.counter - 1


def test_a_returned_table_publishes_the_secret_of_both_times() -> None:
    table = duel()
    first, other = table.secret, bytes(range(32))
    table.send(Throw(), 0)
    table.secret = other
    table.wait(0)
    table.send(Act("k-"), 0)
    table.secret = first
    table.wait(0)
    table.finish(random.Random(1))
    kept = record_of(table.state)
    back, away = (fairness.commitment(secret) for secret in (first, other))
    assert [entry.split(" ")[1:3] for entry in kept.tags["Earlier"].split("; ")] == [[back, first.hex()], [away, "-"]]
    assert kept.tags["Dice"] == f"committed:{back}"
    report = check(kept)
    assert (report.wrong, report.right) == (0, report.throws - 1)


# --- The next game --------------------------------------------------------------------------------


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
    assert table.view(0)["may"] == ["rematch"]
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
