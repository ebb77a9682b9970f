"""Positions by their text, under any options."""

from dicecup.yam_master import Options, Position, YamMaster


def at(text: str, game_id: str = "yam-master") -> Position:
    return YamMaster(Options.from_id(game_id)).position(text)


def placed(position: Position) -> str:
    """The squares on which a token can be placed now."""
    return " ".join(text for text in map(str, position.actions) if text[0] in "abcde")
