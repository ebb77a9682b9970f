"""Handlers of commands before the start: taking seats, and committing to seeds and
revealing them."""

import re
from collections.abc import Collection
from typing import Final

from dicecup.core.game import Rules
from dicecup.table import endings, fairness
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import LevelSeated, Seated, SeedCommitted, SeedRevealed, StoodUp
from dicecup.table.names import check_name, free_name
from dicecup.table.permissions import (
    Actor,
    check,
    free_seat_refusal,
    own_seat,
    seat_for,
    seats_to,
    seats_to_commit,
    stand_up_refusal,
)
from dicecup.table.state import TableState
from dicecup.table.transition import Draft

_HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)


def _free_seat(state: TableState, named: int | None) -> int:
    """Return the named seat or the first free one.

    Raises `TableError` (`game-over`, `table-full`, `seat-taken`, `no-such-seat`).
    """
    check(free_seat_refusal(state))
    free = [seat for seat, held in enumerate(state.seats) if not held.is_taken]
    if named is None:
        return free[0]
    if not 0 <= named < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=named)
    if named not in free:
        raise TableError(TableCode.SEAT_TAKEN, text=named)
    return named


def sit(draft: Draft, actor: Actor, name: str, named: int | None) -> None:
    """Take a free seat."""
    state = draft.state
    seat = _free_seat(state, named)
    if actor.identity is None:
        raise TableError(TableCode.NOT_YOUR_SEAT, text=seat)
    check_name(name, [held.name for held in state.seats])
    draft.append(Seated(seat, name, actor.identity))


def stand_up(draft: Draft, actor: Actor, named: int | None) -> None:
    """Give a seat back. The table is closed when the last person leaves it."""
    check(stand_up_refusal(draft.state))
    draft.append(StoodUp(own_seat(draft.state, actor, named)))
    if not draft.state.people:
        draft.append(endings.ended(draft.state, "abandoned"))


def seat_computer(draft: Draft, level: str, free: int | None) -> None:
    """Let a computer take a free seat."""
    state = draft.state
    seat = _free_seat(state, free)
    check_level(state.rules, level)
    draft.append(LevelSeated(seat, level, free_name(level, [held.name for held in state.seats])))


def check_level(game: Rules, level: str) -> None:
    """Raise `TableError` (`not-a-level`) unless computers play this game at this level."""
    if level not in game.levels:
        raise TableError(TableCode.NOT_A_LEVEL, text=level, levels=", ".join(game.levels))


def commit_seed(draft: Draft, actor: Actor, commitment: str, named: int | None) -> None:
    """Commit a seat to its seed."""
    seat = seat_for(actor, named, seats_to_commit(draft.state), TableCode.SEED_NOT_DUE)
    if not _HASH.fullmatch(commitment):
        raise TableError(TableCode.NOT_A_COMMITMENT, text=commitment)
    draft.append(SeedCommitted(seat, commitment))


def reveal_seed(draft: Draft, actor: Actor, seed: str, named: int | None) -> None:
    """Reveal the seed of the named seat, or of the actor's seat that committed to this seed."""
    state = draft.state
    able: Collection[int] = seats_to(state, "reveal-seed")
    if named is None:
        matching = [seat for seat in able if seat in actor.seats and _fits(seed, state.seats[seat].hash)]
        able = matching or able
    seat = seat_for(actor, named, able, TableCode.SEED_NOT_DUE)
    fairness.check_seed(fairness.seed_from_text(seed), state.seats[seat].hash or "")
    draft.append(SeedRevealed(seat, seed))


def _fits(seed: str, commitment: str | None) -> bool:
    return fairness.seed_commitment(fairness.seed_from_text(seed)) == commitment
