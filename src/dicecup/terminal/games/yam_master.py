"""The screen of Yam Master: the board, entries such as `c3`, `!k11` and `--`, and what an action
did."""

import re
from typing import Final

from dicecup.core.dice import NO_DICE
from dicecup.core.game import Action, Rules
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.terminal.console import Console, Style
from dicecup.terminal.entry import Verb, Vocabulary, keep_from
from dicecup.terminal.errors import TerminalCode, TerminalError
from dicecup.terminal.games import board
from dicecup.terminal.games.screen import Screen, dice_text, keep_name
from dicecup.yam_master import Figure, KeepDice, Pass, Place, Position, Remove, YamMaster
from dicecup.yam_master.figures import BIG_ROLLS
from dicecup.yam_master.options import FailedDefi

_SQUARE: Final = re.compile(r"(-?)(?:([a-e])([1-5])|([1-5])([a-e]))", re.ASCII)


class YamMasterScreen(Screen):
    """The screen of Yam Master."""

    def player_names(self, record: Record) -> tuple[str, ...]:
        """Return the names of the players, each with its side."""
        return tuple(f"{name} ({side})" for name, side in zip(super().player_names(record), "xo", strict=True))

    def turn_title(self, record: Record, messages: Messages) -> str:
        """Return the heading of the turn: its number and the player."""
        position = record.journal.position
        name = self.player_names(record)[record.game.player_of_turn(position.number)]
        return messages("turn_yam_master", number=position.number, name=name)

    def show_position(self, console: Console, record: Record) -> None:
        """Print the board, unless the console is short, with supplies and points."""
        position = _position(record)
        if not console.short:
            board.show_board(console, position)
        board.show_supplies(console, position, self.player_names(record))

    def show_all(self, console: Console, record: Record) -> None:
        """Print the board with supplies and points."""
        board.show_board(console, _position(record))
        board.show_supplies(console, _position(record), self.player_names(record))

    def show_choices(self, console: Console, position: Position) -> None:
        """Print the squares on which a token can be placed and the tokens that can be taken."""
        board.show_choices(console, position)

    def show_question(self, console: Console, position: Position) -> None:
        """Print the turn, the board, supplies and points."""
        console.tell("turn_yam_master", Style.HEAD, number=position.number, name=str(position.to_move))
        board.show_board(console, position)
        board.show_supplies(console, position, ("x", "o"))

    def show(self, console: Console, record: Record, rest: str) -> None:
        """Print the board."""
        board.show_board(console, _position(record))

    def read(self, console: Console, record: Record, rest: str, known: Vocabulary) -> None:
        """Print the board in sentences, or one square. Raises `TerminalError` (`not-a-choice`)."""
        position = _position(record)
        if not rest:
            board.read_board(console, position)
            return
        place = position.game.board.index.get(rest.casefold())
        if place is None:
            raise TerminalError(TerminalCode.NOT_A_CHOICE, text=rest)
        console.say(f"{board.square_text(console.messages, position, place)}.")

    def read_question(self, console: Console, position: Position) -> None:
        """Print the board in sentences."""
        board.read_board(console, position)

    def show_help(self, console: Console) -> None:
        """Print what can be typed for an action."""
        console.tell("help_yam_master")

    def show_rules(self, console: Console) -> None:
        """Print the rules in short."""
        console.tell("rules_yam_master")

    def show_odds(self, console: Console, position: Position, keep: str | None) -> None:
        """Print the odds of each figure."""
        from dicecup.terminal.odds import show_figure_odds  # loads the engine

        show_figure_odds(console, position, keep)

    def action_text(self, verb: Verb | None, text: str, plain: str, position: Position, known: Vocabulary) -> str | None:
        """Return the canonical text of a keep, a Défi, a square, a removal or a pass."""
        if (verb is Verb.PASS and not plain) or (verb is None and plain == "--"):
            return "--"
        square = _SQUARE.fullmatch(plain)
        if square is not None and verb in (None, Verb.PLACE, Verb.REMOVE):
            name = f"{square[2] or square[5]}{square[3] or square[4]}"
            return f"-{name}" if square[1] or verb is Verb.REMOVE else name
        return keep_from(verb, plain)

    def action_name(self, game: Rules, action: Action, messages: Messages) -> str:
        """Return the name of an action within a sentence."""
        match action:
            case KeepDice(kept, True):
                return messages("name_defi", keep=keep_name(kept, messages))
            case Place(square):
                return f"{square} {board.figure_name(_figure(game, square), messages)}"
            case Remove(square):
                return messages("name_remove", square=square)
            case Pass():
                return messages("name_pass")
            case _:
                return super().action_name(game, action, messages)

    def choice_name(self, position: Position, action: Action, messages: Messages) -> str:
        """Return the figure of a square, the name of any other action."""
        match action:
            case Place(square):
                return board.figure_name(_figure(position.game, square), messages)
            case _:
                return self.action_name(position.game, action, messages)

    def ending_name(self, position: Position, action: Action, messages: Messages) -> str:
        """Return the square with its figure, the name of any other action."""
        match action:
            case Place(square):
                return f"{action} ({_figure(position.game, square)})"
            case _:
                return self.action_name(position.game, action, messages)

    def phrase(self, action: Action, messages: Messages) -> str:
        """Return an action as the subject of a sentence."""
        match action:
            case KeepDice(kept, True):
                return messages("why_defi", dice=dice_text(kept)) if kept.count else messages("why_defi_none")
            case Remove(square):
                return messages("why_remove", square=square)
            case Pass():
                return messages("why_pass")
            case _:
                return super().phrase(action, messages)

    def effects(self, before: Position, after: Position, action: Action, messages: Messages) -> list[str]:
        """Return what an action did, one sentence a line."""
        match action:
            case KeepDice(kept, defi):
                declared = [messages("defi_was_declared")] if defi else []
                return [*declared, messages("kept_none") if kept is NO_DICE else messages("kept", dice=dice_text(kept))]
            case Place(square):
                return [messages("placed", square=square, figure=board.figure_name(_figure(before.game, square), messages))]
            case Remove(square):
                return [messages("removed", square=square)]
            case _:
                return [messages("defi_lost" if _loses_defi(before) else "passed")]

    def winners(self, record: Record) -> tuple[int, ...]:
        """Return the side that the tag `Result` names, none for a draw."""
        side = record.tags["Result"].partition(" ")[0]
        return ("xo".index(side),) if side in ("x", "o") else ()

    def points_text(self, record: Record, messages: Messages) -> str:
        """Return the points of the tag `Result`."""
        x, _, o = record.tags["Result"].partition(" ")[2].partition("-")
        return messages("end_points", x=x, o=o)


def _position(record: Record) -> Position:
    position = record.journal.position
    assert isinstance(position, Position)
    return position


def _figure(game: Rules, square: str) -> Figure:
    assert isinstance(game, YamMaster)
    return game.board.figures[game.board.index[square]]


def _loses_defi(position: Position) -> bool:
    """Return whether a pass loses a declared Défi: the dice hold no big figure (RULES, Yam Master,
    "Défi")."""
    counts = position.game.options.failed_defi is FailedDefi.TURN_LOST
    return counts and position.defi and position.turn is not None and position.turn.dice not in BIG_ROLLS
