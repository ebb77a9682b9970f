"""What a finished rated game says about its players, as a value that follows from its events.

The row of a rated game is saved with the end of its table. Ratings follow from these rows alone.
The games of a pair of duels or of a table of four are rated together (`rated_event`).
"""

import json
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from dicecup.core.game import Scoring
from dicecup.hosting.competition.events import invited_kind
from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.pools import pool_of
from dicecup.hosting.store.rows import RatedRow
from dicecup.table.commands import Remedy
from dicecup.table.consequences import ABANDONED
from dicecup.table.events import Acted, Claimed, LevelSeated, Resigned, Seated, SeatFreed, Started, StoodUp, Stored, TimeUp
from dicecup.table.setup import Setup
from dicecup.table.state import TableState

FIRST_TURNS: Final = 2
"""A game that a person gives up before this turn does not count."""
ENDS_NO_TURN: Final = re.compile(r"!?k(-|[1-6]*)|.*>.*", re.ASCII)
"""Actions that keep dice, and corrections."""


class Refusal(StrEnum):
    """Why a rated game does not count."""

    TOO_SHORT = "too-short"
    """It was given up before the second turn."""
    ON_DEVICE = "on-device"
    """A part of it was played without the server, which threw no dice there."""
    SAME_PERSON = "same-person"
    """A person had several seats."""
    CLOSED = "closed"
    """The host of the server closed the table, or nobody sat there any more."""
    UNMEASURED = "unmeasured"
    """A level without a measured rating played."""
    CANCELLED = "cancelled"
    """An administrator took it out of the count."""
    IN_EVENT = "in-event"
    """It counts together with the other games of its event."""
    RESTORED = "restored"
    """The server came back from a backup, so throws of its event may have been seen before."""


def event_of(setup: Setup) -> str:
    """Return the id of the event with whose games a game is rated together, an empty text for a
    game that is rated by itself."""
    return setup.duplicate.event if setup.duplicate is not None and invited_kind(setup) else ""


class Member(NamedTuple):
    """A player: an `identity`, or a computer at a `level`. `left`: the person did not play to the
    end, and lost."""

    identity: str | None
    level: str = ""
    left: bool = False


class RatedGame(NamedTuple):
    """A finished rated game: the players of each side, and the rank of each side: 0 for the
    winners, equal ones for a draw. `refusal`: why it does not count."""

    table: str
    ended: float
    pool: str
    sides: tuple[tuple[Member, ...], ...]
    ranks: tuple[int, ...]
    refusal: str | None = None

    @property
    def people(self) -> list[str]:
        """Return the identities of all people, sorted."""
        return sorted(member.identity for side in self.sides for member in side if member.identity is not None)


def row_of(game: RatedGame) -> RatedRow:
    """Return the row of a game, which is saved with the end of its table."""
    body = json.dumps({"sides": game.sides, "ranks": game.ranks}, separators=(",", ":"))
    return RatedRow(game.table, game.ended, game.pool, body, game.refusal)


def game_of(row: RatedRow) -> RatedGame:
    """Return the game of a row."""
    data: Any = json.loads(row.body)
    sides = tuple(tuple(Member(*member) for member in side) for side in data["sides"])
    return RatedGame(row.table_id, row.ended, row.pool, sides, tuple(data["ranks"]), row.refusal)


def rated_game(before: TableState, after: TableState, events: Iterable[Stored]) -> RatedGame | None:
    """Return what a game says that has just ended, `None` unless it was rated and began.

    `before` is the state before the transition that ended it. `events` holds all its events, with
    or without the first one.
    """
    if not after.setup.rated or after.end is None or after.ended_at is None or not after.order:
        return None
    course = _Course(events)
    expired = after.end.end == "abandoned" and not course.claimed and after.ended_at >= before.idle_since + ABANDONED
    if expired:
        course.lost.extend(seat for seat in before.pending.seats if after.seats[seat].is_human)
    members = [course.member(seat) for seat in range(len(after.seats))]
    sides = [after.seats_of_sides([side]) for side in range(after.rules.sides)]
    lost = [_lost_at(seats, members, course) for seats in sides]
    pool = pool_of(after.setup)
    return RatedGame(
        after.table,
        after.ended_at,
        str(pool),
        tuple(tuple(members[seat] for seat in seats) for seats in sides),
        _ranks(after, lost),
        _refusal(after, members, course, lost),
    )


class _Course:
    """What the events of a game say about its seats: who sat there when it began, whose person
    left, and which seats lost by leaving, by resigning or by their clock, in order."""

    def __init__(self, events: Iterable[Stored]) -> None:
        self.gone: set[int] = set()
        self.lost: list[int] = []
        self.claimed = False
        self.left_early = False
        self._members: dict[int, Member] = {}
        self._turn = 0
        """The number of the turn, 0 before the game."""
        for stored in events:
            self._add(stored)

    def member(self, seat: int) -> Member:
        """Return who was on a seat when the game began."""
        return self._members[seat]._replace(left=seat in self.gone)

    def _add(self, stored: Stored) -> None:
        match stored.event:
            case Started():
                self._turn = 1
            case Acted(_, action) if not ENDS_NO_TURN.fullmatch(action):
                self._turn += 1
            case Seated(seat, _, identity) if not self._turn:
                self._members[seat] = Member(identity)
            case LevelSeated(seat, level) if not self._turn:
                self._members[seat] = Member(None, level)
            case StoodUp(seat) if not self._turn:
                self._members.pop(seat, None)
            case LevelSeated(seat) | SeatFreed(seat) if self._turn and self._members[seat].identity is not None:
                self._leave(seat)
            case Resigned(seat) | TimeUp(seat):
                self.lost.append(seat)
            case Claimed(_, what, against):
                self.claimed = True
                if what is not Remedy.DRAW:
                    self._leave(against)

    def _leave(self, seat: int) -> None:
        """Note that the person on a seat has left."""
        self.gone.add(seat)
        self.lost.append(seat)
        self.left_early |= self._turn < FIRST_TURNS


def _lost_at(seats: tuple[int, ...], members: list[Member], course: _Course) -> int | None:
    """Return the place in the order of losing at which a side lost before the end, `None` if it
    played on. A side of partners plays on until the last person has left."""
    places = [course.lost.index(seat) for seat in seats if seat in course.lost]
    played_on = [seat for seat in seats if members[seat].identity is None or not members[seat].left]
    only_left = all(members[seat].left for seat in seats if seat in course.lost)
    return None if not places or (only_left and played_on) else max(places)


def _ranks(after: TableState, lost: list[int | None]) -> tuple[int, ...]:
    """Return the rank of each side. Sides that lost before the end are last, the first of them the
    very last; the others are ranked by who won, and where totals count by these."""
    end = after.end
    assert end is not None
    winning = {after.side_of(seat) for seat in end.winners}
    by_totals = after.rules.scoring is Scoring.TOTALS and (end.end == "full" or 0 < len(winning) < after.rules.sides)
    keys = []
    for side, place in enumerate(lost):
        total = after.position.scores[side] if by_totals else 0
        keys.append((0, side not in winning, -total) if place is None else (1, False, -place))
    return tuple(sum(other < key for other in set(keys)) for key in keys)


def _refusal(after: TableState, members: list[Member], course: _Course, lost: list[int | None]) -> str | None:
    """Return why a game does not count, `None` if it does."""
    end = after.end
    assert end is not None
    identities = [member.identity for member in members if member.identity is not None]
    levels = {member.level for member in members if member.level}
    undecided = end.end == "abandoned" and not course.claimed and all(place is None for place in lost)
    refusal = Refusal.IN_EVENT if event_of(after.setup) else None
    if after.sections:
        refusal = Refusal.ON_DEVICE
    elif len(set(identities)) < len(identities):
        refusal = Refusal.SAME_PERSON
    elif undecided or not identities:
        refusal = Refusal.CLOSED
    elif course.left_early or (after.position.number < FIRST_TURNS and after.position.outcome is None):
        refusal = Refusal.TOO_SHORT
    elif not levels <= level_strengths(after.rules.name).keys():
        refusal = Refusal.UNMEASURED
    return refusal and refusal.value
