"""OpenSpiel games. Importing this module registers `dicecup_yam_master`, `dicecup_yamm` and small
games of both (docs/environments.md).

Chance nodes are explicit: chance action n is roll n of `dicecup.core.dice.ROLLS`. Information
states as text are histories. As tensors they are the observation of the position, on which the
future of the game depends alone.

Raises `MissingPackageError` where OpenSpiel is not installed; it has no wheel for Python 3.14.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from dicecup.core.errors import GameError, TextCode
from dicecup.envs.errors import EnvsCode, EnvsError, MissingPackageError

try:
    import pyspiel
except ImportError:
    raise MissingPackageError(package="open_spiel") from None

import numpy as np
from numpy.typing import NDArray

from dicecup.core.dice import FIRST_ROLL, ROLLS
from dicecup.core.turn import THROWS
from dicecup.envs.encoding import LAYOUT_VERSION, Encoding
from dicecup.envs.episode import DEFAULT_CAP
from dicecup.envs.options import SMALL_BOARDS, small_yam_master, yam_master_encoding, yamm_encoding
from dicecup.envs.process import Kind, ordered_throws, start
from dicecup.envs.rewards import results
from dicecup.envs.yam_master import YamMasterEncoding
from dicecup.yamm import SHEET
from dicecup.yamm.options import MOST_PLAYERS
from dicecup.yamm.score import FIRST_THROW_YAMM, MOST_IN_COLUMN

SEPARATOR: Final = "+"
"""Separates columns in `dicecup_yamm(columns=d1+u1)`; a comma would end the parameter."""

_RULES: Final = {"kept_dice": "free", "failed_defi": "turn_lost", "captured": "returned", "end": "at_once"}
_OF_INTERFACE: Final = ("max_turns", "layout")
"""The parameters that are no option of the rules."""
_LONGEST: Final = MOST_PLAYERS * len(SHEET.cells)
"""The turns of the longest game of Yamm."""
_SMALL_BOARDS: Final = {f"dicecup_yam_master_{name}": name for name in SMALL_BOARDS}
"""Name of the game → name of the board."""
_SMALL_SHEETS: Final = {
    "dicecup_yamm_1_column": "f1",
    "dicecup_yamm_2_columns": "d1+f1",
    "dicecup_yamm_3_columns": "d1+u1+f1",
}
"""Name → columns of a sheet that is played alone."""


class DicecupGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of Dicecup. Subclasses name it, its parameters with defaults, and its encoding.

    The parameter `layout` is part of every text of a game, because a serialised state is a list of
    action indexes. Raises `GameError` for parameters that do not exist, and `EnvsError`
    (`pickle-version`) for another layout.
    """

    short_name: ClassVar[str]
    parameters: ClassVar[Mapping[str, Any]]
    encode: ClassVar[Callable[[Mapping[str, Any]], Encoding]]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = dict(self.parameters) | dict(params or {})
        if chosen["layout"] != LAYOUT_VERSION:
            raise EnvsError(EnvsCode.PICKLE_VERSION, version=f"layout {chosen['layout']}", expected=f"layout {LAYOUT_VERSION}")
        encoding = type(self).encode({name: value for name, value in chosen.items() if name not in _OF_INTERFACE})
        game = encoding.game
        cap = chosen["max_turns"]
        if cap < 1:
            raise GameError(TextCode.OPTION_VALUE, option="max_turns", value=cap)
        turns = cap if game.turns is None else min(cap, game.turns)
        decisions = THROWS + (game.turns is not None and game.sides > 1)
        alone = game.sides == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.actions,
            max_chance_outcomes=len(ROLLS),
            num_players=game.players,
            min_utility=0.0 if alone else -1.0,
            max_utility=_most_points(encoding) if alone else 1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=decisions * turns,
        )
        super().__init__(_game_type(type(self), alone=alone), info, dict(params or {}) | {"layout": LAYOUT_VERSION})
        self.encoding = encoding
        self.cap = turns

    def new_initial_state(self) -> "DicecupState":
        """Return the state before the first throw."""
        return DicecupState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "DicecupObserver":
        """Return an observer of this game."""
        return DicecupObserver(self.encoding, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


class DicecupState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a game of Dicecup.

    `situation`: the position with what it waits for.
    """

    def __init__(self, game: DicecupGame) -> None:
        super().__init__(game)
        self.situation = start(game.encoding.game)
        self._shared = _Shared(game.encoding, game.cap)

    def current_player(self) -> int:
        """Return who acts: a player, chance, or nobody at the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.situation.player
        return int(pyspiel.PlayerId.CHANCE) if player is None else player

    def is_terminal(self) -> bool:
        """Return whether the rules ended the game, or `max_turns` stopped it."""
        return self.situation.kind is Kind.OVER or self.situation.position.number > self._shared.cap

    def returns(self) -> list[float]:
        """Return the results of all players; 0 while the game runs and for a game that was
        stopped."""
        game = self._shared.encoding.game
        found = results(self.situation.position)
        return [found[game.side_of_player(player)] for player in range(game.players)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the index of each roll that can fall with its probability: its integer weight as a
        share of all ordered throws."""
        throws = ordered_throws(self.situation.position)
        return [(shown.index - FIRST_ROLL, weight / throws) for shown, weight in self.situation.chances]

    def chance_weights(self) -> list[tuple[int, int]]:
        """Return the index of each roll that can fall with its integer weight."""
        return [(shown.index - FIRST_ROLL, weight) for shown, weight in self.situation.chances]

    def _legal_actions(self, _player: int) -> list[int]:
        return self._shared.encoding.legal(self.situation)

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.situation = self.situation.roll(ROLLS[action])
            return
        encoding = self._shared.encoding
        self.situation = self.situation.play(encoding.action(self.situation, encoding.checked(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return ROLLS[action].text
        return self._shared.encoding.texts[action]

    def __str__(self) -> str:
        mark = " correction?" if self.situation.kind is Kind.CORRECTION else ""
        return f"{self.situation.position}{mark}"


class _Shared:
    """What all states of a game share; a copy of a state does not copy it."""

    def __init__(self, encoding: Encoding, cap: int) -> None:
        self.encoding = encoding
        self.cap = cap

    def __deepcopy__(self, memo: object) -> "_Shared":
        return self


class DicecupObserver:
    """Observations of a player: the layout of docs/environments.md, each value divided by its
    highest one, as one tensor (`tensor`) and by field (`dict`).

    Raises `ValueError` for parameters, as other games of OpenSpiel.
    """

    def __init__(self, encoding: Encoding, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"Observation parameters not supported; passed {params}")
        self._encoding = encoding
        self._history = kind.perfect_recall
        self._public = kind.public_info
        self._highs = np.frombuffer(encoding.layout.highs, np.uint8)
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self._public:
            self.tensor = np.zeros(encoding.layout.size, np.float32)
            for field, offset in zip(encoding.layout.fields, encoding.layout.offsets, strict=True):
                self.dict[field.name] = self.tensor[offset : offset + field.size]

    def set_from(self, state: DicecupState, player: int) -> None:
        """Write the tensor of a player."""
        if self.tensor is not None:
            observed = np.frombuffer(self._encoding.observe(state.situation, player), np.uint8)
            self.tensor[:] = observed.astype(np.float32) / self._highs

    def string_from(self, state: DicecupState, _player: int) -> str:
        """Return the history, or the position; empty without public information, as nothing is
        private."""
        if not self._public:
            return ""
        return str(state.history_str()) if self._history else str(state)


def _most_points(encoding: Any) -> float:
    """Return a bound on the points of a sheet."""
    sheet = encoding.game.sheet
    return float(MOST_IN_COLUMN * len(sheet.columns) + FIRST_THROW_YAMM * len(sheet.cells))


def _game_type(game: type[DicecupGame], *, alone: bool) -> Any:
    """Return the type of a game; `alone`: one side plays for points."""
    yamm = "players" in game.parameters
    return pyspiel.GameType(
        short_name=game.short_name,
        long_name=game.short_name.replace("_", " ").title(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if alone else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS if yamm else 2,
        min_num_players=1 if yamm else 2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(game.parameters),
    )


def _yam_master(params: Mapping[str, Any]) -> Encoding:
    """Return the encoding of the real board."""
    return yam_master_encoding(**params)


def _small(name: str) -> Callable[[Mapping[str, Any]], Encoding]:
    """Return the function that encodes a small board."""

    def encode(params: Mapping[str, Any]) -> Encoding:
        options = yam_master_encoding(**params).game.options
        return YamMasterEncoding(small_yam_master(name, options))

    return encode


def _yamm(params: Mapping[str, Any]) -> Encoding:
    """Return the encoding of a sheet with these columns."""
    options = {name: value for name, value in params.items() if name != "columns"}
    return yamm_encoding(params["columns"].split(SEPARATOR), **options)


def _register(name: str, parameters: Mapping[str, Any], encode: Callable[[Mapping[str, Any]], Encoding], players: int) -> None:
    """Register a game under a name. `players`: of the game with default parameters."""
    game = type(
        "".join(part.title() for part in name.split("_")),
        (DicecupGame,),
        {"__module__": __name__, "short_name": name, "parameters": parameters, "encode": staticmethod(encode)},
    )
    pyspiel.register_game(_game_type(game, alone=players == 1), game)


def _register_all() -> None:
    duel = {**_RULES, "max_turns": DEFAULT_CAP, "layout": LAYOUT_VERSION}
    _register("dicecup_yam_master", duel, _yam_master, players=2)
    for name, board in _SMALL_BOARDS.items():
        _register(name, duel, _small(board), players=2)
    sheet = {"kept_dice": "free", "pairs": False, "max_turns": _LONGEST, "layout": LAYOUT_VERSION}
    all_columns = SEPARATOR.join(SHEET.columns)
    _register("dicecup_yamm", {"players": 2, "columns": all_columns, **sheet}, _yamm, players=2)
    for name, columns in _SMALL_SHEETS.items():
        _register(name, {"players": 1, "columns": columns, **sheet}, _yamm, players=1)


_register_all()
NAMES: Final = ("dicecup_yam_master", *_SMALL_BOARDS, "dicecup_yamm", *_SMALL_SHEETS)
"""The names of all registered games."""
