"""What happened at a table, in sentences: each thing once, and a heading for every turn."""

from dicecup import yam_master, yamm
from dicecup.core.dice import NO_DICE
from dicecup.core.game import Action, Position
from dicecup.core.turn import BEGIN
from dicecup.locale import Messages
from dicecup.terminal import board
from dicecup.terminal.console import Console, Style
from dicecup.terminal.link import Acted, DieThrown, Ended, Event, Notice, State, TakenBack, Thrown
from dicecup.terminal.sheet import cell_name, column_name
from dicecup.terminal.state import dice_text, turn_title
from dicecup.yamm import Cell, Column, Sheet


class Teller:
    """Tells events. It remembers nothing but which turn it has given its heading."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._headed = 0

    def head(self, state: State) -> None:
        """The heading of the turn that runs, once."""
        position = state.position
        if position.turn is not None and state.starting is None and self._headed != position.number:
            self._headed = position.number
            self._console.say()
            self._console.say(turn_title(state.record, position, self._console.messages), Style.HEAD)

    def tell(self, event: Event, state: State, *, decision_follows: bool) -> None:
        """What happened; `state` is the one after it. A throw that somebody is to decide on is shown with the decision."""
        match event:
            case DieThrown():
                self._die(event)
            case Thrown(before, after, None):
                self._console.tell("throw_void", throw=_throws(after) + 1)
            case Thrown(before, after, _):
                self._thrown(before, after, state, decision_follows=decision_follows)
            case Acted():
                self._acted(event)
            case TakenBack(text):
                self._headed = 0
                self._console.tell("taken_back", text=text)
            case Ended():
                pass  # told with the result
            case Notice(key, values):
                self._console.say(self._console.messages(key, **values))

    def _die(self, event: DieThrown) -> None:
        self._console.tell("starting_die", name=event.seats[event.seat].name, face=event.face)
        if event.starter is not None:
            self._console.tell("begins", Style.HEAD, name=event.seats[event.starter].name)

    def _thrown(self, before: Position, after: Position, state: State, *, decision_follows: bool) -> None:
        self.head(state)
        assert before.turn is not None
        assert after.turn is not None
        if before.turn.dice not in after.turn.dice:
            self._console.tell("die_knocked_over", dice=dice_text(before.turn.dice))
        if not decision_follows:
            self._console.tell("dice_thrown", throw=after.turn.throws, dice=dice_text(after.turn.dice))

    def _acted(self, event: Acted) -> None:
        for line in acted(event.before, event.after, event.action, self._console.messages):
            self._console.say(line)


def _throws(position: Position) -> int:
    return (position.turn or BEGIN).throws


def acted(before: Position, after: Position, action: Action, messages: Messages) -> list[str]:
    """What an action did, a sentence a line."""
    match action:
        case yam_master.KeepDice(kept, defi):
            declared = [messages("defi_was_declared")] if defi else []
            return [*declared, messages("kept_none") if kept is NO_DICE else messages("kept", dice=dice_text(kept))]
        case yamm.KeepDice(kept):
            return [messages("kept_none") if kept is NO_DICE else messages("kept", dice=dice_text(kept))]
        case yam_master.Place(square):
            assert isinstance(before, yam_master.Position)
            figure = before.game.board.figures[before.game.board.index[square]]
            return [messages("placed", square=square, figure=board.figure_name(figure, messages))]
        case yam_master.Remove(square):
            return [messages("removed", square=square)]
        case yam_master.Pass():
            assert isinstance(before, yam_master.Position)
            return [messages("defi_lost" if before.defi and not before.placeable else "passed")]
        case yamm.Write(cell):
            assert isinstance(before, yamm.Position)
            assert isinstance(after, yamm.Position)
            assert before.sheet is not None
            return _written("written", cell, before, after, before.sheet, messages)
        case yamm.Correct(turn, cell):
            assert isinstance(before, yamm.Position)
            assert isinstance(after, yamm.Position)
            place = (turn - 1) % len(before.sheets)
            return [messages("corrected", turn=turn), *_written("written", cell, before, after, place, messages)]


def _written(key: str, cell: Cell, before: yamm.Position, after: yamm.Position, place: int, messages: Messages) -> list[str]:
    """What a result brought: the cell, what it struck, and totals that are known now."""
    old, new = before.written[place], after.written[place]
    points = new[cell]
    name = cell_name(cell, messages)
    told = [messages(key, cell=name, points=points) if points else messages("struck", cell=name)]
    column = Column(cell.partition(".")[0])
    if _struck_both(old, new, column):
        told = [messages("struck_both", column=column_name(column, messages))]
    if new.first_throw_yamms > old.first_throw_yamms:
        told.append(messages("first_throw_yamm"))
    bonus, total = new.bonus(column), new.column_total(column)
    if bonus is not None and old.bonus(column) is None:
        told.append(messages("subtotal_known", column=column_name(column, messages), sum=new.upper(column), bonus=bonus))
    if total is not None:
        told.append(messages("column_known", column=column_name(column, messages), total=total))
    return told


def _struck_both(old: Sheet, new: Sheet, column: Column) -> bool:
    """Whether H and T of the column were struck now."""
    high, low = Cell(f"{column}.H"), Cell(f"{column}.T")
    return new[high] == new[low] == 0 and not old[high] == old[low] == 0
