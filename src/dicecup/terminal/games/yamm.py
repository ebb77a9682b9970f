"""The screen of Yamm: the sheets, entries such as `f1.FH` and `3. > d1.2`, and what an
action did."""

import re
from typing import Final

from dicecup.core.dice import Dice
from dicecup.core.game import Action, Rules
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.terminal.console import TIE, Console, Style
from dicecup.terminal.entry import Verb, Vocabulary, cell_text, column_text, keep_from
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.games import sheet
from dicecup.terminal.games.screen import Screen, dice_text
from dicecup.terminal.games.sheet import cell_name, column_name
from dicecup.yamm import Cell, Column, Correct, Position, Sheet, Write

_CORRECTION: Final = re.compile(r"(?:([1-9][0-9]{0,3})\s*\.?\s*>|([1-9][0-9]{0,3})\.?\s)?\s*>?\s*(.+)", re.ASCII)


class YammScreen(Screen):
    """The screen of Yamm."""

    def show_position(self, console: Console, record: Record) -> None:
        """Print the sheet of the turn, unless the console is short, and the totals."""
        position = _position(record)
        if not console.short and position.sheet is not None:
            self._show_sheet(console, record, position.sheet)
        self.show_scores(console, record)

    def show_all(self, console: Console, record: Record) -> None:
        """Print all sheets and the totals."""
        for place in range(len(_position(record).sheets)):
            self._show_sheet(console, record, place)
        self.show_scores(console, record)

    def _show_sheet(self, console: Console, record: Record, place: int) -> None:
        console.tell("sheet_of", name=self.side_name(record, place))
        sheet.show_sheet(console, _position(record), place)

    def show_scores(self, console: Console, record: Record) -> None:
        """Print the totals so far, with the Yamms of the first throw."""
        facts = []
        for place, written in enumerate(_position(record).written):
            key = "total_with_yamms" if written.first_throw_yamms else "total"
            name = self.side_name(record, place)
            text = console.messages(key, name=name, total=written.total, yamms=written.first_throw_yamms)
            facts.append(text.replace(" ", TIE))
        console.say(" ".join(facts))

    def show_choices(self, console: Console, position: Position) -> None:
        """Print what each open cell would score where no sheet was printed: the console
        is short."""
        if console.short:
            sheet.read_choices(console, position)

    def show_correctable(self, console: Console, position: Position) -> None:
        """Print the sheet's last result before the first throw of a turn, which can
        still be moved."""
        turn = position.finalized_turn
        if position.sheet is None or turn is None:
            return
        result = position.wet[position.sheet]
        assert result is not None
        points = position.written[position.sheet][result.cell]
        console.tell(
            "wet_result",
            turn=turn,
            dice=dice_text(result.roll),
            cell=cell_name(result.cell, console.messages),
            points=points or console.messages("word_struck"),
        )

    def show_question(self, console: Console, position: Position) -> None:
        """Print the sheet of the turn and all totals."""
        if position.sheet is None:
            return
        console.tell("sheet_of", Style.HEAD, name=f"P{position.sheet + 1}")
        sheet.show_sheet(console, position, position.sheet)
        totals = (console.messages("total", name=f"P{at + 1}", total=held.total) for at, held in enumerate(position.written))
        console.say(" ".join(text.replace(" ", TIE) for text in totals))

    def show(self, console: Console, record: Record, rest: str) -> None:
        """Print the sheet of the turn, or of the player whose name or number is given. Raises
        `TerminalError` (`not-a-choice`)."""
        self._show_sheet(console, record, self._sheet(record, rest))

    def _sheet(self, record: Record, rest: str) -> int:
        """Return the index of the sheet of the player that `rest` names, or of the sheet on turn.

        Raises `TerminalError` (`not-a-choice`).
        """
        position = _position(record)
        if not rest:
            return position.sheet or 0
        for player, name in enumerate(self.player_names(record)):
            if rest.casefold() in (name.casefold(), str(player + 1)):
                return record.game.side_of_player(player)
        raise TerminalError(TerminalCode.NOT_A_CHOICE, text=rest)

    def read(self, console: Console, record: Record, rest: str, known: Vocabulary) -> None:
        """Print a sheet in sentences, or one column of the sheet of the turn. Raises
        `TerminalError` (`not-a-choice`)."""
        position = _position(record)
        column, row = column_text(rest, known)
        if column is not None and not row:
            own = position.sheet or 0
            names = {str(name): name for name in position.sheets[own].spec.columns}
            sheet.read_column(console, position, own, names[column])
        else:
            sheet.read_sheet(console, position, self._sheet(record, rest))

    def read_question(self, console: Console, position: Position) -> None:
        """Print the sheet of the turn in sentences."""
        sheet.read_sheet(console, position, position.sheet or 0)

    def show_help(self, console: Console) -> None:
        """Print what can be typed for an action."""
        console.tell("help_yamm")

    def show_rules(self, console: Console) -> None:
        """Print the rules in short."""
        console.tell("rules_yamm")

    def show_legend(self, console: Console) -> None:
        """Print the legend of the sheets, unless the console is short."""
        if not console.short:
            console.tell("sheet_legend")

    def show_odds(self, console: Console, position: Position, keep: str | None) -> None:
        """Print the odds of each row with the points to expect."""
        from dicecup.terminal.odds import show_row_odds  # loads the engine

        show_row_odds(console, position, keep)

    def action_text(self, verb: Verb | None, text: str, plain: str, position: Position, known: Vocabulary) -> str | None:
        """Return the canonical text of a keep, a cell or a correction.

        Raises `TerminalError` (`no-correction`, `which-result`).
        """
        if verb is Verb.CORRECT or (verb is None and ">" in plain):
            return _correction(text, position, known)
        if verb in (None, Verb.PLACE):
            cell = cell_text(plain, known)
            if cell is not None:
                return cell
        return keep_from(verb, plain) if "!" not in plain and verb is not Verb.DEFI else None

    def question_before(self, position: Position, action: Action, messages: Messages) -> str | None:
        """Return the question before a result that strikes the cells H and T of a column."""
        match action:
            case Write(cell) | Correct(_, cell) if position.preview(action).strikes_both:
                column = column_name(cell.partition(".")[0], messages)
                return messages("ask_strike_both", cell=cell_name(cell, messages), column=column)
            case _:
                return None

    def action_name(self, game: Rules, action: Action, messages: Messages) -> str:
        """Return the name of an action within a sentence."""
        match action:
            case Write(cell) | Correct(_, cell):
                return cell_name(cell, messages)
            case _:
                return super().action_name(game, action, messages)

    def phrase(self, action: Action, messages: Messages) -> str:
        """Return an action as the subject of a sentence."""
        if not isinstance(action, Write | Correct):
            return super().phrase(action, messages)
        column, _, row = action.cell.partition(".")
        return messages("why_cell", column=column_name(column, messages), row=row)

    def shown_dice(self, position: Position, action: Action) -> tuple[int, Dice]:
        """Return the number of throws and the dice of the turn, for a correction those of the
        result that it moves."""
        match action:
            case Correct(turn, _):
                result = position.wet[position.game.side_of_player(position.game.player_of_turn(turn))]
                assert result is not None
                return result.throws, result.roll
            case _:
                return super().shown_dice(position, action)

    def effects(self, before: Position, after: Position, action: Action, messages: Messages) -> list[str]:
        """Return what an action did, one sentence a line."""
        match action:
            case Write(cell):
                assert before.sheet is not None
                return _written(cell, before, after, before.sheet, messages)
            case Correct(turn, cell):
                side = before.game.side_of_player(before.game.player_of_turn(turn))
                return [messages("corrected", turn=turn), *_written(cell, before, after, side, messages)]
            case _:
                return super().effects(before, after, action, messages)


def _position(record: Record) -> Position:
    position = record.journal.position
    assert isinstance(position, Position)
    return position


def _correction(text: str, position: Position, known: Vocabulary) -> str | None:
    """Return the canonical text of `1. > f2.6`. The turn can be left out where only one result can
    be moved."""
    match = _CORRECTION.fullmatch(text.strip())
    cell = cell_text(match[3], known) if match else None
    if match is None or cell is None:
        return None
    turn = match[1] or match[2]
    if turn is None:
        turns = sorted({action.corrects for action in position.corrections if action.corrects is not None})
        if not turns:
            raise TerminalError(TerminalCode.NO_CORRECTION)
        if len(turns) > 1:
            example = f"{turns[-1]}. > {cell}"
            raise TerminalError(TerminalCode.WHICH_RESULT, turns=", ".join(map(str, turns)), example=example)
        turn = str(turns[0])
    return f"{turn}. > {cell}"


def _written(cell: Cell, before: Position, after: Position, place: int, messages: Messages) -> list[str]:
    """Return what a result brought: the cell, the cells that it struck, and the totals that are
    known now."""
    old, new = before.written[place], after.written[place]
    points = new[cell]
    name = cell_name(cell, messages)
    facts = [messages("written", cell=name, points=points) if points else messages("struck", cell=name)]
    column = Column(cell.partition(".")[0])
    if _struck_both(old, new, column):
        facts = [messages("struck_both", column=column_name(column, messages))]
    if new.first_throw_yamms > old.first_throw_yamms:
        facts.append(messages("first_throw_yamm"))
    bonus, total = new.bonus(column), new.column_total(column)
    if bonus is not None and old.bonus(column) is None:
        facts.append(messages("subtotal_known", column=column_name(column, messages), sum=new.upper(column), bonus=bonus))
    if total is not None:
        facts.append(messages("column_known", column=column_name(column, messages), total=total))
    return facts


def _struck_both(old: Sheet, new: Sheet, column: Column) -> bool:
    """Return whether the action struck H and T of the column."""
    high, low = Cell(f"{column}.H"), Cell(f"{column}.T")
    return new[high] == new[low] == 0 and not old[high] == old[low] == 0
