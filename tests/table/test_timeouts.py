"""Clocks that run out, and tables that are abandoned."""

import random

from dicecup.record import read
from dicecup.table.commands import (
    Act,
    Claim,
    EnterDice,
    Remedy,
    TakeBack,
    Throw,
)
from dicecup.table.events import (
    Ended,
    SecretPublished,
    TimeUp,
)
from dicecup.table.handlers import wake_at
from dicecup.table.setup import Clock, ClockKind, DiceOf, Setup
from dicecup.table.table_record import record_of
from tests.table.tables import OPEN, Table, computer, duel, people

MINUTE = Clock(ClockKind.TURN, 60)

BLITZ = Clock(ClockKind.GAME, 60, 10)

SLOW = Clock(ClockKind.DAYS, 86_400)


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
