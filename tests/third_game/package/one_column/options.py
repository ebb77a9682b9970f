"""The options of One Column."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dicecup.core.ids import numeric_option


class Order(StrEnum):
    """The order in which a player writes the rows."""

    FREE = "free"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Options:
    """One choice for each option."""

    players: int = numeric_option(2, range(1, 5))
    order: Order = Order.FREE


DEFAULTS: Final = Options()
