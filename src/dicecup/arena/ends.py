"""The ends of games as the arena counts them."""

from typing import Final

from dicecup.core.game import Rules

CAP: Final = "cap"
"""The end of a game that was stopped after the largest number of turns."""
FORFEIT: Final = "forfeit"
"""The end of a game that an engine lost because it failed."""
ENDINGS: Final = ("line", "tokens", "full", CAP)
"""The ends that every summary counts. A block stores an end as its index."""


def endings_of(game: Rules) -> tuple[str, ...]:
    """Return `ENDINGS`, the other ends of a game, and `FORFEIT`."""
    return tuple(dict.fromkeys((*ENDINGS, *game.ends, FORFEIT)))
