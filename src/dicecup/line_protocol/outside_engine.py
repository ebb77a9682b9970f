"""An engine of the line protocol as a player: it sees a position and the actions, never dice."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

from dicecup.core.game import Action, Position
from dicecup.line_protocol.errors import LineProtocolCode, LineProtocolError
from dicecup.line_protocol.lines import CORRECTIONS, NO_ACTION, SEED, VERSION, after, go_line
from dicecup.line_protocol.program import GRACE, Clock, Deadline

TURN_SECONDS: Final = 10.0
"""The default time of an engine for all decisions of a turn."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of an engine in seconds.

    `start`: from its start to the end of the handshake. `ready`: for preparing a game, in which it
    may load tables. `turn`: for all decisions of a turn together.
    """

    start: float = 30.0
    ready: float = 300.0
    turn: float = TURN_SECONDS


class Lines(Protocol):
    """Lines to and from an engine. `Program` is one."""

    name: str

    def send(self, line: str, deadline: Deadline) -> None:
        """Send a line. Raises `LineProtocolError`."""

    def receive(self, deadline: Deadline) -> str:
        """Return the next line. Raises `LineProtocolError`."""

    def kill(self) -> None:
        """Kill the engine."""

    def close(self, grace: float = GRACE) -> None:
        """End the engine."""


class OutsideEngine:
    """An engine behind `lines`, after its handshake.

    Every method that asks the engine raises `LineProtocolError`. After an error the engine is in an
    unknown state: `close` it.
    """

    def __init__(self, lines: Lines, limits: Limits, clock: Clock = monotonic) -> None:
        self.limits = limits
        self.title = lines.name
        """The name that the engine gives itself."""
        self.value: float | None = None
        """The value of the last action, if the engine told one."""
        self._lines = lines
        self._clock = clock
        self._options: set[str] = set()
        self._supports: set[str] = set()
        self._complaint = ""
        """The last `info error` of the engine."""
        self._turn: tuple[bool, int] | None = None
        """Whether a correction was asked for, and the number of the turn, whose time runs."""
        self._left = limits.turn
        try:
            self._shake_hands()
        except BaseException:
            self.close(grace=0)
            raise

    def new_game(self, game_id: str, seed: str = "") -> None:
        """Begin a game. An engine with the option `seed` gets the seed of its own choices."""
        deadline = Deadline.after(self.limits.ready, self._clock)
        self._turn = None
        if SEED in self._options:
            self._lines.send(f"setoption name {SEED} value {seed}", deadline)
        self._lines.send(f"newgame {game_id}", deadline)
        self._lines.send("isready", deadline)
        self._answer("readyok", deadline)

    def choose(self, position: Position) -> Action:
        """Return the engine's choice among `position.actions`."""
        actions = {str(action): action for action in position.actions}
        return actions[self.choose_in_turn(position.number, str(position), tuple(actions))]

    def correct(self, position: Position, side: int) -> Action | None:
        """Return a correction of the last result of this side, or `None`.

        Engines that do not support corrections are not asked.
        """
        game = position.game
        actions = {
            str(action): action
            for action in position.corrections
            if action.corrects is not None and game.side_of_player(game.player_of_turn(action.corrects)) == side
        }
        if not actions or CORRECTIONS not in self._supports:
            return None
        chosen = self.choose_in_turn(position.number, str(position), (NO_ACTION, *actions), correct=True)
        return actions.get(chosen)

    def choose_in_turn(self, number: int, position: str, actions: Sequence[str], *, correct: bool = False) -> str:
        """Return the engine's choice as `decide` does. Its time counts for the whole turn
        `number`."""
        turn = (correct, number)
        if turn != self._turn:
            self._turn, self._left = turn, self.limits.turn
        begun = self._clock()
        chosen = self.decide(position, actions, self._left, correct=correct)
        self._left -= self._clock() - begun
        return chosen

    def decide(self, position: str, actions: Sequence[str], seconds: float, *, correct: bool = False) -> str:
        """Return the engine's choice among these actions of a position, all as texts.

        Among corrections, `none` is one of the actions.
        """
        deadline = Deadline.after(seconds, self._clock)
        self._lines.send(f"position {position}", deadline)
        self._lines.send(go_line(actions, seconds, correct=correct), deadline)
        chosen = self._answer("bestaction", deadline)
        if chosen in actions:
            return chosen
        if chosen == NO_ACTION:
            raise LineProtocolError(LineProtocolCode.GAVE_UP, engine=self._lines.name, why=self._complaint or NO_ACTION)
        raise LineProtocolError(LineProtocolCode.NONSENSE, engine=self._lines.name, text=chosen, position=position)

    def kill(self) -> None:
        """Kill the engine. A method that waits for it in another thread ends with an error."""
        self._lines.kill()

    def close(self, grace: float = GRACE) -> None:
        """Tell the engine to end, and kill it if it does not end within `grace` seconds."""
        if grace > 0:
            with suppress(LineProtocolError, ValueError, OSError):
                self._lines.send("quit", Deadline.after(grace, self._clock))
        self._lines.close(grace)

    def _shake_hands(self) -> None:
        deadline = Deadline.after(self.limits.start, self._clock)
        self._lines.send(f"dice {VERSION}", deadline)
        version = self._answer("diceok", deadline)
        if version != str(VERSION):
            raise LineProtocolError(LineProtocolCode.HANDSHAKE, engine=self._lines.name, text=f"diceok {version}".strip())

    def _answer(self, word: str, deadline: Deadline) -> str:
        """Return what follows `word` at the beginning of the next line that begins so.

        Lines before it tell about the engine; unknown ones are ignored.
        """
        self.value = None
        self._complaint = ""
        while True:
            line = self._receive(deadline)
            if (rest := after(line, word)) is not None:
                return rest
            if (rest := after(line, "info")) is not None:
                self._note(rest)
            elif (rest := after(line, "id")) is not None:
                self.title = after(rest, "name") or self.title
            elif (rest := after(line, "option")) is not None:
                self._options.add((after(rest, "name") or "").partition(" ")[0])
            elif (rest := after(line, "supports")) is not None:
                self._supports.add(rest)

    def _receive(self, deadline: Deadline) -> str:
        """Return the next line. If the engine ends after a complaint, that is why."""
        try:
            return self._lines.receive(deadline)
        except LineProtocolError as error:
            if error.code is LineProtocolCode.DIED and self._complaint:
                raise LineProtocolError(LineProtocolCode.DIED, engine=self._lines.name, why=self._complaint) from None
            raise

    def _note(self, info: str) -> None:
        """Keep the value or the complaint of an `info` line."""
        if (text := after(info, "error")) is not None:
            self._complaint = text
        elif (text := after(info, "value")) is not None:
            with suppress(ValueError):
                self.value = float(text)
