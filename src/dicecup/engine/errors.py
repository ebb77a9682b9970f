"""The errors of the engine."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class EngineCode(StrEnum):
    """Reasons why the engine refuses a calculation."""

    NOT_FINITE = "not-finite"
    NOT_A_SHAPE = "not-a-shape"
    NOT_A_STAGE = "not-a-stage"
    NOT_A_KEEP = "not-a-keep"
    NO_DEFI = "no-defi"
    NOT_SOLVABLE = "not-solvable"
    NOT_A_COLUMN_SET = "not-a-column-set"
    NOT_A_DECISION = "not-a-decision"
    TOO_MANY_STATES = "too-many-states"


class EngineError(DicecupError):
    """A calculation that is not possible. `details` holds the refused input, and for
    `too-many-states` the number of `states` and the `limit`.
    """
