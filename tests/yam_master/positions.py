"""Positions by their text, under any options."""

import random

from dicecup.yam_master import KeepDice, Pass, Position, YamMaster


def at(text: str, game_id: str = "yam-master") -> Position:
    return YamMaster.from_id(game_id).position(text)


def placed(position: Position) -> str:
    """The squares on which a token can be placed now."""
    return " ".join(text for text in map(str, position.actions) if text[0] in "abcde")


def decisions(game: YamMaster, seed: int, turns: int) -> list[Position]:
    """Positions of a game that wait for a decision, played at random but seldom passing."""
    chance = random.Random(seed)
    position, found = game.start(), []
    while position.turn is not None and position.number <= turns:
        if position.waiting:
            rolls, weights = zip(*position.chances, strict=True)
            position = position.roll_unchecked(chance.choices(rolls, weights)[0])
            continue
        found.append(position)
        actions = list(position.actions)
        telling = [action for action in actions if not isinstance(action, KeepDice | Pass)]
        position = position.play_unchecked(chance.choice(telling or actions))
    return found
