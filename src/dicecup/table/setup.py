"""The setup of a table: game, seats, kind of dice, clock, length of the match and start."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, Final

from dicecup import games
from dicecup.core.game import FirstPlayer, Rules
from dicecup.record import Journal
from dicecup.table import codec as wire
from dicecup.table.duplicate import Duplicate
from dicecup.table.errors import TableCode, TableError
from dicecup.table.starts import Beginning, beginning_of

MOST_GAMES: Final = 99
"""The most games of a match."""
DAY: Final = 86_400
"""Seconds."""
_ID: Final = re.compile("[!-~]{1,64}", re.ASCII)


class Occupant(StrEnum):
    """Who may take a seat: any person, or a computer at a level."""

    OPEN = "open"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat that is open for a person, or taken by a computer at a `level`."""

    kind: Occupant = Occupant.OPEN
    level: str = ""
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


class DiceOf(StrEnum):
    """Who throws the dice."""

    SERVER = "server"
    TABLE = "table"
    """People throw real dice and type what they show."""


class ClockKind(StrEnum):
    """What a clock's time is for."""

    TURN = "turn"
    """Seconds for each turn."""
    GAME = "game"
    """Seconds for the whole game, and an increment for each turn."""
    DAYS = "days"
    """Seconds for each turn of a slow game, in whole days.

    People who are offline do not count as having left.
    """


LIMITS: Final = {ClockKind.TURN: (10, DAY), ClockKind.GAME: (10, DAY), ClockKind.DAYS: (DAY, 30 * DAY)}
"""The fewest and the most seconds of each kind of clock."""
MOST_INCREMENT: Final = 600
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock of `seconds` for each turn or for a game, with an `increment` for each turn.

    Raises `TableError` (`not-a-clock`).
    """

    kind: ClockKind
    seconds: int
    increment: int = 0
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT

    def __post_init__(self) -> None:
        fewest, most = LIMITS[self.kind]
        increments = MOST_INCREMENT if self.kind is ClockKind.GAME else 0
        whole_days = self.kind is not ClockKind.DAYS or self.seconds % DAY == 0
        if not fewest <= self.seconds <= most or not 0 <= self.increment <= increments or not whole_days:
            raise TableError(TableCode.NOT_A_CLOCK, text=f"{self.kind} {self.seconds}+{self.increment}")


@dataclass(frozen=True, slots=True)
class MatchSoFar:
    """The games of a match before this one.

    `match` is the id of the first game's table, `number` that of this game.

    `standing` is what the earlier games brought each side, in seating order: games won, or added
    totals.
    """

    match: str
    number: int
    standing: tuple[int, ...]
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Listing:
    """What the lobby says of a public table besides its setup: the wished `level` of opponents,
    which may be empty."""

    level: str = ""
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT


@dataclass(frozen=True)
class Setup:
    """The setup of a table.

    `game` is the game's id. `seats` are in seating order, as many as the game has players. `games`
    is the length of the match. `writers` are seats of Yamm's pairs that write for both partners.
    `first` is the seat that is x in Yam Master, `None` for the lot. `start` is the record or the
    position from which the game goes on; the seats are then in the order of play. `so_far` belongs
    to the later games of a match. `listing` makes the table public: the lobby lists its open seats.
    `rated`: the game changes the ratings of its people on a server. The server throws its dice from
    the first turn on, and nothing helps in it, also against computers alone.
    `duplicate`: the dice are those of a duplicate event. Nobody is x by lot then.

    Raises `GameError`; `TableError`: `not-a-setup` for real dice without people, for an impossible
    match, or for a game that cannot be rated, `wrong-number-of-seats`, `not-a-level`,
    `not-a-writer`, `not-a-clock`, `not-a-number-of-games`, `no-such-seat`, `not-a-start`; and for a
    faulty start `RecordError`, `TextError`, `PositionError`.
    """

    game: str
    seats: tuple[SeatSetup, ...]
    dice: DiceOf = DiceOf.SERVER
    clock: Clock | None = None
    games: int = 1
    writers: tuple[int, ...] = ()
    first: int | None = None
    start: str = ""
    so_far: MatchSoFar | None = None
    listing: Listing | None = None
    rated: bool = False
    duplicate: Duplicate | None = None
    __pydantic_config__: ClassVar[wire.Config] = wire.STRICT

    def __post_init__(self) -> None:
        game = self.rules
        if len(self.seats) != game.players:
            raise TableError(TableCode.SEATS, game=game.id, seats=len(self.seats), expected=game.players)
        for seat in self.seats:
            if bool(seat.level) != (seat.kind is Occupant.LEVEL) or (seat.level and seat.level not in game.levels):
                raise TableError(TableCode.NOT_A_LEVEL, text=seat.level, levels=", ".join(game.levels))
        if self.listing is not None and self.listing.level not in ("", *game.levels):
            raise TableError(TableCode.NOT_A_LEVEL, text=self.listing.level, levels=", ".join(game.levels))
        if not 1 <= self.games <= MOST_GAMES:
            raise TableError(TableCode.NOT_A_NUMBER_OF_GAMES, text=self.games, most=MOST_GAMES)
        by_lot = game.first_player is FirstPlayer.LOT
        if self.first is not None and (not by_lot or self.first not in (0, 1) or self.start):
            raise TableError(TableCode.NO_SUCH_SEAT, text=self.first)
        if self.clock is not None and len(self.seats) == 1 and self.duplicate is None:
            raise TableError(TableCode.NOT_A_CLOCK, text=self.clock.kind)
        people = [seat.kind is Occupant.OPEN for seat in self.seats]
        if self.duplicate is not None and not self._has_fixed_dice:
            raise TableError(TableCode.NOT_A_SETUP, text="duplicate", why="dice")
        if self.dice is DiceOf.TABLE and not any(people):
            raise TableError(TableCode.NOT_A_SETUP, text="dice", why="no-people")
        if not game.accepts_writers(people, self.writers):
            raise TableError(TableCode.WRITER, text=" ".join(f"P{seat + 1}" for seat in self.writers))
        if self.so_far is not None and not self._is_possible_match(self.so_far):
            raise TableError(TableCode.NOT_A_SETUP, text="so_far", why="match")
        if self.rated and (why := self._unrated_because(people)):
            raise TableError(TableCode.NOT_A_SETUP, text="rated", why=why)
        self.beginning  # noqa: B018 raises here rather than in the middle of the game

    def _is_possible_match(self, so_far: MatchSoFar) -> bool:
        fits = len(so_far.standing) == self.rules.sides and min(so_far.standing) >= 0
        return fits and 1 < so_far.number <= self.games and _ID.fullmatch(so_far.match) is not None

    def _unrated_because(self, people: Sequence[bool]) -> str:
        """Return why the game cannot be rated, an empty text if it can."""
        if self.dice is DiceOf.TABLE:
            return "dice"
        if self.start:
            return "start"
        if self.duplicate is not None and self.duplicate.practice:
            return "practice"
        return "" if len(self.seats) > 1 and any(people) else "players"

    @property
    def _has_fixed_dice(self) -> bool:
        """Return whether nothing but the players' actions decides this one game."""
        by_lot = self.rules.first_player is FirstPlayer.LOT and self.first is None and not self.start
        return self.dice is DiceOf.SERVER and self.games == 1 and self.listing is None and not by_lot

    @property
    def needs_seeds(self) -> bool:
        """Return whether the seats' seeds enter into the dice."""
        return self.dice is DiceOf.SERVER and self.duplicate is None

    @property
    def is_contest(self) -> bool:
        """Return whether other people play with the same dice, and compare their results."""
        return self.duplicate is not None and not self.duplicate.practice

    @property
    def rules(self) -> Rules:
        """Return the game with its options. Raises `GameError`."""
        return games.from_id(self.game)

    @property
    def beginning(self) -> Journal:
        """Return the journal with which the game begins: empty, or what was played before.

        Raises as the setup does.
        """
        return self._beginning.journal

    @property
    def names(self) -> tuple[str, ...]:
        """Return by seat the players' names in the record from which the game goes on.

        A missing name is empty.
        """
        return self._beginning.names

    @cached_property
    def _beginning(self) -> Beginning:
        """Return the beginning of the game. A setup keeps it, also when it is passed to another
        process, because reading a long record takes time."""
        return beginning_of(self.game, self.start, table=self.dice is DiceOf.TABLE)


def begins_elsewhere(setup: Setup) -> bool:
    """Return whether the game begins with a position of which no earlier turns are known."""
    beginning = setup.beginning
    return not beginning.lines and not beginning.words and beginning.position != setup.rules.start()


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """Return the setup as JSON, which `setup_from_json` reads back."""
    return wire.to_json(setup)


def setup_from_json(data: object) -> Setup:
    """Return the setup of this JSON.

    Raises `TableError` (`not-a-setup`) and what `Setup` raises.
    """
    return wire.from_json(Setup, data, TableCode.NOT_A_SETUP)
