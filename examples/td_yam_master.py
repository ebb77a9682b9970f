"""Learn a small board of Yam Master by tabular TD, and compare it with its exact value.

    python examples/td_yam_master.py --board 3x3 --games 40000

The table holds a value for each after-state: a position between two turns, for the side to move
(1 won, 0 drawn, -1 lost). Two copies of the learner play each other. In a turn the learner looks at
the dice that can fall, because their odds are part of the rules, and at the values of the
after-states that can end the turn. With a small probability it makes another choice instead. Every
second game begins in a state that was met before ("exploring starts"): captures are rare, and a
state that is never visited would count as drawn.

After each turn the value of the state in which it began moves to a target, as in TD(0). The target
`expected` is the mean over all throws of the turn that was played, under the best choices. It has
no noise of the dice, so the learning rate is 1. The target `sampled` is the value of the
after-state that the turn led to. Then the rate falls with the number of visits, and turns with
another choice teach nothing. No value comes from outside; the exact solution is compared at the
end only.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import DICE, FACES, FIRST_ROLL, NO_DICE, ROLLS, Roll, five, from_faces
from dicecup.engine.turn.value import TurnValues
from dicecup.engine.yam_master.evaluation.decisions import turn_of
from dicecup.engine.yam_master.exact.solve import Solution, solve_board
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import action_of, move_of, pack, unpack
from dicecup.envs.options import SMALL_BOARDS, small_yam_master
from dicecup.yam_master import Action, KeepDice, Position, YamMaster
from dicecup.yam_master.held import FIRST_THROW, LATER_THROW, UNDER_DEFI

IMPOSSIBLE: Final = -2.0
"""The value of a move that the board does not allow, below every other value."""
MOST_TURNS: Final = 200
"""A game of self-play ends here; passing is always allowed."""


@dataclass
class Learner:
    """A table of values and the play by it. `exploring`: the probability of another choice."""

    game: YamMaster
    seed: int = 1
    exploring: float = 0.1
    sampled: bool = False
    values: dict[int, float] = field(default_factory=dict)
    """Packed after-state → value for the side to move. Others count as drawn."""

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self._rules = rules_of(self.game)
        self._visits: dict[int, int] = {}
        self._moves: dict[int, list[int | float | None]] = {}
        self._seen = {pack(self.game.start()): None}
        """The states that were met, also as the end of a turn that was not played."""
        self._starts: list[int] = []

    def learn(self, games: int) -> None:
        """Play games against itself, and learn after every turn."""
        for number in range(games):
            if number % 100 == 0:
                self._starts = list(self._seen)
            state: int | None = self._starts[0] if number % 2 == 0 else self.random.choice(self._starts)
            for _ in range(MOST_TURNS):
                if state is None:
                    break
                state = self._play_turn(state)

    def move_values(self, state: int) -> NDArray[np.float64]:
        """Return the value of each move (`rules.state`) for the side to move."""
        found = np.empty(2 * self._rules.squares + 1)
        for move, after in enumerate(self._after(state)):
            found[move] = IMPOSSIBLE if after is None else after if isinstance(after, float) else -self.values.get(after, 0.0)
        return found

    def choose(self, position: Position) -> Action:
        """Return the best action by the table: the learner as a player."""
        state, turn = pack(position), position.turn
        assert turn is not None
        moves = self.move_values(state)
        solved = turn_of(self._rules, moves)
        choice = solved.best(turn.throws, Roll(turn.dice), locked=turn.locked, declared=position.defi)
        if choice.keep is not None:
            return KeepDice(choice.keep, choice.declare)
        ends = [action for action in position.actions if not isinstance(action, KeepDice)]
        return max(ends, key=lambda action: moves[move_of(self.game, action)])

    def _play_turn(self, state: int) -> int | None:
        """Play a turn and learn from it. Return the next state, `None` after the end."""
        moves = self.move_values(state)
        solved = turn_of(self._rules, moves)
        move, explored = self._chosen_move(moves, solved)
        if not self.sampled:
            self.values[state] = solved.value
        elif not explored:
            visits = self._visits[state] = self._visits.get(state, 0) + 1
            old = self.values.get(state, 0.0)
            self.values[state] = old + (float(moves[move]) - old) / visits**0.8
        after = self._after(state)[move]
        return after if isinstance(after, int) else None

    def _chosen_move(self, moves: NDArray[np.float64], solved: TurnValues) -> tuple[int, bool]:
        """Throw the dice of a turn, and return the move that ends it and whether a choice was not
        the best one."""
        throws, declared, explored, locked, kept = 0, False, False, NO_DICE, NO_DICE
        while True:
            roll = five(from_faces([*kept.faces, *self.random.choices(FACES, k=DICE - kept.count)]))
            throws += 1
            explores = self.random.random() < self.exploring
            explored |= explores
            if explores:
                choice = self.random.choice(solved.choices(throws, roll, locked=locked, declared=declared))
            else:
                choice = solved.best(throws, roll, locked=locked, declared=declared)
            if choice.keep is None:
                break
            kept = choice.keep
            declared |= choice.declare
            locked = kept if throws == 2 and self._rules.locked else NO_DICE
        allowed = self._allowed(moves, roll, UNDER_DEFI if declared else FIRST_THROW if throws == 1 else LATER_THROW)
        most = max(moves[move] for move in allowed)
        best = [move for move in allowed if explores or moves[move] >= most]
        return self.random.choice(best), explored

    def _allowed(self, moves: NDArray[np.float64], roll: Roll, stage: int) -> list[int]:
        """Return the moves that these dice allow."""
        rules = self._rules
        held = rules.roll_class[stage, roll.index - FIRST_ROLL]
        found = list(rules.class_squares[rules.class_first[held] : rules.class_first[held + 1]])
        if rules.class_yam[held]:
            found += range(rules.squares, 2 * rules.squares)
        return [move for move in (*map(int, found), 2 * rules.squares) if moves[move] > IMPOSSIBLE]

    def _after(self, state: int) -> list[int | float | None]:
        """Return for each move the next state, or the result of a move that ends the game, or
        `None` for one that the board does not allow."""
        if state not in self._moves:
            before = unpack(state, self.game)
            self._moves[state] = [self._after_move(before, move) for move in range(2 * self._rules.squares + 1)]
            self._seen |= {after: None for after in self._moves[state] if isinstance(after, int)}
        return self._moves[state]

    def _after_move(self, before: Position, move: int) -> int | float | None:
        squares = self._rules.squares
        opposing = (before.o, before.x)[before.to_move]
        if move < 2 * squares and not (before.free >> move if move < squares else opposing >> (move - squares)) & 1:
            return None
        after = before.roll_unchecked(ROLLS[0]).play_unchecked(action_of(self.game, move))
        if after.turn is not None:
            return pack(after)
        assert after.outcome is not None
        return 0.0 if after.outcome.winner is None else 1.0 if after.outcome.winner is before.to_move else -1.0


def errors(learner: Learner, solution: Solution) -> tuple[float, float, float]:
    """Return the error of the start, and the mean and the largest error of all learned states."""
    found = [abs(value - solution.value_of(unpack(state, learner.game))) for state, value in learner.values.items()]
    start = learner.values[pack(learner.game.start())]
    return start - solution.value, sum(found) / len(found), max(found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, print the way there, and compare with the exact solution."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="3x3", choices=SMALL_BOARDS)
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--target", default="expected", choices=("expected", "sampled"))
    parser.add_argument("--exploring", type=float, default=0.1, help="probability of a random choice")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    game = small_yam_master(given.board)
    learner = Learner(game, given.seed, given.exploring, given.target == "sampled")
    start, begun = pack(game.start()), time.process_time()
    for part in range(1, 11):
        learner.learn(given.games // 10)
        print(
            f"{part * (given.games // 10)} games, {time.process_time() - begun:.0f} CPU s: "
            f"{len(learner.values)} states, value of the start {learner.values.get(start, 0.0):+.6f}",
            flush=True,
        )
    solution = solve_board(game)
    at_start, mean, most = errors(learner, solution)
    print(f"exact value {solution.value:+.6f} ({solution.states} states); error at the start {at_start:+.6f}")
    print(f"learned states: mean error {mean:.6f}, largest {most:.6f}")


if __name__ == "__main__":
    main()
