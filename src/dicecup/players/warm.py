"""`python -m dicecup.players.warm`: compile the kernels with which computer players choose."""

import sys
from collections.abc import Mapping
from functools import partial
from typing import Final

from dicecup import games
from dicecup.engine import compiled
from dicecup.engine import warm as engine
from dicecup.engine.compiled import Step, Steps
from dicecup.players.levels import create

POSITIONS: Final = (("yam-master", "11235"), ("yamm", "11235"), ("yamm(players=1)", "11235"))
"""Game ids, each with a first throw."""


def choose(game: str, *levels: str) -> None:
    """Let these levels choose once in each position of a game."""
    for name, shown in POSITIONS:
        position = games.from_id(name).start().roll(shown)
        if position.game.name == game:
            for level in levels:
                create(level).choose(position)


TABLES: Final = ("novice", "casual", "club", "expert")
"""The levels that look one turn ahead."""
TURN: Final = Step("turn", engine.warm_turn)
YAMM: Final = Step("yamm", partial(choose, "yamm", "greedy", *TABLES, "master"))
YAM_MASTER: Final = Step("yam-master", partial(choose, "yam-master", "greedy", *TABLES))
SEARCH: Final = Step("yam-master-search", partial(choose, "yam-master", "master"))
EXACT: Final = Step("yam-master-exact", engine.warm_boards)
STEPS: Final[Steps] = ((YAMM, TURN, YAM_MASTER), (SEARCH, EXACT))
NEEDED: Final[Mapping[str, Mapping[str, tuple[Step, ...]]]] = {
    "yam-master": dict.fromkeys(TABLES, (TURN, YAM_MASTER)) | {"master": (TURN, YAM_MASTER, SEARCH, EXACT)},
    "yamm": dict.fromkeys((*TABLES, "master"), (TURN, YAMM)),
}
"""Name of a game → level → the steps that compile its kernels. All other levels need none."""


def warm() -> None:
    """Compile or load in this process the kernels of all levels."""
    for group in STEPS:
        for step in group:
            step.run()


if __name__ == "__main__":
    compiled.take_missing(STEPS)
    sys.exit(0)
