"""Questions of the trainer: decisions from games between levels of different strength.

A question is the harder, the smaller the loss of the second best choice is. No question is asked
where this loss is within the error of the evaluation.

>>> from dicecup import games
>>> from dicecup.analysis.questions import ask
>>> from dicecup.analysis.registry import by_tables
>>> game = games.from_id("yam-master")
>>> question = ask(game, by_tables(game), seed="example", number=1, difficulty=2)
>>> question.difficulty, question.found.forced
(2, False)
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from math import inf, log
from random import Random
from typing import Final, NamedTuple, cast

from dicecup import players
from dicecup.analysis.decisions import DecisionAnalysis, analyse
from dicecup.analysis.errors import AnalysisCode, AnalysisError
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.grade import SAME, SENSIBLE
from dicecup.analysis.mistakes.themes import theme_of
from dicecup.analysis.registry import analysis_of
from dicecup.analysis.theme import Theme
from dicecup.core.game import Action, Position, Rules
from dicecup.core.source import SeededSource
from dicecup.core.turn import Turn

LEVELS: Final = ("greedy", "novice", "casual", "club", "expert")
"""The levels of the players of the games."""
DIFFICULTIES: Final = 5
"""The number of difficulties; 1 is the easiest. From each to the next the loss falls by the same
factor."""
ERROR: Final = {Unit.POINTS: 1.5, Unit.CHANCE: 0.005}
"""Unit → the error of the loss of the second best choice.

In 19 of 20 decisions the error is smaller (`python -m bench.trainer_error`).
"""


class TrainerQuestion(NamedTuple):
    """A decision with its analysis, and its difficulty from 1 to `DIFFICULTIES`."""

    found: DecisionAnalysis
    difficulty: int

    @property
    def position(self) -> Position:
        """Return the position of the decision."""
        return self.found.position


def trained(game: Rules) -> Rules:
    """Return the game in which questions are asked. In Yamm it has one player, who plays for
    points.

    Raises `GameError` (`option-value`) for a Yamm of more than two players, and `AnalysisError`
    (`no-evaluation`)."""
    return analysis_of(game).practice_game(game)


def ask(game: Rules, evaluation: Evaluation, *, seed: str, number: int, difficulty: int) -> TrainerQuestion:
    """Return a question. It depends on the arguments alone.

    `number`: the number of the question in the series of `seed`. Raises `TablesError`."""
    for again in count():
        chance = Random(f"{seed} {number} {difficulty} {again}")
        fitting = [
            position
            for position in decisions(game, chance)
            if difficulty_of(evaluation.values(position).values(), evaluation.unit) == difficulty
        ]
        if fitting:
            return TrainerQuestion(analyse(chance.choice(fitting), evaluation), difficulty)
    raise AssertionError  # `count` never ends


def themes(game: Rules) -> tuple[Theme, ...]:
    """Return the themes that questions of a game are asked about: all but corrections, which no
    position offers. Raises `AnalysisError` (`no-evaluation`)."""
    return tuple(theme for theme in analysis_of(game).themes if theme is not Theme.CORRECTION)


def ask_about(theme: Theme, game: Rules, evaluation: Evaluation, *, seed: str, number: int) -> TrainerQuestion:
    """Return a question about a theme, of any difficulty. It depends on the arguments alone.

    The theme is what the choice between the best and the second best action is about. Raises
    `AnalysisError` (`no-such-theme`) for a theme that no question of the game has, and
    `TablesError`."""
    if theme not in themes(game):
        raise AnalysisError(AnalysisCode.NO_SUCH_THEME, game=game.id, theme=str(theme))
    for again in count():
        chance = Random(f"{seed} {number} {theme} {again}")
        candidates = [position for position in decisions(game, chance) if _may_be_about(position, theme)]
        chance.shuffle(candidates)
        for position in candidates:
            values = evaluation.values(position)
            difficulty = difficulty_of(values.values(), evaluation.unit)
            if difficulty is not None and _theme(position, values) is theme:
                return TrainerQuestion(analyse(position, evaluation), difficulty)
    raise AssertionError  # `count` never ends


def _may_be_about(position: Position, theme: Theme) -> bool:
    """Return whether the throw of a position fits a theme, before its actions are valued."""
    turn = cast(Turn, position.turn)
    match theme:
        case Theme.FIRST_KEEP | Theme.DEFI:
            return turn.throws == 1
        case Theme.SECOND_KEEP:
            return turn.throws == 2
        case Theme.TWO_PAIRS:
            return turn.throws < 3
        case _:
            return turn.throws == 3


def _theme(position: Position, values: Mapping[Action, float]) -> Theme:
    """Return what the choice between the two best actions of different values is about."""
    best, *others = analysis_of(position.game).ranked(values)
    second = next(action for action in others if values[best] - values[action] > SAME)
    return theme_of(position, second, best)


def decisions(game: Rules, chance: Random) -> Iterator[Position]:
    """Yield all decisions of one game. `chance` draws the dice and the levels of the players."""
    playing = [players.create(chance.choice(LEVELS), f"{chance.getrandbits(64):x}") for _ in range(game.players)]
    source = SeededSource(f"{chance.getrandbits(64):x}")
    position = game.start()
    while position.turn is not None:
        if position.waiting:
            throw = source.throw(position.turn.kept)
            assert throw is not None
            position = position.roll_unchecked(throw.roll)
        else:
            yield position
            player = playing[game.player_of_turn(position.number)]
            position = position.play_unchecked(player.choose(position))


def difficulty_of(values: Collection[float], unit: Unit) -> int | None:
    """Return the difficulty of a decision from the values of its actions.

    `None`: the decision is no question, because one choice alone is sensible, or because the loss
    of the second best one is within the error of the evaluation."""
    gap = margin(values)
    widest, narrowest = SENSIBLE[unit], ERROR[unit]
    if not narrowest < gap <= widest:
        return None
    return 1 + min(int(DIFFICULTIES * log(widest / gap) / log(widest / narrowest)), DIFFICULTIES - 1)


def margin(values: Collection[float]) -> float:
    """Return the loss of the second best choice, infinite without one. Equal values are one
    choice."""
    best = max(values)
    return min((best - value for value in values if best - value > SAME), default=inf)
