"""Decisions for the trainer, taken from games that levels of different strength play among themselves. A question is harder the closer the
second best choice is to the best; what the evaluation could be wrong about is never asked.

>>> from dicecup import games
>>> from dicecup.analysis.evaluation import by_tables
>>> from dicecup.analysis.questions import ask
>>> game = games.from_id("yam-master")
>>> question = ask(game, by_tables(game), seed="example", number=1, difficulty=2)
>>> question.difficulty, question.found.forced
(2, False)
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count
from math import inf, log
from random import Random
from typing import Final, NamedTuple

from dicecup import players
from dicecup.analysis.decisions import Analysis, analyse
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.grade import SAME, SENSIBLE
from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Position, Rules
from dicecup.core.source import SeededSource
from dicecup.yamm import Options, Yamm

LEVELS: Final = ("greedy", "novice", "casual", "club", "expert")
"""Who plays the games."""
DIFFICULTIES: Final = 5
"""From 1, the easiest, on. Between one and the next the second best choice is closer by always the same factor."""
ERROR: Final = {Unit.POINTS: 1.5, Unit.CHANCE: 0.005}
"""How wrong the evaluation is about what the second best choice loses: in 19 of 20 decisions by less (`python -m bench.trainer_error`)."""


class Question(NamedTuple):
    """A decision with what everything that may be done is worth, and its `difficulty`, 1 to `DIFFICULTIES`."""

    found: Analysis
    difficulty: int

    @property
    def position(self) -> Position:
        """What is shown to whoever is asked."""
        return self.found.position


def trained(game: Rules) -> Rules:
    """The game that questions are asked of: Yamm is played alone, for points. Raises `GameError` (`option-value`) for more players
    than the two that are its default."""
    if not isinstance(game, Yamm):
        return game
    if game.options.players > Options().players:
        raise GameError(TextCode.OPTION_VALUE, option="players", value=game.options.players)
    return Yamm(replace(game.options, players=1))


def ask(game: Rules, evaluation: Evaluation, *, seed: str, number: int, difficulty: int) -> Question:
    """Always the same question for the same arguments. `number`: which of those that follow from the seed. Raises `TablesError`."""
    for again in count():
        chance = Random(f"{seed} {number} {difficulty} {again}")
        fitting = [
            position
            for position in decisions(game, chance)
            if difficulty_of(evaluation.values(position).values(), evaluation.unit) == difficulty
        ]
        if fitting:
            return Question(analyse(chance.choice(fitting), evaluation), difficulty)
    raise AssertionError  # there is always another game


def decisions(game: Rules, chance: Random) -> Iterator[Position]:
    """All decisions of one game among players of levels that are drawn. They follow from the state of `chance`."""
    seats = game.options.players if isinstance(game, Yamm) else 2
    seated = [players.create(chance.choice(LEVELS), f"{chance.getrandbits(64):x}") for _ in range(seats)]
    source = SeededSource(f"{chance.getrandbits(64):x}")
    position = game.start()
    while position.turn is not None:
        if position.waiting:
            throw = source.throw(position.turn.kept)
            assert throw is not None
            position = position.roll_unchecked(throw.roll)
        else:
            yield position
            player = seated[(position.number - 1) % seats]
            position = position.play_unchecked(player.choose(position))  # type: ignore[arg-type]


def difficulty_of(values: Collection[float], unit: Unit) -> int | None:
    """How hard a decision is, by what all its actions are worth. None where it is not asked: only one choice is sensible, or two are too
    close for the evaluation to tell them apart."""
    gap = margin(values)
    widest, narrowest = SENSIBLE[unit], ERROR[unit]
    if not narrowest < gap <= widest:
        return None
    return 1 + min(int(DIFFICULTIES * log(widest / gap) / log(widest / narrowest)), DIFFICULTIES - 1)


def margin(values: Collection[float]) -> float:
    """What the second best choice loses, equally good ones being one choice; infinite where there is no second."""
    best = max(values)
    return min((best - value for value in values if best - value > SAME), default=inf)
