"""Views of positions and questions of the trainer, made and encoded in the processes of the
pool."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic_core import to_json as encoded

from dicecup import games, record
from dicecup.analysis import answers
from dicecup.analysis.theme import Theme
from dicecup.core.game import Position
from dicecup.table.assistance import refuse_help
from dicecup.table.shown import shown, shown_after
from dicecup.web.analysis_jobs import Checked


def show(game: str, position: str, after: str | None) -> bytes:
    """Return the view of a position, or of the position after an action in it. Raises
    `DicecupError`."""
    found = games.from_id(game).position(position)
    return encoded(shown(found if after is None else found.play(after)))


def turn(text: str, number: int) -> bytes:
    """Return the view of a game at the end of a turn of its record. Raises `TableError`
    (`no-such-turn`)."""
    return encoded(shown_after(record.read(text), number))


def question(game: str, seed: str, number: int, difficulty: int, theme: Theme | None) -> bytes:
    """Return a question of the trainer (`dicecup.analysis.questions`). Raises `DicecupError`."""
    return encoded(answers.question(game, seed, number, difficulty, theme))


def verdict(
    own: Sequence[Position],
    game: str,
    position: str,
    difficulty: int,
    played: str,
    before: tuple[int, bool] | None,
    *,
    lenient: bool,
) -> Checked:
    """Return the loss of a choice and the analysis of all choices.

    `lenient`: as in `answers.verdict`. `own` are the positions of the person's running games.
    Raises `DicecupError`: also for an illegal action, and `TableError` (`game-running`).
    """
    decision = games.from_id(game).position(position)
    asked = refuse_help(own, [decision])
    earlier = None if before is None else answers.EarlierAnswer(*before)
    found = answers.verdict(decision, difficulty, played, earlier, datetime.now(UTC), lenient=lenient)
    return Checked(encoded(found), asked)
