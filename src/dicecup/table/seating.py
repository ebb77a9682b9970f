"""Handlers of commands before the start: taking seats, and committing to seeds and
revealing them."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from dicecup.core.game import Rules
from dicecup.table import endings, fairness
from dicecup.table.errors import TableCode, TableError
from dicecup.table.events import (
    AdmissionSet,
    LevelSeated,
    LinksRotated,
    Seated,
    SeatFreed,
    SeedCommitted,
    SeedRevealed,
    StoodUp,
)
from dicecup.table.names import check_name, free_name
from dicecup.table.permissions import (
    Actor,
    check,
    free_seat_by_owner_refusal,
    free_seat_refusal,
    newcomer_refusal,
    own_seat,
    owner_refusal,
    seat_for,
    seats_to_commit,
    seats_to_send,
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
    check(newcomer_refusal(state, actor.seats))
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
    """Let a computer take a free seat before the game. In the game `leaving.replace` does."""
    state = draft.state
    seat = _free_seat(state, free)
    check(TableCode.GAME_RUNNING if state.started else None)
    check_level(state.rules, level)
    draft.append(LevelSeated(seat, level, free_name(level, [held.name for held in state.seats])))


def free_seat(draft: Draft, actor: Actor, taken: int, offline: Mapping[int, float]) -> None:
    """Take a seat back from its person, for the owner of the table."""
    refusal = free_seat_by_owner_refusal(draft.state, actor.seats, taken, draft.now, offline)
    if refusal is not None:
        raise TableError(refusal, text=taken)
    draft.append(SeatFreed(taken))


def rotate_links(draft: Draft, actor: Actor) -> None:
    """Give the table new links, for its owner."""
    check(owner_refusal(draft.state, actor.seats))
    draft.append(LinksRotated())


def set_admission(draft: Draft, actor: Actor, *, admits: bool) -> None:
    """Close the table to newcomers or open it again, for its owner."""
    check(owner_refusal(draft.state, actor.seats))
    if draft.state.admits is admits:
        raise TableError(TableCode.NOT_A_COMMAND, text="admits", why="unchanged")
    draft.append(AdmissionSet(admits))


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
    able: Collection[int] = seats_to_send(state, "reveal-seed")
    if named is None:
        matching = [seat for seat in able if seat in actor.seats and _is_promised(seed, state.seats[seat].hash)]
        able = matching or able
    seat = seat_for(actor, named, able, TableCode.SEED_NOT_DUE)
    fairness.check_seed(fairness.seed_from_text(seed), state.seats[seat].hash or "")
    draft.append(SeedRevealed(seat, seed))


def _is_promised(seed: str, commitment: str | None) -> bool:
    return fairness.seed_commitment(fairness.seed_from_text(seed)) == commitment
