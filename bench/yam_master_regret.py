"""Mean loss per turn of the players of Yam Master against exact values, over all dice of a turn.

The unit is the expected result (1 won, -1 lost); half of it is win probability.

The first measurements are on small boards, with evaluations that this module trains: every turn of
games between greedy players and between experts. The second measurements are on late positions of
the full board with the shipped tables. A late position is the first one of a game with a given
number of placed tokens. A position counts if it can be solved within `LIMIT` states over `FEWEST`
captures or more.

`expert` looks one exact turn ahead. `three turns` looks three turns ahead with the same evaluation.
`master` is the player of that name; it is measured on late positions only, because it solves small
boards.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.yam_master.evaluation.dice_kernel import keys_of
from dicecup.engine.yam_master.evaluation.match import Evaluate, States, by_greed, by_model
from dicecup.engine.yam_master.evaluation.model import new_model
from dicecup.engine.yam_master.evaluation.regret import regret
from dicecup.engine.yam_master.evaluation.search import deepen
from dicecup.engine.yam_master.evaluation.turns_kernel import advance, play_turns, workspace
from dicecup.engine.yam_master.exact.decision import turn_at
from dicecup.engine.yam_master.exact.solve import solve_board, solve_position
from dicecup.engine.yam_master.rules.arrays import rules_of
from dicecup.engine.yam_master.rules.state import O_SUPPLY, X_SUPPLY, pack, unpack
from dicecup.engine.yam_master.training.self_play import SelfPlay
from dicecup.players.yam_master import WORK, evaluation, search
from dicecup.yam_master import Captured, Options, YamMaster, small_board

MoveValues: TypeAlias = NDArray[np.float32] | NDArray[np.float64]
"""The values of the moves of a turn, shape (moves,)."""
Player: TypeAlias = Callable[[int], MoveValues]
"""A function from a packed state to the values of its moves."""
Losses: TypeAlias = dict[str, list[float]]
"""Losses by player, one for each turn."""

BOARDS: Final = (
    ("1 Full 6/Sec Yam Suite/2 <=8 Defi", 3),
    ("1 Full 6/Sec Yam Suite/2 <=8 Defi", 4),
    ("Carre 3 5/Full 1 Sec/4 Defi 6", 4),
)
STEPS: Final = 3000
"""Training steps on a small board, 256 turns each."""
GAMES: Final = 100
"""Games on a small board: as many between greedy players as between experts."""
SEED: Final = 7
LONGEST: Final = 200
"""Number of turns after which a game is left."""

PLACED: Final = (22, 21, 20, 19, 18)
"""Numbers of placed tokens, of 24, in a late position."""
LATE: Final = 12
"""Late positions for each number of tokens, from games of greedy players and of experts each."""
LATE_GAMES: Final = 256
"""Games that are played to find late positions."""
LIMIT: Final = 400_000
"""Largest number of states in the closure of a late position."""
CHANGE: Final = 1e-4
"""A closure is large enough if one more capture changes its value by less."""
FEWEST: Final = 2
"""Fewest captures of a closure that is used although the next one would exceed `LIMIT`."""


def main() -> None:
    """Print the losses for each small board, each kind of late position, and all late positions."""
    for layout, tokens in BOARDS:
        measure_small(YamMaster(Options(), small_board(layout, tokens)))
    everything: Losses = defaultdict(list)
    for captured in Captured:
        for placed in PLACED:
            for name, losses in measure_late(YamMaster(Options(captured=captured)), placed).items():
                everything[name] += losses
    print_losses("all late positions", everything)


def measure_small(game: YamMaster) -> None:
    """Solve a small board, train an evaluation for it and print the losses in games on it."""
    solution, training = solve_board(game), SelfPlay(game, new_model(game.board), SEED)
    for step in range(STEPS):
        training.step(step / STEPS)
    expert = by_model(training.model)
    states = [
        state for evaluate in (by_greed, expert) for _, running in turns_of(game, evaluate, GAMES) for state in running.tolist()
    ]
    exact = [(state, turn_at(solution.space, unpack(state, game))[0]) for state in states]
    losses = losses_of(game, players_of(game, expert), exact)
    print_losses(f"3 x 3, {game.board.figures[0]} …, {game.board.tokens} tokens", losses)


def measure_late(game: YamMaster, placed: int) -> Losses:
    """Print and return the losses in positions with `placed` tokens on the board."""
    expert = evaluation(game)
    states = [state for evaluate in (by_greed, expert) for state in first_with(game, evaluate, placed)]
    solutions = [(state, *solution) for state in states if (solution := solved(game, state)) is not None]
    exact = [(state, moves) for state, moves, _ in solutions]
    master = {"master": lambda state: search(game, state, expert, WORK)}
    losses = losses_of(game, players_of(game, expert) | master, exact)
    print_losses(f"captured={game.options.captured}, {placed} placed, {len(exact)} of {len(states)} solved", losses)
    if solutions:
        print(f"  the last capture changed a value by {max(change for _, _, change in solutions):.0e} at most", flush=True)
    return losses


def players_of(game: YamMaster, expert: Evaluate) -> dict[str, Player]:
    """Return the players that need no more than an evaluation, by name."""
    rules = rules_of(game)
    return {
        "greedy": lambda state: by_greed(rules, np.array([state], np.int64))[0],
        "expert": lambda state: expert(rules, np.array([state], np.int64))[0],
        "three turns": lambda state: deepen(rules, expert, state, deepest=3).values,
    }


def losses_of(game: YamMaster, players: dict[str, Player], exact: Sequence[tuple[int, MoveValues]]) -> Losses:
    """Return the loss of each player in the turns of pairs (state, exact values of its moves)."""
    rules = rules_of(game)
    return {name: [regret(rules, player(state), moves) for state, moves in exact] for name, player in players.items()}


def solved(game: YamMaster, state: int) -> tuple[MoveValues, float] | None:
    """Return the exact move values of a late position, and how much the last capture changed them.

    Returns None if the closure of the position is too large.
    """
    position = unpack(state, game)
    try:
        solution = solve_position(position, change=CHANGE, limit=LIMIT)
    except EngineError as error:
        if error.code is not EngineCode.TOO_MANY_STATES:
            raise
        return None
    return (turn_at(solution.space, position)[0], solution.last_change) if solution.captures >= FEWEST else None


def first_with(game: YamMaster, evaluate: Evaluate, placed: int) -> list[int]:
    """Return the first state with `placed` tokens of each of the first games that reach one.

    At most `LATE` states are returned.
    """
    found: dict[int, int] = {}
    for numbers, states in turns_of(game, evaluate, LATE_GAMES):
        supplies = (states >> X_SUPPLY & 15) + (states >> O_SUPPLY & 15)
        there = 2 * game.board.tokens - supplies == placed
        for number, state in zip(numbers[there].tolist(), states[there].tolist(), strict=True):
            found.setdefault(number, state)
    return [found[number] for number in sorted(found)[:LATE]]


def turns_of(game: YamMaster, evaluate: Evaluate, games: int) -> Iterator[tuple[NDArray[np.int64], States]]:
    """Play games of one player against itself.

    Yields before each turn the numbers of the running games and their packed states.
    """
    rules = rules_of(game)
    arrays = workspace(len(rules.class_yam))
    running, keys = np.arange(games), keys_of(SEED, np.arange(games))
    states = np.full(games, pack(game.start()), np.int64)
    for number in range(1, LONGEST):
        count = len(running)
        if not count:
            return
        yield running, states.copy()
        moves, endings, decisions = np.zeros((3, count), np.int64)
        expected, results = np.zeros((2, count), np.float32)
        numbers, temperatures = np.full(count, number), np.zeros(count)
        values = evaluate(rules, states)
        play_turns(rules, values, temperatures, keys[running], numbers, moves, expected, decisions, arrays)
        advance(rules, states, moves, results, endings)
        running, states = running[endings == 0], states[endings == 0]


def print_losses(title: str, losses: Losses) -> None:
    """Print a title and for each player the mean loss, its 95 % interval and the largest loss."""
    print(f"{title}, {len(losses['expert'])} turns", flush=True)
    for name, lost in losses.items():
        if lost:
            mean, most = round(float(np.mean(lost)), 5) + 0, round(max(lost), 4) + 0
            half_width = 1.96 * np.std(lost) / len(lost) ** 0.5
            print(f"  {name:<12}{mean:>9.5f} ± {half_width:.5f}   at most {most:.4f}", flush=True)


if __name__ == "__main__":
    main()
