"""How the terminal reaches a table: it looks at the state, waits for the next event, and sends commands.

A table in the same process is one end of such a link (`dicecup.terminal.table`), one on a server the other (`dicecup.terminal.online`). Whatever an
event or the state tells was saved before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Protocol, TypeAlias

from dicecup.core.game import Action, Position
from dicecup.core.source import Throw
from dicecup.core.start import StartingRoll
from dicecup.record import Record
from dicecup.terminal.seats import Seat

# --- What people at the table may send ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the game, a correction included, as a value or as its text."""

    action: Action | str


@dataclass(frozen=True, slots=True)
class Go:
    """Throw the dice: sent where the table waits for it, because a result could still be corrected."""


@dataclass(frozen=True, slots=True)
class Dice:
    """What real dice show; `None`: the throw was void."""

    throw: Throw | None


@dataclass(frozen=True, slots=True)
class Die:
    """What the single real die of the starting roll shows."""

    face: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last thing that was typed was a mistake (tables with real dice)."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Whoever is to act gives the game up."""


@dataclass(frozen=True, slots=True)
class Agree:
    """All agreed that the game is drawn; at a table on a server, whoever sends it offers a draw."""


Command: TypeAlias = Act | Go | Dice | Die | TakeBack | Resign | Agree

# --- What happens at the table -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DieThrown:
    """A die of the starting roll. `seats`: as they sat before; `seat`: who threw; `starter`: who begins, once that is settled."""

    seats: tuple[Seat, ...]
    seat: int
    face: int
    starter: int | None


@dataclass(frozen=True, slots=True)
class Thrown:
    """The dice fell; `throw` is `None` for a void throw, after which `after` is `before`."""

    before: Position
    after: Position
    throw: Throw | None


@dataclass(frozen=True, slots=True)
class Acted:
    """A player acted, or moved a result."""

    before: Position
    after: Position
    action: Action


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last entry, `text`, no longer counts."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended otherwise than by its rules; the record's tags say how."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something else, as a message of the catalogue with its values: somebody came, went, or offers a draw."""

    key: str
    values: Mapping[str, object]


Event: TypeAlias = DieThrown | Thrown | Acted | TakenBack | Ended | Notice

# --- How the table stands ----------------------------------------------------------------------------------------------------


class Demand(Enum):
    """What the table waits for."""

    NOTHING = auto()
    """The next event comes by itself."""
    GO = auto()
    """Somebody's word to throw (`Go`), since a result can still be corrected."""
    DICE = auto()
    """Real dice (`Dice`)."""
    DIE = auto()
    """A real die of the starting roll (`Die`)."""
    ACTION = auto()
    """A person's decision (`Act`)."""
    OVER = auto()
    """The game is over."""


@dataclass(frozen=True, slots=True)
class State:
    """`seats` in the order of play, or of seating while the `starting` roll is open; `actor`: who throws or decides, a place in
    `seats`; `path`: where the game is saved, at a table on a server (`online`) its link."""

    record: Record
    seats: tuple[Seat, ...]
    starting: StartingRoll | None
    demand: Demand
    actor: int
    path: Path | str
    online: bool = False

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.record.journal.position

    @property
    def real_dice(self) -> bool:
        """Whether people throw real dice and type what they show."""
        return self.record.journal.table


class Link(Protocol):
    """One end of the way to a table."""

    @property
    def state(self) -> State:
        """How the table stands, as saved."""

    def next(self) -> Event | None:
        """The next thing that happens without anybody here; `None` where somebody here is to act."""

    def send(self, command: Command) -> Event:
        """Does it, saves it, and answers with what happened. Raises `DicecupError`; then all is as it was."""
