"""The fixed ratings of the computer's levels. `python -m bench.level_ratings write` measured them
in games of the levels against each other (docs/competition.md)."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from dicecup.hosting.competition.strength import SMALLEST_DEVIATION, Strength

FILE: Final = Path(__file__).parent / "levels.json"


@cache
def level_strengths(game: str) -> Mapping[str, Strength]:
    """Return the strength of each level of the game with this name, the weakest level first. A game
    whose levels were not measured has none. The deviation is the error of the measurement, at least
    `SMALLEST_DEVIATION`."""
    found = json.loads(FILE.read_text(encoding="utf-8")).get(game, {})
    listed = {level: Strength(each["rating"], max(each["error"], SMALLEST_DEVIATION)) for level, each in found.items()}
    return dict(sorted(listed.items(), key=lambda item: item[1].rating))
