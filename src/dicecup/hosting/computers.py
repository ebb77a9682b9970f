"""The computer's seats: what is to be asked of a level, and how it answers. It gets the position and nothing else."""

import hmac
from collections.abc import Callable
from typing import NamedTuple

from dicecup import games, yamm
from dicecup.hosting.host_key import derived_key
from dicecup.players import Corrects, create
from dicecup.table.commands import Act, Command, Throw
from dicecup.table.handlers import Actor, handle
from dicecup.table.pending import PendingKind
from dicecup.table.state import TableState
from dicecup.table.transition import Transition


class Wish(NamedTuple):
    """The computer on `seat` is to act at this `level`: to decide, or else to throw after a last look at the result which the throw
    makes final; `sheet`: where that stands, if it is the computer's to move."""

    seat: int
    level: str
    decides: bool
    sheet: int | None = None


def wish(state: TableState) -> Wish | None:
    """What a computer is to do now; None where none is to. With real dice it looks at its last result again while people throw for
    it."""
    what, seats = state.pending.kind, state.pending.seats
    if what is PendingKind.ACTION and waits_for_computer(state):
        return Wish(seats[0], state.seats[seats[0]].level, decides=True)
    if what not in (PendingKind.THROW, PendingKind.DICE):
        return None
    keeper, position = state.corrector, state.position
    if keeper is not None and (level := state.seats[keeper].level) and isinstance(position, yamm.Position):
        return Wish(keeper, level, decides=False, sheet=position.sheet)
    return Wish(seats[0], state.seats[seats[0]].level, decides=False) if waits_for_computer(state) else None


def waits_for_computer(state: TableState) -> bool:
    """Whether nobody but a computer can go on."""
    what, seats = state.pending.kind, state.pending.seats
    return what in (PendingKind.ACTION, PendingKind.THROW) and bool(state.seats[seats[0]].level)


def command(state: TableState, wished: Wish, answer: str | None) -> Command | None:
    """What that computer does, given what `think` answered; None: nothing more, people throw for it."""
    if answer is not None:
        return Act(answer, seat=wished.seat)
    if state.pending.kind is PendingKind.THROW and waits_for_computer(state):
        return Throw(seat=state.pending.seats[0])
    return None


def act(seat: int, done: Command, secret: bytes) -> Callable[[TableState, float], Transition]:
    """Lets the computer on this seat do it."""
    actor = Actor(None, frozenset({seat}))
    return lambda state, now: handle(state, actor, done, now, secret, {})


def player_seed(host_key: bytes, table: str, number: int) -> str:
    """What the levels that play by chance draw from: the same in every worker, and nothing from which dice follow."""
    return hmac.digest(derived_key(host_key, "players"), f"{table} {number}".encode(), "sha256").hex()


def think(game: str, position: str, level: str, seed: str, sheet: int | None) -> str | None:
    """In another process: the action that a level chooses here, or with a `sheet` where it would rather have that one's last result;
    None: where it is. Raises `TablesError`."""
    stands = games.from_id(game).position(position)
    player = create(level, seed)
    if sheet is None:
        return str(player.choose(stands))
    if not isinstance(player, Corrects) or not isinstance(stands, yamm.Position):
        return None
    correction = player.correct(stands, sheet)
    return None if correction is None else str(correction)
