"""The parts of a guide: scenes at a table, and the steps of a scene."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Does(StrEnum):
    """What the person does in a step."""

    READ = "read"
    """Read the sentence and go on."""
    THROW = "throw"
    """Throw the dice for the first time in a turn."""
    CHOOSE = "choose"
    """Choose the dice of a keep, and with a Défi the Défi, without throwing yet."""
    ACT = "act"
    """Do an action of the game."""
    MOVE = "move"
    """Take up the last result of a sheet in order to correct it, without choosing a cell yet."""


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence, one highlight, and one thing to do.

    `text`: the end of the sentence's catalogue key. `mark`: what is highlighted, for example
    `square c2` or `cell f1.5`; empty for nothing. `action`: the text of the action to choose or to
    do. `dice`: the throw that follows. `replies`: the actions of the other player afterwards, each
    with the throw that follows; `throw` is a first throw. `values`: the placeholders of the
    sentence, each with the place of its value in the view (`script.value_at`).
    """

    text: str
    mark: str = ""
    does: Does = Does.READ
    action: str = ""
    dice: str = ""
    replies: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scene:
    """Steps at one table. `start`: the position from which its game goes on, empty for a new game.

    The last step of a scene plays nothing, so that nothing is left to show when the scene ends.
    """

    start: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """A guided first game. `game`: its game id. `texts`: the beginning of its catalogue keys."""

    game: str
    texts: str
    scenes: tuple[Scene, ...]
