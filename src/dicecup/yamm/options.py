"""The rule options of Yamm. Their defaults are the values that docs/rules.md names first."""

from dataclasses import dataclass
from typing import Final

from dicecup.core.errors import GameError, TextCode
from dicecup.core.ids import numeric_option
from dicecup.core.turn import KeptDice
from dicecup.yamm.codes import OptionCode

MOST_PLAYERS: Final = 16


@dataclass(frozen=True, slots=True)
class Options:
    """One choice for each rule option. `dicecup.core.ids` derives game ids and the list of options
    from the fields.

    Raises `GameError` for a number of players other than 1 to 16 (`option-value`) and for pairs of
    an odd number of players or of fewer than four (`pairs-need-even-players`).
    """

    players: int = numeric_option(2, range(1, MOST_PLAYERS + 1))
    kept_dice: KeptDice = KeptDice.FREE
    pairs: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.players <= MOST_PLAYERS:
            raise GameError(TextCode.OPTION_VALUE, option="players", value=self.players)
        if self.pairs and (self.players < 4 or self.players % 2):
            raise GameError(OptionCode.PAIRS_NEED_EVEN_PLAYERS, players=self.players)

    @property
    def sheets(self) -> int:
        """Return the number of sheets: one for each player, or one for each pair."""
        return self.players // 2 if self.pairs else self.players


DEFAULTS: Final = Options()
