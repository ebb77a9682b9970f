"""The generic screen, which works for every game: the position text, the scores and a numbered list
of actions."""

from typing import Any

from dicecup.core.dice import Dice
from dicecup.core.errors import DicecupError
from dicecup.core.game import Action, Rules, Scoring
from dicecup.core.ids import split_id
from dicecup.locale import Messages
from dicecup.record import Record
from dicecup.terminal.console import TIE, Console
from dicecup.terminal.entry import Verb, Vocabulary, keep_from
from dicecup.terminal.errors import TerminalCode, TerminalError


def dice_text(dice: Dice) -> str:
    """Return the faces, separated by spaces."""
    return " ".join(map(str, dice.faces))


def keep_name(kept: Dice, messages: Messages) -> str:
    """Return the phrase for keeping these dice."""
    return messages("odds_keeping", dice=dice_text(kept)) if kept.count else messages("odds_keeping_none")


class Screen:
    """The generic screen. The screen of one game overrides the methods that the game needs.

    Positions are typed `Any`, because the screen of a game takes positions of that game only.
    """

    # Names

    def title(self, game: Rules, messages: Messages) -> str:
        """Return the name of the game with the options that differ from their defaults."""
        key = f"game_{game.name.replace('-', '_')}"
        name = messages(key) if key in messages else game.name
        facts = self.option_texts(game, messages)
        return f"{name} ({', '.join(facts)})" if facts else name

    def option_texts(self, game: Rules, messages: Messages) -> list[str]:
        """Return the names of the options that differ from their defaults, without the number of
        players."""
        _, options = split_id(game.id)
        keys = {f"option_{name}_{value}_summary": f"{name}={value}" for name, value in options.items() if name != "players"}
        return [messages(key) if key in messages else text for key, text in keys.items()]

    def player_names(self, record: Record) -> tuple[str, ...]:
        """Return the names of the players. A player whose tag is missing is called by the tag's
        name."""
        return tuple(record.tags.get(tag, tag) for tag in record.game.player_tags)

    def side_name(self, record: Record, side: int) -> str:
        """Return the names of the players of a side."""
        named = self.player_names(record)
        return " & ".join(name for player, name in enumerate(named) if record.game.side_of_player(player) == side)

    def turn_title(self, record: Record, messages: Messages) -> str:
        """Return the heading of the turn: its number, its round and the player."""
        position = record.journal.position
        players = record.game.players
        name = self.player_names(record)[record.game.player_of_turn(position.number)]
        return messages("turn_yamm", number=position.number, round=(position.number - 1) // players + 1, name=name)

    # The position

    def show_position(self, console: Console, record: Record) -> None:
        """Print what the player to act has to see, without the dice."""
        console.say(str(record.journal.position))
        self.show_scores(console, record)

    def show_all(self, console: Console, record: Record) -> None:
        """Print everything that lies on the table, without the dice."""
        self.show_position(console, record)

    def show_scores(self, console: Console, record: Record) -> None:
        """Print the points of each side."""
        scores = record.journal.position.scores
        facts = (console.messages("total", name=self.side_name(record, at), total=points) for at, points in enumerate(scores))
        console.say(" ".join(text.replace(" ", TIE) for text in facts))

    def show_choices(self, console: Console, position: Any) -> None:
        """Print the legal actions, each with the number that stands for it."""
        listed = (f"{number}{TIE}{action}" for number, action in enumerate(position.actions, 1))
        console.tell("actions_numbered", actions=", ".join(listed))

    def show_correctable(self, console: Console, position: Any) -> None:
        """Print the result that the throw which is due makes final. The generic screen prints
        nothing."""

    def show_question(self, console: Console, position: Any) -> None:
        """Print a position without a record, for an analysis."""
        console.say(str(position))

    # Commands

    def show(self, console: Console, record: Record, rest: str) -> None:
        """Print the board, or the sheet that `rest` names. Raises `TerminalError`
        (`not-a-choice`)."""
        self.show_all(console, record)

    def read(self, console: Console, record: Record, rest: str, known: Vocabulary) -> None:
        """Print the position in sentences, or the part that `rest` names. Raises `TerminalError`
        (`not-a-choice`)."""
        self.show_all(console, record)

    def read_question(self, console: Console, position: Any) -> None:
        """Print a position without a record in sentences."""
        console.say(str(position))

    def show_help(self, console: Console) -> None:
        """Print what can be typed for an action."""
        console.tell("help_any_game")

    def show_rules(self, console: Console) -> None:
        """Print the rules in short. The generic screen has no rules to print."""
        console.tell("rules_none")

    def show_legend(self, console: Console) -> None:
        """Print the legend of the board or of the sheets. The generic screen has none."""

    def show_odds(self, console: Console, position: Any, keep: str | None) -> None:
        """Print the odds of the turn. Raises `TerminalError` (`not-for-this-game`)."""
        raise TerminalError(TerminalCode.NOT_FOR_THIS_GAME, game=position.game.name)

    # Actions

    def action_text(self, verb: Verb | None, text: str, plain: str, position: Any, known: Vocabulary) -> str | None:
        """Return the canonical text of the action that a person typed, `None` where it is no
        action.

        `plain` is the text in lower case without spaces and commas. The generic screen takes the
        number of an action in the list, the text of an action, and dice to keep behind a verb.
        """
        if verb is Verb.KEEP:
            return keep_from(verb, plain)
        if verb is not None:
            return None
        actions = position.actions
        if plain.isdecimal() and 1 <= int(plain) <= len(actions):
            return str(actions[int(plain) - 1])
        try:
            return str(position.game.action(text.strip()))
        except DicecupError:
            return None

    def question_before(self, position: Any, action: Action, messages: Messages) -> str | None:
        """Return the question to be answered with yes before an action is done, `None` for most
        actions."""
        return None

    def action_name(self, game: Rules, action: Action, messages: Messages) -> str:
        """Return the name of an action within a sentence."""
        return str(action) if action.kept is None else keep_name(action.kept, messages)

    def choice_name(self, position: Any, action: Action, messages: Messages) -> str:
        """Return the name of an action behind its text."""
        return self.action_name(position.game, action, messages)

    def ending_name(self, position: Any, action: Action, messages: Messages) -> str:
        """Return the short name of an action that ends a turn."""
        return self.choice_name(position, action, messages)

    def phrase(self, action: Action, messages: Messages) -> str:
        """Return an action as the subject of a sentence."""
        if action.kept is None:
            return str(action)
        return messages("why_keep", dice=dice_text(action.kept)) if action.kept.count else messages("why_keep_none")

    def shown_dice(self, position: Any, action: Action) -> tuple[int, Dice]:
        """Return the number of throws and the dice that an action of a position is about."""
        turn = position.turn
        assert turn is not None
        return turn.throws, turn.dice

    def effects(self, before: Any, after: Any, action: Action, messages: Messages) -> list[str]:
        """Return what an action did, one sentence a line."""
        if action.kept is not None:
            return [messages("kept", dice=dice_text(action.kept)) if action.kept.count else messages("kept_none")]
        return [messages("action_done", action=action)]

    # The end

    def winners(self, record: Record) -> tuple[int, ...]:
        """Return the sides that win a finished game."""
        outcome = record.journal.position.outcome
        if outcome is not None:
            return outcome.winners
        return tuple(map(int, record.tags.get("Winners", "").split()))

    def points_text(self, record: Record, messages: Messages) -> str:
        """Return the points of a finished game: the totals of the tag `Result`, or the scores where
        wins count."""
        totals = record.game.scoring is Scoring.TOTALS
        points = record.tags["Result"].split(" ") if totals else list(map(str, record.journal.position.scores))
        return ", ".join(f"{self.side_name(record, side)} {number}" for side, number in enumerate(points))
