"""Throws, actions, corrections and take-backs at a table, and the seats that may do them."""

import random
from typing import Any, Final

import pytest

from dicecup.core.source import ScriptedSource
from dicecup.record import read
from dicecup.table.commands import Act, EnterDice, EnterDie, RevealSeed, TakeBack, Throw
from dicecup.table.computers import seconds_to_wait
from dicecup.table.events import Acted, TakenBack, Thrown
from dicecup.table.fairness import secret_of
from dicecup.table.handlers import Actor, handle
from dicecup.table.pending import PendingKind
from dicecup.table.setup import DiceOf, Setup
from dicecup.table.table_record import record_of
from dicecup.table.verify import check
from tests.table.tables import OPEN, WIDE, Table, computer, people, setups, summary


def real(game: str, count: int = 2, **agreed: Any) -> Table:
    return Table(people(game, count, dice=DiceOf.TABLE, **agreed))


def begun(game: str = "yamm", count: int = 2, **agreed: Any) -> Table:
    """Return a game with real dice that the first seat starts."""
    table = real(game, count, **agreed)
    table.send(EnterDie(1), 0)
    return table


def asked(table: Table) -> list[int]:
    seats: list[int] = table.view()["demand"]["seats"]
    return seats


# --- Whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", tuple(setups()), ids=summary)
def test_a_whole_game_ends_by_the_rules_with_its_record(setup: Setup) -> None:
    table = Table(setup).finish(random.Random(3))
    state = table.state
    assert state.end is not None
    assert state.end.end in ("line", "tokens", "full")
    kept = record_of(state)
    assert read(kept.to_text()) == kept
    assert kept.tags["End"] == state.end.end
    assert kept.tags["Result"] == state.end.result
    assert "Winners" not in kept.tags
    if setup.dice is DiceOf.TABLE:
        assert "Secret" not in kept.tags
        assert state.secret is None
    else:
        report = check(kept)
        assert report.wrong == 0
        assert report.right == report.throws - state.setup.beginning.throws
        assert report.throws == state.counter
    assert table.refused(Throw(), 0) == "game-over"
    assert table.wait(100 * 86_400) == ()


def test_the_winners_are_seats() -> None:
    for seed in range(5):
        state = Table(people(WIDE, 4)).finish(random.Random(seed)).state
        assert state.end is not None
        totals = list(map(int, state.end.result.split(" ")))
        best = {sheet for sheet, total in enumerate(totals) if total == max(totals)}
        assert set(state.end.winners) == {state.order[sheet + 2 * player] for sheet in best for player in (0, 1)}


# --- The server's dice ----------------------------------------------------------------------------


def test_a_keep_throws_at_once_a_turn_waits_for_its_throw() -> None:
    table = Table(people("yam-master", first=0))
    assert table.refused(Act("--"), 0) == "dice-in-the-air"
    assert table.refused(Throw(), 1) == "not-your-turn"
    (thrown,) = table.send(Throw(), 0)
    assert isinstance(thrown, Thrown)
    assert thrown.counter == 0
    assert table.refused(Throw(), 0) == "not-your-turn"
    assert table.refused(Act(f"k{thrown.dice[0]}"), 1) == "not-your-turn"
    acted, again = table.send(Act(f"k{thrown.dice[0]}"), 0)
    assert acted == Acted(0, f"k{thrown.dice[0]}")
    assert isinstance(again, Thrown)
    assert again.counter == 1
    assert thrown.dice[0] in again.dice
    table.send(Act("--"), 0)
    assert table.state.pending == (PendingKind.THROW, (1,), 1)


def test_the_servers_dice_are_not_entered_or_taken_back() -> None:
    table = Table(people("yam-master", first=0))
    assert table.refused(EnterDice("11346"), 0) == "not-real-dice"
    assert table.refused(EnterDie(1), 0) == "not-real-dice"
    table.send(Throw(), 0)
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"
    assert table.refused(RevealSeed("00" * 16), 0) == "seed-not-due"


def test_a_person_acts_only_on_their_own_seats() -> None:
    table = Table(people("yam-master", first=0))
    assert table.refused(Throw()) == "not-your-seat"
    assert table.refused(Throw(0), 1) == "not-your-seat"
    assert table.refused(Throw(2), 0, 1) == "no-such-seat"
    assert table.refused(Throw(1), 0, 1) == "not-your-turn"
    assert table.send(Throw(0), 0, 1)


# --- Real dice ------------------------------------------------------------------------------------


def test_real_dice_can_be_void_and_knocked_over() -> None:
    table = begun("yam-master", first=None)
    assert table.refused(Throw(), 0) == "real-dice"
    assert table.refused(EnterDice("1134"), 0) == "not-five-dice"
    assert table.refused(EnterDice("11347"), 0) == "not-a-face"
    assert table.refused(EnterDice("1" * 1000), 0) == "too-many-dice"
    assert table.refused(EnterDice("11346"), 1) == "not-your-turn"
    table.send(EnterDice("~"), 0)
    table.send(EnterDice("64311"), 0)
    assert table.refused(EnterDice("11346"), 0) == "no-dice-in-the-air"
    table.send(Act("k11"), 0)
    table.send(EnterDice("12345"), 0)
    assert table.state.journal.words == ("~", "11346", "k11", "12345")


def test_a_locked_die_that_was_knocked_over_is_named() -> None:
    table = begun("yamm(kept_dice=locked)")
    table.send(EnterDice("11346"), 0)
    table.send(Act("k11"), 0)
    assert table.refused(EnterDice("22346"), 0) == "kept-die-lost"
    table.send(EnterDice("22|643"), 0)
    assert table.view(0)["turn"]["locked"] == [2, 2]


def test_any_person_enters_dice_for_a_computer() -> None:
    table = Table(Setup("yamm(players=3)", (OPEN, computer(), OPEN), dice=DiceOf.TABLE))
    table.send(EnterDie(2), 0)
    assert table.state.pending.seats == (0, 2)
    table.send(EnterDie(1), 2)
    assert table.state.order == (1, 2, 0)
    table.send(EnterDice("11346"), 0)
    assert table.state.pending == (PendingKind.ACTION, (1,), None)
    assert table.refused(Act("f1.1"), 0) == "not-your-turn"


# --- Taking back ----------------------------------------------------------------------------------


def test_an_entry_is_taken_back_once_by_its_person() -> None:
    table = begun()
    table.send(EnterDice("11346"), 0)
    assert table.refused(TakeBack(), 1) == "nothing-to-take-back"
    assert table.send(TakeBack(), 0) == (TakenBack(0, "11346"),)
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"
    table.send(EnterDice("11345"), 0)
    table.send(Act("f1.1"), 0)
    table.send(TakeBack(), 0)
    assert str(table.state.position.turn) == "1:11345"
    table.send(Act("f1.1"), 0)
    table.send(EnterDice("66666"), 1)
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"


def test_taking_back_undoes_what_a_computer_did_after() -> None:
    table = Table(Setup("yam-master", (OPEN, computer()), dice=DiceOf.TABLE, first=1))
    table.send(EnterDice("11111"), 0)
    table.send(Act("--"), 1)
    assert table.state.position.number == 2
    table.send(TakeBack(), 0)
    assert str(table.state.position) == "5/5/5/5/5 x 0:????? 12-12 1"


def test_the_last_die_of_the_starting_roll_is_taken_back() -> None:
    table = begun()
    assert table.view()["order"] == [0, 1]
    table.send(TakeBack(), 0)
    assert table.view()["order"] == []
    table.send(EnterDie(2), 0)
    table.send(EnterDie(3), 1)
    assert table.state.order == (1, 0)


# --- Actions for which a computer waits -----------------------------------------------------------

HELD: Final = "5/5/5/5/5 x 1:11123 12-12 1"
"""Yam Master after the first throw of x."""


def against_computer(**agreed: Any) -> Table:
    return Table(Setup("yam-master", (OPEN, computer()), start=HELD, **agreed))


def test_a_placement_is_taken_back_before_the_computer_throws() -> None:
    table = against_computer()
    assert table.send(Act("a1", hold=2.5), 0) == (Acted(0, "a1", 2.5),)
    assert table.state.pending == (PendingKind.THROW, (1,), None)
    assert seconds_to_wait(table.state, table.now) == 2.5
    assert {"throw", "take-back"} <= set(table.view(0)["may"])
    assert table.send(TakeBack(), 0) == (TakenBack(0, "a1"),)
    assert str(table.state.position) == HELD
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"


def test_a_placement_stays_after_the_computer_has_thrown() -> None:
    table = against_computer()
    table.send(Act("a1", hold=10), 0)
    table.send(Throw(), 1)
    assert "take-back" not in table.view(0)["may"]
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"


def test_a_person_lets_the_waiting_computer_throw() -> None:
    table = against_computer()
    table.send(Act("a1", hold=10), 0)
    (thrown,) = table.send(Throw(), 0)
    assert isinstance(thrown, Thrown)
    assert seconds_to_wait(table.state, table.now) == 0
    assert table.refused(Throw(), 0) == "not-your-turn"


def test_a_taken_back_turn_goes_on_with_the_next_dice() -> None:
    table = Table(Setup("yam-master", (OPEN, computer()), first=0))
    table.send(Throw(), 0)
    lying, counter = table.state.position.turn, table.state.counter
    table.send(Act("--", hold=3), 0)
    table.send(TakeBack(), 0)
    assert (table.state.position.turn, table.state.counter) == (lying, counter)
    _, thrown = table.send(Act("k-"), 0)
    assert isinstance(thrown, Thrown)
    assert thrown.counter == counter
    table.finish(random.Random(1))
    report = check(record_of(table.state))
    assert (report.wrong, report.right) == (0, report.throws)


def test_no_action_is_held_between_people_with_real_dice_or_where_it_can_be_corrected() -> None:
    between = Table(people("yam-master", start=HELD))
    assert between.send(Act("a1", hold=3), 0) == (Acted(0, "a1"),)
    real = against_computer(dice=DiceOf.TABLE)
    assert real.send(Act("a1", hold=3), 0) == (Acted(0, "a1"),)
    sheet = "/".join([".11"] * 9)
    yamm = Table(Setup("yamm", (OPEN, computer()), start=f"{sheet}|{sheet} 1:11346 1"))
    assert yamm.send(Act("f1.1", hold=3), 0) == (Acted(0, "f1.1"),)
    assert against_computer().send(Act("k11", hold=3), 0)[0] == Acted(0, "k11")


def test_the_end_of_the_game_is_not_taken_back() -> None:
    table = Table(Setup("yam-master", (OPEN, computer()), start="1xxxx/o4/5/5/5 x 1:11123 8-11 9"))
    assert table.send(Act("a1", hold=3), 0)[0] == Acted(0, "a1")
    assert table.state.end is not None


@pytest.mark.parametrize("hold", [-1, 10.5])
def test_a_computer_waits_ten_seconds_at_most(hold: float) -> None:
    assert against_computer().refused(Act("a1", hold=hold), 0) == "not-a-command"


def test_an_action_stays_when_the_secret_changes() -> None:
    table = against_computer()
    table.send(Act("a1", hold=3), 0)
    table.secret = secret_of(b"another host key", "table-1")
    table.wait(0)
    assert table.refused(TakeBack(), 0) == "nothing-to-take-back"


# --- Corrections and writers ----------------------------------------------------------------------


def test_a_result_is_corrected_until_the_sheets_next_throw() -> None:
    table = begun()
    table.send(EnterDice("11346"), 0)
    table.send(Act("f1.1"), 0)
    assert table.refused(Act("1. > f2.1"), 1) == "not-your-result"
    assert table.refused(Act("1. > f1.1"), 0) == "same-cell"
    table.send(EnterDice("22266"), 1)
    table.send(Act("1. > f2.1"), 0)
    assert table.view()["sheets"][0]["columns"]["f2"]["1"] == 2
    assert table.view()["sheets"][0]["wet"] == {"turn": 1, "cell": "f2.1", "dice": [1, 1, 3, 4, 6], "throws": 1}
    table.send(Act("f1.2"), 1)
    assert table.view(0)["corrections"]
    assert {choice["action"][:2] for choice in table.view(1)["corrections"]} == {"2."}
    table.send(EnterDice("11111"), 0)
    assert table.refused(Act("1. > f3.1"), 0) == "correction-too-late"


def test_the_first_throw_waits_for_corrections() -> None:
    table = Table(people("yamm(players=1)", 1))
    table.send(Throw(), 0)
    table.send(Act("f1.1"), 0)
    assert table.state.pending.kind is PendingKind.THROW
    moves = [choice["action"] for choice in table.view(0)["corrections"]]
    assert "1. > f2.6" in moves
    table.send(Act("1. > f2.6"), 0)
    table.send(Throw(), 0)
    assert table.view(0)["corrections"] == []


def test_a_writer_writes_and_corrects_for_both() -> None:
    table = begun(WIDE, 4, writers=(2,))
    table.send(EnterDice("11346"), 0)
    assert asked(table) == [0, 2]
    assert table.refused(Act("f1.1"), 0) == "not-your-turn"
    assert table.refused(Act("k11"), 2) == "not-your-turn"
    assert {choice["action"][0] for choice in table.view(0)["actions"]} == {"k"}
    assert all("." in choice["action"] for choice in table.view(2)["actions"])
    table.send(Act("k11"), 0)
    table.send(EnterDice("11346"), 0)
    table.send(Act("k11"), 0)
    table.send(EnterDice("11346"), 0)
    assert asked(table) == [2]
    table.send(Act("f1.1"), 2)
    assert table.refused(Act("1. > f2.1"), 0) == "not-your-result"
    table.send(Act("1. > f2.1"), 2)
    table.send(EnterDice("11346"), 1)
    table.send(Act("f1.1"), 1)
    assert record_of(table.state).tags["Writer"] == "P3"


def test_a_computers_throw_waits_for_a_persons_correction() -> None:
    table = Table(Setup(WIDE, (OPEN, computer(), computer(), computer())))
    chance = random.Random(1)
    while not (waits_for_person(table) and table.state.order[(table.state.position.number - 1) % 4] == 2):
        table.step(chance)
    assert table.view(0)["corrections"]
    table.send(Throw(), 0)
    assert table.view(0)["corrections"] == []


def waits_for_person(table: Table) -> bool:
    return table.state.pending[:2] == (PendingKind.THROW, (0,))


# --- Continued games ------------------------------------------------------------------------------


def played(table: Table, steps: int, seed: int = 1) -> Table:
    chance = random.Random(seed)
    for _ in range(steps):
        table.step(chance)
    return table


def test_a_record_goes_on_with_the_servers_dice() -> None:
    before = played(Table(people("yamm")), 31)
    text = record_of(before.state).to_text()
    table = Table(people("yamm", start=text))
    assert table.state.position == before.state.position
    assert table.state.order == (0, 1)
    table.finish(random.Random(2))
    kept = record_of(table.state)
    assert kept.journal.lines[: len(before.state.journal.lines)] == before.state.journal.lines
    report = check(read(kept.to_text()))
    assert report.wrong == 0
    assert report.right == report.throws - before.state.journal.throws
    assert "From" in kept.tags


def test_a_record_with_real_dice_goes_on_with_real_dice() -> None:
    before = played(Table(people("yam-master", dice=DiceOf.TABLE)), 40, seed=4)
    text = record_of(before.state).to_text()
    table = Table(people("yam-master", dice=DiceOf.TABLE, start=text), sit=False)
    assert table.state.journal == before.state.journal
    order = before.state.order
    assert [held["called"] for held in table.view()["seats"]] == [f"Name {seat}" for seat in order]
    kept = record_of(table.state)
    assert read(kept.to_text()) == kept


def test_a_half_filled_sheet_goes_on() -> None:
    start = "1,2,.9/.11/.11/.11/.11/.11/.11/.11/.11~f1.6=1:66666 0:????? 4"
    table = Table(people("yamm(players=1)", 1, start=start))
    assert str(table.state.position) == start
    assert table.state.pending.kind is PendingKind.THROW
    table.send(Act("3. > f1.Y"), 0)
    table.finish(random.Random(5))
    assert table.state.end is not None
    kept = record_of(table.state)
    assert kept.tags["Position"] == start
    assert kept.journal.turns == 99


def test_a_dice_source_takes_the_place_of_the_secret() -> None:
    table = Table(people("yam-master", first=0))
    actor = Actor(table.state.seats[0].identity, frozenset({0}))
    with ScriptedSource(["11346"]) as dice:
        events, state = handle(table.state, actor, Throw(), table.now, table.secret, {}, dice)
    assert events == (Thrown("11346", 0),)
    assert state.counter == 1
