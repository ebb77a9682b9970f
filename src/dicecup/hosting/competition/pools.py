"""The pools of rated games. Each pool has ratings of its own."""

from collections.abc import Iterator
from enum import StrEnum
from itertools import product
from typing import Final, NamedTuple

from dicecup.core.game import Rules
from dicecup.core.ids import split_id
from dicecup.hosting.competition.events import invited_kind
from dicecup.table.setup import Clock, ClockKind, Setup

FAST_TURNS: Final = 60
"""The most seconds of a fast clock for each turn."""
FAST_GAME: Final = 1800
"""The most seconds of a fast clock for the whole game, with 30 increments."""
INCREMENTS: Final = 30


class Kind(StrEnum):
    """Where the dice of a game come from: thrown for it alone, or the same for several tables."""

    OPEN = "open"
    DUPLICATE = "duplicate"


class Form(StrEnum):
    """Who plays: two players (rated by Glicko-2), more than two sides, or pairs (Weng–Lin)."""

    DUEL = "duel"
    GROUP = "group"
    PAIRS = "pairs"


class Pace(StrEnum):
    """How fast a game is. A game without a clock is slow."""

    FAST = "fast"
    SLOW = "slow"


class Pool(NamedTuple):
    """A pool: games of a `game` (its name) with the same kind of dice, form and pace."""

    game: str
    kind: Kind
    form: Form
    pace: Pace

    def __str__(self) -> str:
        """Return the name of the pool, as in `yamm:open:duel:fast`."""
        return ":".join(self)

    @classmethod
    def read(cls, text: str) -> "Pool | None":
        """Return the pool with a name, `None` for a text that is no name of a pool."""
        try:
            game, kind, form, pace = text.split(":")
            return cls(game, Kind(kind), Form(form), Pace(pace))
        except ValueError:
            return None


def pool_of(setup: Setup) -> Pool:
    """Return the pool of the games with this setup. At a table of four pairs play."""
    kind = Kind.OPEN if setup.duplicate is None else Kind.DUPLICATE
    form = Form.PAIRS if invited_kind(setup) == "four" else form_of(setup.rules)
    return Pool(split_id(setup.game)[0], kind, form, pace_of(setup.clock))


def form_of(rules: Rules) -> Form:
    """Return who plays a game with these options."""
    if rules.players > rules.sides:
        return Form.PAIRS
    return Form.DUEL if rules.players == 2 else Form.GROUP


def pace_of(clock: Clock | None) -> Pace:
    """Return how fast a game with this clock is."""
    if clock is None or clock.kind is ClockKind.DAYS:
        return Pace.SLOW
    if clock.kind is ClockKind.TURN:
        return Pace.FAST if clock.seconds <= FAST_TURNS else Pace.SLOW
    return Pace.FAST if clock.seconds + INCREMENTS * clock.increment <= FAST_GAME else Pace.SLOW


def pools_of(game: str) -> Iterator[Pool]:
    """Yield every pool of the game with this name."""
    for kind, form, pace in product(Kind, Form, Pace):
        yield Pool(game, kind, form, pace)
