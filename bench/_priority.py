"""The priority of programs that take part in a benchmark and would run on other machines."""

import os


def yield_to_others() -> None:
    """Let this process and its children run only on a core that no other program wants.

    A process with the lowest `nice` value still delays one that wakes up beside it; one of Linux's
    class `SCHED_IDLE` does not.
    """
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
