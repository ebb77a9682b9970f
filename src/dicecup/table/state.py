"""The state of a table: a value that follows from the table's events alone.

Every event makes a new state.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dicecup.core.game import Position, Rules
from dicecup.core.source import VOID_THROW, throw_from_text
from dicecup.core.start import StartingRoll
from dicecup.record import Journal
from dicecup.table.clock import Clocks
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import (
    Acted,
    AdmissionSet,
    Claimed,
    ClockHeld,
    CommitmentBegun,
    CommitmentEnded,
    Created,
    DieThrown,
    DrawAnswered,
    DrawOffered,
    EndAgreed,
    Ended,
    Event,
    LevelSeated,
    LinksRotated,
    LotCast,
    NextTable,
    RematchAsked,
    Renamed,
    Resigned,
    Seated,
    SeatFreed,
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
from dicecup.table.pending import (
    NOTHING,
    OVER,
    Pending,
    PendingKind,
    correcting_seat,
    pending_before_order,
    pending_before_start,
    pending_in_game,
    writing_seat,
)
from dicecup.table.seats import Seat, SeatEvent, arrivals_after, people_among, seat_after
from dicecup.table.sections import BroughtOver, Origin, PlayedOnDevice, Section, brought_over, came_back, journal_after
from dicecup.table.setup import DiceOf, Setup
from dicecup.table.starts import first_player
from dicecup.table.talk import Line, RecentThrow, TalkEvent, TextsAllowed, lines_after, lines_renamed, throws_after
from dicecup.table.values import Commitment, Entry, Offer, Place, Vacancy


@dataclass(frozen=True)
class TableState:
    """The state of a table after event `number`, which happened at `time` (seconds since 1970).

    `from_events` and `apply` make states. A state is never changed.
    """

    table: str
    setup: Setup
    number: int
    commanded: int
    """The last event that is neither `ClockHeld` nor talk: commands for it are for this state."""
    begun: float
    """The time of the first event."""
    time: float
    moved_at: float
    """The time of the last event that is no talk."""
    idle_since: float
    """The time of the last event, later by the time of outages since then."""
    seats: tuple[Seat, ...]
    journal: Journal
    clocks: Clocks
    commitment: Commitment
    earlier: tuple[Commitment, ...] = ()
    """Commitments that were ended before `commitment` began, the oldest first."""
    people: tuple[int, ...] = ()
    """The seats of people, ascending."""
    arrived: tuple[int, ...] = ()
    """The seats of people in the order in which they sat down. The first is the owner's."""
    links: int = 0
    """How often the links of the table were replaced."""
    admits: bool = True
    """Whether the links let newcomers in."""
    pending: Pending = NOTHING
    """What the table waits for."""
    seats_full: float | None = None
    """When the last seat was taken."""
    seeds_promised: float | None = None
    """When the last seat committed to its seed or gave the seed up."""
    started: bool = False
    starting: StartingRoll | None = None
    lot: int | None = None
    """The face of the die that decided which of two seats starts."""
    order: tuple[int, ...] = ()
    """The seats in the order of play. Empty until it is known who starts."""
    counter: int = 0
    """The number of throws of the server's dice so far, single dice included."""
    last_entry: Entry | None = None
    """The last entry of a person, if it can be taken back."""
    offer: Offer | None = None
    offered: tuple[int, ...] = ()
    """By seat: the turn in which the seat made its last draw offer, 0 for none."""
    vacancy: Vacancy | None = None
    """The seat for which the other people choose a computer. The game rests meanwhile."""
    end: Ended | None = None
    ended_at: float | None = None
    secret: str | None = None
    """The secret of the dice in hex once it is published."""
    rematch: frozenset[int] = frozenset()
    """The seats that asked for a rematch."""
    replaced: frozenset[str] = frozenset()
    """The identities of people whom a computer replaced. They may watch."""
    next: str | None = None
    """The id of the table of the next game."""
    sections: tuple[Section, ...] = ()
    """The parts of the game that came back from devices."""
    origin: Origin | None = None
    """On a device: the table whose game goes on here."""
    talk: tuple[Line, ...] = ()
    """The newest lines of what people said."""
    throws: tuple[RecentThrow, ...] = ()
    """The newest throws, on which people may react."""

    @classmethod
    def from_events(cls, events: Iterable[Stored]) -> "TableState":
        """Return the state after all events of a table.

        Raises `TableError` (`not-an-event`) unless the first event is `Created` and the numbers
        have no gap.
        """
        remaining = iter(events)
        first = next(remaining, None)
        if first is None or not isinstance(first.event, Created):
            raise TableError(TableCode.NOT_AN_EVENT, text="created", why="missing")
        state = _created(first.event, first.time, first.number)
        for stored in remaining:
            state = state.apply(stored)
        return state

    def apply(self, stored: Stored, journal: Journal | None = None) -> "TableState":
        """Return the state after the next event, which a handler made for this state.

        `journal`: the journal after `PlayedOnDevice` where it is known, since a long section takes
        time. Raises `TableError` (`not-an-event`) if the event's number is not the next.
        """
        if stored.number != self.number + 1:
            raise TableError(TableCode.NOT_AN_EVENT, text=str(stored.number), why="number")
        applied = _applied(self, stored.event, stored.time, journal)
        pending = _pending(applied)
        clocks = applied.clocks.waiting_for(pending.clock, applied.position.number, stored.time)
        held = stored.event.seconds if isinstance(stored.event, ClockHeld) else None
        idle_since = stored.time if held is None else self.idle_since + held
        changes = {"number": stored.number, "time": stored.time, "clocks": clocks, "pending": pending, "idle_since": idle_since}
        if not isinstance(stored.event, TalkEvent):
            changes |= {"moved_at": stored.time, "commanded": stored.number if held is None else self.commanded}
        made = _changed(self) if applied is self else applied
        vars(made).update(changes)  # nobody else has it
        return made

    @property
    def rules(self) -> Rules:
        """Return the game with its options."""
        return self.journal.game

    @property
    def position(self) -> Position:
        """Return the current position."""
        return self.journal.position

    @property
    def real_dice(self) -> bool:
        """Return whether people type what real dice show."""
        return self.setup.dice is DiceOf.TABLE

    @property
    def is_full(self) -> bool:
        """Return whether all seats are taken."""
        return all(seat.is_taken for seat in self.seats)

    @property
    def is_ready(self) -> bool:
        """Return whether the game can start.

        The server's dice need all seeds. Real dice and those of an event need none.
        """
        return self.is_full and (not self.setup.needs_seeds or all(seat.seed is not None for seat in self.seats))

    @property
    def seeds(self) -> tuple[bytes, ...]:
        """Return the seats' seeds in seating order. A seat without a seed has the empty one."""
        return tuple(bytes.fromhex(seat.seed or "") for seat in self.seats)

    def seats_of(self, identity: str | None) -> frozenset[int]:
        """Return the seats of the person with this identity."""
        return frozenset(seat for seat, held in enumerate(self.seats) if held.is_human and held.identity == identity)

    @property
    def owner(self) -> int | None:
        """Return a seat of the table's owner: of all who sit, the one who sat down first."""
        return self.arrived[0] if self.arrived else None

    def player_of(self, seat: int) -> int:
        """Return the player that a seat plays, from 0.

        Until it is known who starts, the player is the seat's own number.
        """
        return self.order.index(seat) if self.order else seat

    def side_of(self, seat: int) -> int:
        """Return the side that a seat plays for."""
        return self.rules.side_of_player(self.player_of(seat))

    def seats_of_sides(self, sides: Iterable[int]) -> tuple[int, ...]:
        """Return the seats that play for these sides, ascending."""
        wanted = set(sides)
        return tuple(seat for seat in range(len(self.seats)) if self.side_of(seat) in wanted)

    def seat_of_turn(self, turn: int) -> int:
        """Return the seat that throws in a turn. The order of play must be known."""
        return self.order[self.rules.player_of_turn(turn)]

    def writer_of_turn(self, turn: int) -> int:
        """Return the seat that ends a turn and may correct its result.

        The order of play must be known.
        """
        return writing_seat(self.setup, self.seats, self.order, self.position, turn)

    @property
    def corrector(self) -> int | None:
        """Return the seat that may correct the result which the next throw makes final, if any."""
        return correcting_seat(self.setup, self.seats, self.order, self.position)

    @property
    def next_throw(self) -> Place:
        """Return the place of the next throw, or of the next die that decides who starts."""
        if not self.order and not self.journal.throws:
            return 0, 1 + (sum(map(len, self.starting.rounds)) if self.starting is not None else 0)
        turn = self.position.turn
        return self.position.number, 1 + (turn.throws if turn is not None else 0)


def _changed(state: TableState, **fields: object) -> TableState:
    """Return the state with other values in some fields, faster than `dataclasses.replace`."""
    made = object.__new__(TableState)
    vars(made).update(vars(state), **fields)
    return made


def _created(event: Created, time: float, number: int) -> TableState:
    """Return the first state of a table."""
    setup = event.setup
    journal = setup.beginning
    turn = journal.position.turn
    first = (journal.position.number, 1 + (turn.throws if turn else 0)) if journal.throws else None
    count = len(setup.seats)
    seats = (Seat(),) * count
    return TableState(
        event.table,
        setup,
        number,
        number,
        time,
        time,
        time,
        time,
        seats,
        journal,
        Clocks.start(setup.clock, count),
        Commitment(event.commitment, first),
        pending=pending_before_start(seats, needs_seeds=setup.needs_seeds),
        counter=journal.throws,
        offered=(0,) * count,
    )


def _pending(state: TableState) -> Pending:
    """Return what the table waits for."""
    if state.end is not None:
        return OVER
    if not state.started:
        return pending_before_start(state.seats, needs_seeds=state.setup.needs_seeds)
    if state.vacancy is not None:
        remaining = tuple(seat for seat in state.people if seat != state.vacancy.seat)
        return Pending(PendingKind.REPLACEMENT, remaining)
    if not state.order:
        return pending_before_order(state.seats, state.starting, real_dice=state.real_dice)
    return pending_in_game(state.setup, state.seats, state.order, state.position)


def _applied(state: TableState, event: Event, time: float, journal: Journal | None) -> TableState:
    """Return the state after an event, but with the `number`, `time`, `clocks` and `pending` of
    the state before. `journal`: as for `apply`."""
    if isinstance(event, TalkEvent):
        return _talked(state, event, time)
    match event:
        case Thrown() | Acted() | LotCast() | DieThrown():
            return _played(state, event, time)
        case Seated() | StoodUp() | LevelSeated() | Renamed() | SeedCommitted() | SeedRevealed():
            return _seated(state, event, time)
        case SeatFreed():
            # the links are new, and a running game waits for a person on this seat
            waits = {"vacancy": Vacancy(event.seat), "offer": None, "last_entry": None}
            fields = waits if state.started else {"seats_full": None, "seeds_promised": None}
            return _changed(_seated(state, event, time), links=state.links + 1, **fields)
        case LinksRotated():
            return _changed(state, links=state.links + 1)
        case AdmissionSet(admits):
            return _changed(state, admits=admits)
        case Started():
            return _changed(state, started=True, **first_player(state.rules, state.setup.first, state.setup.start))
        case TakenBack():
            assert state.last_entry is not None
            return _changed(state, **state.last_entry.before(), throws=())
        case DrawOffered(seat):
            offered = (*state.offered[:seat], state.position.number, *state.offered[seat + 1 :])
            return _changed(state, offer=Offer(seat, frozenset({seat})), offered=offered)
        case DrawAnswered(seat, accept):
            offer = state.offer
            assert offer is not None
            return _changed(state, offer=Offer(offer.seat, offer.agreed | {seat}) if accept else None)
        case Resigned(seat):
            return _changed(state, offer=None, vacancy=Vacancy(seat))
        case EndAgreed(seat):
            vacancy = state.vacancy
            assert vacancy is not None
            return _changed(state, vacancy=Vacancy(vacancy.seat, vacancy.agreed | {seat}))
        case Ended():
            return _changed(state, end=event, ended_at=time, offer=None, vacancy=None, last_entry=None)
        case SecretPublished(secret, published):
            earlier = (*(old._replace(secret=text or old.secret) for old, text in zip(state.earlier, published, strict=False)),)
            return _changed(state, secret=secret, earlier=earlier or state.earlier)
        case CommitmentEnded():
            return _changed(state, earlier=(*state.earlier, state.commitment))
        case CommitmentBegun(commitment, salt):
            # no action is taken back: the new secret begins with the throw that is next now
            return _changed(state, commitment=Commitment(commitment, state.next_throw, salt), last_entry=None)
        case RematchAsked(seat):
            return _changed(state, rematch=state.rematch | {seat})
        case NextTable(table):
            return _changed(state, next=table)
        case ClockHeld(seconds):
            held = state.last_entry and state.last_entry._replace(clocks=state.last_entry.clocks.held(seconds))
            later = {
                name: at + seconds for name in ("seats_full", "seeds_promised") if (at := getattr(state, name)) is not None
            }
            return _changed(state, clocks=state.clocks.held(seconds), last_entry=held, **later)
        case BroughtOver():
            return _changed(state, **brought_over(event, state.journal, state.seats))
        case PlayedOnDevice():
            return _on_device(state, event, journal or journal_after(state.journal, event.steps))
        case Claimed() | TimeUp():
            return state  # the consequence is an event of its own
        case Created():
            raise TableError(TableCode.NOT_AN_EVENT, text="created", why="twice")


def _seated(state: TableState, event: SeatEvent, time: float) -> TableState:
    """Return the state after an event that changes a seat. The times when the table became full and
    when all seeds were promised are set once."""
    before = state.seats[event.seat]
    seats = (*state.seats[: event.seat], seat_after(before, event), *state.seats[event.seat + 1 :])
    arrived = arrivals_after(state.arrived, event)
    talk = lines_renamed(state.talk, event.seat, before.name, event.name) if isinstance(event, Renamed) else state.talk
    seated = _changed(state, seats=seats, people=people_among(seats), arrived=arrived, talk=talk)
    if isinstance(event, LevelSeated | Seated) and state.vacancy is not None and state.vacancy.seat == event.seat:
        seated = _changed(seated, vacancy=None)
    if isinstance(event, LevelSeated) and before.identity is not None:
        seated = _changed(seated, replaced=state.replaced | {before.identity})
    if not seated.is_full:
        return seated
    if seated.seats_full is None:
        seated = _changed(seated, seats_full=time)
    if seated.seeds_promised is None and all(seat.hash is not None or seat.seed is not None for seat in seats):
        seated = _changed(seated, seeds_promised=time)
    return seated


def _played(state: TableState, event: Thrown | Acted | LotCast | DieThrown, time: float) -> TableState:
    """Return the state after a throw or an action.

    At a table with real dice a person's last entry can be taken back. With the server's dice an
    action with a `hold` can be taken back until the next throw.
    """
    journal, starting, order, lot, text = state.journal, state.starting, state.order, state.lot, ""
    throws = state.throws
    match event:
        case Thrown(text):
            journal = journal.throw(None if text == VOID_THROW else throw_from_text(text))
            if text != VOID_THROW:
                throws = throws_after(throws, RecentThrow(state.number + 1, state.seat_of_turn(state.position.number), text))
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
    counter, entry = state.counter, state.last_entry if state.real_dice else None
    hold = event.hold if isinstance(event, Acted) else 0.0
    if isinstance(event, Thrown | DieThrown) and event.counter is not None:
        counter = event.counter + 1
    elif event.seat is not None and (hold or (state.real_dice and state.seats[event.seat].is_human)):
        entry = Entry(event.seat, text, state.journal, state.starting, state.lot, state.order, state.clocks, time + hold)
    return _changed(
        state,
        journal=journal,
        starting=starting,
        order=order,
        lot=lot,
        offer=state.offer and state.offer.in_turn(journal.position.number, state.offered),
        counter=counter,
        last_entry=entry,
        throws=throws,
    )


def _talked(state: TableState, event: TalkEvent, time: float) -> TableState:
    """Return the state after an event of talk."""
    line = Line(state.number + 1, time, state.seats[event.seat].name, event)
    if isinstance(event, TextsAllowed):
        state = _seated(state, event, time)
    return _changed(state, talk=lines_after(state.talk, line))


def _on_device(state: TableState, event: PlayedOnDevice, journal: Journal) -> TableState:
    """Return the state after a section that led to this journal."""
    counter = state.counter + (0 if state.real_dice else journal.throws - state.journal.throws)
    on = _changed(state, journal=journal, counter=counter, last_entry=None)
    places = state.next_throw, on.next_throw
    return _changed(on, **came_back(event, state.number + 1, places, state.sections, state.commitment, state.earlier))
