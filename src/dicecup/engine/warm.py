"""Functions that call the kernels of the turn, of the sheets and of solved boards, so that they are
compiled or loaded. Importing the module imports neither NumPy nor Numba."""


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
