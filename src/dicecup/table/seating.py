"""Taking seats, and the seeds of those who sit on them."""

import re
from collections.abc import Collection
from typing import Final

from dicecup.core.game import LEVELS
from dicecup.table import endings, fairness
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import LevelSeated, Seated, SeedCommitted, SeedRevealed, StoodUp
from dicecup.table.pending import PendingKind
from dicecup.table.permissions import Actor, own_seat
from dicecup.table.seats import check_name, free_name
from dicecup.table.state import TableState
from dicecup.table.transition import Draft

_HASH: Final = re.compile("[0-9a-f]{64}", re.ASCII)


def _free_seat(state: TableState, named: int | None) -> int:
    """Raises `TableError` (`game-over`, `table-full`, `seat-taken`, `no-such-seat`)."""
    if state.end is not None:
        raise TableError(TableCode.GAME_OVER)
    free = [seat for seat, held in enumerate(state.seats) if not held.is_taken]
    if not free:
        raise TableError(TableCode.TABLE_FULL)
    if named is None:
        return free[0]
    if not 0 <= named < len(state.seats):
        raise TableError(TableCode.NO_SUCH_SEAT, text=named)
    if named not in free:
        raise TableError(TableCode.SEAT_TAKEN, text=named)
    return named


def sit(draft: Draft, actor: Actor, name: str, named: int | None) -> None:
    state = draft.state
    seat = _free_seat(state, named)
    if actor.identity is None:
        raise TableError(TableCode.NOT_YOUR_SEAT, text=seat)
    check_name(name, [held.name for held in state.seats])
    draft.append(Seated(seat, name, actor.identity))


def stand_up(draft: Draft, actor: Actor, named: int | None) -> None:
    """The last one to leave closes the table."""
    state = draft.state
    if state.end is not None:
        raise TableError(TableCode.GAME_OVER)
    if state.is_full:
        raise TableError(TableCode.GAME_RUNNING)
    draft.append(StoodUp(own_seat(state, actor, named)))
    if not draft.state.people:
        draft.append(endings.ended(draft.state, "abandoned"))


def seat_computer(draft: Draft, level: str, free: int | None) -> None:
    state = draft.state
    seat = _free_seat(state, free)
    check_level(level)
    draft.append(LevelSeated(seat, level, free_name(level, [held.name for held in state.seats])))


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise TableError(TableCode.NOT_A_LEVEL, text=level, levels=", ".join(LEVELS))


def commit_seed(draft: Draft, actor: Actor, promised: str, named: int | None) -> None:
    state = draft.state
    able = (
        ()
        if state.started or state.real_dice or state.end
        else [seat for seat in state.people if state.seats[seat].hash is None and state.seats[seat].seed is None]
    )
    seat = _seed_seat(actor, named, able)
    if not _HASH.fullmatch(promised):
        raise TableError(TableCode.NOT_A_COMMITMENT, text=promised)
    draft.append(SeedCommitted(seat, promised))


def reveal_seed(draft: Draft, actor: Actor, seed: str, named: int | None) -> None:
    state = draft.state
    able: Collection[int] = state.pending.seats if state.pending.kind is PendingKind.SEEDS else ()
    if named is None:
        matching = [seat for seat in able if seat in actor.seats and _fits(seed, state.seats[seat].hash)]
        able = matching or able
    seat = _seed_seat(actor, named, able)
    fairness.check_seed(fairness.seed_from_text(seed), state.seats[seat].hash or "")
    draft.append(SeedRevealed(seat, seed))


def _fits(seed: str, promised: str | None) -> bool:
    return fairness.seed_commitment(fairness.seed_from_text(seed)) == promised


def _seed_seat(actor: Actor, named: int | None, able: Collection[int]) -> int:
    """Raises `TableError` (`seed-not-due`)."""
    for seat in able:
        if seat in actor.seats and named in (None, seat):
            return seat
    raise TableError(TableCode.SEED_NOT_DUE)
