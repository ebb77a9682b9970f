"""The cards of a day: about ten minutes, mixed from games and themes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final, NamedTuple

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import TOLERANCE
from dicecup.analysis.theme import Theme
from dicecup.core.ids import split_id

SECONDS: Final = 600.0
"""The length of a portion."""
SECONDS_PER_ANSWER: Final = 30.0
"""Of people whose answers were not timed yet."""
FEWEST, MOST = 8, 40
"""The smallest and the largest portion."""
TIMED: Final = 50
"""The number of the latest answers whose time counts."""
NEW_SHARE: Final = 4
"""One card in so many is a new one, if there are some."""


class Card(NamedTuple):
    """A card as far as its choice depends on it.

    `game`: the id of the game. `due`: the day from which on it is to be asked again, `None` for a
    card that was never asked. `loss`: in `unit`, when the mistake was made.
    """

    id: str
    game: str
    theme: Theme
    unit: Unit
    loss: float
    due: int | None

    @property
    def weight(self) -> float:
        """Return the loss as a multiple of the tolerance, comparable between units."""
        return self.loss / TOLERANCE[self.unit]

    @property
    def group(self) -> tuple[str, Theme]:
        """Return the name of the game and the theme."""
        return split_id(self.game)[0], self.theme


def portion_size(seconds: Sequence[float]) -> int:
    """Return the number of cards that take about `SECONDS`.

    `seconds`: how long each answer took, the latest last."""
    usual = median(seconds[-TIMED:]) if seconds else SECONDS_PER_ANSWER
    return max(FEWEST, min(MOST, round(SECONDS / max(usual, 1.0))))


def portion(cards: Iterable[Card], day: int, size: int) -> list[Card]:
    """Return the cards to ask on a day, at most `size`, in the order of asking.

    Cards that are due come first, the longest waiting first, and new ones fill at least a quarter:
    from each game and theme in turn, the costliest first."""
    listed = list(cards)
    waiting = sorted((card for card in listed if card.due is not None and card.due <= day), key=_urgency)
    fresh = _in_turn(sorted((card for card in listed if card.due is None), key=lambda card: (-card.weight, card.id)))
    new = min(len(fresh), max(size // NEW_SHARE, size - len(waiting)))
    return mixed([*waiting[: size - new], *fresh[:new]])


def costliest(cards: Iterable[Card], size: int) -> list[Card]:
    """Return the costliest cards, from each game and theme in turn, due or not."""
    return mixed(_in_turn(sorted(cards, key=lambda card: (-card.weight, card.id)))[:size])


def drill(cards: Iterable[Card], theme: Theme, name: str, size: int) -> list[Card]:
    """Return the cards of a theme of a game, due or not, the costliest first."""
    fitting = [card for card in cards if card.group == (name, theme)]
    return sorted(fitting, key=lambda card: (-card.weight, card.id))[:size]


def mixed(cards: Iterable[Card]) -> list[Card]:
    """Return cards in an order in which, as far as possible, neighbours differ in game or theme.

    Cards of one game and theme stay in their order."""
    groups: defaultdict[tuple[str, Theme], list[Card]] = defaultdict(list)
    for card in cards:
        groups[card.group].append(card)
    found: list[Card] = []
    while groups:
        last = found[-1].group if found else None
        group = min(groups, key=lambda each: (each == last, -len(groups[each]), each))
        found.append(groups[group].pop(0))
        if not groups[group]:
            del groups[group]
    return found


def _urgency(card: Card) -> tuple[int, float, str]:
    assert card.due is not None
    return card.due, -card.weight, card.id


def _in_turn(cards: Iterable[Card]) -> list[Card]:
    """Return cards with one of each game and theme in turn."""
    groups: defaultdict[tuple[str, Theme], list[Card]] = defaultdict(list)
    for card in cards:
        groups[card.group].append(card)
    rows = [(at, -card.weight, card) for group in groups.values() for at, card in enumerate(group)]
    return [card for *_, card in sorted(rows, key=lambda row: (row[0], row[1], row[2].id))]
