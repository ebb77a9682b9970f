"""Analyses that run in the processes of the pool. Arguments and results are plain values; answers
are encoded there, so that the event loop of the server only passes them on."""

import gzip
from collections.abc import Sequence
from typing import Final, NamedTuple

from pydantic_core import to_json as encoded

from dicecup import games
from dicecup.analysis import answers
from dicecup.core.game import Position
from dicecup.table.assistance import Fingerprints, refuse_help
from dicecup.web.refusals import WebCode, WebError

LARGEST_REVIEW: Final = 4 * 2**20
"""Bytes of the largest review that is sent. Compressed, the longest record that fits into a request
has a review of half of it."""
LEVEL: Final = 3
"""Level of the compression. Higher levels take twice the time and save a tenth."""


class Checked(NamedTuple):
    """An encoded answer, and the positions that it is about. It may be sent if nobody plays
    them."""

    answer: bytes
    asked: Fingerprints


def odds(game: str, dice: str | None, throws_left: int | None, kept: str | None, defi: bool) -> bytes:
    """Return what `dicecup odds --json` prints. Raises `DicecupError`."""
    return encoded(answers.odds(game, dice, throws_left, kept, defi))


def analysis(own: Sequence[Position], game: str, position: str, alone: bool = False) -> Checked:
    """Return what `dicecup analyse POSITION --json` prints.

    With `alone` each sheet of Yamm is played by itself, for points. `own` are the positions of the
    person's running games. Raises `DicecupError`, also `TableError` (`game-running`).
    """
    found = games.from_id(game).position(position)
    asked = refuse_help(own, [found])
    return Checked(encoded(answers.analysis(found, alone=alone)), asked)


def review(own: Sequence[Position], text: str, *, compressed: bool) -> Checked:
    """Return what `dicecup analyse RECORD --json` prints for a finished game, `compressed` with
    gzip if the client accepts it.

    Raises `RecordError`; `TableError`: `game-not-over`, and `game-running` if a position of the
    record belongs to one of the person's running games: a player could add an end to the record of
    their own game, or replay its position at another table; `WebError` (`too-large`); and
    `DicecupError` if the game cannot be reviewed.
    """
    played = answers.finished(text)
    asked = refuse_help(own, answers.decided(played))
    found = encoded(answers.review(played))
    answer = gzip.compress(found, LEVEL) if compressed else found
    if len(answer) > LARGEST_REVIEW:
        raise WebError(WebCode.TOO_LARGE, limit=LARGEST_REVIEW)
    return Checked(answer, asked)
