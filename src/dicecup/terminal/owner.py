"""What the owner of a table on a server can type: free a seat, replace the links, close the table
to newcomers and open it again."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from dicecup.table.commands import Command, FreeSeat, RotateLinks, SetAdmission
from dicecup.table.errors import TableCode, TableError
from dicecup.terminal.console import Console
from dicecup.terminal.entry import Verb
from dicecup.terminal.errors import TerminalCode, TerminalError

VERBS: Final = (Verb.FREE_SEAT, Verb.NEW_LINKS, Verb.CLOSE, Verb.OPEN)
FREE_SEAT: Final = "free-seat "
"""Beginning of a permission to free a seat, before the number of the seat."""


def freeable(may: Collection[str]) -> list[int]:
    """Return the seats that a view lets the owner free. `may`: what it lists as allowed."""
    return [int(allowed.removeprefix(FREE_SEAT)) for allowed in may if allowed.startswith(FREE_SEAT)]


def show_help(console: Console, may: Collection[str]) -> None:
    """Print what the owner can type now. Nothing is printed for people who do not own the table."""
    if freeable(may):
        console.tell("help_owner_free")
    if "rotate-links" in may:
        console.tell("help_owner_links")


def command(verb: Verb, rest: str, view: Mapping[str, Any]) -> Command:
    """Return the command for a verb of `VERBS` and the text after it.

    Raises `TableError` (`not-the-owner`, `seat-kept`) and `TerminalError` (`not-a-choice`,
    `table-is-open`, `table-is-closed`).
    """
    if "rotate-links" not in view["may"]:
        raise TableError(TableCode.NOT_THE_OWNER)
    match verb:
        case Verb.FREE_SEAT:
            return FreeSeat(_seat(rest, view))
        case Verb.NEW_LINKS:
            return RotateLinks()
        case _:
            admits = verb is Verb.OPEN
            if view["admits"] is admits:
                raise TerminalError(TerminalCode.TABLE_IS_OPEN if admits else TerminalCode.TABLE_IS_CLOSED)
            return SetAdmission(admits)


def _seat(text: str, view: Mapping[str, Any]) -> int:
    """Return the seat of a name or number. Without a text it is the only seat that can be freed."""
    free = freeable(view["may"])
    if not text and len(free) == 1:
        return free[0]
    for seat in view["seats"]:
        if seat["name"] and text.casefold() in (seat["name"].casefold(), str(seat["seat"] + 1)):
            if seat["seat"] not in free:
                raise TableError(TableCode.SEAT_KEPT, text=seat["seat"])
            return int(seat["seat"])
    if not text and not free:
        raise TableError(TableCode.SEAT_KEPT, text=text)
    raise TerminalError(TerminalCode.NOT_A_CHOICE, text=text)
