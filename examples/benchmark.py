"""Play the tasks of the benchmark table in docs/environments.md, and write the table.

    python -m examples.benchmark                      measure what is missing
    python -m examples.benchmark --task d1 --again    measure one task anew
    python -m examples.benchmark --player ppo         one player, in all tasks

Each cell is saved in examples/benchmark.json when it was measured, so the run can be stopped and
resumed. Cells whose packages are missing are left out: the group `baselines` has those of PPO, the
extra `envs` has OpenSpiel.
"""

import argparse
import importlib.util
import json
import re
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypedDict

import numpy as np

from dicecup.arena.match import match
from dicecup.arena.runner import Runner
from dicecup.arena.statistics import estimate
from dicecup.core.game import Action, Position, Rules
from dicecup.engine.sheets.columns import yamm_sheet
from dicecup.engine.sheets.solver import solve_once
from dicecup.engine.yam_master.exact.solve import Solution, solve_board
from dicecup.engine.yamm.evaluation.decisions import ONE_TURN
from dicecup.engine.yamm.evaluation.deepening import MASTER
from dicecup.engine.yamm.evaluation.play_kernel import YAMMS_AT
from dicecup.engine.yamm.evaluation.simulate import play as play_sheets
from dicecup.engine.yamm.evaluation.turn_kernel import LANES
from dicecup.engine.yamm.stepping.games import Sheet, sheet_of
from dicecup.envs.gymnasium import GameEnv, YamMasterEnv, YammEnv
from dicecup.envs.options import ALL_COLUMNS, small_yam_master, yamm_encoding
from dicecup.envs.process import Situation, ordered_throws, throw_at
from dicecup.players import LEVELS, create
from dicecup.players.yamm import TEMPERATURES, table
from dicecup.yamm import SHEET
from dicecup.yamm.score import FIRST_THROW_YAMM
from examples.td_yam_master import Learner

HERE: Final = Path(__file__).parent
FILE: Final = HERE / "benchmark.json"
PAGE: Final = HERE.parent / "docs" / "environments.md"
MARKED: Final = re.compile(r"(?<=<!-- benchmark -->\n).*?(?=<!-- end -->)", re.DOTALL)

FULL_SHEET: Final = "Yamm"
SHEETS: Final = {"d1": "d1", "f1": "f1", "d1,u1": "d1,u1", "d1,d2,u1": "d1,d2,u1", FULL_SHEET: ALL_COLUMNS}
"""Task → columns of a sheet that is played alone for points."""
BOARDS: Final = ("2x2", "3x3")
"""Tasks: small boards of Yam Master. The player has x, and o plays perfectly."""
REAL_BOARD: Final = "Yam Master"
"""Task: the real board against `greedy`, in both seats on equal dice."""
TASKS: Final = ("d1", "f1", "d1,u1", "d1,d2,u1", *BOARDS, FULL_SHEET, REAL_BOARD)
TITLES: Final = {task: f"Yamm `{task}`" for task in SHEETS} | {
    **{board: f"Yam Master {board}" for board in BOARDS},
    FULL_SHEET: "Yamm, nine columns",
    REAL_BOARD: "Yam Master against `greedy`",
}
MCTS, PPO, TD, EXACT = "mcts", "ppo", "td", "exact"
PLAYERS: Final = (*LEVELS, MCTS, PPO, TD, EXACT)
NAMES: Final = {MCTS: "OpenSpiel’s MCTS", PPO: "MaskablePPO", TD: "tabular TD", EXACT: "**exact optimum**"}
NEEDED: Final = {MCTS: "pyspiel", PPO: "sb3_contrib"}
"""Player → the module that it needs."""

SEED: Final = 1
GAMES: Final = {"random": 1000, "greedy": 1000}
"""The games of a cell; those of other players are `MANY`."""
SEARCHED: Final = {"d1": 60, "f1": 60, "d1,u1": 20, "d1,d2,u1": 10, "2x2": 40, "3x3": 40, "Yamm": 4, "Yam Master": 8}
"""The games of OpenSpiel's MCTS."""
MANY: Final = 4000
FEW: Final = 200
"""The games of `greedy` with nine columns, and of `master` on the real board."""
CAP: Final = 1000
"""The turns after which a game of Yam Master counts as drawn."""
SIMULATIONS: Final = 50
"""The simulations of OpenSpiel's MCTS bot for each decision."""
POINTS, RESULTS = 50.0, 2.0
"""Its exploration: the constant of UCT, in the unit of the returns."""
MINUTES: Final = {"d1": 2.0, "f1": 2.0, "d1,u1": 2.0, "d1,d2,u1": 10.0, "Yamm": 10.0}
"""CPU minutes of training of MaskablePPO."""
SELF_PLAY: Final = {"2x2": 4_000, "3x3": 40_000}
"""Games of self-play of the tabular TD."""


class Cell(TypedDict):
    """A measured value: its mean, half of its 95 % interval (`None`: calculated), and what was
    played."""

    mean: float
    half: float | None
    games: int
    seed: int
    seconds: float
    """CPU time of the training and the games."""


class Found(NamedTuple):
    """The mean of some games and half of its 95 % interval (`None`: calculated)."""

    mean: float
    half: float | None = None
    games: int = 0


class Chooser(Protocol):
    """A player of `dicecup.players`, or one that is made here."""

    def choose(self, position: Any) -> Any:
        """Return one of `position.actions`."""


# --- One game, by the rules -----------------------------------------------------------------------


def played(game: Rules, players: Sequence[Chooser], dice: Random) -> Position:
    """Return the last position of a game."""
    position = game.start()
    while position.turn is not None and position.number <= CAP:
        if position.waiting:
            position = position.roll_unchecked(throw_at(position.chances, dice.randrange(ordered_throws(position))))
        else:
            assert position.player is not None
            position = position.play(players[position.player].choose(position))
    return position


def result(position: Position, player: int) -> float:
    """Return 1, 0 or -1."""
    winners = () if position.outcome is None else position.outcome.winners
    return 0.0 if not winners else 1.0 if player in winners else -1.0


class Perfect:
    """The player of a solved board."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution

    def choose(self, position: Any) -> Action:
        """Return the best action."""
        return self._solution.decision(position).best


@cache
def solved(board: str) -> Solution:
    """Return the solution of a small board."""
    return solve_board(small_yam_master(board))


class Searching:
    """OpenSpiel's MCTS bot with random rollouts. `exploration`: the constant of UCT, in the unit of
    the returns."""

    def __init__(self, name: str, exploration: float, simulations: int = SIMULATIONS) -> None:
        import pyspiel
        from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

        import dicecup.envs.openspiel

        self._adapter = pyspiel.load_game(name)
        assert isinstance(self._adapter, dicecup.envs.openspiel.DicecupGame)
        self.game: Rules = self._adapter.encoding.game
        random = np.random.RandomState(SEED)
        rollouts = RandomRolloutEvaluator(1, random)
        self._bot = MCTSBot(self._adapter, exploration, simulations, rollouts, random_state=random)

    def choose(self, position: Any) -> Any:
        """Return the action that was searched most."""
        state = self._adapter.new_initial_state()
        state.situation = Situation(position)
        return self._adapter.encoding.action(state.situation, self._bot.step(state))


# --- Cells ----------------------------------------------------------------------------------------


def sheet_cell(task: str, player: str) -> Found | None:
    """Return the points of a sheet, `None` for a cell that stays empty.

    Where the dice are measured, their luck is subtracted, which leaves the mean as it is.
    """
    columns = SHEETS[task]
    game = yamm_encoding(columns, players=1).game
    if player == EXACT:
        return Found(solve_once(yamm_sheet(columns)).value) if task != FULL_SHEET else None
    if player == PPO:
        return trained(task)
    if player == MCTS:
        bot = Searching(f"dicecup_yamm(columns={columns.replace(',', '+')},players=1)", POINTS)
        return found(without_luck(YammEnv(columns, reward="luck-adjusted"), bot, SEARCHED[task]))
    if player in ("random", "greedy"):
        return found(alone(game, create(player, str(SEED)), FEW if (task, player) == (FULL_SHEET, "greedy") else GAMES[player]))
    return found(by_tables(sheet_of(game), player, GAMES.get(player, MANY))) if player in LEVELS else None


def alone(game: Rules, player: Chooser, games: int) -> list[float]:
    """Return the points of a player alone."""
    return [float(played(game, (player,), Random(f"{SEED}|{number}")).scores[0]) for number in range(games)]


def without_luck(env: GameEnv, player: Chooser, games: int) -> list[float]:
    """Return the returns of episodes with the reward `luck-adjusted`."""
    returns = []
    for number in range(games):
        env.reset(seed=SEED + number)
        total, over = 0.0, False
        while not over:
            action = env.encoding.index(player.choose(env.position))
            _, reward, terminated, truncated, _ = env.step(action)
            total, over = total + float(reward), terminated or truncated
        returns.append(total)
    return returns


def by_tables(sheet: Sheet, level: str, games: int) -> list[float]:
    """Return the points of games of a trained level, without their luck.

    The level values the columns that the sheet does not have as full.
    """
    totals: list[float] = []
    margins = (MASTER if level == "master" else ONE_TURN).margins
    for first in range(0, games, LANES):
        nodes = np.tile(sheet.start, (LANES, 1))
        block = play_sheets(table().evaluation, SEED, first, nodes, sheet.cells, margins, TEMPERATURES.get(level, 0.0))
        points = block.scores[:, : len(SHEET.columns)].sum(axis=1) + FIRST_THROW_YAMM * block.scores[:, YAMMS_AT]
        totals += (points - block.luck.sum(axis=0, dtype=np.float64)).tolist()
    return totals[:games]


def trained(task: str) -> Found:
    """Return the points of MaskablePPO."""
    from examples.train_ppo import EVALUATED, evaluate, train

    model = train(SHEETS[task], MINUTES[task], SEED)
    return Found(*evaluate(model, SHEETS[task], EVALUATED, SEED + 1))


def board_cell(task: str, player: str) -> Found | None:
    """Return the result of x on a small board against the perfect o, `None` for an empty cell."""
    game = small_yam_master(task)
    if player == EXACT:
        return Found(solved(task).value)
    one: Chooser
    if player == TD:
        one = Learner(game, SEED)
        one.learn(SELF_PLAY[task])
    elif player == MCTS:
        one = Searching(f"dicecup_yam_master_{task}", RESULTS)
    elif player in ("random", "greedy"):
        one = create(player, str(SEED))
    else:
        return None
    games = SEARCHED[task] if player == MCTS else GAMES.get(player, MANY)
    players = (one, Perfect(solved(task)))
    return found([result(played(game, players, Random(f"{SEED}|{number}")), 0) for number in range(games)])


def real_board_cell(player: str) -> Found | None:
    """Return the result against `greedy` on the real board, `None` for an empty cell."""
    if player == MCTS:
        env = YamMasterEnv("greedy", reward="luck-adjusted", max_turns=CAP)
        return found(without_luck(env, Searching("dicecup_yam_master", RESULTS), SEARCHED[REAL_BOARD]))
    if player not in LEVELS:
        return None
    games = FEW if player == "master" else GAMES.get(player, MANY)
    summary = match("yam-master", (player, "greedy"), games_wanted=games, seed=str(SEED), runner=Runner(workers=1), cap=CAP)
    assert summary is not None
    low, high = summary["ci95"]
    return Found(2 * summary["score"] - 1, high - low, games)


def found(values: Sequence[float]) -> Found:
    """Return the mean of some games with its interval."""
    mean, _, interval = estimate(values)
    assert interval is not None
    return Found(mean, interval[1] - mean, len(values))


def cell(task: str, player: str) -> Cell | None:
    """Measure a cell, `None` for one that stays empty."""
    begun = time.process_time()
    if task in SHEETS:
        measured = sheet_cell(task, player)
    elif task in BOARDS:
        measured = board_cell(task, player)
    else:
        measured = real_board_cell(player)
    if measured is None:
        return None
    mean, half, games = measured
    return {"mean": mean, "half": half, "games": games, "seed": SEED, "seconds": round(time.process_time() - begun, 1)}


# --- The table ------------------------------------------------------------------------------------

Cells = dict[str, dict[str, Cell]]
"""Task → player → cell."""


def saved() -> Cells:
    """Return the cells that were measured."""
    found: Cells = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return found


def shown(task: str, player: str, cells: Cells) -> str:
    """Return the text of a cell: the mean and its interval, or why it is empty."""
    measured = cells.get(task, {}).get(player)
    if measured is None:
        return why_empty(task, player)
    digits = 1 if task in SHEETS else 3
    mean, half = measured["mean"], measured["half"]
    if half is None:
        return f"**{mean:.{digits + 2}f}**"
    if task in SHEETS and half < 0.5 / 10**digits:
        digits += 1
    return f"{mean:.{digits}f} ± {half:.{digits}f}".replace("-", "−")


def why_empty(task: str, player: str) -> str:
    """Return why a cell is empty."""
    if player == EXACT and task not in BOARDS:
        return "unknown"
    if task in BOARDS and player in LEVELS:
        return "no tables"
    if player == TD or (player == PPO and task not in SHEETS):
        return "other game"
    return "not run"


def rows(cells: Cells) -> str:
    """Return the table, one row for each player."""
    head = f"| | {' | '.join(TITLES[task] for task in TASKS)} |"
    lines = [
        f"| {NAMES.get(player, f'`{player}`')} | {' | '.join(shown(task, player, cells) for task in TASKS)} |"
        for player in PLAYERS
    ]
    return "\n".join([head, "|---" * (len(TASKS) + 1) + "|", *lines]) + "\n"


def page(text: str, cells: Cells) -> str:
    """Return the text of docs/environments.md with the table of these cells."""
    return MARKED.sub(lambda _: rows(cells), text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the cells that are missing, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", action="append", choices=TASKS, help="default: all")
    parser.add_argument("--player", action="append", choices=PLAYERS, help="default: all")
    parser.add_argument("--again", action="store_true", help="measure cells that were measured before, too")
    given = parser.parse_args(arguments)
    cells = saved()
    for task in given.task or TASKS:
        for player in given.player or PLAYERS:
            if player in cells.get(task, {}) and not given.again:
                continue
            if player in NEEDED and importlib.util.find_spec(NEEDED[player]) is None:
                print(f"{task}, {player}: {NEEDED[player]} is not installed")
                continue
            if measured := cell(task, player):
                cells = saved()  # another run may have measured others meanwhile
                cells.setdefault(task, {})[player] = measured
                FILE.write_text(json.dumps(cells, indent=1) + "\n", "utf-8")
                print(f"{task}, {player}: {shown(task, player, cells)} ({measured['seconds']} s)", flush=True)
    PAGE.write_text(page(PAGE.read_text("utf-8"), saved()), "utf-8")


if __name__ == "__main__":
    main()
