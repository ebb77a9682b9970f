"""The rule options of Yam Master (RULES; the value before the bar there is the default here)."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Self

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Option
from dicecup.core.ids import check_options, join_id, option_value, split_id
from dicecup.core.turn import KeptDice

NAME = "yam-master"


class FailedDefi(StrEnum):
    """What a Défi costs whose dice hold no big figure after the third throw."""

    TURN_LOST = "turn_lost"
    IGNORED = "ignored"


class Captured(StrEnum):
    """Where a token goes that the Predator took."""

    RETURNED = "returned"
    OUT = "out"


class End(StrEnum):
    """When the game ends after the last token of a supply was placed."""

    AT_ONCE = "at_once"
    FULL_ROUND = "full_round"


@dataclass(frozen=True, slots=True)
class Options:
    """One choice for each rule option."""

    kept_dice: KeptDice = KeptDice.FREE
    failed_defi: FailedDefi = FailedDefi.TURN_LOST
    captured: Captured = Captured.RETURNED
    end: End = End.AT_ONCE

    @property
    def id(self) -> str:
        """The game id: `yam-master`, or with the options that differ from the defaults."""
        return _id(self)

    @classmethod
    def from_id(cls, text: str) -> Self:
        """The options of a canonical game id. Raises `GameError`."""
        name, written = split_id(text)
        if name != NAME:
            raise GameError(TextCode.NOT_A_GAME, text=text)
        check_options(text, written, asdict(DEFAULTS))
        return cls(
            kept_dice=option_value(KeptDice, "kept_dice", written, DEFAULTS.kept_dice),
            failed_defi=option_value(FailedDefi, "failed_defi", written, DEFAULTS.failed_defi),
            captured=option_value(Captured, "captured", written, DEFAULTS.captured),
            end=option_value(End, "end", written, DEFAULTS.end),
        )


DEFAULTS: Final = Options()
OPTIONS: Final = tuple(Option(name, tuple(type(default)), default) for name, default in asdict(DEFAULTS).items())
"""Every option with its allowed values, in the order of game ids."""


@lru_cache(maxsize=64)
def _id(options: Options) -> str:
    """Asked for at every throw of committed dice."""
    return join_id(NAME, asdict(options), asdict(DEFAULTS))
