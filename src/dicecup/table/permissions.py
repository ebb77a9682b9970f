"""What a seat may do.

Each rule is stated once: the handlers check it, and the views list what it allows.

A function that ends in `_refusal` returns the code with which a command is refused, `None` if the
command is allowed.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from dicecup.core.game import Action
from dicecup.table.commands import Remedy
from dicecup.table.errors import TableCode, TableError
from dicecup.table.pending import PendingKind
from dicecup.table.setup import ClockKind, begins_elsewhere
from dicecup.table.state import TableState
from dicecup.table.values import Entry

GRACE: Final = 80.0
"""Seconds offline after which a person counts as having left: 20 of silence, 60 of warning."""
PATIENCE: Final = 600.0
"""Seconds of a turn after which the others may claim against a person who is online, at a table
without a clock."""
_COMMANDS: Final = {
    PendingKind.SEEDS: "reveal-seed",
    PendingKind.THROW: "throw",
    PendingKind.DICE: "enter-dice",
    PendingKind.DIE: "enter-die",
    PendingKind.LOT: "enter-die",
    PendingKind.ACTION: "act",
    PendingKind.REPLACEMENT: "replace",
}
TALK_AFTER_END: Final = 3600.0
"""Seconds after the end of a game for which people may talk."""
LONGEST_HOLD: Final = 10.0
"""Seconds that a computer waits at most, so that an action can be taken back."""


class Actor(NamedTuple):
    """The person or computer that sends a command, with the seats that it holds.

    A computer has no identity.
    """

    identity: str | None
    seats: frozenset[int]


def check(refusal: TableCode | None) -> None:
    """Raise `TableError` with this code, if there is one."""
    if refusal is not None:
        raise TableError(refusal)


# --- Seats ----------------------------------------------------------------------------------------


def check_seat(state: TableState, actor: Actor, seat: int | None, *, sitting: bool) -> None:
    """Raise `TableError` unless the actor holds the named seat, or any seat if none is named.

    `sitting`: the command takes a seat, so the seat must only exist. Codes: `no-such-seat`,
    `not-your-seat`.
    """
    if seat is not None and not 0 <= seat < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=seat)
    if not sitting and (not actor.seats or (seat is not None and seat not in actor.seats)):
        raise TableError(TableCode.NOT_YOUR_SEAT, text=seat)


def seat_for(actor: Actor, named: int | None, able: Collection[int], refusal: TableCode = TableCode.NOT_YOUR_TURN) -> int:
    """Return the seat that acts: the named one, or the actor's first of the `able` seats.

    Raises `TableError` with the code `refusal` if there is no such seat.
    """
    for seat in able:
        if seat in actor.seats and named in (None, seat):
            return seat
    raise TableError(refusal)


def own_seat(state: TableState, actor: Actor, named: int | None) -> int:
    """Return the seat for which a command counts.

    It is the named one, else the actor's first pending one, else the actor's first one.
    """
    if named is not None:
        return named
    return next((seat for seat in state.pending.seats if seat in actor.seats), min(actor.seats))


def may_watch(state: TableState, identity: str | None) -> bool:
    """Return whether this person may watch without a link. Replaced people may."""
    return may_invite(state, identity) or identity in state.replaced


def may_invite(state: TableState, identity: str | None) -> bool:
    """Return whether this person may have the links of the table: only people who sit at it may."""
    return bool(state.seats_of(identity))


# --- The owner ------------------------------------------------------------------------------------


def owner_refusal(state: TableState, seats: Collection[int]) -> TableCode | None:
    """Return why the holder of these seats may not change the links and the admission."""
    return None if state.owner in seats else TableCode.NOT_THE_OWNER


def free_seat_by_owner_refusal(
    state: TableState, seats: Collection[int], taken: int, now: float, offline: Mapping[int, float]
) -> TableCode | None:
    """Return why the holder of these seats may not take a seat back.

    The owner may before the game, and when a claim against that seat is possible.
    """
    return _free_seat_refusal(state, seats, taken, claimable_seat(claimable_at(state, offline), seats, now))


def _free_seat_refusal(state: TableState, seats: Collection[int], taken: int, against: int | None) -> TableCode | None:
    """`against`: the seat against which a claim is possible."""
    refusal = owner_refusal(state, seats) or free_taken_seat_refusal(state, taken)
    if refusal is not None:
        return refusal
    idle = not state.started or against == taken
    return TableCode.SEAT_KEPT if taken in seats or not idle else None


def free_taken_seat_refusal(state: TableState, taken: int) -> TableCode | None:
    """Return why nobody, not even the host of the server, can take a seat back.

    Once seeds are revealed, a newcomer could choose a seed that fits them: the game starts first.
    """
    if state.end is not None:
        return TableCode.GAME_OVER
    if not 0 <= taken < len(state.seats):
        return TableCode.NO_SUCH_SEAT
    if state.vacancy is not None:
        return TableCode.SEAT_VACANT
    revealed = not state.started and any(state.seats[seat].seed is not None for seat in state.people)
    kept = revealed or state.setup.is_contest or not state.seats[taken].is_human
    return TableCode.SEAT_KEPT if kept else None


def seats_to_free(state: TableState, seats: Collection[int], against: int | None) -> list[int]:
    """Return the seats that the holder of these seats may take back.

    `against`: the seat against which a claim is possible.
    """
    return [seat for seat in range(len(state.seats)) if _free_seat_refusal(state, seats, seat, against) is None]


# --- Before the start -----------------------------------------------------------------------------


def free_seat_refusal(state: TableState) -> TableCode | None:
    """Return why nobody can take a seat."""
    if state.end is not None:
        return TableCode.GAME_OVER
    return TableCode.TABLE_FULL if state.is_full else None


def newcomer_refusal(state: TableState, seats: Collection[int]) -> TableCode | None:
    """Return why the holder of these seats, none for a newcomer, cannot take one.

    Nobody else sees a game of an event before all its games are over.
    """
    hides_dice = state.setup.is_contest and state.secret is None
    return None if seats or (state.admits and not hides_dice) else TableCode.TABLE_CLOSED


def stand_up_refusal(state: TableState) -> TableCode | None:
    """Return why nobody can give a seat back."""
    if state.end is not None:
        return TableCode.GAME_OVER
    return TableCode.GAME_RUNNING if state.is_full or state.started else None


def seats_to_commit(state: TableState) -> list[int]:
    """Return the seats that may commit to a seed."""
    if state.started or not state.setup.needs_seeds or state.end is not None:
        return []
    return [seat for seat in state.people if state.seats[seat].hash is None and state.seats[seat].seed is None]


# --- In the game ----------------------------------------------------------------------------------


def game_refusal(state: TableState) -> TableCode | None:
    """Return why no game runs."""
    if state.end is not None:
        return TableCode.GAME_OVER
    return None if state.started else TableCode.GAME_NOT_BEGUN


def vacancy_refusal(state: TableState) -> TableCode | None:
    """Return why the game is paused: people first choose who plays for the seat that gave up."""
    return None if state.vacancy is None else TableCode.SEAT_VACANT


def pending_command(state: TableState) -> str | None:
    """Return the type of the command that does what the table waits for."""
    return _COMMANDS.get(state.pending.kind)


def seats_to_send(state: TableState, command: str) -> tuple[int, ...]:
    """Return the seats of which the table waits for a command of this type."""
    return state.pending.seats if pending_command(state) == command else ()


def may_end_wait(state: TableState, seats: Collection[int]) -> bool:
    """Return whether one of these seats may end the wait of the computer that is next, so that it
    throws now."""
    entry = state.last_entry
    return entry is not None and entry.seat in seats and bool(seats_to_send(state, "throw"))


def seat_of_action(state: TableState, action: Action) -> int:
    """Return the seat that may do an action.

    The thrower keeps dice, the writer ends the turn and corrects its result.
    """
    if action.corrects is not None:
        return state.writer_of_turn(action.corrects)
    turn = state.position.number
    return state.writer_of_turn(turn) if action.kept is None else state.seat_of_turn(turn)


def can_be_held(state: TableState, seat: int, action: Action) -> bool:
    """Return whether a computer can wait after an action, so that the action can be taken back.

    The server throws the dice, the other seats are computers, the game is not rated, and the action
    ends the turn and cannot be corrected. Raises what `Position.play` raises.
    """
    if (
        state.real_dice
        or state.setup.rated
        or state.people != (seat,)
        or action.kept is not None
        or action.corrects is not None
    ):
        return False
    after = state.journal.play(action).position
    return after.turn is not None and state.seat_of_turn(after.number) != seat and not after.corrections


def entry_to_take_back(state: TableState, seats: Collection[int], now: float) -> Entry | None:
    """Return the last entry if one of these seats may take it back.

    The clock that ran before the entry goes on after it is taken back, so that clock must not have
    run out by `now`.
    """
    entry = state.last_entry
    if entry is None or entry.seat not in seats or state.vacancy is not None:
        return None
    deadline = entry.clocks.deadline
    return entry if deadline is None or now < deadline else None


def go_on_refusal(state: TableState, seats: Collection[int]) -> TableCode | None:
    """Return why the holder of these seats cannot go on without the server: on a device, until the
    server is back.

    One person plays against computers and is next, without a clock or a rating, and in no match:
    nobody else waits, and nothing runs out at the server meanwhile. The device knows the turns from
    the first one on.
    """
    if state.end is not None:
        return TableCode.GAME_OVER
    if not state.order:
        return TableCode.GAME_NOT_BEGUN
    setup = state.setup
    alone = len(state.people) == 1 and state.people[0] in seats and state.vacancy is None
    bound = setup.clock is not None or setup.games > 1 or setup.writers or setup.rated or setup.duplicate
    if not alone or bound or begins_elsewhere(setup):
        return TableCode.NOT_FOR_DEVICES
    return None if state.people[0] in state.pending.seats else TableCode.NOT_YOUR_TURN


# --- Draws ----------------------------------------------------------------------------------------


def draw_offer_refusal(state: TableState, seat: int) -> TableCode | None:
    """Return why a seat may not offer a draw.

    Each seat has one offer a round. People of another side must be there to answer; computers agree
    to what all people agree to.
    """
    if not state.order:
        return TableCode.GAME_NOT_BEGUN
    if len({state.side_of(person) for person in state.people}) < 2:
        return TableCode.NOBODY_TO_ASK
    last = state.offered[seat]
    offered_lately = last and state.position.number < last + len(state.seats)
    return TableCode.DRAW_OFFERED if state.offer is not None or offered_lately else None


def seats_to_answer_draw(state: TableState) -> list[int]:
    """Return the people's seats that have not answered the draw offer."""
    return [] if state.offer is None else [seat for seat in state.people if seat not in state.offer.agreed]


# --- Claims ---------------------------------------------------------------------------------------


class Reason(StrEnum):
    """Why the others may claim against a person."""

    OFFLINE = "offline"
    """The person is offline for `GRACE`."""
    SLOW = "slow"
    """The person takes longer than `PATIENCE` for a turn."""


class Claimable(NamedTuple):
    """The pending seat of a person, and the time from which the others may claim against it."""

    seat: int
    at: float
    reason: Reason


def claimable_at(state: TableState, offline: Mapping[int, float]) -> Claimable | None:
    """Return the seat against which the others may claim if its person does nothing.

    `None`: the table waits for nobody, all people are one person, or the person is online and has a
    clock.

    Nobody can claim in a game with days for a turn, which nobody has to watch all the time.
    """
    seat, since = _awaited(state)
    if state.end is not None or seat is None or not _has_other_person(state, seat):
        return None
    clock = state.setup.clock
    slow = Claimable(seat, since + PATIENCE, Reason.SLOW) if clock is None else None
    if seat not in offline or (clock is not None and clock.kind is ClockKind.DAYS):
        return slow
    gone = Claimable(seat, max(offline[seat], since) + GRACE, Reason.OFFLINE)
    return gone if slow is None or gone.at <= slow.at else slow


def patience_ends_at(state: TableState) -> float | None:
    """Return the time from which the others may claim against a person who is online.

    `None` at a table with a clock, and where `claimable_at` returns `None`.
    """
    if state.setup.clock is not None:
        return None
    found = claimable_at(state, {})
    return None if found is None else found.at


def _awaited(state: TableState) -> tuple[int | None, float]:
    """Return the seat of the person for whom the game waits, and since when."""
    if state.pending.kind is PendingKind.DIE and len(state.pending.seats) == 1:
        return state.pending.seats[0], state.moved_at  # no clock runs before the game
    return state.clocks.seat, state.clocks.since


def _has_other_person(state: TableState, seat: int) -> bool:
    """Return whether another person than the one on this seat sits at the table."""
    own = state.seats[seat].identity
    for held in state.seats:  # noqa: SIM110 each change asks several times, and `any` costs twice as much
        if held.identity is not None and held.identity != own:
            return True
    return False


def claimable_seat(found: Claimable | None, seats: Collection[int], now: float) -> int | None:
    """Return the seat against which the holder of these seats may claim now. `found`: the result of
    `claimable_at`."""
    return None if found is None or now < found.at or found.seat in seats else found.seat


def remedies(state: TableState, seats: Collection[int], against: int) -> list[Remedy]:
    """Return what the holder of these seats may claim against a seat.

    There is no win before it is known who starts, nor for partners.
    """
    opposed = bool(state.order) and any(state.side_of(seat) != state.side_of(against) for seat in seats)
    return [remedy for remedy in Remedy if remedy is not Remedy.WIN or opposed]


# --- After the game -------------------------------------------------------------------------------


def share_refusal(state: TableState) -> TableCode | None:
    """Return why the game cannot be shared with everybody: it must be over, and newcomers may see
    the table."""
    if state.end is None:
        return TableCode.GAME_NOT_OVER
    return newcomer_refusal(state, ()) if state.order else TableCode.GAME_NOT_BEGUN


def rematch_refusal(state: TableState, seats: Collection[int]) -> TableCode | None:
    """Return why the holder of these seats may not ask for a rematch."""
    if state.end is None:
        return TableCode.GAME_NOT_OVER
    if state.next is not None:
        return TableCode.GAME_RUNNING
    if state.setup.duplicate is not None:
        return TableCode.NO_REMATCH
    return TableCode.ALREADY_ASKED if set(seats) <= state.rematch else None


# --- Talk -----------------------------------------------------------------------------------------


def talk_refusal(state: TableState, seats: Collection[int], now: float) -> TableCode | None:
    """Return why the holder of these seats may not talk.

    Another person must sit at the table. After the end people may talk for `TALK_AFTER_END`.
    """
    if not _has_other_person(state, min(seats)):
        return TableCode.NOBODY_TO_TALK_TO
    is_over = state.ended_at is not None and now >= state.ended_at + TALK_AFTER_END
    return TableCode.TALK_OVER if is_over else None


def texts_refusal(state: TableState) -> TableCode | None:
    """Return why nobody may write texts: all people must allow them."""
    return None if all(state.seats[seat].texts for seat in state.people) else TableCode.TEXTS_OFF
