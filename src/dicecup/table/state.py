"""How a table stands: nothing but what its events say, folded one by one. A value; every event makes the next one."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NamedTuple

from dicecup import yam_master
from dicecup.core.game import Position, Rules
from dicecup.core.source import VOID_THROW, throw_from_text
from dicecup.core.start import StartingRoll
from dicecup.record import Journal
from dicecup.table.clock import Clocks
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import (
    Acted,
    Claimed,
    ClockHeld,
    CommitmentBegun,
    CommitmentEnded,
    Created,
    DieThrown,
    DrawAnswered,
    DrawOffered,
    Ended,
    Event,
    LevelSeated,
    LotCast,
    NextTable,
    RematchAsked,
    Resigned,
    Seated,
    SecretPublished,
    SeedCommitted,
    SeedRevealed,
    Started,
    StoodUp,
    Stored,
    TakenBack,
    Thrown,
    TimeUp,
)
from dicecup.table.pending import Pending, pending_of
from dicecup.table.seats import player_count, side_count
from dicecup.table.setup import DiceOf, Setup

Place = tuple[int, int]
"""Of a throw its turn and its number in the turn, from 1; of a die of the starting roll 0 and its number."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits here: a person, known by `identity` to this server alone, or the computer at a `level`; nobody before that.
    `hash` and `seed` as they were committed and revealed; an empty seed came too late, or is a computer's."""

    name: str = ""
    identity: str | None = None
    level: str = ""
    hash: str | None = None
    seed: str | None = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits here, or the computer does."""
        return self.is_human or bool(self.level)

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.identity is not None


class Commitment(NamedTuple):
    """SHA-256 of a secret, and the place of the first throw under it; None: of all from the beginning."""

    hash: str
    first: Place | None = None


class Entry(NamedTuple):
    """How a table with real dice stood before the last thing that was typed, `text`, by the person on `seat`."""

    seat: int
    text: str
    journal: Journal
    starting: StartingRoll | None
    lot: int | None
    order: tuple[int, ...]
    clocks: Clocks


class Offer(NamedTuple):
    """A draw that was offered, and who agrees, the seat that offered it included."""

    seat: int
    agreed: frozenset[int]


@dataclass(frozen=True)
class TableState:
    """`number` and `time` of the last event; `order`: the seats in the order of play, empty until it is known; `counter`:
    throws of the server's dice so far, single dice included; `secret`: once it is published."""

    table: str
    setup: Setup
    number: int
    begun: float
    time: float
    seats: tuple[Seat, ...]
    journal: Journal
    clocks: Clocks
    commitment: Commitment
    earlier: tuple[Commitment, ...] = ()
    seats_full: float | None = None
    """When the last seat was taken."""
    seeds_promised: float | None = None
    """When the last seed was committed to, or given up."""
    started: bool = False
    starting: StartingRoll | None = None
    lot: int | None = None
    order: tuple[int, ...] = ()
    counter: int = 0
    last_entry: Entry | None = None
    offer: Offer | None = None
    offered: tuple[int, ...] = ()
    """Of each seat the turn in which it offered its last draw; 0: none."""
    end: Ended | None = None
    secret: str | None = None
    rematch: frozenset[int] = frozenset()
    replaced: frozenset[str] = frozenset()
    """The identities for whom the computer plays on: they may look."""
    next: str | None = None
    _followed: "tuple[Stored, TableState] | None" = field(default=None, init=False, repr=False, compare=False)
    """The last event that was asked for and what became of it: whoever decides folds it, and so does whoever saves it, once. A state that
    somebody keeps does not hold all that follow."""

    @classmethod
    def of(cls, events: Iterable[Stored]) -> "TableState":
        """The state of all these events, the first of which created the table. Raises `TableError` (`not-an-event`) where
        they are no table's."""
        remaining = iter(events)
        first = next(remaining, None)
        if first is None or not isinstance(first.event, Created):
            raise TableError(TableCode.NOT_AN_EVENT, text="created", why="missing")
        state = _created(first.event, first.time, first.number)
        for stored in remaining:
            state = state.after(stored)
        return state

    def after(self, stored: Stored) -> "TableState":
        """The state with this event, which `decide` or `due` made of it. Raises `TableError` (`not-an-event`) for a number
        that is not the next."""
        if self._followed is not None and self._followed[0] == stored:
            state = self._followed[1]
            object.__setattr__(self, "_followed", None)  # asked for twice, it is not asked for again
            return state
        if stored.number != self.number + 1:
            raise TableError(TableCode.NOT_AN_EVENT, text=str(stored.number), why="number")
        told = _fold(self, stored.event, stored.time)
        asked = told.pending.clock if told.end is None else None
        clocks = told.clocks.waiting_for(asked, told.position.number, stored.time)
        # What is waited for does not depend on when it is.
        state = _changed(told, number=stored.number, time=stored.time, clocks=clocks, pending=told.pending)
        object.__setattr__(self, "_followed", (stored, state))
        return state

    # Looking

    @property
    def rules(self) -> Rules:
        """The game with its options."""
        return self.journal.game

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.journal.position

    @cached_property
    def pending(self) -> Pending:
        """What the table waits for, and of whom."""
        return pending_of(self)

    @property
    def real_dice(self) -> bool:
        """Whether somebody types what real dice show."""
        return self.setup.dice is DiceOf.TABLE

    @cached_property
    def people(self) -> tuple[int, ...]:
        """The seats on which people sit."""
        return tuple(seat for seat, held in enumerate(self.seats) if held.is_human)

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return all(seat.is_taken for seat in self.seats)

    @property
    def is_ready(self) -> bool:
        """Whether it can begin: all seats are taken, and for the server's dice every seed is known."""
        return self.is_full and (self.real_dice or all(seat.seed is not None for seat in self.seats))

    @property
    def sides(self) -> int:
        """How many there are to win: x and o, or the sheets."""
        return side_count(self.rules)

    def seats_of(self, identity: str | None) -> frozenset[int]:
        """The seats of somebody."""
        return frozenset(seat for seat, held in enumerate(self.seats) if held.is_human and held.identity == identity)

    def place_of(self, seat: int) -> int:
        """Its place in the order of play; of seating, until it is known who starts."""
        return self.order.index(seat) if self.order else seat

    def side_of(self, seat: int) -> int:
        """Its side, as positions number them: x or o, or the sheet."""
        return self.place_of(seat) % self.sides

    def seats_of_sides(self, sides: Iterable[int]) -> tuple[int, ...]:
        """The seats that play for these sides, ascending."""
        wanted = set(sides)
        return tuple(seat for seat in range(len(self.seats)) if self.side_of(seat) in wanted)

    @property
    def next_throw(self) -> Place:
        """The place of the throw, or of the die of the starting roll, that comes next."""
        if self.starting is not None and not self.order:
            return 0, 1 + sum(map(len, self.starting.rounds))
        turn = self.position.turn
        return self.position.number, 1 + (turn.throws if turn is not None else 0)


_DERIVED: Final = tuple(name for name, value in vars(TableState).items() if isinstance(value, cached_property))


def _changed(state: TableState, **fields: object) -> TableState:
    """`replace`, without asking for every field: a state has many and is made anew with each event."""
    made = object.__new__(TableState)
    held = vars(made)
    held |= vars(state)
    for name in _DERIVED:
        held.pop(name, None)
    held |= {"_followed": None, **fields}
    return made


# --- Folding -----------------------------------------------------------------------------------------------------------------


def _created(event: Created, time: float, number: int) -> TableState:
    setup = event.setup
    journal = setup.beginning
    count = player_count(setup.rules)
    played_before = bool(journal.throws)
    first = (
        (journal.position.number, 1 + (journal.position.turn.throws if journal.position.turn else 0)) if played_before else None
    )
    return TableState(
        event.table,
        setup,
        number,
        time,
        time,
        (Seat(),) * count,
        journal,
        Clocks.start(setup.clock, count),
        Commitment(event.commitment, first),
        counter=journal.throws,
        offered=(0,) * count,
    )


def _fold(state: TableState, event: Event, time: float) -> TableState:
    match event:
        case Thrown() | Acted() | LotCast() | DieThrown():
            return _played(state, event)
        case Seated() | StoodUp() | LevelSeated() | SeedCommitted() | SeedRevealed():
            return _seated(state, event, time)
        case Started():
            return _started(state)
        case TakenBack():
            entry = state.last_entry
            assert entry is not None
            return replace(
                state,
                journal=entry.journal,
                starting=entry.starting,
                lot=entry.lot,
                order=entry.order,
                clocks=entry.clocks,  # as if it had run on: whoever typed has had that time
                last_entry=None,
            )
        case DrawOffered(seat):
            offered = (*state.offered[:seat], state.position.number, *state.offered[seat + 1 :])
            return _changed(state, offer=Offer(seat, frozenset({seat})), offered=offered)
        case DrawAnswered(seat, accept):
            offer = state.offer
            assert offer is not None
            return _changed(state, offer=Offer(offer.seat, offer.agreed | {seat}) if accept else None)
        case Ended():
            return _changed(state, end=event, offer=None, last_entry=None)
        case SecretPublished(secret):
            return _changed(state, secret=secret)
        case CommitmentEnded():
            return _changed(state, earlier=(*state.earlier, state.commitment))
        case CommitmentBegun(commitment):
            return _changed(state, commitment=Commitment(commitment, state.next_throw))
        case RematchAsked(seat):
            return _changed(state, rematch=state.rematch | {seat})
        case NextTable(table):
            return _changed(state, next=table)
        case ClockHeld(seconds):
            entry = state.last_entry
            typed = None if entry is None else entry._replace(clocks=entry.clocks.held(seconds))
            return _changed(state, clocks=state.clocks.held(seconds), last_entry=typed)
        case Resigned() | Claimed() | TimeUp():
            return state  # what comes of it follows as an event of its own
        case Created():
            raise TableError(TableCode.NOT_AN_EVENT, text="created", why="twice")


def _seated(state: TableState, event: Seated | StoodUp | LevelSeated | SeedCommitted | SeedRevealed, time: float) -> TableState:
    held = state.seats[event.seat]
    match event:
        case Seated(_, name, identity):
            held = Seat(name, identity)
        case StoodUp():
            held = Seat()
        case LevelSeated(_, level, name):
            held = replace(held, name=name, identity=None, level=level, seed=held.seed or "")
        case SeedCommitted(_, promised):
            held = replace(held, hash=promised)
        case SeedRevealed(_, seed):
            held = replace(held, seed=seed)
    before = state.seats[event.seat].identity
    replaced = state.replaced if before is None or not isinstance(event, LevelSeated) else state.replaced | {before}
    told = _changed(state, seats=(*state.seats[: event.seat], held, *state.seats[event.seat + 1 :]), replaced=replaced)
    if told.seats_full is None and told.is_full:
        told = _changed(told, seats_full=time)
    promised_all = all(seat.hash is not None or seat.seed is not None for seat in told.seats)
    return _changed(told, seeds_promised=time) if promised_all and told.seeds_promised is None and told.is_full else told


def _started(state: TableState) -> TableState:
    """Who is first is known where a game goes on or the seats have agreed; in Yamm one alone needs no starting roll."""
    count = len(state.seats)
    first = state.setup.first
    if first is None and state.setup.start:
        first = 0
    if isinstance(state.rules, yam_master.YamMaster):
        return _changed(state, started=True, order=() if first is None else (first, 1 - first))
    starting = StartingRoll(count) if first is None else None
    order = tuple(range(count)) if starting is None else starting.order
    return _changed(state, started=True, starting=starting, order=order)


def _still_offered(state: TableState, journal: Journal) -> Offer | None:
    """A draw is offered for a round: nobody can wait with the answer until they are losing."""
    offer = state.offer
    return offer if offer is not None and journal.position.number < state.offered[offer.seat] + len(state.seats) else None


def _played(state: TableState, event: Thrown | Acted | LotCast | DieThrown) -> TableState:
    """What goes onto the page. What a person typed at a table with real dice can be taken back once."""
    journal, starting, order, lot, text = state.journal, state.starting, state.order, state.lot, ""
    match event:
        case Thrown(text):
            journal = journal.throw(None if text == VOID_THROW else throw_from_text(text))
        case Acted(_, text):
            journal = journal.play(text)
        case LotCast(lot):
            text = str(lot)
            order = (0, 1) if lot % 2 else (1, 0)
        case DieThrown(face):
            assert starting is not None
            text = str(face)
            starting = starting.throw(face)
            order = starting.order
    counter, entry = state.counter, state.last_entry
    if isinstance(event, Thrown | DieThrown) and event.counter is not None:
        counter = event.counter + 1
    elif state.real_dice and event.seat is not None and state.seats[event.seat].is_human:
        entry = Entry(event.seat, text, state.journal, state.starting, state.lot, state.order, state.clocks)
    offer = _still_offered(state, journal)
    return _changed(
        state, journal=journal, starting=starting, order=order, lot=lot, offer=offer, counter=counter, last_entry=entry
    )
