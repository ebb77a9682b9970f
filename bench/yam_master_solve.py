"""Cost of solving Yam Master exactly: a board with three tokens a side, and late positions.

The late positions are those of the full board. All cases are solved for both values of the option
`captured`. Each case runs in a process of its own, with compiled kernels. CPU seconds count all
threads.

`python -m bench.yam_master_solve CAPTURED POSITION` solves one position. Without arguments all
cases are solved one after the other.
"""

import resource
import subprocess
import sys
from time import process_time

from dicecup.engine.yam_master.exact.solve import Solution, solve_board, solve_position
from dicecup.yam_master import Captured, Options, YamMaster, small_board

BOARD = "board"
LAYOUT = "1 Full 6/Sec Yam Suite/2 <=8 Defi"
GAMES = 1_000_000
LATE = {
    22: ("oox1o/xoooo/1x1ox/xxoox/xxxxo x 0:????? 1-1 85", "oooxx/oxxoo/ox1ox/1xo1x/xxxoo o 0:????? 1-1 68"),
    21: ("oxoxx/oxxxx/1o1xo/1xo1o/xooxo o 0:????? 1-2 78", "oooxx/o1xoo/ox1ox/1xo1x/xxxoo x 0:????? 2-1 65"),
    20: ("xoxox/x1xox/1o1ox/xooxo/xx2o o 0:????? 1-3 46", "oxoox/oxxx1/ox1xx/1oo1o/ox1xo x 0:????? 2-2 45"),
}
"""Late positions by the number of placed tokens."""


def main(arguments: list[str]) -> None:
    """Solve the case of the arguments, or all cases."""
    if arguments:
        _case(*arguments)
        return
    for captured in Captured:
        _run(captured, BOARD)
    for placed, positions in LATE.items():
        for captured in Captured:
            for position in positions:
                print(f"{placed} placed, {position.split(' ')[0]}", end=" ", flush=True)
                _run(captured, position)


def _run(captured: str, case: str) -> None:
    """Solve a case in a new process."""
    subprocess.run([sys.executable, "-m", "bench.yam_master_solve", captured, case], check=True)


def _case(captured: str, case: str) -> None:
    """Solve `BOARD` or a position and print the cost; for `BOARD` also print a simulated mean."""
    options = Options(captured=Captured(captured))
    tiny = solve_board(YamMaster(options, small_board("1 Full/Suite Defi", 2)))
    tiny.play(1, seed=0)
    begin = process_time()
    if case != BOARD:
        late = solve_position(YamMaster(options).position(case))
        _print(captured, late, process_time() - begin, f"captures {late.captures}, last change {late.last_change:.1e}")
        return
    solved = solve_board(YamMaster(options, small_board(LAYOUT, 3)))
    _print(captured, solved, process_time() - begin, "")
    begin = process_time()
    played = solved.play(GAMES, seed=1)
    seconds = process_time() - begin
    print(
        f"  played {GAMES} times: {played.mean:.6f} ± {played.error:.6f}, {played.turns.mean():.1f} turns, {seconds:.1f} CPU s"
    )


def _print(captured: str, solved: Solution, seconds: float, more: str) -> None:
    """Print the value of a solution, its size, its CPU seconds and the peak memory."""
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"captured={captured}: {solved.value:.12f}, {solved.states} states, {seconds:.2f} CPU s,"
        f" {solved.seconds:.2f} s, peak {megabytes:.0f} MB {more}",
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
