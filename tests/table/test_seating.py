"""Setups, seats, seeds and the first player."""

import json

import pytest

from dicecup.core.errors import DicecupError
from dicecup.table import fairness
from dicecup.table.commands import CommitSeed, EnterDie, RevealSeed, SeatComputer, Sit, StandUp, Throw
from dicecup.table.events import DieThrown, LevelSeated, LotCast, Seated, SeedRevealed, Started
from dicecup.table.handlers import Sitter, open_table
from dicecup.table.pending import PendingKind
from dicecup.table.setup import Clock, ClockKind, DiceOf, MatchSoFar, Setup, setup_from_json, setup_to_json
from tests.table.tables import OPEN, WIDE, Table, computer, identity, people, seed_of, setups


def kinds(events: tuple[object, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


# --- Setups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "agreed, code",
    [
        ({"game": "nim"}, "not-a-game"),
        ({"game": "yamm(players=3)"}, "wrong-number-of-seats"),
        ({"seats": (computer(), computer()), "dice": DiceOf.TABLE}, "not-a-setup"),
        ({"games": 3, "so_far": MatchSoFar("t", 2, (1,))}, "not-a-setup"),
        ({"games": 3, "so_far": MatchSoFar("t", 4, (1, 0))}, "not-a-setup"),
        ({"games": 3, "so_far": MatchSoFar("a b", 2, (1, 0))}, "not-a-setup"),
        ({"games": 0}, "not-a-number-of-games"),
        ({"games": 100}, "not-a-number-of-games"),
        ({"first": 2}, "no-such-seat"),
        ({"game": "yamm", "first": 0}, "no-such-seat"),
        ({"first": 0, "start": "5/5/5/5/5 x 1:11346 12-12 1"}, "no-such-seat"),
        ({"writers": (0,)}, "not-a-writer"),
        ({"game": "yamm", "writers": (0,)}, "not-a-writer"),
        ({"game": WIDE, "seats": (OPEN,) * 4, "writers": (0, 2)}, "not-a-writer"),
        ({"game": WIDE, "seats": (OPEN,) * 4, "writers": (4,)}, "not-a-writer"),
        ({"game": WIDE, "seats": (OPEN, OPEN, computer(), OPEN), "writers": (0,)}, "not-a-writer"),
        ({"start": "5/5/5/5/5 x 0:????? 12-12"}, "not-a-position"),
        ({"start": "[Game"}, "no-final-newline"),
        ({"start": '[Game "yamm"]\n\n'}, "not-a-start"),
        ({"start": "x" * 200_001}, "not-a-start"),
        ({"start": '[Game "yam-master"]\n[Result "draw 0-0"]\n[End "agreed"]\n\n'}, "not-a-start"),
        ({"game": "yamm(players=1)", "seats": (OPEN,), "clock": Clock(ClockKind.TURN, 60)}, "not-a-clock"),
    ],
)
def test_an_impossible_setup_is_refused(agreed: dict[str, object], code: str) -> None:
    with pytest.raises(DicecupError) as caught:
        Setup(**{"game": "yam-master", "seats": (OPEN, OPEN), **agreed})  # type: ignore[arg-type]
    assert str(caught.value.code) == code


@pytest.mark.parametrize(
    "kind, seconds, increment",
    [("turn", 9, 0), ("turn", 60, 5), ("game", 60, -1), ("game", 60, 601), ("game", 86_401, 0), ("days", 100_000, 0)],
)
def test_a_clock_has_its_limits(kind: str, seconds: int, increment: int) -> None:
    with pytest.raises(DicecupError) as caught:
        Clock(ClockKind(kind), seconds, increment)
    assert str(caught.value.code) == "not-a-clock"


@pytest.mark.parametrize("level, kind", [("nobody", "level"), ("", "level"), ("greedy", "open")])
def test_a_seat_is_open_or_has_a_level(level: str, kind: str) -> None:
    from dicecup.table.setup import Occupant, SeatSetup

    with pytest.raises(DicecupError) as caught:
        Setup("yam-master", (SeatSetup(Occupant(kind), level), OPEN))
    assert str(caught.value.code) == "not-a-level"


def test_a_setup_reads_back_from_json() -> None:
    for setup in setups():
        assert setup_from_json(json.loads(json.dumps(setup_to_json(setup)))) == setup


@pytest.mark.parametrize(
    "data", [None, [], {}, {"game": "yamm"}, {"game": "yamm", "seats": [{}, {}], "x": 1}, {"game": 1, "seats": []}]
)
def test_json_that_is_not_a_setup_is_refused(data: object) -> None:
    with pytest.raises(DicecupError) as caught:
        setup_from_json(data)
    assert str(caught.value.code) == "not-a-setup"


def test_no_table_opens_in_the_middle_of_a_match() -> None:
    setup = people("yam-master", games=3, so_far=MatchSoFar("t", 2, (1, 0)))
    with pytest.raises(DicecupError) as caught:
        open_table("t", setup, bytes(32), [], 0.0)
    assert str(caught.value.code) == "not-a-setup"


# --- Seats ----------------------------------------------------------------------------------------


def test_seats_are_taken_one_by_one() -> None:
    table = Table(people("yamm(players=3)", 3), sit=False)
    assert table.state.pending == (PendingKind.SEATS, (0, 1, 2), None)
    sit = Sit("Anna", 1)
    table.apply(Seated(1, "Anna", identity(1)))
    assert table.refused(sit, 1) == "seat-taken"
    assert table.refused(Sit("anna"), 1) == "name-twice"
    assert table.refused(Sit("An\nna"), 1) == "hidden-in-name"
    assert table.refused(Sit("A" * 41), 1) == "not-a-name"
    assert table.refused(Sit("Ben", 3), 1) == "no-such-seat"
    assert table.refused(Throw(), 1) == "game-not-begun"
    table.send(Sit("Ben"), 1)
    assert [held.name for held in table.state.seats] == ["Ben", "Anna", ""]
    assert table.state.seats_of(identity(1)) == {0, 1}
    table.send(StandUp(0), 0, 1)
    table.send(Sit("Carl"), 1)
    assert table.refused(SeatComputer("nobody"), 1) == "not-a-level"
    table.send(SeatComputer("greedy"), 1)
    assert table.refused(Sit("Dora"), 1) == "table-full"
    assert table.refused(StandUp(), 1) == "game-running"
    assert [held.name for held in table.state.seats] == ["Carl", "Anna", "greedy"]


def test_the_last_person_who_leaves_closes_the_table() -> None:
    table = Table(Setup("yamm(players=3)", (OPEN, OPEN, computer())), sit=False)
    table.apply(Seated(0, "Anna", identity(0)))
    assert kinds(table.send(StandUp(), 0)) == ["StoodUp", "Ended", "SecretPublished"]
    assert table.refused(Sit("Ben"), 0) == "game-over"


def test_a_second_computer_of_a_level_gets_a_number() -> None:
    table = Table(Setup("yamm(players=3)", (computer("greedy"), OPEN, computer("greedy"))), sit=False)
    assert [held.name for held in table.state.seats] == ["greedy", "", "greedy 2"]
    secret = bytes(32)
    with pytest.raises(DicecupError):
        open_table("t", Setup("yam-master", (computer(), OPEN)), secret, [Sitter(0, "Anna", "a")], 0.0)
    opened = open_table("t", Setup("yam-master", (computer("greedy"), OPEN)), secret, [Sitter(1, "Greedy", "a")], 0.0)
    assert opened.events[1:3] == (Seated(1, "Greedy", "a"), LevelSeated(0, "greedy", "greedy 2"))


# --- Seeds ----------------------------------------------------------------------------------------


def test_seeds_are_revealed_after_all_commitments() -> None:
    table = Table(people("yam-master"), ready=False)
    first, second = (fairness.seed_commitment(seed_of(seat)) for seat in (0, 1))
    assert table.refused(RevealSeed(seed_of(0).hex()), 0) == "seed-not-due"
    assert table.refused(CommitSeed(first.upper()), 0) == "not-a-commitment"
    table.send(CommitSeed(first), 0)
    assert table.refused(CommitSeed(first), 0) == "seed-not-due"
    assert table.refused(RevealSeed(seed_of(0).hex()), 0) == "seed-not-due"
    assert table.state.pending == (PendingKind.COMMITMENTS, (1,), None)
    table.send(CommitSeed(second), 1)
    assert table.refused(CommitSeed(first), 0) == "seed-not-due"
    assert table.refused(RevealSeed(seed_of(1).hex()), 0) == "wrong-seed"
    assert table.refused(RevealSeed("0"), 0) == "not-a-seat-seed"
    table.send(RevealSeed(seed_of(1).hex()), 1)
    assert not table.state.started
    assert kinds(table.send(RevealSeed(seed_of(0).hex()), 0)) == ["SeedRevealed", "Started", "LotCast"]


def test_a_late_seed_is_empty_and_on_record() -> None:
    table = Table(people("yamm(players=3)", 3), ready=False)
    table.send(CommitSeed(fairness.seed_commitment(seed_of(0))), 0)
    table.send(CommitSeed(fairness.seed_commitment(seed_of(1))), 1)
    assert table.wait(59.9) == ()
    assert table.wait(0.2) == (SeedRevealed(2, ""),)
    assert table.wait(59.8) == ()
    table.send(RevealSeed(seed_of(1).hex()), 1)
    events = table.wait(0.2)
    assert events[:2] == (SeedRevealed(0, ""), Started())
    assert [held.seed for held in table.state.seats] == ["", seed_of(1).hex(), ""]
    assert table.view()["fairness"]["seats"][1]["seed"] == seed_of(1).hex()


def test_one_person_reveals_the_seeds_of_all_their_seats() -> None:
    table = Table(people("yamm"), one_person=True, ready=False)
    for seat in (0, 1):
        table.send(CommitSeed(fairness.seed_commitment(seed_of(seat))), 0, 1)
    table.send(RevealSeed(seed_of(1).hex()), 0, 1)
    table.send(RevealSeed(seed_of(0).hex()), 0, 1)
    assert [held.seed for held in table.state.seats] == [seed_of(0).hex(), seed_of(1).hex()]


def test_real_dice_need_no_seeds() -> None:
    table = Table(people("yamm", dice=DiceOf.TABLE), ready=False)
    assert table.state.started
    assert table.state.commitment.hash == ""
    assert table.refused(CommitSeed("0" * 64), 0) == "seed-not-due"
    assert table.view()["fairness"] is None


# --- Who starts -----------------------------------------------------------------------------------


def test_yamm_begins_with_the_starting_roll_of_the_servers_dice() -> None:
    table = Table(people("yamm(players=4)", 4))
    dice = [stored.event for stored in table.stored if isinstance(stored.event, DieThrown)]
    seeds = [seed_of(seat) for seat in range(4)]
    assert [die.face for die in dice] == [
        fairness.die(table.secret, "yamm(players=4)", seeds, number) for number in range(len(dice))
    ]
    assert [die.counter for die in dice] == list(range(len(dice)))
    assert table.state.counter == len(dice)
    assert table.state.starting is not None
    starter = table.state.starting.starter
    assert starter is not None
    assert table.state.order == tuple((starter + place) % 4 for place in range(4))
    assert table.state.pending == (PendingKind.THROW, (starter,), starter)


def test_each_seat_enters_its_starting_die() -> None:
    table = Table(people("yamm(players=3)", 3, dice=DiceOf.TABLE))
    assert table.state.pending.seats == (0,)
    assert table.refused(EnterDie(4), 1) == "not-your-turn"
    assert table.refused(EnterDie(0), 0) == "not-a-face"
    table.send(EnterDie(4), 0)
    table.send(EnterDie(4), 1)
    table.send(EnterDie(3), 2)
    table.send(EnterDie(2), 0)
    assert table.view()["starting"] == {"lot": None, "rounds": [[4, 4, 3], [2]], "seat": 1}
    table.send(EnterDie(6), 1)
    assert table.state.order == (1, 2, 0)


@pytest.mark.parametrize("face, order", [(1, (0, 1)), (2, (1, 0))])
def test_an_odd_lot_makes_the_first_seat_x(face: int, order: tuple[int, int]) -> None:
    table = Table(people("yam-master", dice=DiceOf.TABLE))
    table.send(EnterDie(face), 1)
    assert table.state.order == order


def test_the_lot_is_not_counted_as_a_throw() -> None:
    table = Table(people("yam-master"))
    lots = [stored.event for stored in table.stored if isinstance(stored.event, LotCast)]
    assert lots == [LotCast(fairness.die(table.secret, "yam-master lot", [seed_of(0), seed_of(1)], 0))]
    assert table.state.counter == 0


def test_a_setup_may_say_who_is_x() -> None:
    assert Table(people("yam-master", first=1)).state.order == (1, 0)
