"""Asking for a decision in a position: entries that answer it, and those that print something."""

from dicecup.core.errors import DicecupError, TextCode, TextError
from dicecup.core.game import Action, Position
from dicecup.terminal import entry
from dicecup.terminal.analysis import show_position
from dicecup.terminal.console import Console
from dicecup.terminal.display import show_rules
from dicecup.terminal.entry import Verb, split_verb, words_of
from dicecup.terminal.errors import EndOfInput
from dicecup.terminal.games import action_text, screen_of
from dicecup.terminal.loop import Quit


class Questioner:
    """Asks for actions on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._known = words_of(console.messages)

    def choice(self, position: Position) -> Action:
        """Ask until an allowed action is entered, and return it. Raises `EndOfInput` and `Quit`."""
        while True:
            text = self._console.ask(self._console.messages("trainer_prompt"))
            try:
                action = self._entered(text, position)
            except EndOfInput:
                raise
            except DicecupError as error:
                self._console.complain(error)
                continue
            if action is not None:
                return action

    def _entered(self, text: str, position: Position) -> Action | None:
        """Return the action of an entry, `None` for an entry that only printed something."""
        console = self._console
        verb, rest = split_verb(text, self._known)
        screen = screen_of(position.game)
        match verb:
            case None if not text:
                console.tell("trainer_help")
            case Verb.HELP:
                screen.show_help(console)
                console.tell("trainer_help")
            case Verb.RULES:
                show_rules(console, position.game)
            case Verb.SHOW:
                show_position(console, position)
            case Verb.READ:
                screen.read_question(console, position)
            case Verb.ACTIONS:
                console.say(" ".join(map(str, position.actions)))
            case Verb.ODDS:
                screen.show_odds(console, position, entry.keep_text(rest) if rest else None)
            case Verb.QUIT:
                raise Quit
            case _:
                return self._action(action_text(verb, rest if verb else text, position, self._known), position)
        return None

    def _action(self, text: str, position: Position) -> Action:
        """Return the action of a canonical text. Raises `TextError`, and `ActionError` as
        `Position.play` does."""
        action = position.game.action(text)
        position.play(action)
        if action not in position.actions:
            raise TextError(TextCode.NOT_AN_ACTION, text=text)
        return action
