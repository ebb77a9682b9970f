"""The rule options of Yam Master. Their defaults are the values that docs/rules.md names first."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dicecup.core.turn import KeptDice


class FailedDefi(StrEnum):
    """The cost of a Défi that fails: the dice hold no big figure after the third throw."""

    TURN_LOST = "turn_lost"
    IGNORED = "ignored"


class Captured(StrEnum):
    """The place of a token that the Predator removed: its owner's supply, or out of the game."""

    RETURNED = "returned"
    OUT = "out"


class End(StrEnum):
    """The end of a game in which a player has placed the last token: at once, or after o's turn in
    the same round.
    """

    AT_ONCE = "at_once"
    FULL_ROUND = "full_round"


@dataclass(frozen=True, slots=True)
class Options:
    """One choice for each rule option. `dicecup.core.ids` derives game ids and the list of options
    from the fields.
    """

    kept_dice: KeptDice = KeptDice.FREE
    failed_defi: FailedDefi = FailedDefi.TURN_LOST
    captured: Captured = Captured.RETURNED
    end: End = End.AT_ONCE


DEFAULTS: Final = Options()
