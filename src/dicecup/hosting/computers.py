"""Computers at a table: what a computer has to do, and the action that its player chooses.

A player gets the position and nothing else: no dice source, and no secret from which dice follow.
"""

import hmac
from typing import Any, NamedTuple, cast

from dicecup import games
from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.digest import waits_for_computer
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.table_changes import Handler
from dicecup.players import Corrects, create
from dicecup.table.commands import Act, Command, Throw
from dicecup.table.handlers import Actor, handle
from dicecup.table.pending import PendingKind
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


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
    kind, seats = state.pending.kind, state.pending.seats
    if kind is PendingKind.ACTION and waits_for_computer(state):
        return ComputerTask(seats[0], state.seats[seats[0]].level, asks_player=True)
    if kind not in (PendingKind.THROW, PendingKind.DICE):
        return None
    corrector = state.corrector
    if corrector is not None and (level := state.seats[corrector].level):
        return ComputerTask(corrector, level, asks_player=True)
    return ComputerTask(seats[0], state.seats[seats[0]].level, asks_player=False) if waits_for_computer(state) else None


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


def handler(seat: int, command: Command, host_key: bytes) -> Handler:
    """Return the handler of a computer's command."""
    actor = Actor(None, frozenset({seat}))

    def run(state: TableState, now: float) -> Transition:
        secret, earlier = secret_of(host_key, state), earlier_secrets(host_key, state)
        return handle(state, actor, command, now, secret, {}, earlier=earlier)

    return run


def player_seed(host_key: bytes, table: str, number: int) -> str:
    """Return the seed of players that choose by chance. It is the same in every worker, and no dice
    follow from it."""
    return hmac.digest(derived_key(host_key, "players"), f"{table} {number}".encode(), "sha256").hex()


def choose(game: str, position: str, level: str, seed: str) -> str | None:
    """Return the action of a player, in a process of its own.

    While dice are in the air this is the correction of the result that the throw makes final, or
    `None`. Raises `TablesError`.
    """
    found = games.from_id(game).position(position)
    player = create(level, seed)
    if not found.waiting:
        return str(player.choose(found))
    if found.player is None or not isinstance(player, Corrects):
        return None
    # Only games with corrections have players that correct.
    correction = player.correct(cast(Any, found), found.game.side_of_player(found.player))
    return None if correction is None else str(correction)
