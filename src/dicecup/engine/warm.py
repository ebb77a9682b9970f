"""Functions that call the kernels of the turn, of sheets, of solved boards and of batches, so that
they are compiled or loaded. Importing the module imports neither NumPy nor Numba."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dicecup.engine.yamm.evaluation.value import Evaluation


def warm_turn() -> None:
    """Solve one turn."""
    from dicecup.core.dice import ROLLS
    from dicecup.engine.turn import batch

    zeros = [[0.0] * len(ROLLS)] * 3
    batch.turn_values(zeros, zeros[1:])


def warm_turns() -> None:
    """Solve many turns in double and in single precision."""
    import numpy as np

    from dicecup.core.dice import ROLLS
    from dicecup.engine.turn import batch

    ends = np.zeros((5, len(ROLLS), 1))
    for stages in (ends, ends.astype(np.float32)):
        batch.expectations(stages)


def warm_sheets() -> None:
    """Solve a sheet, ask for a decision, and play one game by the solution."""
    from dicecup.core.dice import ROLLS
    from dicecup.engine.sheets import solver
    from dicecup.engine.sheets.columns import yamm_sheet

    solved = solver.solve(yamm_sheet("d1"))
    solved.cell(solved.start, ROLLS[0])
    solved.play(1, 0)


def warm_boards(*, games: int = 0) -> None:
    """Solve a board of Yam Master, and play some games by the solution."""
    from dicecup.engine.yam_master.exact.solve import solve_board
    from dicecup.yam_master import Options, YamMaster, small_board

    solved = solve_board(YamMaster(Options(), small_board("1 Full/Suite Defi", 2)))
    if games:
        solved.play(games, 0)


def warm_batches(evaluation: "Evaluation") -> None:
    """Play a step in a batch of each game, and measure the luck of a sheet's dice."""
    import numpy as np

    from dicecup.core.dice import FIRST_ROLL
    from dicecup.engine.stepping.mask_kernel import draw
    from dicecup.engine.yam_master.rules.arrays import rules_of
    from dicecup.engine.yam_master.rules.state import pack
    from dicecup.engine.yam_master.stepping import games, step_kernel
    from dicecup.engine.yamm.evaluation.play_kernel import workspace
    from dicecup.engine.yamm.evaluation.turn_kernel import COUNT
    from dicecup.engine.yamm.stepping import games as sheets
    from dicecup.engine.yamm.stepping import luck_kernel
    from dicecup.engine.yamm.stepping import step_kernel as sheet_steps
    from dicecup.yam_master import YamMaster
    from dicecup.yamm import Yamm

    one, actions = np.ones(1, np.bool_), np.zeros(1, np.int64)
    sheet = sheets.sheet_of(Yamm.from_id("yamm(players=1)"))
    states, answers = sheets.new_games(sheet, 1), sheets.new_answers(1, sheet.size, sheet.actions)
    sheet_steps.begin(sheet, states, one, 1, answers)
    draw(answers.masks, 1, 0, actions)
    sheet_steps.step(sheet, states, actions, 1, answers)
    singles = [np.zeros(shape, np.float32) for shape in (1, (1, 2 * FIRST_ROLL), (1, 2 * COUNT), 1, 1)]
    turns, margins, luck = luck_kernel.Turns(*singles[:3]), singles[3], singles[4]
    luck_kernel.measure(sheet, evaluation, states, actions, one, margins, turns, luck, workspace(1))
    game = YamMaster()
    rules = rules_of(game)
    boards, seen = games.new_games(game, 1), games.new_answers(rules, 1)
    step_kernel.begin(rules, pack(game.start()), boards, one, 1, seen)
    step_kernel.step(rules, boards, actions, 1, 1, seen)
