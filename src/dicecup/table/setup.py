"""What is agreed before anybody sits down: the game, the seats, whose dice, the clock, how many games, and where it starts."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Final

from pydantic import ConfigDict

from dicecup import games, record, yam_master, yamm
from dicecup.core.errors import DicecupError
from dicecup.core.game import LEVELS, Rules
from dicecup.record import Journal, Record
from dicecup.table import codec as wire
from dicecup.table.errors import TableCode, TableError
from dicecup.table.seats import is_name, named_writers, player_count, player_tags, side_count

MOST_GAMES: Final = 99
DAY: Final = 86_400
LONGEST_START: Final = 200_000
"""Characters of a record or position to go on from. A sheet for sixteen players takes about 100 000."""
_ID: Final = re.compile("[!-~]{1,64}", re.ASCII)


class Occupant(StrEnum):
    """Whom a seat is for."""

    OPEN = "open"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat that is open for somebody, or the computer's at a `level`. Raises `TableError` (`not-a-level`)."""

    kind: Occupant = Occupant.OPEN
    level: str = ""
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT

    def __post_init__(self) -> None:
        if (self.level in LEVELS) != (self.kind is Occupant.LEVEL) or (self.level and self.level not in LEVELS):
            raise TableError(TableCode.NOT_A_LEVEL, text=self.level, levels=", ".join(LEVELS))


class DiceOf(StrEnum):
    """Whose dice are thrown."""

    SERVER = "server"
    TABLE = "table"
    """Real ones: somebody types what they show."""


class ClockKind(StrEnum):
    """What the time is for."""

    TURN = "turn"
    """Seconds for every turn."""
    GAME = "game"
    """Seconds for the whole game, and an increment for every turn."""
    DAYS = "days"
    """The same as for every turn, in slow games: nobody has left who is not there all the time."""


LIMITS: Final = {ClockKind.TURN: (10, DAY), ClockKind.GAME: (10, DAY), ClockKind.DAYS: (DAY, 30 * DAY)}
"""The fewest and the most seconds."""
MOST_INCREMENT: Final = 600


@dataclass(frozen=True, slots=True)
class Clock:
    """`seconds` a turn or for a game, `increment` seconds for each turn of a game. Raises `TableError` (`not-a-clock`)."""

    kind: ClockKind
    seconds: int
    increment: int = 0
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT

    def __post_init__(self) -> None:
        fewest, most = LIMITS[self.kind]
        increments = MOST_INCREMENT if self.kind is ClockKind.GAME else 0
        whole_days = self.kind is not ClockKind.DAYS or self.seconds % DAY == 0
        if not fewest <= self.seconds <= most or not 0 <= self.increment <= increments or not whole_days:
            raise TableError(TableCode.NOT_A_CLOCK, text=f"{self.kind} {self.seconds}+{self.increment}")


@dataclass(frozen=True, slots=True)
class MatchSoFar:
    """Which game of a match this is: `match` is the id of its first table; `standing`: what the earlier games brought each
    side, in seating order: games won, or the added totals."""

    match: str
    number: int
    standing: tuple[int, ...]
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT


@dataclass(frozen=True, slots=True)
class Setup:
    """`game`: the id; `seats` in seating order, as many as the game has players; `games`: the length of the match; `writers`:
    seats of Yamm's pairs that write for both; `first`: which seat is x in Yam Master, None by lot; `start`: where the game
    goes on, a running game's record or a position as text, the seats then in the order of play; `so_far`: of a match's later
    games.

    Raises `GameError`, `TableError` (`not-a-setup`: real dice and nobody to type them, or a match that cannot have come so
    far; `wrong-number-of-seats`, `not-a-writer`, `not-a-clock`, `not-a-number-of-games`, `no-such-seat`, `not-a-start`), and
    what is wrong with the start: `RecordError`, `TextError`, `PositionError`.
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
    __pydantic_config__: ClassVar[ConfigDict] = wire.STRICT

    def __post_init__(self) -> None:
        game = self.rules
        if len(self.seats) != player_count(game):
            expected = player_count(game)
            raise TableError(TableCode.SEATS, game=game.id, seats=len(self.seats), expected=expected)
        if not 1 <= self.games <= MOST_GAMES:
            raise TableError(TableCode.NOT_A_NUMBER_OF_GAMES, text=self.games, most=MOST_GAMES)
        if self.first is not None and (isinstance(game, yamm.Yamm) or self.first not in (0, 1) or self.start):
            raise TableError(TableCode.NO_SUCH_SEAT, text=self.first)
        if self.clock is not None and len(self.seats) == 1:
            raise TableError(TableCode.NOT_A_CLOCK, text=self.clock.kind)
        people = [seat.kind is Occupant.OPEN for seat in self.seats]
        if self.dice is DiceOf.TABLE and not any(people):
            raise TableError(TableCode.NOT_A_SETUP, text="dice", why="nobody types them")
        if self.writers and (
            isinstance(game, yam_master.YamMaster) or named_writers(game.options, people, self.writers) is None
        ):
            raise TableError(TableCode.WRITER, text=" ".join(f"P{seat + 1}" for seat in self.writers))
        if self.so_far is not None and not self._can_have_come_so_far(self.so_far):
            raise TableError(TableCode.NOT_A_SETUP, text="so_far", why="match")
        if len(self.start) > LONGEST_START:
            raise TableError(TableCode.NOT_A_START, text=self.start[:40])
        self.beginning  # noqa: B018 raises here rather than in the middle of the game

    def _can_have_come_so_far(self, so_far: MatchSoFar) -> bool:
        fits = len(so_far.standing) == side_count(self.rules) and min(so_far.standing) >= 0
        return fits and 1 < so_far.number <= self.games and _ID.fullmatch(so_far.match) is not None

    @property
    def rules(self) -> Rules:
        """The game with its options. Raises `GameError`."""
        return games.from_id(self.game)

    @property
    def beginning(self) -> Journal:
        """The page as it lies on the table at first: empty, or what was played so far. Raises as the setup itself."""
        return _beginning(self.game, self.start, table=self.dice is DiceOf.TABLE)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called in the record that the game goes on from, seat by seat; empty where nothing says so."""
        return _names(self.start, player_tags(self.rules))


@lru_cache(maxsize=64)
def _beginning(game: str, start: str, *, table: bool) -> Journal:
    """The journal to go on with. Turns that cannot stand in a record with these dice, a void throw where the server throws,
    are left behind: then it begins with the position they led to."""
    rules = games.from_id(game)
    if not start:
        return Journal.start(rules, table=table)
    if not start.startswith("["):
        journal = Journal(rules, table, rules.position(start))
    else:
        played = record.read(start)
        if "End" in played.tags or played.game != rules:
            raise TableError(TableCode.NOT_A_START, text=played.tags.get("End", played.game.id))
        journal = _as_thrown(played, table=table)
    if journal.position.turn is None:
        raise TableError(TableCode.NOT_A_START, text=start)
    return journal


@lru_cache(maxsize=64)
def _names(start: str, tags: tuple[str, ...]) -> tuple[str, ...]:
    named = record.read(start).tags if start.startswith("[") else {}
    return tuple(name if is_name(name := named.get(tag, "")) else "" for tag in tags)


def _as_thrown(played: Record, *, table: bool) -> Journal:
    tags = {"Game": played.game.id} | ({"Dice": "table"} if table else {})
    try:
        return record.read(Record(tags, played.journal).to_text()).journal
    except DicecupError:
        return Journal(played.game, table, played.journal.position)


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """The setup as JSON; `setup_from_json` reads it back."""
    return wire.to_json(setup)


def setup_from_json(data: object) -> Setup:
    """The setup of this JSON. Raises `TableError` (`not-a-setup`), and as `Setup`."""
    return wire.from_json(Setup, data, TableCode.NOT_A_SETUP)
