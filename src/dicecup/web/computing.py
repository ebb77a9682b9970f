"""Analyses that the pool's processes make: odds, any position, the review of a game that is over. Plain values in and out."""

from typing import Any

from dicecup import games, record
from dicecup.table.errors import TableCode, TableError

PLAYER = "expert"
"""Whose evaluation it is: the strongest that answers at once."""


def odds(game: str, dice: str | None, throws_left: int | None, kept: str | None, defi: bool) -> dict[str, Any]:
    """Aim → its exact probability, for the rows of Yamm with the best mean points: as `dicecup odds --json`. Raises `DicecupError`."""
    from dicecup.analysis.odds_json import to_json
    from dicecup.engine.turn.odds import moment

    rules = games.from_id(game)
    return to_json(rules, moment(rules, dice=dice, throws_left=throws_left, kept=kept, declared=defi))


def analysis(game: str, position: str, alone: bool = False) -> dict[str, Any]:
    """Everything that may be done here, with its value and the reasons: as `dicecup analyse --json`. `alone`: each sheet of Yamm for
    itself, in points. Raises `DicecupError`."""
    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import analyse_position

    return to_json(analyse_position(games.from_id(game).position(position), PLAYER, alone=alone), PLAYER)


def review(text: str) -> dict[str, Any]:
    """Losses and luck of a game that is over: as `dicecup analyse RECORD --json`. Raises `RecordError`, `TableError`
    (`game-not-over`) and what cannot be reviewed."""
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.review import review as reviewed
    from dicecup.analysis.review_json import to_json

    played = record.read(text)
    if "End" not in played.tags:
        raise TableError(TableCode.GAME_NOT_OVER)
    return to_json(reviewed(played, PLAYER, evaluation=by_tables(played.game, PLAYER, alone=True)))
