"""Errors of the arena."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class ArenaCode(StrEnum):
    """Why games cannot be played."""

    NOT_A_COUNT = "not-a-count"
    """A number of games, workers or turns is below 1 or too large."""
    WRONG_PLAYERS = "wrong-number-of-players"
    """The number of players is not that of the game."""
    WORKER_DIED = "worker-died"
    """The same games crashed several processes."""
    NO_RAY = "no-ray"
    """Ray is not installed."""
    OTHER_VERSION = "other-version"
    """A machine of the cluster has another Dicecup installed."""
    NO_CLUSTER = "no-cluster"
    """No cluster answers at this address, or it refuses the connection."""
    ENGINE_UNUSABLE = "engine-unusable"
    """An engine failed to start several times in a row."""


class ArenaError(DicecupError):
    """Error for games that cannot be played.

    `details`: the offending input; for `worker-died` the games `first` to `last`.
    """
