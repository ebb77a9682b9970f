"""Guided first games: scripts that lead a person step by step through a table with chosen dice.

One module for each game that has a guide. `script` plays a guide with the handlers of a real table.
"""

from collections.abc import Mapping
from typing import Final

from dicecup.core.game import Rules
from dicecup.table.guides import yam_master, yamm
from dicecup.table.guides.guide import Guide, Scene, Step
from dicecup.table.guides.script import script

__all__ = ["Guide", "Scene", "Step", "guide_of", "script"]

_GUIDES: Final[Mapping[str, Guide]] = {"yam-master": yam_master.GUIDE, "yamm": yamm.GUIDE}


def guide_of(rules: type[Rules]) -> Guide | None:
    """Return the guide of a game, `None` for a game without one."""
    return _GUIDES.get(rules.name)
