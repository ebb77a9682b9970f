"""Local games with real dice, corrections, and writers of pairs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup import games, record
from dicecup.core.dice import Keep
from dicecup.core.errors import DicecupError
from dicecup.core.source import SeededSource
from dicecup.record.match import MatchGame
from dicecup.table.commands import Act, EnterDice, EnterDie, TakeBack, Throw
from dicecup.table.events import DieThrown, Stored
from dicecup.terminal.local import open_saved
from dicecup.terminal.local_record import Match, new_record, saved_record, table_of
from dicecup.terminal.seats import Seat
from dicecup.terminal.session import Demand
from tests.terminal.local_games import (
    ANNA,
    BEN,
    CARL,
    DORA,
    PAIRS,
    ROBO,
    dice,
    new_session,
    no_fsync,
    path,
    run,
    send,
    session_with_real_dice,
)

__all__ = ["no_fsync", "path"]


# --- Real dice ------------------------------------------------------------------------------------


def test_a_void_throw_and_a_knocked_die_are_recorded(path: Path) -> None:
    at = session_with_real_dice(path, "yam-master", ANNA, BEN)
    for command in (dice("11235"), Act("k11"), EnterDice("~"), dice("22334"), Act("k22"), dice("22266")):
        send(at, command)
    assert at.record().journal.words == ("11235", "k11", "~", "22334", "k22", "22266")


def test_taking_back_ends_with_the_last_entry(path: Path) -> None:
    at = session_with_real_dice(path, "yam-master", ANNA, BEN)
    send(at, dice("11235"))
    for command in (Act("k11"), dice("11166")):
        send(at, command)
        at = open_saved(path)  # also after the program was ended
        send(at, TakeBack())
        with pytest.raises(DicecupError):
            send(at, TakeBack())
        send(at, command)
    send(at, Act("a1"))
    send(at, TakeBack())
    assert at.record().journal.words == ("11235", "k11", "11166")


def test_taking_back_dice_undoes_the_computers_actions(path: Path) -> None:
    at = session_with_real_dice(path, "yam-master", ROBO, ANNA)
    before = path.read_bytes()
    send(at, dice("11235"))
    run(at)
    assert len(at.record().journal.words) > 1 or at.record().journal.lines
    send(at, TakeBack())
    assert path.read_bytes() == before


@pytest.mark.parametrize("game", ["yam-master", "yamm"])
def test_a_person_enters_the_real_dice_of_computers_among_themselves(path: Path, game: str) -> None:
    at = session_with_real_dice(path, game, ROBO, Seat("Rita", "greedy"))
    run(at)
    source = SeededSource("computers")
    entered = 0
    while entered < 40 and at.snapshot().demand is not Demand.OVER:
        if at.snapshot().demand is Demand.DIE:
            send(at, EnterDie(source.die()))
            continue
        assert at.snapshot().demand is Demand.DICE
        turn = at.table.position.turn
        assert turn is not None
        throw = source.throw(Keep(turn.dice))
        assert throw is not None
        send(at, dice(str(throw.roll)))
        entered += 1
    assert entered == 40
    assert record.load(path).journal.turns > 10


@given(st.lists(st.integers(1, 6), max_size=12))
def test_a_saved_starting_roll_gives_the_same_table(faces: list[int]) -> None:
    seats = (ANNA, BEN, CARL, DORA)
    match = Match(MatchGame("m", 2, 3), (100, 200))
    kept = new_record(games.from_id(PAIRS), seats, "table", ("Carl", "Dora"), match)
    at, begun = table_of(kept)
    for face in faces:
        if at.order:
            break
        assert at.starting is not None
        at = at.apply(Stored(at.number + 1, 0.0, DieThrown(face, seat=at.starting.seat)))
        kept = saved_record(at, begun)
        again, begun_again = table_of(record.read(kept.to_text()))
        assert (again, begun_again) == (at, begun)
        assert saved_record(again, begun_again) == kept
    if at.order:
        order = [kept.tags[f"P{place}"] for place in (1, 2, 3, 4)]
        assert order in [["Anna", "Ben", "Carl", "Dora"][k:] + ["Anna", "Ben", "Carl", "Dora"][:k] for k in range(4)]
        assert {kept.tags[writer] for writer in kept.tags["Writer"].split(" ")} == {"Carl", "Dora"}
        total = dict(zip(("P1", "P2"), kept.tags["Standing"].split(" "), strict=True))
        assert total["P1"] == ("100" if kept.tags["P1"] in ("Anna", "Carl") else "200")


def test_starting_dice_are_taken_back_one_at_a_time(path: Path) -> None:
    at = session_with_real_dice(path, "yamm(players=3)", ANNA, BEN, CARL)
    for face in (4, 4, 6):
        before = path.read_bytes()
        send(at, EnterDie(face))
        at = open_saved(path)
        send(at, TakeBack())
        assert path.read_bytes() == before
        send(at, EnterDie(face))
    assert [record.load(path).tags[name] for name in ("P1", "P2", "P3", "Start")] == ["Carl", "Anna", "Ben", "4 4 6"]


def test_notes_of_a_record_are_kept(path: Path) -> None:
    path.write_text('[Game "yam-master"]\n[Event "Club"]\n[Dice "table"]\n[Result "*"]\n\n1. 11235 -- %x=1 ; a comment\n')
    at = open_saved(path)
    send(at, dice("11235"))
    assert path.read_text().endswith("1. 11235 -- %x=1 ; a comment\n2. 11235\n")
    assert '[Event "Club"]' in path.read_text()


# --- Yamm: what may be moved, and by whom ---------------------------------------------------------


def test_a_throw_that_makes_a_result_final_needs_an_entry(path: Path) -> None:
    at = new_session(path, "yamm(players=1)", ANNA)
    run(at)
    send(at, Act("f1.H"))
    assert at.snapshot().demand is Demand.THROW
    assert at.next() is None
    send(at, Act("1. > f2.H"))
    assert at.snapshot().demand is Demand.THROW
    send(at, Throw())
    with pytest.raises(DicecupError) as caught:
        send(at, Act("1. > f3.H"))
    assert caught.value.code == "correction-too-late"


def test_a_person_cannot_correct_results_of_computers(path: Path) -> None:
    at = session_with_real_dice(path, "yamm", ROBO, ANNA)
    send(at, EnterDie(6))
    while at.snapshot().position.number == 1:
        send(at, dice("22334"))
        run(at)
    send(at, dice("11235"))
    with pytest.raises(DicecupError) as caught:
        send(at, Act(next(str(action) for action in at.snapshot().position.corrections)))
    assert caught.value.code == "not-your-result"


@pytest.mark.parametrize(
    "game, seats, writers, code",
    [
        ("yamm", (ANNA, BEN), ("Anna",), "not-a-writer"),
        ("yam-master", (ANNA, BEN), ("Anna",), "not-a-writer"),
        (PAIRS, (ANNA, BEN, CARL, DORA), ("Anna", "Carl"), "not-a-writer"),
        (PAIRS, (ANNA, BEN, CARL, DORA), ("Emil",), "not-a-writer"),
        (PAIRS, (ANNA, BEN, ROBO, DORA), ("Anna",), "not-a-writer"),
        (PAIRS, (ANNA, BEN), (), "wrong-number-of-seats"),
    ],
)
def test_wrong_writers_are_refused(path: Path, game: str, seats: tuple[Seat, ...], writers: tuple[str, ...], code: str) -> None:
    with pytest.raises(DicecupError) as caught:
        new_session(path, game, *seats, writers=writers)
    assert caught.value.code == code
    assert not path.exists()
