"""A record step by step: every throw, action and correction with the positions before and after it."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from dicecup.core.game import Action, Position
from dicecup.core.source import VOID_THROW, Throw, throw_from_text
from dicecup.record import Record
from dicecup.record.journal import split_notes

CORRECTS: Final = "> "
"""What follows the turn's number where a line moves a result."""
Done: TypeAlias = Throw | Action | None
"""A throw (`None`: it was void) or an action."""


class Step(NamedTuple):
    """What led from one position to the next."""

    before: Position
    done: Done
    after: Position


def steps(record: Record) -> Iterator[Step]:
    """All steps in their order. The record was checked when it was read, so nothing is checked again."""
    journal = record.journal
    position: Any = record.beginning
    for line in (*journal.lines, f"{journal.position.number}. {' '.join(journal.words)}"):
        text = split_notes(line)[0]
        words = text.partition(". ")[2]
        for word in [text] if words.startswith(CORRECTS) else words.split():
            step = _step(position, word)
            yield step
            position = step.after
    assert position == journal.position


def _step(position: Any, word: str) -> Step:
    """One word of a line, or a whole correction."""
    if word == VOID_THROW:
        return Step(position, None, position)
    if position.waiting and CORRECTS not in word:
        throw = throw_from_text(word)
        return Step(position, throw, position.roll_unchecked(throw.roll, throw.locked))
    action = position.game.action(word)
    return Step(position, action, position.play_unchecked(action))
