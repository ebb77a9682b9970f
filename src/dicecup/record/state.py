"""The object that `dicecup replay --json` prints."""

from typing import Any

from dicecup.record.record import Record


def state(record: Record) -> dict[str, Any]:
    """Return the state in which a record ends, as plain values. The keys are in the order of
    docs/notation.md.
    """
    position = record.journal.position
    head = {"game": record.game.id, "position": position.to_text(), "turns": record.journal.turns}
    return head | record.game.state(position)
