"""Analyses that run in the processes of the pool. Arguments and results are plain values."""

from typing import Any

from dicecup import games, record
from dicecup.table.errors import TableCode, TableError

PLAYER = "expert"
"""Level whose evaluation is used: the strongest one that answers at once."""


def odds(game: str, dice: str | None, throws_left: int | None, kept: str | None, defi: bool) -> dict[str, Any]:
    """Return what `dicecup odds --json` prints. Raises `DicecupError`."""
    from dicecup.analysis.odds_json import to_json
    from dicecup.engine.turn.odds import moment

    rules = games.from_id(game)
    return to_json(rules, moment(rules, dice=dice, throws_left=throws_left, kept=kept, declared=defi))


def analysis(game: str, position: str, alone: bool = False) -> dict[str, Any]:
    """Return what `dicecup analyse POSITION --json` prints.

    With `alone` each sheet of Yamm is played by itself, for points. Raises `DicecupError`.
    """
    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import analyse_position

    return to_json(analyse_position(games.from_id(game).position(position), PLAYER, alone=alone), PLAYER)


def review(text: str) -> dict[str, Any]:
    """Return what `dicecup analyse RECORD --json` prints for a finished game.

    Raises `RecordError`, `TableError` (`game-not-over`), and `DicecupError` if the game cannot be
    reviewed.
    """
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.review import review as reviewed
    from dicecup.analysis.review_json import to_json

    played = record.read(text)
    if "End" not in played.tags:
        raise TableError(TableCode.GAME_NOT_OVER)
    return to_json(reviewed(played, PLAYER, evaluation=by_tables(played.game, PLAYER, alone=True)))
