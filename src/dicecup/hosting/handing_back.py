"""Handing a game back that went on on a device without the server (docs/decisions/0029)."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from dicecup.hosting.dice_secrets import earlier_secrets, secret_of
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.table_changes import ATTEMPTS
from dicecup.hosting.table_host import TableHost
from dicecup.table.errors import TableCode, TableError
from dicecup.table.handlers import Actor
from dicecup.table.handover import CheckedSection, HandedBack, hand_back
from dicecup.table.state import TableState
from dicecup.table.transition import Transition

Checker: TypeAlias = Callable[[TableState, HandedBack, frozenset[int]], Awaitable[CheckedSection]]
"""Calls `checked_section` in another process: a long section takes time."""


async def take_back(tables: TableHost, table: str, identity: str, back: HandedBack, checked: Checker) -> int:
    """Add what a device hands in to its table, once, and return the number of the last event.

    Raises `HostingError` (`no-such-table`, also where the identity does not sit), what
    `checked_section` and `hand_back` raise, and `StoreError`. Then nothing has changed, except
    possibly with `storage-down`.
    """
    host_key = tables.settings.host_key
    for _ in range(ATTEMPTS):
        state = await tables.cache.state_of(table)
        seats = state.seats_of(identity)
        if not seats:
            raise HostingError(HostingCode.NO_SUCH_TABLE)
        section = await checked(state, back, seats)
        if section.event is None and not section.resigned:
            return state.number

        def handler(current: TableState, now: float, section: CheckedSection = section) -> Transition:
            secret, earlier = secret_of(host_key, current), earlier_secrets(host_key, current)
            actor = Actor(identity, current.seats_of(identity))
            return hand_back(current, section, actor, now, secret, earlier)

        try:
            return await tables.changes.change(tables.cache.get(table), handler)
        except TableError as error:
            if error.code is not TableCode.MOVED_ON:
                raise  # else the section is compared with the newer state
    raise HostingError(HostingCode.BUSY)
