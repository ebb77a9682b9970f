"""The numbers of paths through a game, which any change of the rules would change.

A path is a sequence of plies, and a ply is one roll, action or correction. The files `*.perft`
hold, for a position and a list of rolls, the number of paths for each length. A throw shows the
rolls of the list that contain the kept dice. A path ends with the game, or where the list has no
possible roll; it then counts only for its own length.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from dicecup import games
from dicecup.core.dice import ROLLS, Roll, roll
from dicecup.core.game import Position, Rules
from dicecup.core.turn import BEGIN, KeptDice, Turn
from dicecup.yam_master import YamMaster
from dicecup.yam_master.figures import BIG_ROLLS, FIGURES, Figure
from dicecup.yamm import Yamm
from tests import strategies

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Perft:
    """The expected numbers of paths from one position."""

    game: Rules
    position: Position
    rolls: tuple[Roll, ...]
    counts: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        return f"{self.game.id} {self.position} {'all' if self.rolls is ROLLS else len(self.rolls)}"


def read(path: Path) -> Iterator[Perft]:
    """Yield the expected numbers of a file."""
    for block in path.read_text("ascii").split("\n\n"):
        words = [line.split(" ", 1) for line in block.splitlines() if not line.startswith("#")]
        (_, game_id), (_, text), (_, rolls), *counts = words
        game = games.from_id(game_id)
        listed = ROLLS if rolls == "all" else tuple(map(roll, rolls.split(" ")))
        yield Perft(game, game.position(text), listed, tuple((int(plies), int(paths)) for plies, paths in counts))


def paths(position: Position, plies: int, rolls: tuple[Roll, ...]) -> int:
    """Return the number of paths of this length. Equal positions are expanded once, and the last
    plies are only counted."""

    @cache
    def count(position: Position, plies: int) -> int:
        if position.waiting:
            possible = {shown for shown, _ in position.chances}
            shown_next = [shown for shown in rolls if shown in possible]
            if plies == 1:
                return len(shown_next)
            return sum(count(position.roll_unchecked(shown), plies - 1) for shown in shown_next)
        actions = list(strategies.choices(position))
        if plies == 1:
            return len(actions)
        return sum(count(position.play_unchecked(action), plies - 1) for action in actions)

    return count(position, plies)


@pytest.mark.parametrize("perft", [perft for path in sorted(FOLDER.glob("*.perft")) for perft in read(path)], ids=str)
def test_the_numbers_of_paths_are_those_of_the_file(perft: Perft) -> None:
    assert {plies: paths(perft.position, plies, perft.rolls) for plies, _ in perft.counts} == dict(perft.counts)


# The same counts by hand


def test_a_turn_has_its_counted_paths() -> None:
    """The figures of one turn: 252, 253 848, 271 704 300."""

    @cache
    def count(turn: Turn, throws: int) -> int:
        if turn.throws == throws:
            return 1
        if turn.waiting:
            return sum(count(turn.landing(shown, KeptDice.FREE), throws) for shown, _ in turn.dice.outcomes)
        return sum(count(turn.keeping(kept), throws) for kept in turn.keeps)

    assert [count(BEGIN, throws) for throws in (1, 2, 3)] == [252, 253_848, 271_704_300]


def keeps_of_all_rolls() -> int:
    """Return the number of pairs of a roll and a keep."""
    return sum(len(shown.keeps) for shown in ROLLS)


def test_the_first_two_plies_of_yam_master() -> None:
    """All rolls together have 4116 keeps, each with and without a Défi, and one pass for each roll.

    Every free square whose figure the roll holds adds a placement: two squares a figure, one for
    Yam.
    """
    start = YamMaster().start()
    held = [held | ({Figure.SEC} if shown in BIG_ROLLS else set()) for shown, held in FIGURES.items()]
    placements = sum(1 if figure is Figure.YAM else 2 for figures in held for figure in figures)
    assert keeps_of_all_rolls() == 4116
    assert paths(start, 2, ROLLS) == 2 * 4116 + 252 + placements == 9042


def test_the_first_two_plies_of_yamm() -> None:
    """All rolls together have 4116 keeps, and 39 cells are open: one in each of six ordered columns
    and eleven in each of three free columns.
    """
    assert paths(Yamm().start(), 2, ROLLS) == 4116 + 252 * (6 + 3 * 11) == 13_944
