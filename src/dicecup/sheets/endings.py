"""The end of a game in sentences."""

from collections.abc import Sequence

from dicecup.locale import Messages
from dicecup.record import Record, winners
from dicecup.sheets.words import isolated


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
