"""What the players of Yam Master give away a turn against exact values, over all dice of the turn.
The unit is the expected result (1 won, -1 lost); half of it is win probability.

First on small boards, with evaluations trained for them here, at every turn of games between greedy
players and between experts. Then on late positions of the full board with the shipped tables: the
first one with so many tokens placed in each of such games, where a closure over two captures or
more has no more states than the limit.

`expert` looks one exact turn ahead, `three turns` is the same evaluation looking further, `master`
on late positions is the player itself (small boards it would solve).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of
from dicecup.engine.yam_master.evaluation.match import Evaluate, States, by_greed, by_model
from dicecup.engine.yam_master.evaluation.model import new_model
from dicecup.engine.yam_master.evaluation.regret import regret
from dicecup.engine.yam_master.evaluation.search import deepen
from dicecup.engine.yam_master.evaluation.turns_kernel import advance, play_turns
from dicecup.engine.yam_master.exact.decision import turn_at
from dicecup.engine.yam_master.exact.solve import solve_board, solve_position
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import O_SUPPLY, X_SUPPLY, pack, unpack
from dicecup.engine.yam_master.training.self_play import SelfPlay
from dicecup.players.yam_master import WORK, evaluation, search
from dicecup.yam_master import Captured, Options, YamMaster, small_board

Slots: TypeAlias = NDArray[Any]
"""The values of the moves of a turn, (moves,)."""
Player: TypeAlias = Callable[[int], Slots]
"""A function from a state to the values of its moves by some player."""
Losses: TypeAlias = dict[str, list[float]]
"""By player, one for each turn."""

BOARDS: Final = (
    ("1 Full 6/Sec Yam Suite/2 <=8 Defi", 3),
    ("1 Full 6/Sec Yam Suite/2 <=8 Defi", 4),
    ("Carre 3 5/Full 1 Sec/4 Defi 6", 4),
)
STEPS: Final = 3000
"""Of training on a small board, 256 turns each."""
GAMES: Final = 100
"""On a small board, of each kind: between greedy players, and between experts."""
SEED: Final = 7
LONGEST: Final = 200
"""Turns that are looked at in a game."""

PLACED: Final = (22, 21, 20, 19, 18)
"""Tokens, of 24, in a late position."""
LATE: Final = 12
"""Late positions for each of these, of each kind of game."""
LATE_GAMES: Final = 256
"""Of which the first ones that come there are taken."""
LIMIT: Final = 400_000
"""States of a closure."""
CHANGE: Final = 1e-4
"""A closure is large enough when one capture more moves its value by less."""
FEWEST: Final = 2
"""Captures in a closure that is trusted where the next one would have too many states."""


def main() -> None:
    """Prints one line for each small board and each kind of late position, then all late positions
    together."""
    for layout, tokens in BOARDS:
        small(YamMaster(Options(), small_board(layout, tokens)))
    everything: Losses = defaultdict(list)
    for captured in Captured:
        for placed in PLACED:
            for name, losses in late(YamMaster(Options(captured=captured)), placed).items():
                everything[name] += losses
    tell("all late positions", everything)


def small(game: YamMaster) -> None:
    """All turns of games on a small board."""
    solution, training = solve_board(game), SelfPlay(game, new_model(game.board), SEED)
    for step in range(STEPS):
        training.step(step / STEPS)
    expert = by_model(training.model)
    states = [
        state for evaluate in (by_greed, expert) for _, running in turns_of(game, evaluate, GAMES) for state in running.tolist()
    ]
    exact = [(state, turn_at(solution.space, unpack(state, game))[0]) for state in states]
    losses = losses_of(game, players_of(game, expert), exact)
    tell(f"3 x 3, {game.board.figures[0]} …, {game.board.tokens} tokens", losses)


def late(game: YamMaster, placed: int) -> Losses:
    """Positions with so many tokens placed."""
    expert = evaluation(game)
    states = [state for evaluate in (by_greed, expert) for state in first_with(game, evaluate, placed)]
    solutions = [(state, *solution) for state in states if (solution := solved(game, state)) is not None]
    exact = [(state, moves) for state, moves, _ in solutions]
    master = {"master": lambda state: search(game, state, expert, WORK)}
    losses = losses_of(game, players_of(game, expert) | master, exact)
    tell(f"captured={game.options.captured}, {placed} placed, {len(exact)} of {len(states)} solved", losses)
    if solutions:
        print(f"  the last capture moved a value by {max(change for _, _, change in solutions):.0e} at most", flush=True)
    return losses


def players_of(game: YamMaster, expert: Evaluate) -> dict[str, Player]:
    """Those who play any board by an evaluation of it."""
    rules = rules_of(game)
    return {
        "greedy": lambda state: by_greed(rules, np.array([state], np.int64))[0],
        "expert": lambda state: expert(rules, np.array([state], np.int64))[0],
        "three turns": lambda state: deepen(rules, expert, state, deepest=3).values,
    }


def losses_of(game: YamMaster, players: dict[str, Player], exact: list[tuple[int, Slots]]) -> Losses:
    """What each player gives away in the turns that begin in these states."""
    rules = rules_of(game)
    return {name: [regret(rules, player(state), moves) for state, moves in exact] for name, player in players.items()}


def solved(game: YamMaster, state: int) -> tuple[Slots, float] | None:
    """The moves of a late position and how far the last capture moved its value; None where its
    closure is too large."""
    position = unpack(state, game)
    try:
        solution = solve_position(position, change=CHANGE, limit=LIMIT)
    except EngineError as error:
        if error.code is not EngineCode.TOO_MANY_STATES:
            raise
        return None
    return (turn_at(solution.space, position)[0], solution.last_change) if solution.captures >= FEWEST else None


def first_with(game: YamMaster, evaluate: Evaluate, placed: int) -> list[int]:
    """The first states with so many tokens placed, of the first games that come there."""
    found: dict[int, int] = {}
    for numbers, states in turns_of(game, evaluate, LATE_GAMES):
        supplies = (states >> X_SUPPLY & 15) + (states >> O_SUPPLY & 15)
        there = 2 * game.board.tokens - supplies == placed
        for number, state in zip(numbers[there].tolist(), states[there].tolist(), strict=True):
            found.setdefault(number, state)
    return [found[number] for number in sorted(found)[:LATE]]


def turns_of(game: YamMaster, evaluate: Evaluate, games: int) -> Iterator[tuple[NDArray[np.int64], States]]:
    """Games between two of a kind, turn by turn: which of them go on, and their states."""
    rules = rules_of(game)
    running, keys = np.arange(games), keys_of(SEED, np.arange(games))
    states = np.full(games, pack(game.start()), np.int64)
    for number in range(1, LONGEST):
        count = len(running)
        if not count:
            return
        yield running, states.copy()
        moves, endings, decisions = np.zeros((3, count), np.int64)
        worth, results = np.zeros((2, count), np.float32)
        numbers, temperatures = np.full(count, number), np.zeros(count)
        play_turns(rules, evaluate(rules, states), temperatures, keys[running], numbers, moves, worth, decisions)
        advance(rules, states, moves, results, endings)
        running, states = running[endings == 0], states[endings == 0]


def tell(what: str, losses: Losses) -> None:
    """A line, and one for each player: the mean of what it gives away, its 95 % interval, and the
    most."""
    print(f"{what}, {len(losses['expert'])} turns", flush=True)
    for name, lost in losses.items():
        if lost:
            mean, most = round(float(np.mean(lost)), 5) + 0, round(max(lost), 4) + 0
            half_width = 1.96 * np.std(lost) / len(lost) ** 0.5
            print(f"  {name:<12}{mean:>9.5f} ± {half_width:.5f}   at most {most:.4f}", flush=True)


if __name__ == "__main__":
    main()
