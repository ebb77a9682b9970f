"""Questions about own mistakes, and the losses of answers, calculated in the processes of the
pool."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import is_right, loss_of, losses_at, position_of
from dicecup.analysis.mistakes.portion import costliest
from dicecup.analysis.questions import DIFFICULTIES, difficulty_of
from dicecup.analysis.theme import Theme
from dicecup.core.errors import DicecupError
from dicecup.core.game import Position
from dicecup.hosting.learning.cards import card_of
from dicecup.hosting.store.cards import StoredCard
from dicecup.sheets import Puzzle, puzzle_pages
from dicecup.sheets.puzzles import MOST
from dicecup.table.assistance import Fingerprints, fingerprints, helps_player
from dicecup.table.shown import shown

MOST_CHOICES: Final = 6
"""Actions that are offered in words, and the action of the mistake."""


class Given(NamedTuple):
    """An answer to a card: its game, its position, and the action."""

    game: str
    position: str
    played: str


class Asked(NamedTuple):
    """The message `MistakeCard`, and the position that it is about. It may be sent if nobody plays
    it."""

    message: dict[str, Any]
    asked: Fingerprints


def questions(own: Sequence[Position], cards: Sequence[StoredCard], opponents: Mapping[str, str]) -> list[Asked]:
    """Return the messages of these cards, without those that would help in the person's `own`
    running games. `opponents`: names by card. Raises `DicecupError`."""
    found = []
    for card in cards:
        position = position_of(card.game, card.position)
        if not any(helps_player(here, position) for here in own):
            found.append(Asked(_question(card, position, opponents.get(card.card)), fingerprints([position])))
    return found


class Printed(NamedTuple):
    """A PDF, and the positions that it is about."""

    pages: bytes
    asked: Fingerprints


def puzzles(own: Sequence[Position], cards: Sequence[StoredCard], language: str) -> Printed:
    """Return the costliest of these cards as puzzles, without those that would help in the person's
    `own` running games. Raises `DicecupError`."""
    by_id = {card.card: card for card in cards}
    chosen = costliest(map(card_of, cards), MOST)
    found = []
    for card in (by_id[each.id] for each in chosen):
        position = position_of(card.game, card.position)
        if not any(helps_player(here, position) for here in own):
            played = position.game.action(card.played)
            found.append(Puzzle(position, Theme(card.theme), Unit(card.unit), losses_at(position), played))
    return Printed(puzzle_pages(found, language), fingerprints(puzzle.position for puzzle in found))


def losses(answers: Sequence[Given]) -> list[float | None]:
    """Return the loss of each answer, `None` for an action that is not allowed."""
    return [_loss(answer) for answer in answers]


def _question(card: StoredCard, position: Position, opponent: str | None) -> dict[str, Any]:
    unit = Unit(card.unit)
    lost = losses_at(position)
    sensible = set(list(lost)[:MOST_CHOICES])
    difficulty = difficulty_of([-loss for loss in lost.values()], unit)
    choices = [str(action) for action in position.actions if action in sensible or str(action) == card.played]
    return {
        "id": card.card,
        "theme": card.theme,
        "unit": card.unit,
        "played": card.played,
        "loss": card.loss,
        "created": card.created,
        "opponent": opponent,
        "question": {"shown": shown(position), "difficulty": difficulty or DIFFICULTIES, "choices": choices},
        "losses": {str(action): loss for action, loss in lost.items()},
        "right": [str(action) for action, loss in lost.items() if is_right(loss, unit)],
    }


def _loss(answer: Given) -> float | None:
    try:
        return loss_of(position_of(answer.game, answer.position), answer.played)
    except DicecupError:
        return None
