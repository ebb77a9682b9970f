"""What the analysis asks of Yamm (`dicecup.analysis.game_analysis`)."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.game_analysis import Compared, Fact, Shares
from dicecup.analysis.theme import Theme
from dicecup.analysis.yamm.cells import CellReasons, cell_reasons
from dicecup.analysis.yamm.evaluation import alone, by_tables
from dicecup.analysis.yamm.themes import THEMES, ending_theme
from dicecup.analysis.yamm.why import difference, why
from dicecup.core.dice import ROLLS, Keep, Roll
from dicecup.core.errors import GameError, TextCode
from dicecup.core.turn import BEGIN, Turn
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.progress import Progress
from dicecup.record import Record
from dicecup.yamm import SHEET, Action, Correct, KeepDice, Options, Position, Sheet, Write, Yamm
from dicecup.yamm.rows import UPPER, Row, value


class YammAnalysis:
    """The analysis of Yamm: points of a sheet or probabilities to win, and cells that explain
    them."""

    unit = Unit.POINTS
    shared_win = False
    themes: tuple[Theme, ...] = THEMES
    figures: Mapping[str, frozenset[Roll]] = {
        **{str(row): frozenset(shown for shown in ROLLS if shown.counts[at] >= 3) for at, row in enumerate(UPPER)},
        **{
            str(row): frozenset(shown for shown in ROLLS if value(row, shown))
            for row in (Row.FULL_HOUSE, Row.STRAIGHT, Row.YAMM)
        },
    }
    """Rows 1 to 6 show their face three times or more."""

    def practice_position(self, position: Position) -> Position:
        """Return the position of the sheet on turn, played alone."""
        return alone(position)

    def ending_theme(self, position: Position, played: Write, best: Write) -> Theme:
        """Return what the choice between two cells was about."""
        return ending_theme(position, played.cell, best.cell)

    def by_tables(self, game: Yamm, player: str, *, alone: bool, work: int | None, seconds: float | None) -> Evaluation:
        """Return the evaluation of `expert` or `master`. Raises `TablesError`."""
        return by_tables(game, player, alone=alone, work=work, seconds=seconds)

    def solve(self, position: Position, progress: Progress) -> Evaluation:  # noqa: ARG002 nothing is solved
        """Raise `EngineError` (`not-solvable`): the whole sheet is too large."""
        raise EngineError(EngineCode.NOT_SOLVABLE, name=position)

    def is_graded(self, game: Yamm) -> bool:
        """Return whether the game is played on the real sheet."""
        return game.sheet == SHEET

    def practice_game(self, game: Yamm) -> Yamm:
        """Return the game of one player with the same options.

        Raises `GameError` (`option-value`) for a game of more players than the default."""
        if game.options.players > Options().players:
            raise GameError(TextCode.OPTION_VALUE, option="players", value=game.options.players)
        return Yamm(replace(game.options, players=1))

    def ranked(self, values: Mapping[Action, float]) -> list[Action]:
        """Return the actions, the best first; equal ones in their order."""
        return sorted(values, key=lambda action: -values[action])

    def keep(self, kept: Keep) -> Action:
        """Return the keep of these dice."""
        return KeepDice(kept)

    def declares(self, action: Action) -> bool:  # noqa: ARG002 there is no Défi
        """Return `False`: there is no Défi."""
        return False

    def result_of(self, position: Position, action: Write) -> Hashable:
        """Return the cell and what is written there.

        After throw 1 five equal dice count more, so the key holds after throws 2 and 3 only."""
        return action, position.preview(action)

    def strikes(self, position: Position, action: Write) -> bool:
        """Return whether an entry strikes its cell."""
        return not position.preview(action).points

    def why(
        self,
        position: Position,  # noqa: ARG002 the reasons hold all that decides
        choice: Compared,
        others: Sequence[Compared],
        unit: Unit,
    ) -> list[Fact]:
        """Return the facts that decide for or against a keep or a cell."""
        return why(choice, others[0] if others else None, unit)

    def unstopped(self, position: Position, evaluation: Evaluation) -> None:
        """Return `None`: there are no lines."""

    def why_moved(self, position: Position, choice: Compared, other: Compared) -> list[Fact]:
        """Return the points that a correction brings in its turn and later, against another
        cell."""
        now = _moved_points(position, choice) - _moved_points(position, other)
        return list(difference(now, choice.value - other.value - now, other))

    def gain(self, position: Position, action: Write) -> float:
        """Return the points that the sheet gains by an entry, bonuses included."""
        sheet = _final_sheet(position)
        return sheet.write(action.cell, Roll(cast(Turn, position.turn).dice)).total - sheet.total

    def written_points(self, position: Position) -> int:
        """Return the total of the sheet on turn."""
        return position.written[cast(int, position.sheet)].total

    def reasons(
        self,
        position: Position,
        totals: Mapping[Action, float],
        unstopped: float | None,  # noqa: ARG002 there are no lines
    ) -> dict[Action, CellReasons]:
        """Return the reasons for every cell whose expected total is known."""
        cells = {action.cell: total for action, total in totals.items() if isinstance(action, Write)}
        return {Write(cell): found for cell, found in cell_reasons(position, cells).items()} if cells else {}

    def shares(
        self,
        position: Position,  # noqa: ARG002 no games are played on
        ends: Mapping[Action, Mapping[Action, float]],  # noqa: ARG002
        values: Mapping[Action, float],  # noqa: ARG002
        games: int,  # noqa: ARG002
    ) -> dict[Action, Shares]:
        """Return nothing: no games are played on."""
        return {}

    def starting_values(self, position: Position, evaluation: Evaluation, values: Mapping[Action, float]) -> tuple[float, ...]:
        """Return the expected total of each sheet."""
        return tuple(_starting_value(position, side, evaluation, values) for side in range(len(position.sheets)))

    def named_writers(self, tags: Mapping[str, str]) -> tuple[int, ...]:
        """Return the players in the tag `Writer`."""
        return tuple(int(name.removeprefix("P")) - 1 for name in tags.get("Writer", "").split())

    def correction_values(self, turn: int, values: Mapping[Action, float]) -> dict[Action, float]:
        """Return the value of every cell in which the result can stand."""
        return {Correct(turn, action.cell): value for action, value in values.items() if isinstance(action, Write)}

    def results(self, record: Record) -> tuple[float | None, ...]:
        """Return the totals of the sheets, `None` where the sheets are not full."""
        position = record.journal.position
        return tuple(float(total) if position.turn is None else None for total in position.scores)

    def side_name(self, side: int) -> int:
        """Return the number of the sheet, from 0."""
        return side


def _final_sheet(position: Position) -> Sheet:
    """Return the sheet on turn without the result that can still move."""
    return position.sheets[cast(int, position.sheet)]


def _moved_points(position: Position, choice: Compared) -> int:
    """Return the total of a sheet with its last result in the cell of a correction."""
    moved = cast(Correct, choice.action)
    place = position.game.side_of_player(position.game.player_of_turn(moved.turn))
    return position.play_unchecked(moved).written[place].total


def _starting_value(position: Position, side: int, evaluation: Evaluation, values: Mapping[Action, float]) -> float:
    """Return the expected total of one sheet of a running game."""
    if side == position.sheet:
        return max(values.values()) if values else evaluation.before_throw(position)
    sheet = position.written[side]
    if next(sheet.open_cells, None) is None:
        return float(sheet.total)
    turns = range(position.number, position.number + len(position.sheets))
    number = next(turn for turn in turns if position.game.side_of_player(position.game.player_of_turn(turn)) == side)
    return evaluation.before_throw(replace(position, number=number, turn=BEGIN))
