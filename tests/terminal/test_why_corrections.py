"""The sentence about a correction of Yamm."""

from typing import Final, cast

import pytest

from dicecup import record, yamm
from dicecup.analysis.review import review
from dicecup.analysis.reviewed import LossKind
from dicecup.analysis.why import why_moved
from dicecup.core.game import Action
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.console import Console
from dicecup.terminal.games.sheet import column_name
from dicecup.terminal.review import show_review
from dicecup.terminal.why import sentence_of
from tests.terminal.why_checks import assert_alike, shown

CORRECTED: Final = """[Game "yamm(players=1)"]
[Dice "table"]

1. 11266 k66 22666 f1.FH
1. > f2.6
2. 44444 f1.Y
"""


def test_a_correction_has_a_sentence_with_the_loss_of_its_review(capsys: pytest.CaptureFixture[str]) -> None:
    reviewed = review(record.read(CORRECTED))
    (moved,) = (each for turn in reviewed.turns for each in turn.decisions if each.kind is LossKind.CORRECTION)
    parts, worth = why_moved(moved, reviewed.unit)
    other = next(action for action in moved.values if str(action) == parts.values["other"])
    assert moved.values[other] == max(value for value in moved.values.values() if value != moved.values[moved.played])
    more = moved.values[moved.played] - moved.values[other]
    now = points_in(CORRECTED, moved.played) - points_in(CORRECTED, other)
    signs = ["more" if value > 0 else "fewer" for value in (now, more - now)]
    assert parts.code == f"now_{signs[0]}_later_{signs[1]}"
    assert_alike(parts.values, {"now": float(abs(now)), "later": abs(more - now), "other": str(other)})
    assert (worth.code, parts.good) == (("costs", False) if moved.loss else ("worth", True))
    assert_alike(worth.values, {"worth": abs(more), "unit": "points"})
    for language in LANGUAGES:
        messages = Messages(language)
        text = sentence_of(reviewed.game, moved.played, (parts, worth), messages)
        assert text is not None
        for action in (moved.played, other):
            column, _, row = str(action).rpartition(" ")[2].partition(".")
            assert messages("why_cell", row=row, column=column_name(column, messages)).lower() in text.lower()
        for name, value in {**parts.values, **worth.values}.items():
            assert name in ("other", "unit") or shown(name, value, worth.values, messages) in text
        assert moved in reviewed.worst
        show_review(Console(messages, colour=False), reviewed)
        assert flat(text) in flat(capsys.readouterr().out)


def points_in(text: str, correction: Action) -> int:
    """Return the total of a sheet on which the first turn wrote the cell of a correction."""
    head, _, written = text.partition(" f1.FH\n")
    assert written
    position = record.read(f"{head} {str(correction).rpartition(' ')[2]}\n").journal.position
    return cast(yamm.Position, position).written[0].total


def flat(text: str) -> str:
    """Return a text with single spaces, also where a line must not break."""
    return " ".join(text.split())
