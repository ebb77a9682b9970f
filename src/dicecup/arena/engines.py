"""The engines of this process: started when a game needs them, kept for later games, and started
anew after a failure.

Games on the same dice are played by different processes of an engine, so that none of them has
seen the dice that it will throw.
"""

from typing import Final

from dicecup.arena.block import Series
from dicecup.arena.errors import ArenaCode, ArenaError
from dicecup.core.game import Action, Position
from dicecup.line_protocol import EngineSpec, Limits, LineProtocolError, OutsideEngine
from dicecup.players import Player, create

STARTS: Final = 3
"""The failed starts in a row after which an engine is given up."""
KEPT_SEATS: Final = 2
"""The largest number of seats with which engines are kept for later games. With more seats a
process for each player and each of the games on the same dice would be too many."""

_seats: "dict[tuple[Series, int, int], EngineSeat]" = {}
"""Setup, player and shift → the engine."""


def players_of(setup: Series, number: int) -> list[Player]:
    """Return the players of a game, in the order of the setup."""
    if len(setup.players) > KEPT_SEATS:
        close_engines()
    found: list[Player] = []
    for at, text in enumerate(setup.players):
        spec, seed = EngineSpec.read(text), setup.player_seed(number, at)
        if spec is None:
            found.append(create(text, seed))
        else:
            seat = _seats.setdefault((setup, at, setup.shift(number)), EngineSeat(spec, setup))
            seat.new_game(seed)
            found.append(seat)
    return found


def close_engines() -> None:
    """End all engines of this process."""
    while _seats:
        _seats.popitem()[1].close()


class EngineSeat:
    """A player for one game after the other, played by an engine that is started when it is needed.

    Raises `LineProtocolError` where the engine fails. The next game then has a new process.
    """

    def __init__(self, spec: EngineSpec, setup: Series) -> None:
        self._spec = spec
        self._game = setup.game
        self._limits = Limits(turn=setup.seconds)
        self._engine: OutsideEngine | None = None
        self._seed = ""
        self._is_new = True
        self._failed_starts = 0

    def new_game(self, seed: str) -> None:
        """Begin a game. The engine learns of it before its first decision."""
        self._seed, self._is_new = seed, True

    def choose(self, position: Position) -> Action:
        """Return the engine's choice among `position.actions`."""
        engine = self._ready()
        try:
            return engine.choose(position)
        except LineProtocolError:
            self.close(grace=0)
            raise

    def correct(self, position: Position, side: int) -> Action | None:
        """Return the engine's correction of the last result of this side, or `None`."""
        engine = self._ready()
        try:
            return engine.correct(position, side)
        except LineProtocolError:
            self.close(grace=0)
            raise

    def close(self, grace: float | None = None) -> None:
        """End the engine, by default with time to end by itself."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close() if grace is None else engine.close(grace)

    def _ready(self) -> OutsideEngine:
        """Return the engine, which knows the game.

        Raises `LineProtocolError`, and `ArenaError` (`engine-unusable`) after
        `STARTS` failed starts.
        """
        if self._engine is not None and not self._is_new:
            return self._engine
        try:
            if self._engine is None:
                self._engine = self._spec.start(self._limits)
            self._engine.new_game(self._game, self._seed)
        except LineProtocolError as error:
            self.close(grace=0)
            self._failed_starts += 1
            if self._failed_starts < STARTS:
                raise
            why = error.details.get("why", error.code)
            raise ArenaError(ArenaCode.ENGINE_UNUSABLE, engine=self._spec.text, starts=STARTS, why=why) from None
        self._failed_starts, self._is_new = 0, False
        return self._engine
