"""The secrets of the dice of a server's tables. They follow from the host key; no database holds
them."""

from secrets import token_hex
from typing import Final

from dicecup.table import fairness
from dicecup.table.duplicate import event_secret
from dicecup.table.handlers import renew_commitment
from dicecup.table.setup import Setup
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

SALT_BYTES: Final = 16


def secret_of(host_key: bytes, state: TableState) -> bytes:
    """Return the secret from which the dice of a table follow."""
    return new_secret(host_key, state.table, state.setup, state.commitment.salt)


def new_secret(host_key: bytes, table: str, setup: Setup, salt: str = "") -> bytes:
    """Return the secret from which the dice of a table with this setup follow: its own, or that of
    its duplicate event."""
    if setup.duplicate is not None:
        return event_secret(host_key, setup.duplicate.event)
    return fairness.secret_of(host_key, table, salt)


def earlier_secrets(host_key: bytes, state: TableState) -> tuple[bytes, ...]:
    """Return a secret for each ended commitment: the one that it has if it began on this server."""
    return tuple(fairness.secret_of(host_key, state.table, held.salt) for held in state.earlier)


def with_new_commitment(host_key: bytes, state: TableState, now: float) -> Transition:
    """Return the change of a table to a commitment that was never used; see `renew_commitment`."""
    salt = token_hex(SALT_BYTES)
    return renew_commitment(state, now, fairness.secret_of(host_key, state.table, salt), salt)
