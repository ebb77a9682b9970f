"""Computers of a server's tables: the action that a player chooses, and the handler of its command.

A player gets the position and nothing else: no dice source, and no secret from which dice follow.
"""

import hmac

from dicecup import games
from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.host_key import derived_key
from dicecup.hosting.table_changes import Handler
from dicecup.players.decision import decide
from dicecup.table.commands import Command
from dicecup.table.handlers import Actor, handle
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


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


def seed_for(host_key: bytes, state: TableState) -> str:
    """Return the seed of the player that is to choose at a table.

    At the tables of a duplicate event it follows from the position, so that entrants in the same
    position meet the same answer.
    """
    if state.setup.duplicate is not None:
        return event_seed(secret_of(host_key, state), str(state.position))
    return player_seed(host_key, state.table, state.number)


def event_seed(secret: bytes, position: str) -> str:
    """Return the seed of players at the tables of a duplicate event with this secret. No dice
    follow from it."""
    return hmac.digest(secret, f"computer\n{position}".encode(), "sha256").hex()


def choose(game: str, position: str, level: str, seed: str) -> str | None:
    """Return the decision of a player as text, in a process of its own. Raises `TablesError`."""
    action = decide(games.from_id(game).position(position), level, seed)
    return None if action is None else str(action)
