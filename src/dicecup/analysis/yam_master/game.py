"""What the analysis asks of Yam Master (`dicecup.analysis.game_analysis`)."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.game_analysis import Compared, Fact, Shares
from dicecup.analysis.theme import Theme
from dicecup.analysis.yam_master.evaluation import BoardEvaluation, by_solution, by_tables
from dicecup.analysis.yam_master.sample import shares
from dicecup.analysis.yam_master.squares import SquareReasons, square_reasons
from dicecup.analysis.yam_master.themes import THEMES, ending_theme
from dicecup.analysis.yam_master.why import threatened, why
from dicecup.core.dice import ROLLS, Keep, Roll
from dicecup.core.turn import Turn
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.progress import Progress
from dicecup.record import Record
from dicecup.yam_master import BOARD, Action, Figure, KeepDice, Position, Side, YamMaster
from dicecup.yam_master.figures import FIGURES

MOST_STATES: Final = 200_000
"""The limit of states in which a position is solved, about ten seconds of work."""
RESULTS: Final = {"x": (1.0, 0.0), "o": (0.0, 1.0), "draw": (0.5, 0.5)}
"""First word of the tag `Result` → the results of x and o."""


class YamMasterAnalysis:
    """The analysis of Yam Master: probabilities to win, and squares that explain them."""

    unit = Unit.CHANCE
    shared_win = True
    themes: tuple[Theme, ...] = THEMES
    figures: Mapping[str, frozenset[Roll]] = {
        figure.ascii: frozenset(shown for shown in ROLLS if figure in FIGURES[shown]) for figure in Figure
    }

    def practice_position(self, position: Position) -> Position:
        """Return the position itself."""
        return position

    def ending_theme(self, position: Position, played: Action, best: Action) -> Theme:
        """Return what the choice between two squares was about."""
        return ending_theme(position, played, best)

    def by_tables(
        self,
        game: YamMaster,
        player: str,
        *,
        alone: bool,  # noqa: ARG002 there is always an opponent
        work: int | None,
        seconds: float | None,
    ) -> Evaluation:
        """Return the evaluation of `expert` or `master`. Raises `TablesError`."""
        return by_tables(game, player, work=work, seconds=seconds)

    def solve(self, position: Position, progress: Progress) -> Evaluation:
        """Return the evaluation of perfect play from a late position, or on a small board.

        Raises `EngineError` (`not-solvable` for a game that is over, `too-many-states` where the
        position needs more than `MOST_STATES` states)."""
        from dicecup.engine.yam_master.exact.solve import CHANGE, solve_position

        solved = solve_position(position, progress=progress, limit=MOST_STATES)
        if solved.last_change >= CHANGE:  # one more capture would still change the value
            raise EngineError(EngineCode.TOO_MANY_STATES, states=solved.states, limit=MOST_STATES)
        return by_solution(solved)

    def is_graded(self, game: YamMaster) -> bool:
        """Return whether the game is played on the maker's board."""
        return game.board == BOARD

    def practice_game(self, game: YamMaster) -> YamMaster:
        """Return the game itself."""
        return game

    def ranked(self, values: Mapping[Action, float]) -> list[Action]:
        """Return the actions, the best first; of equal ones first those that end the turn."""
        return sorted(values, key=lambda action: (-values[action], action.kept is not None))

    def keep(self, kept: Keep) -> Action:
        """Return the keep of these dice without a Défi."""
        return KeepDice(kept)

    def declares(self, action: Action) -> bool:
        """Return whether an action declares a Défi."""
        return isinstance(action, KeepDice) and action.defi

    def result_of(self, position: Position, action: Action) -> Hashable:  # noqa: ARG002 the dice leave no trace
        """Return the action: the position after it does not depend on the dice."""
        return action

    def strikes(self, position: Position, action: Action) -> bool:  # noqa: ARG002 there is no sheet
        """Return `False`: there is no sheet."""
        return False

    def why(self, position: Position, choice: Compared, others: Sequence[Compared], unit: Unit) -> list[Fact]:  # noqa: ARG002 always a chance
        """Return the facts that decide for or against a keep, a square, a removal or a pass."""
        return why(position, choice, others)

    def unstopped(self, position: Position, evaluation: Evaluation) -> float | None:
        """Return the value of the best choice if the turn cannot stop a line that lacks one
        token."""
        line = threatened(position)
        if line is None or not isinstance(evaluation, BoardEvaluation):
            return None
        turn = evaluation.turn_without(position, line)
        throws = cast(Turn, position.turn)
        return float(turn.best(throws.throws, Roll(throws.dice), locked=throws.locked, declared=position.defi).value)

    def why_moved(self, position: Position, choice: Compared, other: Compared) -> list[Fact]:  # noqa: ARG002
        """Return nothing: no result can be corrected."""
        return []

    def gain(self, position: Position, action: Action) -> float:  # noqa: ARG002 there is no sheet
        """Return 0: there is no sheet."""
        return 0.0

    def written_points(self, position: Position) -> None:
        """Return `None`: there is no sheet."""

    def reasons(
        self,
        position: Position,
        totals: Mapping[Action, float],  # noqa: ARG002 there is no sheet
        unstopped: float | None,
    ) -> dict[Action, SquareReasons]:
        """Return the reasons for every action that ends the turn."""
        ends = [action for action in position.actions if action.kept is None]
        return {action: replace(square_reasons(position, action), unstopped=unstopped) for action in ends}

    def shares(
        self,
        position: Position,
        ends: Mapping[Action, Mapping[Action, float]],
        values: Mapping[Action, float],
        games: int,
    ) -> dict[Action, Shares]:
        """Return win, draw and loss after the given actions; empty for a board without tables."""
        return shares(position, ends, values, games)

    def starting_values(
        self, position: Position, evaluation: Evaluation, values: Mapping[Action, float]
    ) -> tuple[float, float]:
        """Return the probabilities that x and o win."""
        value = max(values.values()) if values else evaluation.before_throw(position)
        return (value, 1 - value) if position.to_move is Side.X else (1 - value, value)

    def named_writers(self, tags: Mapping[str, str]) -> tuple[int, ...]:  # noqa: ARG002 nothing is written
        """Return no player: nothing is written in this game."""
        return ()

    def correction_values(self, turn: int, values: Mapping[Action, float]) -> dict[Action, float]:  # noqa: ARG002
        """Return nothing: no result can be corrected."""
        return {}

    def results(self, record: Record) -> tuple[float | None, ...]:
        """Return 1, ½ or 0 for x and o: by the rules, else by the tag `Result`."""
        outcome = record.journal.position.outcome
        if outcome is None:
            return RESULTS.get(record.tags.get("Result", "").partition(" ")[0], (None, None))
        return tuple(0.5 if not outcome.winners else float(side in outcome.winners) for side in Side)

    def side_name(self, side: int) -> str:
        """Return `x` or `o`."""
        return str(Side(side))
