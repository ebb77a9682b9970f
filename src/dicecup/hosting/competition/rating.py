"""The changes of ratings by one rated game, as values."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from dicecup.hosting.competition.levels import level_strengths
from dicecup.hosting.competition.pools import Form, Pool
from dicecup.hosting.competition.rated_game import Member, RatedGame
from dicecup.hosting.competition.strength import NEW, Strength, after_duel, after_group

WHOLE_GAMES: Final = 5
"""Games of the same people within `WITHIN` that count whole. Each further one counts half as much
as the one before it, so two people cannot move their ratings by more than six games a day."""
WITHIN: Final = 86_400.0
"""Seconds."""


class Held(NamedTuple):
    """The rating of a person in a pool: its `strength` after so many `games`, the last of which
    ended at `updated`, in seconds since 1970."""

    strength: Strength = NEW
    games: int = 0
    updated: float = 0.0

    def at(self, time: float) -> Strength:
        """Return the strength at a time: the deviation has grown since the last game."""
        return self.strength.after_rest(time - self.updated) if self.games else self.strength


class Change(NamedTuple):
    """What a game changed for a person. `before` is the strength when the game ended, `share` the
    part of the change that counted."""

    identity: str
    before: Strength
    held: Held
    share: float


def share_of(earlier: int) -> float:
    """Return the part of a change that counts after so many `earlier` games of the same people."""
    return 0.5 ** max(0, earlier - WHOLE_GAMES + 1)


def opponents(game: RatedGame) -> list[tuple[str, str]]:
    """Return the pairs of people who played against each other, the smaller identity first."""
    people = [[member.identity for member in side if member.identity is not None] for side in game.sides]
    found = {tuple(sorted((one, other))) for mine, theirs in combinations(people, 2) for one in mine for other in theirs}
    return sorted((one, other) for one, other in found)


def changes(game: RatedGame, held: Mapping[str, Held], share: float) -> list[Change]:
    """Return what a game that counts changes for its people. Levels keep their measured ratings.

    A person who left while a partner played on is rated as if their side had come last.
    """
    strengths = [[_strength(game, member, held) for member in side] for side in game.sides]
    after = _after(game, strengths, game.ranks)
    last = [1 + max(game.ranks)] * len(game.sides)
    found = []
    for side, members in enumerate(game.sides):
        for place, member in enumerate(members):
            if member.identity is None:
                continue
            reached = after[side][place]
            if member.left and len(members) > 1:
                ranks = [*game.ranks[:side], last[side], *game.ranks[side + 1 :]]
                reached = _after(game, strengths, ranks)[side][place]
            before, known = strengths[side][place], held.get(member.identity, Held())
            new = Held(before.towards(reached, share), known.games + 1, game.ended)
            found.append(Change(member.identity, before, new, share))
    return sorted(found)


def _strength(game: RatedGame, member: Member, held: Mapping[str, Held]) -> Strength:
    if member.identity is None:
        return level_strengths(game.pool.partition(":")[0])[member.level]
    return held.get(member.identity, Held()).at(game.ended)


def _after(game: RatedGame, strengths: Sequence[Sequence[Strength]], ranks: Sequence[int]) -> list[list[Strength]]:
    """Return the strengths of all players after the game, levels included."""
    pool = Pool.read(game.pool)
    if pool is None or pool.form is not Form.DUEL:
        return after_group(strengths, ranks)
    (one,), (other,) = strengths
    score = 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])
    return [[after_duel(one, other, score)], [after_duel(other, one, 1 - score)]]
