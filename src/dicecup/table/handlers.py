"""Handlers of commands and of time: pure functions from a state to a transition.

The caller hands in the time, the secret of the table's dice and which people are offline. It saves
the events before it publishes the new state. A refused command raises an error and has no events.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dicecup.core.source import DiceSource
from dicecup.table import commands, endings, fairness, leaving, playing, seating, talking
from dicecup.table.commands import Command, TalkCommand
from dicecup.table.consequences import (
    hold_clock,
    next_transition,
    pass_time,
    publish_secret,
    renew_commitment,
    settle,
    wake_at,
)
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import AdmissionSet, Created, LevelSeated, LinksRotated, Renamed, Seated, SeatFreed, Stored, TimeUp
from dicecup.table.names import check_name, free_name
from dicecup.table.permissions import Actor, check, check_seat, free_taken_seat_refusal, game_refusal, vacancy_refusal
from dicecup.table.setup import DiceOf, Setup
from dicecup.table.state import TableState
from dicecup.table.transition import Draft, Transition

__all__ = [
    "Actor",
    "Sitter",
    "close",
    "due",
    "expire",
    "free",
    "handle",
    "hold_clock",
    "next_transition",
    "open_event_table",
    "open_next_table",
    "open_table",
    "publish_secret",
    "renew_commitment",
    "rotate_links",
    "set_admission",
    "wake_at",
]


class Sitter(NamedTuple):
    """A person who takes a seat when the table is created."""

    seat: int
    name: str
    identity: str


def open_table(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> Transition:
    """Create a table: the sitters and the computers take their seats.

    Raises `TableError`: `not-a-setup` for a later game of a match, which `open_next_table` opens,
    and for a game of an event, which `open_event_table` opens; `not-a-name`, `hidden-in-name`,
    `name-twice`, `no-such-seat`, `seat-taken`.
    """
    if setup.so_far is not None:
        raise TableError(TableCode.NOT_A_SETUP, text="so_far", why="match")
    if setup.duplicate is not None:
        raise TableError(TableCode.NOT_A_SETUP, text="duplicate", why="event")
    return _open_named(table, setup, secret, sitters, now)


def open_event_table(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> Transition:
    """Create a table of a duplicate event with the secret of the event. Raises as `open_table`."""
    return _open_named(table, setup, secret, sitters, now)


def _open_named(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float) -> Transition:
    """Create a table after checking the names of its people. Raises `TableError`."""
    for place, sitter in enumerate(sitters):
        check_name(sitter.name, [other.name for other in sitters[:place]])
    return _open(table, setup, secret, sitters, now)


def open_next_table(state: TableState, secret: bytes, now: float) -> Transition:
    """Create the table that the event `NextTable` named: the same people on the same seats, and the
    same owner and admission.

    `state` is the state of the finished table, `secret` the secret of the new one. Names are not
    checked: an earlier version may have accepted them.
    """
    assert state.next is not None
    sitters = [Sitter(seat, state.seats[seat].name, state.seats[seat].identity or "") for seat in state.arrived]
    return _open(state.next, endings.next_setup(state), secret, sitters, now, admits=state.admits)


def _open(table: str, setup: Setup, secret: bytes, sitters: Sequence[Sitter], now: float, *, admits: bool = True) -> Transition:
    """Return the events that create a table, and its state: the sitters, the computers, and what
    follows from both. Raises `TableError`."""
    created = Created(table, setup, "" if setup.dice is DiceOf.TABLE else fairness.commitment(secret))
    draft = Draft(TableState.from_events([Stored(1, now, created)]), now, secret)
    for sitter in sitters:
        if not 0 <= sitter.seat < len(setup.seats):
            raise TableError(TableCode.NO_SUCH_SEAT, text=sitter.seat)
        if draft.state.seats[sitter.seat].is_taken or setup.seats[sitter.seat].level:
            raise TableError(TableCode.SEAT_TAKEN, text=sitter.seat)
        draft.append(Seated(sitter.seat, sitter.name, sitter.identity))
    for seat, held in enumerate(setup.seats):
        if held.level:
            name = free_name(held.level, [other.name for other in draft.state.seats])
            draft.append(LevelSeated(seat, held.level, name))
    if not admits:
        draft.append(AdmissionSet(admits))
    settle(draft)
    if setup.duplicate is not None and draft.state.order and draft.state.position.corrections:
        draft.throw_dice()  # nobody moves a result that was not thrown in this game
    events, state = draft.finish()
    return Transition((created, *events), state)


def handle(
    state: TableState,
    actor: Actor,
    command: Command,
    now: float,
    secret: bytes,
    offline: Mapping[int, float],
    dice: DiceSource | None = None,
    earlier: Sequence[bytes] = (),
) -> Transition:
    """Return the events of a command, at least one, and the state after them.

    `offline` maps each seat whose person is offline to the time since when. `dice` makes the throws
    of the command; `None`: the throws follow from `secret`. `earlier`: the known secrets of ended
    commitments, which are published after the end of the game. Events that are due by `now` come
    first; see `due`. Raises `DicecupError` if the command is refused.
    """
    draft = Draft(state, now, secret, dice, earlier)
    pass_time(draft)
    _handle(draft, actor, command, offline)
    settle(draft)
    return draft.finish()


def due(
    state: TableState, now: float, secret: bytes, dice: DiceSource | None = None, earlier: Sequence[bytes] = ()
) -> Transition:
    """Return the events that are due by `now`, mostly none.

    `dice` and `earlier`: as for `handle`.

    Such events are seeds that came too late, an expired clock, a table without any event for too
    long, and a new commitment on a server with another secret.
    """
    draft = Draft(state, now, secret, dice, earlier)
    pass_time(draft)
    return draft.finish()


def close(state: TableState, now: float, secret: bytes, earlier: Sequence[bytes] = ()) -> Transition:
    """Abandon an open game and publish the secret of its dice, and the `earlier` secrets.

    A game that is over has no events.
    """
    draft = Draft(state, now, secret, earlier=earlier)
    pass_time(draft)
    if draft.state.end is None:
        draft.append(endings.ended(draft.state, "abandoned"))
        settle(draft)
    return draft.finish()


def expire(state: TableState, now: float, secret: bytes) -> Transition:
    """End the game of a duplicate event whose time is up, as if the clock of its person had run
    out. A game that is over has no events."""
    draft = Draft(state, now, secret)
    pass_time(draft)
    state = draft.state
    if state.end is None and state.order and state.people:
        seat = next((seat for seat in state.pending.seats if seat in state.people), state.people[0])
        draft.append(TimeUp(seat))
        draft.append(endings.ended(state, "time", endings.sides_without(state, seat) or None))
    elif state.end is None:
        draft.append(endings.ended(state, "abandoned"))
    settle(draft)
    return draft.finish()


def free(state: TableState, taken: int, now: float, secret: bytes, earlier: Sequence[bytes] = ()) -> Transition:
    """Take a seat back from its person, for the host of the server, also in the middle of a game.

    `earlier`: as for `handle`. Raises `TableError`.
    """
    draft = Draft(state, now, secret, earlier=earlier)
    pass_time(draft)
    refusal = free_taken_seat_refusal(draft.state, taken)
    if refusal is not None:
        raise TableError(refusal, text=taken + 1)
    draft.append(SeatFreed(taken))
    settle(draft)
    return draft.finish()


def rename(state: TableState, now: float, identity: str, names: Mapping[int, str]) -> Transition:
    """Give those seats of a person that have another name the name in `names`."""
    draft = Draft(state, now, b"")
    for seat in sorted(state.seats_of(identity) & names.keys()):
        if state.seats[seat].name != names[seat]:
            draft.append(Renamed(seat, names[seat]))
    return draft.finish()


def rotate_links(state: TableState, now: float) -> Transition:
    """Give the table new links, for the host of the server."""
    draft = Draft(state, now, b"")
    draft.append(LinksRotated())
    return draft.finish()


def set_admission(state: TableState, now: float, *, admits: bool) -> Transition:
    """Close the table to newcomers or open it again, for the host of the server.

    Without a change there is no event.
    """
    draft = Draft(state, now, b"")
    if state.admits is not admits:
        draft.append(AdmissionSet(admits))
    return draft.finish()


def _handle(draft: Draft, actor: Actor, command: Command, offline: Mapping[int, float]) -> None:
    """Append the events of a command.

    Seating, links, seeds, the rematch and talk need no running game; all other commands do. Raises
    `TableError`.
    """
    check_seat(draft.state, actor, command.seat, sitting=isinstance(command, commands.Sit))
    match command:
        case commands.Sit(name, seat):
            seating.sit(draft, actor, name, seat)
        case commands.StandUp(seat):
            seating.stand_up(draft, actor, seat)
        case commands.SeatComputer(level, free):
            seating.seat_computer(draft, level, free)
        case commands.FreeSeat(taken):
            seating.free_seat(draft, actor, taken, offline)
        case commands.RotateLinks():
            seating.rotate_links(draft, actor)
        case commands.SetAdmission(admits):
            seating.set_admission(draft, actor, admits=admits)
        case commands.CommitSeed(commitment, seat):
            seating.commit_seed(draft, actor, commitment, seat)
        case commands.RevealSeed(seed, seat):
            seating.reveal_seed(draft, actor, seed, seat)
        case commands.Rematch(seat):
            leaving.ask_for_rematch(draft, actor, seat)
        case commands.Say() | commands.React() | commands.Write() | commands.AllowTexts():
            _talk(draft, actor, command)
        case _:
            check(game_refusal(draft.state))
            _handle_in_game(draft, actor, command, offline)


def _talk(draft: Draft, actor: Actor, command: TalkCommand) -> None:
    """Append the events of a command with which a person talks. Raises `TableError`."""
    match command:
        case commands.Say(phrase, seat):
            talking.say(draft, actor, phrase, seat)
        case commands.React(reaction, throw, seat):
            talking.react(draft, actor, reaction, throw, seat)
        case commands.Write(text, seat):
            talking.write(draft, actor, text, seat)
        case commands.AllowTexts(allowed):
            talking.allow_texts(draft, actor, allowed=allowed)


def _handle_in_game(draft: Draft, actor: Actor, command: Command, offline: Mapping[int, float]) -> None:
    """Append the events of a command in a running game.

    Only `Replace` and `EndGame` are allowed while a seat is vacant. Raises `TableError`.
    """
    match command:
        case commands.Replace(level, seat):
            leaving.replace(draft, actor, level, seat)
        case commands.EndGame(seat):
            leaving.agree_to_end(draft, actor, seat)
        case _:
            check(vacancy_refusal(draft.state))
            _play(draft, actor, command, offline)


def _play(draft: Draft, actor: Actor, command: Command, offline: Mapping[int, float]) -> None:
    """Append the events of a command that is part of playing. Raises `TableError`."""
    match command:
        case commands.Throw(seat):
            playing.throw(draft, actor, seat)
        case commands.EnterDice(text, seat):
            playing.enter_dice(draft, actor, text, seat)
        case commands.EnterDie(face, seat):
            playing.enter_die(draft, actor, face, seat)
        case commands.Act(action, seat, hold):
            playing.act(draft, actor, action, seat, hold)
        case commands.TakeBack():
            playing.take_back(draft, actor)
        case commands.Resign(seat):
            leaving.resign(draft, actor, seat)
        case commands.OfferDraw(seat):
            leaving.offer_draw(draft, actor, seat)
        case commands.AnswerDraw(accept, seat):
            leaving.answer_draw(draft, actor, seat, accept=accept)
        case commands.Claim(what, level, seat):
            leaving.claim(draft, actor, what, level, seat, offline)
