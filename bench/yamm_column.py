"""Cost of solving sheets with few columns of Yamm: optimum, states and CPU seconds.

The time covers everything from the rules to the table of values. The last sheet, an ordered and a
free column, takes 1 GB and about a minute.
"""

import time

from dicecup.engine import warm
from dicecup.engine.sheets import solver
from dicecup.engine.sheets.columns import yamm_sheet

COLUMNS = ("d1", "u1", "f1", "d1,d2", "d1,u1", "u1,u2", "d1,d2,d3", "d1,d2,u1", "d1,u1,u2", "u1,u2,u3", "d1,f1")
LIMIT = 2**27


def main() -> None:
    """Print one line for each set of columns."""
    warm.warm_sheets()
    print(f"{'columns':<10}{'states':>12}{'optimum':>20}{'CPU s':>9}{'ns/state':>12}")
    for columns in COLUMNS:
        before = time.process_time()
        solved = solver.solve(yamm_sheet(columns), limit=LIMIT)
        took = time.process_time() - before
        print(
            f"{columns:<10}{solved.states:>12}{solved.value:>20.9f}{took:>9.3f}{took / solved.states * 1e9:>12.0f}", flush=True
        )


if __name__ == "__main__":
    main()
