"""The rule options of Yamm (RULES; the value before the bar there is the default here)."""

import re
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final, Self

from dicecup.core.errors import GameError, TextCode
from dicecup.core.game import Option
from dicecup.core.ids import check_options, join_id, option_value, split_id
from dicecup.core.turn import KeptDice
from dicecup.yamm.codes import OptionCode

NAME: Final = "yamm"
MOST_PLAYERS: Final = 16

_NUMBER: Final = re.compile(r"[1-9][0-9]?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Options:
    """One choice for each rule option. Raises `GameError` (`option-value`: 1 to 16 players; `pairs-need-even-players`: four or
    more, an even number)."""

    players: int = 2
    kept_dice: KeptDice = KeptDice.FREE
    pairs: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.players <= MOST_PLAYERS:
            raise GameError(TextCode.OPTION_VALUE, option="players", value=self.players)
        if self.pairs and (self.players < 4 or self.players % 2):
            raise GameError(OptionCode.PAIRS_NEED_EVEN_PLAYERS, players=self.players)

    @property
    def sheets(self) -> int:
        """How many sheets are written: one a player, or one a pair."""
        return self.players // 2 if self.pairs else self.players

    @property
    def id(self) -> str:
        """The game id: `yamm`, or with the options that differ from the defaults."""
        return _id(self)

    @classmethod
    def from_id(cls, text: str) -> Self:
        """The options of a canonical game id. Raises `GameError`."""
        name, written = split_id(text)
        if name != NAME:
            raise GameError(TextCode.NOT_A_GAME, text=text)
        check_options(text, written, asdict(DEFAULTS))
        players, pairs = written.get("players", "2"), written.get("pairs", "no")
        if not _NUMBER.fullmatch(players):
            raise GameError(TextCode.OPTION_VALUE, option="players", value=players)
        if pairs not in ("yes", "no"):
            raise GameError(TextCode.OPTION_VALUE, option="pairs", value=pairs)
        kept_dice = option_value(KeptDice, "kept_dice", written, DEFAULTS.kept_dice)
        return cls(int(players), kept_dice, pairs == "yes")


DEFAULTS: Final = Options()
OPTIONS: Final = (
    Option("players", tuple(str(number) for number in range(1, MOST_PLAYERS + 1)), str(DEFAULTS.players)),
    Option("kept_dice", tuple(KeptDice), DEFAULTS.kept_dice),
    Option("pairs", ("no", "yes"), "no"),
)
"""Every option with its allowed values, in the order of game ids."""


@lru_cache(maxsize=64)
def _id(options: Options) -> str:
    """Asked for at every throw of committed dice."""
    return join_id(NAME, asdict(options), asdict(DEFAULTS))
