"""What a computer at a table has to do, and the command that its answer becomes."""

from typing import NamedTuple

from dicecup.table.commands import Act, Command, Throw
from dicecup.table.pending import PendingKind
from dicecup.table.state import TableState


class ComputerTask(NamedTuple):
    """What the computer on `seat` has to do: let the player of its `level` choose (`asks_player`),
    then act or throw."""

    seat: int
    level: str
    asks_player: bool


def next_task(state: TableState) -> ComputerTask | None:
    """Return what a computer has to do now, `None` if the table waits for people alone.

    Before a throw makes the last result of a computer final, its player may correct the result,
    also while people throw real dice for the computer.
    """
    if len(state.people) == len(state.seats):
        return None
    kind, seats = state.pending.kind, state.pending.seats
    if kind is PendingKind.ACTION and waits_for_computer(state):
        return ComputerTask(seats[0], state.seats[seats[0]].level, asks_player=True)
    if kind not in (PendingKind.THROW, PendingKind.DICE):
        return None
    corrector = state.corrector
    if corrector is not None and (level := state.seats[corrector].level):
        return ComputerTask(corrector, level, asks_player=True)
    return ComputerTask(seats[0], state.seats[seats[0]].level, asks_player=False) if waits_for_computer(state) else None


def waits_for_computer(state: TableState) -> bool:
    """Return whether the table waits for an action or a throw of a computer."""
    kind, seats = state.pending.kind, state.pending.seats
    return kind in (PendingKind.ACTION, PendingKind.THROW) and bool(state.seats[seats[0]].level)


def seconds_to_wait(state: TableState, now: float) -> float:
    """Return how long computers still wait because a person may take an action back."""
    return 0.0 if state.last_entry is None else max(0.0, state.last_entry.held_until - now)


def command_for(state: TableState, task: ComputerTask, answer: str | None) -> Command | None:
    """Return the command of a computer after the `answer` of its player.

    `None`: the computer makes no correction, and people throw the real dice.
    """
    if answer is not None:
        return Act(answer, seat=task.seat)
    if state.pending.kind is PendingKind.THROW and waits_for_computer(state):
        return Throw(seat=state.pending.seats[0])
    return None
