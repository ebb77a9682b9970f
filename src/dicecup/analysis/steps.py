"""The steps of a record: every throw, action and correction with the positions before and after
it."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from dicecup.core.game import Action, Position
from dicecup.core.source import VOID_THROW, Throw, throw_from_text
from dicecup.record import Record
from dicecup.record.journal import split_notes

CORRECTS: Final = "> "
"""The text between the number of a turn and the action of a correction."""
StepAction: TypeAlias = Throw | Action | None
"""A throw, an action, or `None` for a void throw."""


class Step(NamedTuple):
    """A step from one position to the next."""

    before: Position
    done: StepAction
    after: Position


def steps(record: Record) -> Iterator[Step]:
    """Yield all steps in their order. Actions are not checked again: reading the record checked
    them."""
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
    """Return the step of one word of a line, or of a correction, which is several words."""
    if word == VOID_THROW:
        return Step(position, None, position)
    if position.waiting and CORRECTS not in word:
        throw = throw_from_text(word)
        return Step(position, throw, position.roll_unchecked(throw.roll, throw.locked))
    action = position.game.action(word)
    return Step(position, action, position.play_unchecked(action))
