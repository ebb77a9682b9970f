"""The interface of a game: everything that other rooms may ask of a game.

A game is a package that implements these protocols and registers its `Rules` class as an entry
point in the group `dicecup.games` (docs/adding-a-game.md). Outside the rules of a game, its engine
and the screens that draw it, no code asks which game it has.

The class of the rules inherits from `Rules` to get the default implementations. The defaults
describe a game in which every player is a side and the highest total wins.

Words used here and everywhere:

- A *player* is a place in the order of play, counted from 0. Player 0 takes turn 1. - A *side* is
what wins: a player, or the players who share a sheet. Sides count from 0. - A *seat* is a place at
a table. Only the room `table` knows seats.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Protocol, Self

from dicecup.core.dice import Keep, Roll
from dicecup.core.turn import Turn
from dicecup.core.view import View

_TOTAL: Final = re.compile("0|[1-9][0-9]*", re.ASCII)

LEVELS: Final = ("random", "greedy", "novice", "casual", "club", "expert", "master")
"""The levels of the computer players of Yam Master and Yamm.

`random` and `greedy` use no tables. The others are in the order of their strength.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """A rule option of a game with every allowed value, as texts of the game id.

    `default` is the value that a game id leaves out.
    """

    name: str
    values: tuple[str, ...]
    default: str

    @property
    def text_key(self) -> str:
        """Return the catalogue key of the option's name.

        `{text_key}_{value}` is the key of a value's name and `{text_key}_{value}_about` the key of
        its explanation.
        """
        return f"option_{self.name}"


class FirstPlayer(StrEnum):
    """How a table finds out which seat becomes player 0."""

    LOT = "lot"
    """One die: the first seat starts on an odd face, the second on an even one. Two players only.
    """
    STARTING_ROLL = "starting-roll"
    """Every seat throws one die, as `dicecup.core.start` describes it."""


class Scoring(StrEnum):
    """What a match of several games adds up."""

    WINS = "wins"
    """Each game counts one for the side that wins it. A drawn game has no winner."""
    TOTALS = "totals"
    """The totals of all games are added. Sides with equal totals share the win.

    The record tag `Result` holds the totals alone, so the tag `Winners` names the sides that win a
    game that the rules did not end.
    """


class Action(Protocol):
    """An action of a player. `str(action)` is its canonical text."""

    @property
    def kept(self) -> Keep | None:
        """Return the dice that stay while the others are thrown again. `None`: no dice
        are thrown."""

    @property
    def corrects(self) -> int | None:
        """Return the number of the turn whose result the action moves. `None`: the action is no
        correction.
        """


class Outcome(Protocol):
    """The end of a game that the rules ended."""

    @property
    def end(self) -> StrEnum:
        """Return what ended the game, as the record tag `End` says it."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the sides that win, ascending. Empty: the game is drawn."""


class Position(Protocol):
    """A position of a game: an immutable, hashable value without a dice source, a clock or a
    player's name.

    `str(position)` is the text of `to_text`.
    """

    @property
    def game(self) -> "Rules":
        """Return the rules of the game."""

    @property
    def turn(self) -> Turn | None:
        """Return the state of the turn, `None` when the game is over."""

    @property
    def number(self) -> int:
        """Return the number of the turn, from 1; after the end one more than the last turn."""

    @property
    def waiting(self) -> bool:
        """Return whether dice are in the air, so that a throw is due and no action."""

    @property
    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Return every roll that can fall now with its integer weight, ascending; empty unless
        `waiting`.
        """

    @property
    def player(self) -> int | None:
        """Return the player whose turn it is, `None` when the game is over."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Return the points of each side so far."""

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, `None` while it runs."""

    @property
    def actions(self) -> View[Action]:
        """Return the allowed actions in their pinned order; empty while dice are in the air and
        after the end.
        """

    @property
    def corrections(self) -> View[Action]:
        """Return the allowed corrections of earlier results (`NO_ACTIONS`: none). They are allowed
        while dice are in the air, too.
        """

    @property
    def finalized_turn(self) -> int | None:
        """Return the turn whose result the throw that is due makes final, `None` if it makes none
        final.
        """

    def play(self, action: Any) -> "Position":
        """Return the position after an action or its text.

        Raises `ActionError` for an action that is not allowed and `TextError` for an unreadable
        text.
        """

    def play_unchecked(self, action: Any) -> "Position":
        """Return the position after an action that is known to be allowed."""

    def roll(self, shown: Roll | str, *, table: bool = False, locked: Keep | None = None) -> "Position":
        """Return the position after a throw that shows these five dice.

        With real dice (`table`) a kept die may have been knocked over, so the kept dice need not be
        among those shown. `locked` names the locked dice where one of them was knocked over. Raises
        `ActionError`, and `DiceError` for an unreadable text.
        """

    def roll_unchecked(self, shown: Roll, locked: Keep | None = None) -> "Position":
        """Return the position after a throw that is known to be possible."""

    def to_text(self) -> str:
        """Return the canonical text; `Rules.position` reads it back."""

    def __hash__(self) -> int: ...


class Rules(Protocol):
    """The rules of a game with one choice for each option, as an immutable, hashable value. A game
    registers the class.
    """

    __slots__ = ()

    name: ClassVar[str]
    """The name of the game in game ids."""
    option_list: ClassVar[tuple[Option, ...]]
    """Every option in the order of game ids."""
    levels: ClassVar[tuple[str, ...]] = ("random",)
    """The levels at which computers play this game. Every game has `random`."""
    ends: ClassVar[tuple[str, ...]]
    """The values of the record tag `End` where the rules end the game."""
    first_player: ClassVar[FirstPlayer] = FirstPlayer.STARTING_ROLL
    """How a table finds out who starts."""
    scoring: ClassVar[Scoring] = Scoring.TOTALS
    """What a match adds up, and whether an agreed end is a draw or a shared win."""

    def __hash__(self) -> int:
        """Return a hash. Default: that of the id, because equal rules have equal ids."""
        return hash(self.id)

    @classmethod
    def from_id(cls, text: str) -> Self:
        """Return the rules of a canonical game id. Raises `GameError`."""

    @property
    def id(self) -> str:
        """Return the canonical game id."""

    @property
    def players(self) -> int:
        """Return the number of players."""

    @property
    def sides(self) -> int:
        """Return the number of sides. Default: every player is a side."""
        return self.players

    @property
    def turns(self) -> int | None:
        """Return the number of turns of a whole game, `None` where it depends on how
        the game goes."""

    @property
    def player_tags(self) -> tuple[str, ...]:
        """Return the record tags that name the players, by player. Default: `P1`, `P2`
        and so on."""
        return tuple(f"P{player + 1}" for player in range(self.players))

    def player_of_turn(self, turn: int) -> int:
        """Return the player who throws in a turn, counted from 1. Default: the players take turns
        in their order.
        """
        return (turn - 1) % self.players

    def side_of_player(self, player: int) -> int:
        """Return the side that a player belongs to. Default: every player is a side."""
        return player

    def writer_of_turn(self, turn: int, people: Sequence[bool], named: Collection[int]) -> int:
        """Return the player who ends a turn and may correct its result.

        `people`: for each player whether a person plays. `named`: the players who write for their
        side. If nobody is named, and by default, it is the player who throws in the turn.
        """
        return self.player_of_turn(turn)

    def accepts_writers(self, people: Sequence[bool], named: Collection[int]) -> bool:
        """Return whether these players can be named to write for their sides.

        Every game accepts that no player is named. Default: a game accepts nothing else.
        """
        return not named

    def start(self) -> Position:
        """Return the position before the first throw."""

    def position(self, text: str) -> Position:
        """Return the position of a canonical text.

        Raises `TextError` for an unreadable text and `PositionError` with every fault for a
        position that no game can reach.
        """

    def action(self, text: str) -> Action:
        """Return the action of a canonical text, allowed or not. Raises `TextError`."""

    def winners_without(self, position: Any, player: int) -> tuple[int, ...]:
        """Return the sides that win when a player gives up; empty where there is no other side.

        Default: the sides with the highest score among the other sides.
        """
        scores: Sequence[int] = position.scores
        others = [side for side in range(self.sides) if side != self.side_of_player(player)]
        return tuple(side for side in others if scores[side] == max(scores[other] for other in others))

    def result(self, position: Any, winners: Collection[int]) -> str:
        """Return the record tag `Result` of a game that ended here and that these sides win.

        Default: the scores of all sides, separated by spaces.
        """
        return " ".join(map(str, position.scores))

    def is_result(self, text: str) -> bool:
        """Return whether a text has the form of the record tag `Result`. Default: one score of 0 or
        more for each side.
        """
        scores = text.split(" ")
        return len(scores) == self.sides and all(map(_TOTAL.fullmatch, scores))

    def check_tags(self, tags: Mapping[str, str]) -> Mapping[str, str]:
        """Return the tags of this game alone whose values cannot be read, each with its value.
        Default: no tag.

        The room `record` checks the tags that all games share, `Start` among them.
        """
        return {}

    def state(self, position: Any) -> dict[str, Any]:
        """Return the part of the output of `dicecup replay --json` that depends on the game, as
        plain values.

        Default: the scores, the outcome, and the texts of the actions and corrections.
        """
        outcome = position.outcome
        return {
            "scores": list(position.scores),
            "outcome": None if outcome is None else {"end": str(outcome.end), "winners": list(outcome.winners)},
            "actions": list(map(str, position.actions)),
            "corrections": list(map(str, position.corrections)),
        }
