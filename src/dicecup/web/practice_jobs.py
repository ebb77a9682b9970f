"""Views of positions and questions of the trainer, made and encoded in the processes of the
pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json as encoded

from dicecup import games
from dicecup.core.errors import TextCode, TextError
from dicecup.core.game import Action, Position
from dicecup.table.assistance import refuse_help
from dicecup.web.analysis_jobs import PLAYER, Checked


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """The answer to an earlier question, as far as the next difficulty depends on it."""

    difficulty: int
    right: bool


def show(game: str, position: str, after: str | None) -> bytes:
    """Return the view of a position, or of the position after an action in it. Raises
    `DicecupError`."""
    found = games.from_id(game).position(position)
    return encoded(shown(found if after is None else found.play(after)))


def shown(position: Position) -> dict[str, Any]:
    """Return the message `Shown` of a position. Seats are numbered in the order of play."""
    from dicecup.table.game_views import game_view, turn_view

    view, order = game_view(position.game), range(position.game.players)
    drawing = view.drawing(position, order)
    decides = position.turn is not None and not position.waiting
    return {
        "game": position.game.id,
        "position": str(position),
        "turn": turn_view(position, order, position.player),
        "board": drawing.get("board"),
        "sheets": drawing.get("sheets"),
        "actions": [{"action": str(action), "effect": effect} for action, effect in view.effects(position)] if decides else [],
    }


def question(game: str, seed: str, number: int, difficulty: int) -> bytes:
    """Return a question of the trainer (`dicecup.analysis.questions`). Raises `DicecupError`."""
    from dicecup.analysis.questions import ask, trained
    from dicecup.analysis.registry import by_tables

    rules = trained(games.from_id(game))
    asked = ask(rules, by_tables(rules, PLAYER), seed=seed, number=number, difficulty=difficulty)
    looked_at = {group[0].action for group in asked.found.shown}
    choices = [str(action) for action in asked.position.actions if action in looked_at]
    return encoded({"shown": shown(asked.position), "difficulty": asked.difficulty, "choices": choices})


def verdict(
    own: Sequence[Position], game: str, position: str, difficulty: int, played: str, before: tuple[int, bool] | None
) -> Checked:
    """Return the loss of a choice and the analysis of all choices.

    `own` are the positions of the person's running games. Raises `DicecupError`: also for an
    illegal action, and `TableError` (`game-running`).
    """
    from datetime import UTC, datetime

    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import analyse
    from dicecup.analysis.questions import TrainerQuestion
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.trainer import answered, next_difficulty

    rules = games.from_id(game)
    decision = rules.position(position)
    asked = refuse_help(own, [decision])
    found = analyse(decision, by_tables(rules, PLAYER, alone=True))
    action = _action(decision, played)
    answer = answered(TrainerQuestion(found, difficulty), action, datetime.now(UTC))
    earlier = () if before is None else (EarlierAnswer(*before),)
    message = {
        "right": answer.right,
        "loss": answer.loss,
        "best": answer.best,
        "next_difficulty": next_difficulty((*earlier, answer)),
        "analysis": to_json(found, PLAYER),
    }
    return Checked(encoded(message), asked)


def _action(position: Position, text: str) -> Action:
    """Return the legal action of a text. Raises `TextError` and `ActionError`."""
    action = position.game.action(text)
    position.play(action)
    if action not in position.actions:
        raise TextError(TextCode.NOT_AN_ACTION, text=text)
    return action
