"""How a game stands or ended, in sentences, and who won."""

from collections.abc import Sequence
from typing import Final

from dicecup import yam_master
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.sheets.words import isolated

SIDES: Final = "xo"


def winners(record: Record) -> tuple[int, ...] | None:
    """The places of the sides that won, all of those that share it, none of a draw; None while the game runs. What the tags say
    counts where people, a clock or a limit ended it."""
    position = record.journal.position
    if isinstance(position, yam_master.Position):
        if position.outcome is not None:
            return () if position.outcome.winner is None else (int(position.outcome.winner),)
        side = record.tags.get("Result", "").partition(" ")[0]
        return None if "End" not in record.tags else (SIDES.index(side),) if side in ("x", "o") else ()
    if position.outcome is not None:
        return position.outcome.winners
    return tuple(map(int, record.tags["Winners"].split(" "))) if "End" in record.tags else None


def ending(record: Record, sides: Sequence[str], messages: Messages) -> list[str]:
    """Why the game is over and who won; of a game that runs, how many turns it has had."""
    won = winners(record)
    if won is None:
        return [messages("print_turns_played", turns=record.journal.turns)]
    outcome = record.journal.position.outcome
    told = [messages(f"end_{record.tags['End'] if outcome is None else outcome.end}")]
    if len(sides) > 1:
        named = [isolated(sides[place]) for place in won]
        if not named:
            told.append(messages("end_draw"))
        elif len(named) == 1:
            told.append(messages("end_winner", name=named[0]))
        else:
            told.append(messages("end_shared", names=", ".join(named)))
    return told
