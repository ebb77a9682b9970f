"""Positions of Yam Master from texts and from random games."""

import random

from dicecup.yam_master import KeepDice, Pass, Position, YamMaster


def at(text: str, game_id: str = "yam-master") -> Position:
    """Return the position of a text."""
    return YamMaster.from_id(game_id).position(text)


def placed(position: Position) -> str:
    """Return the squares on which a token can be placed now."""
    return " ".join(text for text in map(str, position.actions) if text[0] in "abcde")


def decisions(game: YamMaster, seed: int, turns: int) -> list[Position]:
    """Return the positions of a random game that wait for an action. Tokens are placed or removed
    whenever possible.
    """
    chance = random.Random(seed)
    position, found = game.start(), []
    while position.turn is not None and position.number <= turns:
        if position.waiting:
            rolls, weights = zip(*position.chances, strict=True)
            position = position.roll_unchecked(chance.choices(rolls, weights)[0])
            continue
        found.append(position)
        actions = list(position.actions)
        token_actions = [action for action in actions if not isinstance(action, KeepDice | Pass)]
        position = position.play_unchecked(chance.choice(token_actions or actions))
    return found
