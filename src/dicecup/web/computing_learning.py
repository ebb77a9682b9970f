"""What the pages to learn on need of the pool's processes: positions to be drawn, questions, verdicts. Plain values in and out."""

from dataclasses import dataclass
from typing import Any, cast

from dicecup import games
from dicecup.core.errors import TextCode, TextError
from dicecup.core.game import Action, Position
from dicecup.web.computing import PLAYER


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, as far as the next question depends on it."""

    difficulty: int
    right: bool


def show(game: str, position: str, after: str | None) -> dict[str, Any]:
    """A position, or the one after an action in it, as the view of a table has it. Raises `DicecupError`."""
    stands = games.from_id(game).position(position)
    return shown(stands if after is None else cast(Any, stands).play(after))


def shown(position: Position) -> dict[str, Any]:
    """The game, the turn, the board or the sheets, and what may be done with its effects. Seats are those of the order of play."""
    from dicecup.table.game_views import game_view, turn_view

    view, order = game_view(position.game), range(position.game.players)
    laid = view.laid(position, order)
    decides = position.turn is not None and not position.waiting
    return {
        "game": position.game.id,
        "position": str(position),
        "turn": turn_view(position, order, position.player),
        "board": laid.get("board"),
        "sheets": laid.get("sheets"),
        "actions": [{"action": str(action), "effect": effect} for action, effect in view.effects(position)] if decides else [],
    }


def question(game: str, seed: str, number: int, difficulty: int) -> dict[str, Any]:
    """A decision of a game that is played for it (`dicecup.analysis.questions`). Raises `DicecupError`."""
    from dicecup.analysis.questions import ask, trained
    from dicecup.analysis.registry import by_tables

    rules = trained(games.from_id(game))
    asked = ask(rules, by_tables(rules, PLAYER), seed=seed, number=number, difficulty=difficulty)
    looked_at = {group[0].action for group in asked.found.shown}
    choices = [str(action) for action in asked.position.actions if action in looked_at]
    return {"shown": shown(asked.position), "difficulty": asked.difficulty, "choices": choices}


def verdict(game: str, position: str, difficulty: int, played: str, before: tuple[int, bool] | None) -> dict[str, Any]:
    """What a choice was worth, and why. Raises `DicecupError`, for what cannot be done there too."""
    from datetime import UTC, datetime

    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import analyse
    from dicecup.analysis.questions import TrainerQuestion
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.trainer import answered, next_difficulty

    rules = games.from_id(game)
    stands = rules.position(position)
    found = analyse(stands, by_tables(rules, PLAYER, alone=True))
    action = _action(stands, played)
    answer = answered(TrainerQuestion(found, difficulty), action, datetime.now(UTC))
    earlier = () if before is None else (Given(*before),)
    return {
        "right": answer.right,
        "loss": answer.loss,
        "best": answer.best,
        "next_difficulty": next_difficulty((*earlier, answer)),
        "analysis": to_json(found, PLAYER),
    }


def _action(position: Position, text: str) -> Action:
    """Raises `TextError`, and `ActionError` as `play` does."""
    action = position.game.action(text)
    cast(Any, position).play(action)
    if action not in position.actions:
        raise TextError(TextCode.NOT_AN_ACTION, text=text)
    return action
