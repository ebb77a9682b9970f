"""The errors of the environments."""

from enum import StrEnum
from typing import Final

from dicecup.core.errors import DicecupError

EXTRA: Final = "dicecup[envs]"
"""The extra that installs the packages of all three interfaces."""


class EnvsCode(StrEnum):
    """Why an environment refuses a call."""

    NO_PACKAGE = "no-package"
    """The package of the interface is not installed."""
    NOT_AN_INDEX = "not-an-index"
    """An action is not an integer, or outside the action index of the game."""
    ILLEGAL_ACTION = "illegal-action"
    """An action in a batch that the rules of its game do not allow."""
    NO_CORRECTION_DUE = "no-correction-due"
    """The action corrects a result or lets it stand, but none is about to become final."""
    NOT_RESET = "not-reset"
    """The environment was used before its first reset."""
    NO_SEED = "no-seed"
    """The first reset of an environment with `require_seed` named no seed."""
    EPISODE_OVER = "episode-over"
    """A step after the end of the episode."""
    NO_SUCH_AGENT = "no-such-agent"
    """The game has no agent of this name."""
    PICKLE_VERSION = "pickle-version"
    """A pickled environment of another version of Dicecup."""


class EnvsError(DicecupError):
    """A call that an environment refuses. `details` holds the refused input."""


class MissingPackageError(EnvsError, ImportError):
    """A package of the extra `envs` that is not installed (`details`: `package`, `install`)."""

    def __init__(self, code: StrEnum = EnvsCode.NO_PACKAGE, *, package: str, install: str = f"pip install '{EXTRA}'") -> None:
        super().__init__(code, package=package, install=install)
