"""Answers about odds, positions, records and questions as JSON values, for pages and programs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from dicecup import games, record
from dicecup.analysis.theme import Theme
from dicecup.core.errors import TextCode, TextError
from dicecup.core.game import Action, Position
from dicecup.record import Record
from dicecup.table.errors import TableCode, TableError
from dicecup.table.shown import shown

PLAYER: Final = "expert"
"""Level whose evaluation is used: the strongest one that answers at once."""


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """The answer to an earlier question, as far as the next difficulty depends on it."""

    difficulty: int
    right: bool


def odds(game: str, dice: str | None, throws_left: int | None, kept: str | None, declared: bool) -> Any:
    """Return what `dicecup odds --json` prints. Raises `DicecupError`."""
    from dicecup.analysis.odds_json import to_json
    from dicecup.engine.turn.odds import moment

    rules = games.from_id(game)
    return to_json(rules, moment(rules, dice=dice, throws_left=throws_left, kept=kept, declared=declared))


def analysis(position: Position, *, alone: bool = False) -> Any:
    """Return what `dicecup analyse POSITION --json` prints.

    With `alone` each sheet of Yamm is played by itself, for points. Raises `DicecupError`.
    """
    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import analyse_position

    return to_json(analyse_position(position, PLAYER, alone=alone), PLAYER)


def finished(text: str) -> Record:
    """Return the record of a finished game. Raises `RecordError`, and `TableError`
    (`game-not-over`)."""
    played = record.read(text)
    if "End" not in played.tags:
        raise TableError(TableCode.GAME_NOT_OVER)
    return played


def decided(played: Record) -> set[Position]:
    """Return the positions of a game in which its players decided."""
    from dicecup.analysis.steps import steps

    return {before for before, _, _ in steps(played) if not before.waiting}


def review(played: Record) -> Any:
    """Return what `dicecup analyse RECORD --json` prints for a finished game. Raises
    `DicecupError` if the game cannot be reviewed."""
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.review import review as reviewed
    from dicecup.analysis.review_json import to_json

    return to_json(reviewed(played, PLAYER, evaluation=by_tables(played.game, PLAYER, alone=True)))


def question(game: str, seed: str, number: int, difficulty: int, theme: Theme | None = None) -> dict[str, Any]:
    """Return a question of the trainer (`dicecup.analysis.questions`); one about a `theme` has any
    difficulty. Raises `DicecupError`."""
    from dicecup.analysis.questions import ask, ask_about, trained
    from dicecup.analysis.registry import by_tables

    rules = trained(games.from_id(game))
    evaluation = by_tables(rules, PLAYER)
    if theme is None:
        asked = ask(rules, evaluation, seed=seed, number=number, difficulty=difficulty)
    else:
        asked = ask_about(theme, rules, evaluation, seed=seed, number=number)
    looked_at = {group[0].action for group in asked.found.shown}
    choices = [str(action) for action in asked.position.actions if action in looked_at]
    return {"shown": shown(asked.position), "difficulty": asked.difficulty, "choices": choices}


def verdict(
    position: Position, difficulty: int, played: str, before: EarlierAnswer | None, now: datetime, *, lenient: bool = False
) -> dict[str, Any]:
    """Return the loss of a choice and the analysis of all choices.

    `before`: the answer to the question before this one. `lenient`: a small loss is right, too
    (`dicecup.analysis.mistakes.found.TOLERANCE`). Raises `DicecupError`, also for an illegal
    action.
    """
    from dicecup.analysis.decision_json import to_json
    from dicecup.analysis.decisions import analyse
    from dicecup.analysis.mistakes.found import is_right
    from dicecup.analysis.questions import TrainerQuestion
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.trainer import answered, next_difficulty

    found = analyse(position, by_tables(position.game, PLAYER, alone=True))
    answer = answered(TrainerQuestion(found, difficulty), _action(position, played), now)
    return {
        "right": is_right(answer.loss, answer.unit) if lenient else answer.right,
        "loss": answer.loss,
        "best": answer.best,
        "next_difficulty": next_difficulty((*(() if before is None else (before,)), answer)),
        "analysis": to_json(found, PLAYER),
    }


def _action(position: Position, text: str) -> Action:
    """Return the legal action of a text. Raises `TextError` and `ActionError`."""
    action = position.game.action(text)
    position.play(action)
    if action not in position.actions:
        raise TextError(TextCode.NOT_AN_ACTION, text=text)
    return action
