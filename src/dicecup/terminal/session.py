"""A session: the table that the terminal shows, and the way to send commands to it.

`LocalSession` keeps a table in this process and saves its record, `OnlineSession` follows a table
on a server. Both apply the events of the table one after the other. The terminal prints every event
before the session applies the next one.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final, TypeAlias

from dicecup.core.game import Position
from dicecup.record import Record
from dicecup.table import commands, events
from dicecup.table.events import Stored
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import LONGEST_HOLD, can_be_held, may_end_wait
from dicecup.table.state import TableState
from dicecup.terminal.entry import Verb
from dicecup.terminal.seats import ELSEWHERE, HUMAN, Seat

OTHER_ENDS: Final = ("resign", "agreed", "time", "abandoned")
"""The ends that the rules do not bring."""


@dataclass(frozen=True, slots=True)
class Step:
    """An event of the table with the states before and after it."""

    before: TableState
    event: events.Event
    after: TableState


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence that is no step of the game: a key of the catalogue with its values."""

    key: str
    values: Mapping[str, object]


News: TypeAlias = Step | Notice
"""What the terminal prints as one piece."""


class Demand(Enum):
    """What the table waits for at this keyboard."""

    NOTHING = auto()
    """Nothing: other people or the table itself go on."""
    THROW = auto()
    """The command to throw: a result of a person here can still be corrected."""
    HELD = auto()
    """The command to let a computer throw: an action of a person here can still be taken back."""
    DICE = auto()
    """Real dice."""
    DIE = auto()
    """A real die that decides who starts."""
    ACTION = auto()
    """An action of the game."""
    REPLACEMENT = auto()
    """The level of a computer for a seat that gave up, or the agreement to end the game."""
    OVER = auto()
    """Nothing any more: the game is over."""


_DEMANDS: Final = {
    PendingKind.DICE: Demand.DICE,
    PendingKind.LOT: Demand.DIE,
    PendingKind.DIE: Demand.DIE,
    PendingKind.ACTION: Demand.ACTION,
    PendingKind.REPLACEMENT: Demand.REPLACEMENT,
}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a session at one moment.

    `mine`: the seats of the people at this keyboard. `place`: the file of the record, or the link
    of a table on a server (`online`).
    """

    table: TableState
    record: Record
    mine: frozenset[int]
    demand: Demand
    place: Path | str
    online: bool

    @property
    def position(self) -> Position:
        """Return the position of the game."""
        return self.table.position

    @property
    def real_dice(self) -> bool:
        """Return whether people throw real dice and type what they show."""
        return self.table.real_dice

    @property
    def order(self) -> tuple[int, ...]:
        """Return the seats in the order of play, in seating order until the order of
        play is known."""
        return self.table.order or tuple(range(len(self.table.seats)))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return the seats with their people and computers, ordered as in `order`."""
        return tuple(seat_of(self.table, seat, self.mine) for seat in self.order)

    @property
    def actor(self) -> int:
        """Return the place in `seats` of the person or computer that throws or decides."""
        table = self.table
        if not table.order:
            starting = table.starting
            return min(self.mine, default=0) if starting is None or starting.seat is None else starting.seat
        return table.rules.player_of_turn(table.position.number)

    @property
    def own_seat(self) -> int | None:
        """Return the seat at this keyboard that commands speak for: the actor's, else the first
        one, `None` for a watcher."""
        seat = self.order[self.actor]
        return seat if seat in self.mine else min(self.mine, default=None)


def seat_of(table: TableState, seat: int, mine: frozenset[int]) -> Seat:
    """Return who sits on a seat, as this keyboard sees it."""
    held = table.seats[seat]
    return Seat(held.name, held.level or (HUMAN if seat in mine else ELSEWHERE))


class Session:
    """The events of a table that the terminal has not printed yet, and the state after those that
    it has printed."""

    def __init__(self, table: TableState, place: Path | str, *, online: bool) -> None:
        self.table = table
        self.place = place
        self._online = online
        self._events: deque[Stored] = deque()
        self._news: deque[News] = deque()
        self.holds = False
        """Whether computers wait after an action of a person here, so that it can be taken back."""

    @property
    def mine(self) -> frozenset[int]:
        """Return the seats of the people at this keyboard."""
        raise NotImplementedError

    def record(self) -> Record:
        """Return the record of the game so far."""
        raise NotImplementedError

    def next(self) -> News | None:
        """Return the next news that needs nobody here, `None` where the table waits for a person
        here or is over.

        Raises `DicecupError`.
        """
        raise NotImplementedError

    def send(self, command: commands.Command) -> News:
        """Handle a command and return the first news that follows. Raises `DicecupError`; then the
        table is unchanged."""
        raise NotImplementedError

    def take_news(self) -> list[News]:
        """Return the news that have come while a person is at the prompt."""
        return []

    @property
    def question_waits(self) -> bool:
        """Return whether `next` would ask a person something, such as the answer to an offered
        draw."""
        return False

    @property
    def may(self) -> Sequence[str]:
        """Return the commands that a table on a server allows now, as its view lists them."""
        return ()

    def owner_command(self, verb: Verb, rest: str) -> commands.Command | None:
        """Return the command for what the owner of a table typed, `None` if the owner does not
        confirm it. Only tables on a server have an owner. Raises `DicecupError`."""
        raise NotImplementedError

    def talk(self, text: str) -> None:
        """Say to the others what a person typed, or print what can be said. Only tables on a server
        have people elsewhere. Raises `DicecupError`."""
        raise NotImplementedError

    def act(self, action: str) -> News:
        """Do an action of the game, after which a computer waits if `holds` says so. Raises as
        `send`."""
        return self.send(commands.Act(action, hold=LONGEST_HOLD if self.holds else 0))

    def can_hold(self) -> bool:
        """Return whether a computer could wait after an action that is allowed now."""
        table, position = self.table, self.table.position
        if self._demand() is not Demand.ACTION:
            return False
        seat = table.writer_of_turn(position.number)
        return seat in self.mine and any(can_be_held(table, seat, action) for action in position.actions)

    def snapshot(self) -> Snapshot:
        """Return the state after the printed events."""
        return Snapshot(self.table, self.record(), self.mine, self._demand(), self.place, self._online)

    def _demand(self) -> Demand:
        """Return what the table waits for here.

        The answer is `Demand.NOTHING` while events or news are unprinted.
        """
        table = self.table
        if self._news or self._events:
            return Demand.NOTHING
        if table.end is not None:
            return Demand.OVER
        if may_end_wait(table, self.mine):
            return Demand.HELD
        able = self.mine & set(table.pending.seats)
        if not able or (table.pending.kind is PendingKind.ACTION and able.isdisjoint(table.people)):
            return Demand.NOTHING
        if table.pending.kind is PendingKind.THROW:
            return Demand.THROW if table.corrector in self.mine else Demand.NOTHING
        return _DEMANDS.get(table.pending.kind, Demand.NOTHING)

    def _pop(self) -> News | None:
        """Return the next news, applying events until one is news. Events after the end of the game
        are applied at once."""
        while not self._news and self._events:
            self._apply_next()
        news = self._news.popleft() if self._news else None
        while self.table.end is not None and self._events:
            self._apply_next()
        return news

    def _apply_next(self) -> None:
        """Apply the oldest waiting event and queue its news, if it is printed."""
        stored = self._events.popleft()
        before = self.table
        self.table = before.apply(stored)
        news = self._news_of(before, stored.event)
        if news is not None:
            self._news.append(news)

    def _news_of(self, before: TableState, event: events.Event) -> News | None:
        """Return the news of an event that was applied just now, `None` for an event that is not
        printed."""
        match event:
            case events.DieThrown() | events.Thrown() | events.Acted() | events.TakenBack():
                return Step(before, event, self.table)
            case events.Resigned(seat=seat) if self.table.vacancy is not None:
                return Notice("resigned", {"name": self.table.seats[seat].name})
            case events.LevelSeated(seat=seat, level=level):
                return Notice("online_level_seated", {"name": self.table.seats[seat].name, "level": level})
            case events.EndAgreed(seat=seat):
                return Notice("end_is_agreed", {"name": self.table.seats[seat].name})
            case events.Ended(end=end) if end in OTHER_ENDS:
                return Step(before, event, self.table)
            case _:
                return None
