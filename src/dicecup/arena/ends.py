"""The ends of games as the arena counts them."""

from typing import Final

from dicecup.core.game import Rules

CAP: Final = "cap"
"""The end of a game that was stopped after the largest number of turns."""
ENDINGS: Final = ("line", "tokens", "full", CAP)
"""The ends that every summary counts. A block stores an end as its index."""


def endings_of(game: Rules) -> tuple[str, ...]:
    """Return `ENDINGS` and the other ends of a game."""
    return tuple(dict.fromkeys((*ENDINGS, *game.ends)))
