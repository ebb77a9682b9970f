"""The end of a game in sentences, and its winners."""

from collections.abc import Sequence

from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.sheets.words import isolated


def winners(record: Record) -> tuple[int, ...] | None:
    """Return the sides that win or share the win, empty for a draw, `None` while the game runs.

    Where the rules did not end the game, the tags name the winners: `Winners`, or the first word of
    `Result`."""
    position = record.journal.position
    if position.outcome is not None:
        return position.outcome.winners
    if "End" not in record.tags:
        return None
    if "Winners" in record.tags:
        return tuple(map(int, record.tags["Winners"].split(" ")))
    named = _first_word(record.tags["Result"])
    sides = range(record.game.sides)
    return tuple(side for side in sides if _first_word(record.game.result(position, (side,))) == named)


def ending(record: Record, sides: Sequence[str], messages: Messages) -> list[str]:
    """Return sentences about the end of a game, or the number of turns of a game that runs.

    `sides`: the names of the sides."""
    won = winners(record)
    if won is None:
        return [messages("print_turns_played", turns=record.journal.turns)]
    outcome = record.journal.position.outcome
    sentences = [messages(f"end_{record.tags['End'] if outcome is None else outcome.end}")]
    if len(sides) > 1:
        names = [isolated(sides[side]) for side in won]
        if not names:
            sentences.append(messages("end_draw"))
        elif len(names) == 1:
            sentences.append(messages("end_winner", name=names[0]))
        else:
            sentences.append(messages("end_shared", names=", ".join(names)))
    return sentences


def _first_word(text: str) -> str:
    return text.partition(" ")[0]
