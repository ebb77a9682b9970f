"""The interface between the analysis and one game: everything that differs from game to game.

`dicecup.analysis.registry` finds the implementation by the name of the game.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.theme import Theme
from dicecup.core.dice import Keep, Roll
from dicecup.core.game import Action, Rules
from dicecup.engine.progress import Progress
from dicecup.record import Record


class TurnEnd(NamedTuple):
    """One way in which a turn can end, as the probability and the gain of an action that ends it.

    `gain`: the points that the action adds to the sheet, on average over the rolls that lead to it;
    0 in games without sheets. `struck`: the probability, within `probability`, that the action
    strikes its cell.
    """

    probability: float
    gain: float
    struck: float = 0.0


class Shares(NamedTuple):
    """The probabilities of a win, a draw and a loss of the side on turn. They add up to 1.

    The draws are counted over `games` sampled games; 0 where the action ends the game.
    """

    win: float
    draw: float
    loss: float
    games: int


class Reasons(Protocol):
    """The figures that explain the value of one action."""

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values, as docs/analysis.md describes them."""


class Fact(NamedTuple):
    """A fact that decides for or against a choice (docs/analysis.md lists the codes).

    `values`: the numbers and names of the fact. A fact that compares has `other`, an action, and
    `other_chance` where both actions have a probability. `good`: whether it speaks for the choice;
    `None` for a fact that sums up, whose subject is not the choice.
    """

    code: str
    values: Mapping[str, Any]
    good: bool | None = True

    def to_json(self) -> dict[str, Any]:
        """Return the fact as plain values."""
        return {"code": self.code, "good": self.good, "values": dict(self.values)}


class Compared(Protocol):
    """What a comparison of two choices reads."""

    @property
    def action(self) -> Action:
        """Return the action."""

    @property
    def value(self) -> float:
        """Return the value."""

    @property
    def reasons(self) -> Reasons | None:
        """Return the reasons for the value."""


class GameAnalysis(Protocol):
    """The analysis of one game. Positions, actions and rules in arguments are those of this
    game."""

    unit: Unit
    """The unit of values in reviews."""
    shared_win: bool
    """Whether there are two sides and the values of both add up to 1."""
    figures: Mapping[str, frozenset[Roll]]
    """ASCII name of a figure or row → the rolls that show it."""

    themes: tuple[Theme, ...]
    """The themes of the decisions of this game."""

    def by_tables(self, game: Any, player: str, *, alone: bool, work: int | None, seconds: float | None) -> Evaluation:
        """Return the evaluation of `expert` or `master`; see
        `dicecup.analysis.registry.by_tables`."""

    def solve(self, position: Any, progress: Progress) -> Evaluation:
        """Return the evaluation of perfect play from a position.

        Raises `EngineError` (`not-solvable`, and `too-many-states` for a position that takes
        minutes)."""

    def is_graded(self, game: Any) -> bool:
        """Return whether the mean losses of the levels were measured with this board or sheet."""

    def practice_game(self, game: Any) -> Rules:
        """Return the game in which the trainer asks its questions. Raises `GameError`
        (`option-value`)."""

    def practice_position(self, position: Any) -> Any:
        """Return the position in which a decision of a game is asked again, with the same legal
        actions: in Yamm that of the sheet on turn by itself."""

    def ending_theme(self, position: Any, played: Any, best: Any) -> Theme:
        """Return what the choice between two actions that end the turn was about."""

    def ranked(self, values: Mapping[Any, float]) -> list[Any]:
        """Return the actions, the best first; of equal ones first the one that players choose."""

    def keep(self, kept: Keep) -> Action:
        """Return the action that keeps these dice and declares nothing."""

    def declares(self, action: Any) -> bool:
        """Return whether an action declares a Défi."""

    def result_of(self, position: Any, action: Any) -> Hashable:
        """Return a key of the result of an action that ends the turn after throw 2 or 3.

        Two dice with the same key leave positions with the same value."""

    def gain(self, position: Any, action: Any) -> float:
        """Return the points that an action that ends the turn adds to the sheet, bonuses
        included."""

    def written_points(self, position: Any) -> int | None:
        """Return the points of the sheet on turn, `None` for a game without sheets."""

    def unstopped(self, position: Any, evaluation: Evaluation) -> float | None:
        """Return the value of the best choice if the turn cannot stop a line that the opponent
        threatens to complete. `None` without such a line."""

    def strikes(self, position: Any, action: Any) -> bool:
        """Return whether an action that ends the turn strikes a cell."""

    def why(self, position: Any, choice: Compared, others: Sequence[Compared], unit: Unit) -> Sequence[Fact]:
        """Return the facts that decide for or against a choice, the most important first.

        `others`: the choices of another value, the best first. The first of them is the one that
        `choice` is compared with."""

    def why_moved(self, position: Any, choice: Compared, other: Compared) -> Sequence[Fact]:
        """Return the facts that decide for or against a correction, compared with another one."""

    def reasons(self, position: Any, totals: Mapping[Any, float], unstopped: float | None) -> Mapping[Any, Reasons]:
        """Return the reasons for the actions that end the turn.

        `totals`: the expected total after each action, empty where the evaluation knows none.
        `unstopped`: the value that `unstopped` returns."""

    def shares(
        self, position: Any, ends: Mapping[Any, Mapping[Any, float]], values: Mapping[Any, float], games: int
    ) -> Mapping[Any, Shares]:
        """Return win, draw and loss after the given actions, from games that are played on.

        `ends`: for each action the actions that may end the turn, with their probabilities.
        `values`: the values of the actions. Empty for a game in which no games are played on."""

    def starting_values(self, position: Any, evaluation: Evaluation, values: Mapping[Any, float]) -> tuple[float, ...]:
        """Return the value of a running game to each side.

        `values`: of the actions of the position; empty where dice are in the air."""

    def named_writers(self, tags: Mapping[str, str]) -> tuple[int, ...]:
        """Return the players whom the tags of a record name as writers of their sheets."""

    def correction_values(self, turn: int, values: Mapping[Any, float]) -> Mapping[Any, float]:
        """Return the value of each correction of a turn's result, from the values of its last
        decision."""

    def results(self, record: Record) -> tuple[float | None, ...]:
        """Return the result of each side: points, or 1, ½ or 0.

        `None`: the result is unknown. Tags of a record decide where the rules did not end the
        game."""

    def side_name(self, side: int) -> str | int:
        """Return the name of a side in JSON."""
