"""What the arena refuses."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class ArenaCode(StrEnum):
    """Why games are not played."""

    NOT_A_COUNT = "not-a-count"
    """Games, workers and turns are counted from 1."""
    WRONG_PLAYERS = "wrong-number-of-players"
    """The game has more or fewer seats than players were named."""
    WORKER_DIED = "worker-died"
    """The same games ended one process after the other."""
    NO_RAY = "no-ray"
    """Ray is not installed."""
    OTHER_VERSION = "other-version"
    """A machine of the cluster has another Dicecup installed."""
    NO_CLUSTER = "no-cluster"
    """No cluster answers at this address, or it is not ours to use."""


class ArenaError(DicecupError):
    """Games that cannot be played (`details`: what was given; for `worker-died` the games `first`
    to `last`)."""
