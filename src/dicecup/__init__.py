"""Dicecup: play, score and analyse Yam Master and Yamm.

A game (`from_id`, `YamMaster`, `Yamm`) makes positions. A position lists its actions and chances,
and its methods `play` and `roll` return the next position. Records of games are in
`dicecup.record`, computer players in `dicecup.players`.
"""

from dicecup import games, record, yam_master, yamm
from dicecup.core.dice import Dice, Keep, Roll, dice, keep, roll
from dicecup.core.errors import (
    ActionError,
    DicecupError,
    DiceError,
    GameError,
    PositionError,
    SourceError,
    TextError,
)
from dicecup.core.source import DiceSource, ScriptedSource, SeededSource, TableSource, Throw
from dicecup.core.turn import Turn
from dicecup.games import from_id, position
from dicecup.record import Journal, Record, RecordError
from dicecup.yam_master import YamMaster
from dicecup.yamm import Yamm

__version__ = "0.1.0"

__all__ = [
    "ActionError",
    "Dice",
    "DiceError",
    "DiceSource",
    "DicecupError",
    "GameError",
    "Journal",
    "Keep",
    "PositionError",
    "Record",
    "RecordError",
    "Roll",
    "ScriptedSource",
    "SeededSource",
    "SourceError",
    "TableSource",
    "TextError",
    "Throw",
    "Turn",
    "YamMaster",
    "Yamm",
    "dice",
    "from_id",
    "games",
    "keep",
    "position",
    "record",
    "roll",
    "yam_master",
    "yamm",
]
