"""Announcements: the news of a session in sentences, each once, with a heading for every turn."""

from dicecup.core.source import VOID_THROW
from dicecup.core.turn import BEGIN
from dicecup.table import events
from dicecup.table.state import TableState
from dicecup.terminal.console import Console, Style
from dicecup.terminal.display import turn_title
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.screen import dice_text
from dicecup.terminal.session import Demand, News, Notice, Snapshot, Step


class Announcer:
    """Prints news. It remembers the turn whose heading it has printed."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._headed = 0

    def head(self, now: Snapshot) -> None:
        """Print the heading of the turn, once."""
        position = now.position
        if position.turn is not None and (now.table.order or now.table.starting is None) and self._headed != position.number:
            self._headed = position.number
            self._console.say()
            self._console.say(turn_title(now.record, self._console.messages), Style.HEAD)

    def announce(self, news: News, now: Snapshot) -> None:
        """Print news. `now` is the snapshot after it. A throw that a person here decides on is
        printed with the decision."""
        match news:
            case Notice(key, values):
                self._console.say(self._console.messages(key, **values))
            case Step(before, event, after):
                self._announce_step(before, event, after, now)

    def _announce_step(self, before: TableState, event: events.Event, after: TableState, now: Snapshot) -> None:
        """Print what an event changed.

        `before` and `after` are the states around it, `now` the latest.
        """
        match event:
            case events.DieThrown(face):
                self._die_thrown(before, face, after)
            case events.Thrown(dice) if dice == VOID_THROW:
                self._console.tell("throw_void", throw=(after.position.turn or BEGIN).throws + 1)
            case events.Thrown():
                self._thrown(before, after, now)
            case events.Acted(_, action):
                rules, messages = before.rules, self._console.messages
                for line in screen_of(rules).effects(before.position, after.position, rules.action(action), messages):
                    self._console.say(line)
            case events.TakenBack(_, text):
                self._headed = 0
                self._console.tell("taken_back", text=text)
            case _:
                pass  # the end is printed with the result

    def _die_thrown(self, before: TableState, face: int, after: TableState) -> None:
        assert before.starting is not None
        assert before.starting.seat is not None
        self._console.tell("starting_die", name=after.seats[before.starting.seat].name, face=face)
        if after.order:
            self._console.tell("begins", Style.HEAD, name=after.seats[after.order[0]].name)

    def _thrown(self, before: TableState, after: TableState, now: Snapshot) -> None:
        """Print a throw under the heading of its turn, and whether kept dice were knocked over.

        Dice that await an action are printed with the question.
        """
        self.head(now)
        kept, shown = before.position.turn, after.position.turn
        assert kept is not None
        assert shown is not None
        if kept.dice not in shown.dice:
            self._console.tell("die_knocked_over", dice=dice_text(kept.dice))
        if now.demand is not Demand.ACTION:
            self._console.tell("dice_thrown", throw=shown.throws, dice=dice_text(shown.dice))
