"""Analyses that would help in a running game against people (docs/decisions/0009)."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from dicecup.core.game import Position
from dicecup.table.errors import TableCode, TableError
from dicecup.table.game_views import game_view
from dicecup.table.state import TableState

Fingerprints: TypeAlias = Mapping[tuple[str, int], frozenset[bytes]]
"""Hashes of positions by game id and number of the turn. They are small enough to be passed between
processes."""


def is_guarded(state: TableState) -> bool:
    """Return whether analyses could help in this table's game: people play it against each other,
    for their rating, or with the same dice as others, and it is not over."""
    setup = state.setup
    return state.end is None and (len(state.people) > 1 or setup.rated or setup.is_contest)


def helps(state: TableState, asked: Position, *, sits: bool) -> bool:
    """Return whether an analysis of a position would help in this table's game.

    A person who `sits` at the table is helped by every position with the same board or sheet,
    whatever the dice, the turn or the options, unless nothing lies on it yet. Other people are
    refused only the very position of the game.
    """
    if not is_guarded(state):
        return False
    if sits:
        return helps_player(state.position, asked)
    return helps_others(state.position, fingerprints([asked]))


def helps_player(here: Position, asked: Position) -> bool:
    """Return whether an analysis of a position helps a player whose guarded game stands at
    `here`."""
    return here == asked or (here.game.name == asked.game.name and game_view(here.game).overlaps(here, asked))


def helps_others(here: Position, asked: Fingerprints) -> bool:
    """Return whether a guarded game stands at one of the `asked` positions, and has begun."""
    same_turn = asked.get((here.game.id, here.number))
    return same_turn is not None and _fingerprint(here) in same_turn and game_view(here.game).is_begun(here)


def refuse_help(own: Iterable[Position], asked: Iterable[Position]) -> Fingerprints:
    """Return the fingerprints of the `asked` positions.

    Raises `TableError` (`game-running`) if the analysis of one of them helps in one of the person's
    `own` guarded games.
    """
    listed = list(asked)
    if any(helps_player(here, position) for here in own for position in listed):
        raise TableError(TableCode.GAME_RUNNING)
    return fingerprints(listed)


def fingerprints(positions: Iterable[Position]) -> Fingerprints:
    """Return the fingerprints of positions."""
    found: dict[tuple[str, int], set[bytes]] = {}
    for position in positions:
        found.setdefault((position.game.id, position.number), set()).add(_fingerprint(position))
    return {turn: frozenset(hashes) for turn, hashes in found.items()}


def _fingerprint(position: Position) -> bytes:
    """Return a hash of a position that is the same in every process."""
    return hashlib.blake2b(str(position).encode(), digest_size=16).digest()
