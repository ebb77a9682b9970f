"""The side of the line protocol that answers: a computer level or an agent as an engine."""

from collections.abc import Callable
from typing import BinaryIO, Final

from dicecup import __version__, games
from dicecup.core.errors import DicecupError
from dicecup.core.game import Action, Position, Rules
from dicecup.line_protocol.agents import MakePlayer
from dicecup.line_protocol.lines import CORRECTIONS, LONGEST_LINE, NO_ACTION, SEED, VERSION, Go, after, read_go
from dicecup.players import Corrects, Evaluates, Player

FIRST_THROW: Final = "11235"
"""The throw of the decision with which a level loads its tables."""


class Server:
    """An engine that answers lines with `write`.

    `name` is the name that the engine gives itself. `make_player` returns the player of a game for
    a seed. `warm`: whether the player may be asked for a choice before a game, to load what it
    needs.
    """

    def __init__(self, name: str, make_player: MakePlayer, write: Callable[[str], object], *, warm: bool = False) -> None:
        self._name = name
        self._make_player = make_player
        self._write = write
        self._warm = warm
        self._seed = ""
        self._game: Rules | None = None
        self._player: Player | None = None
        self._position: Position | None = None

    def run(self, stream: BinaryIO) -> None:
        """Answer the lines of a stream until `quit` or the end of the stream.

        Raises what the player raises.
        """
        while line := stream.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    line = stream.readline(LONGEST_LINE)
                self._complain(f"a line of more than {LONGEST_LINE} bytes")
            elif not self.answer(line.decode("utf-8", "replace").strip()):
                return

    def answer(self, line: str) -> bool:
        """Answer one line. Return whether more are expected.

        A line that cannot be read is answered with one `info error`. Raises what the player raises.
        """
        word, _, rest = line.partition(" ")
        match word:
            case "quit":
                return False
            case "dice":
                self._introduce()
            case "isready":
                self._prepare()
                self._write("readyok")
            case "setoption":
                self._set_option(rest)
            case "newgame":
                self._begin(rest.strip())
            case "position":
                self._place(rest.strip())
            case "go":
                self._go(line)
            case "":
                pass
            case _:
                self._complain(f"unknown line: {line}")
        return True

    def _introduce(self) -> None:
        self._write(f"id name {self._name}")
        self._write(f"id version {__version__}")
        self._write(f"option name {SEED} type string")
        self._write(f"supports {CORRECTIONS}")
        self._write(f"diceok {VERSION}")

    def _prepare(self) -> None:
        """Make the player of the game. A level that has the game loads its tables."""
        if self._game is None:
            return
        player = self._current_player()
        if self._warm:
            try:
                player.choose(self._game.start().roll(FIRST_THROW))
            except DicecupError as error:
                self._complain(str(error))
            self._warm = False

    def _set_option(self, text: str) -> None:
        name, separator, value = (after(text, "name") or "").partition(" value")
        if name.strip() != SEED or not separator:
            self._complain(f"unknown option: {text}")
            return
        self._seed, self._player = value.strip(), None

    def _begin(self, game_id: str) -> None:
        self._game = self._player = self._position = None
        try:
            self._game = games.from_id(game_id)
        except DicecupError as error:
            self._complain(str(error))

    def _place(self, text: str) -> None:
        self._position = None
        if self._game is None:
            self._complain("no game")
            return
        try:
            self._position = self._game.position(text)
        except DicecupError as error:
            self._complain(str(error))

    def _go(self, line: str) -> None:
        """Answer with an action, `none` if there is none to choose."""
        go, position = read_go(line), self._position
        if go is None:
            self._complain(f"unknown line: {line}")
            chosen = None
        elif position is None or not (go.correct or position.actions):
            self._complain("no decision")
            chosen = None
        else:
            try:
                chosen = self._correction(position, go) if go.correct else self._action(position)
            except DicecupError as error:
                self._complain(str(error))
                chosen = None
        self._write(f"bestaction {NO_ACTION if chosen is None else chosen}")

    def _action(self, position: Position) -> Action:
        player = self._current_player()
        if not isinstance(player, Evaluates):
            return player.choose(position)
        chosen, value = player.evaluate(position)
        if value is not None:
            self._write(f"info value {value:.4f}")
        return chosen

    def _correction(self, position: Position, go: Go) -> Action | None:
        """Return a correction of the side that the listed ones belong to, `None` for none."""
        player, game = self._current_player(), position.game
        turns = [game.action(text).corrects for text in go.actions if text != NO_ACTION]
        if not turns or turns[0] is None or not isinstance(player, Corrects):
            return None
        return player.correct(position, game.side_of_player(game.player_of_turn(turns[0])))

    def _current_player(self) -> Player:
        if self._player is None:
            self._player = self._make_player(self._seed)
        return self._player

    def _complain(self, why: str) -> None:
        self._write(f"info error {' '.join(why.split())[:200]}")
