"""A single game: its dice, its end, and the luck of its dice."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import floordiv
from random import Random
from typing import Any, cast

import pytest

from dicecup import games, yam_master, yamm
from dicecup.arena.ends import CAP
from dicecup.arena.play import ThrowDice, play_game, play_turn, seeded
from dicecup.core.dice import NO_DICE, ROLLS, Roll
from dicecup.core.game import Action, Position
from dicecup.core.turn import Turn
from dicecup.engine.turn.value import EXACT, TurnValues, turn_values
from dicecup.players import LEVELS, create
from dicecup.players.random import RandomPlayer
from dicecup.yamm import Sheet, Yamm
from dicecup.yamm.rows import YAMMS, Row
from dicecup.yamm.score import FIRST_THROW_YAMM
from dicecup.yamm.sheet import Column, SheetSpec

SMALL = Yamm(yamm.Options(players=1), SheetSpec((Column("f1"),), (Row.SIX, Row.HIGH)))
"""A sheet of two cells: a choice of cells, and first-throw Yamms."""


@lru_cache
def solved(sheet: Sheet) -> TurnValues:
    """Return the exact turn on this sheet, as integers: expected points times EXACT ** turns
    left."""
    left = list(sheet.open_cells)
    scale = EXACT ** len(left)
    now = sheet.total
    later = [
        max(scale * (after.total - now) + EXACT * _value(after) for after in (sheet.write(cell, roll) for cell in left))
        for roll in ROLLS
    ]
    first = [value + scale * FIRST_THROW_YAMM * (roll in YAMMS) for value, roll in zip(later, ROLLS, strict=True)]
    return turn_values((first, later, later), divide=floordiv)


def _value(sheet: Sheet) -> int:
    return cast(int, solved(sheet).value) if any(True for _ in sheet.open_cells) else 0


def sheet_of(position: Position) -> Sheet:
    assert isinstance(position, yamm.Position)
    return position.written[0]


def exact_values(position: Position) -> TurnValues:
    """Return the expected points as fractions."""
    return exact_values_of(sheet_of(position))


@lru_cache
def exact_values_of(sheet: Sheet) -> TurnValues:
    unit = EXACT ** len(list(sheet.open_cells))
    values = solved(sheet)
    ends = [[Fraction(value, unit) for value in row] for row in values.stops]
    keeps = [[Fraction(value, unit) for value in row] for row in values.keeps]
    return TurnValues(Fraction(values.value, unit), ends, keeps)


class Optimal:
    """A player that plays the small sheet optimally."""

    def choose(self, position: Position) -> Action:
        assert isinstance(position, yamm.Position)
        turn = cast(Turn, position.turn)
        best = exact_values(position).best(turn.throws, Roll(turn.dice))
        if best.keep is not None:
            return yamm.KeepDice(best.keep)
        (sheet,) = position.written

        def worth(action: Action) -> Fraction:
            after = sheet.write(cast(yamm.Write, action).cell, Roll(turn.dice))
            return after.total + Fraction(_value(after), EXACT ** len(list(after.open_cells)))

        return max((action for action in position.actions if isinstance(action, yamm.Write)), key=worth)


# --- Luck -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_without_luck_an_optimal_player_always_reaches_the_optimum(seed: int) -> None:
    """Result = value of the start + Σ luck − Σ loss (FIGURES): exactly, and nothing is lost
    here."""
    played = play_game(SMALL.start(), [Optimal()], seeded(str(seed)), 99, exact_values)
    assert played.luck is not None
    assert sheet_of(played.position).total - played.luck[0] == exact_values(SMALL.start()).value


@dataclass
class Habit:
    """A player that keeps the highest `kept` dice twice and then takes the first cell."""

    kept: int

    def choose(self, position: Position) -> Action:
        turn = cast(Turn, position.turn)
        if turn.throws == 3:
            return cast(Action, next(action for action in position.actions if isinstance(action, yamm.Write)))
        keep = next(keep for keep in reversed(turn.keeps) if keep.count == self.kept)
        return yamm.KeepDice(keep)


@pytest.mark.slow
@pytest.mark.parametrize("values", [exact_values, None], ids=["solved", "anything"])
def test_the_mean_of_a_turns_luck_is_exactly_zero(values: Any) -> None:
    """The mean over all dice, for any way to play and any values of the ends of the turn."""
    start = SMALL.start()
    draw = Random(1)
    ends = [[Fraction(draw.randrange(-1000, 1000)) for _ in ROLLS] for _ in range(3)]
    turn = turn_values(ends) if values is None else values(start)
    luck = total = Fraction(0)
    for weight, script in every_throw(4):
        script_left = iter(script)
        _, gained = play_turn(start, Habit(4), lambda _, left=script_left: next(left), turn)  # type: ignore[misc]
        luck += weight * gained
        total += weight
    assert luck == 0
    assert total == 1


def every_throw(kept: int) -> Iterator[tuple[Fraction, tuple[Roll, ...]]]:
    """Yield all throws of a turn of `Habit(kept)` with their probabilities."""

    def following(shown: Roll) -> Iterator[tuple[Roll, Fraction]]:
        keep = next(keep for keep in reversed(shown.keeps) if keep.count == kept)
        return ((roll, Fraction(weight, 6 ** (5 - kept))) for roll, weight in keep.outcomes)

    for first, weight in NO_DICE.outcomes:
        for second, more in following(first):
            for third, most in following(second):
                yield Fraction(weight, 7776) * more * most, (first, second, third)


def test_luck_under_a_defi_is_measured_against_the_defi() -> None:
    """The luck of the next throw is measured against the value of the keep under the Défi."""
    position = games.from_id("yam-master").start()
    ends = [[float(roll.total) for roll in ROLLS]] * 3
    defi = [[float(roll.total * 2) for roll in ROLLS]] * 2
    values = turn_values(ends, defi)

    class Declares:
        def choose(self, position: Position) -> Action:
            turn = cast(Turn, position.turn)
            return yam_master.KeepDice(NO_DICE, True) if turn.throws == 1 else yam_master.Pass()

    rolls = iter([ROLLS[0], ROLLS[-1]])
    _, luck = play_turn(position, Declares(), lambda _: next(rolls), values)
    expected = values.best(1, ROLLS[0]).value - values.value
    expected += values.best(2, ROLLS[-1], declared=True).value - values.keep_value(1, NO_DICE, declared=True)
    assert luck == pytest.approx(expected)


# --- Dice -----------------------------------------------------------------------------------------


def test_dice_follow_from_turn_and_throw_alone() -> None:
    """The next turn begins with the same dice after any play. Kept dice take the first faces."""
    start = SMALL.start()
    dice = seeded("7")
    first = start.roll(dice(start))
    short = first.play("f1.6")
    long = first.play(f"k{first.turn.dice.faces[0]}")  # type: ignore[union-attr]
    long = long.roll(dice(long)).play("f1.6")
    assert dice(short) is dice(long)
    assert dice(start) is seeded("7")(start)
    assert len({seeded(str(seed))(start).text for seed in range(20)}) > 10


def test_dice_are_fair() -> None:
    """Each face of first throws over 6000 seeds, five dice each: 5000 ± 4 standard deviations."""
    start = SMALL.start()
    counts = [0] * 6
    for seed in range(6000):
        for face, count in enumerate(seeded(f"fair {seed}")(start).counts):
            counts[face] += count
    assert sum(counts) == 30000
    assert all(abs(count - 5000) < 4 * (30000 * 5 / 36) ** 0.5 for count in counts)


@dataclass
class Watched:
    """A player of a level that stores its actions."""

    level: str
    done: list[tuple[int, str]]

    def choose(self, position: Position) -> Action:
        action = create(self.level, "seed").choose(position)
        self.done.append((position.number, str(action)))
        return action


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("game", ["yam-master", "yamm"])
@pytest.mark.parametrize("level", LEVELS)
def test_no_level_foresees_dice(level: str, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In two games with equal dice up to turn 3, a level plays these turns in the same way."""
    monkeypatch.setattr("dicecup.players.yam_master.WORK", 5_000)

    def parting(seed: str) -> ThrowDice:
        return lambda position: seeded("same" if position.number <= 3 else seed)(position)

    done = []
    for seed in ("one", "other"):
        watched = Watched(level, [])
        play_game(games.from_id(game).start(), [watched, watched], parting(seed), 5)
        done.append(watched.done)
    until = [[action for number, action in actions if number <= 3] for actions in done]
    assert until[0] == until[1] != []
    assert done[0] != done[1]


# --- Ends -----------------------------------------------------------------------------------------


def test_a_game_is_stopped_after_the_cap() -> None:
    class Passes:
        def choose(self, position: Position) -> Action:
            assert not position.waiting
            return yam_master.Pass()

    played = play_game(games.from_id("yam-master").start(), [Passes(), Passes()], seeded("1"), 30)
    assert (played.turns, played.ending, played.luck) == (30, CAP, None)


def test_a_game_ends_by_the_rules() -> None:
    played = play_game(SMALL.start(), [RandomPlayer()], seeded("1"), 99)
    assert (played.turns, played.ending) == (2, "full")


def test_each_player_acts_in_its_own_turns() -> None:
    """In Yamm each writes on the sheet of its seat."""
    seats: dict[int, list[int]] = {0: [], 1: [], 2: []}

    @dataclass
    class Notes:
        seat: int

        def choose(self, position: Position) -> Action:
            seats[self.seat].append(position.number)
            assert position.player == self.seat
            return next(action for action in position.actions if isinstance(action, yamm.Write))

    play_game(games.from_id("yamm(players=3)").start(), [Notes(0), Notes(1), Notes(2)], seeded("1"), 7)
    assert seats == {0: [1, 4, 7], 1: [2, 5], 2: [3, 6]}
