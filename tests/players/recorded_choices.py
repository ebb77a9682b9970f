"""Recorded choices of every level: the file `recorded_choices.txt` and the function that writes it.

The file has one group of lines for each game id: `game ID`, and then for each position a line with
its text and an indented line with the choices in the order of `LEVELS`, separated by ` | `. Only
every twentieth position has a choice of `master`, which is slow.

    python -m tests.players.recorded_choices    records the choices of the present code
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dicecup import games
from dicecup.players import create

FILE: Final = Path(__file__).with_suffix(".txt")
SEED: Final = "recorded"
"""The seed of the players that choose by chance."""
LEVELS: Final = ("random", "greedy", "novice", "casual", "club", "expert", "master")
SLOW: Final = "master"
SLOW_SHARE: Final = 20
GAMES: Final = {
    "yam-master": 60,
    "yam-master(end=full_round)": 50,
    "yam-master(kept_dice=locked,failed_defi=ignored,captured=out)": 40,
    "yamm": 60,
    "yamm(players=1)": 50,
    "yamm(players=3,kept_dice=locked)": 40,
}
"""How many positions of each game are recorded."""


@dataclass(frozen=True)
class Recorded:
    """A position of a game as text, and the action text that each level chose there."""

    game: str
    position: str
    choices: dict[str, str]


def read() -> list[Recorded]:
    """Return the recorded choices."""
    found: list[Recorded] = []
    game = position = ""
    for line in FILE.read_text().splitlines():
        if line.startswith("game "):
            game = line.removeprefix("game ")
        elif line.startswith(" "):
            found.append(Recorded(game, position, dict(zip(LEVELS, line.strip().split(" | "), strict=False))))
        else:
            position = line
    return found


def choice(recorded: Recorded, level: str) -> str:
    """Return the text of the action that a level chooses now in a recorded position."""
    return str(create(level, SEED).choose(games.position(recorded.game, recorded.position)))


def decisions(game_id: str) -> Iterator[str]:
    """Yield the texts of all positions of one game in which a player decides.

    Three of four actions are those of the expert, the others are drawn at random.
    """
    draw = random.Random(game_id)
    expert = create("expert")
    position = games.from_id(game_id).start()
    while position.turn is not None:
        if position.waiting:
            rolls, weights = zip(*position.chances, strict=True)
            position = position.roll(draw.choices(rolls, weights)[0])
            continue
        yield str(position)
        position = position.play(str(draw.choice(position.actions) if draw.random() < 0.25 else expert.choose(position)))


def record() -> None:
    """Write the file with the choices of the present code."""
    lines, number = [], 0
    for game, count in GAMES.items():
        lines.append(f"game {game}")
        texts = list(decisions(game))
        for at in range(count):
            position = texts[at * len(texts) // count]
            levels = LEVELS if number % SLOW_SHARE == 0 else LEVELS[:-1]
            lines += [position, "  " + " | ".join(choice(Recorded(game, position, {}), level) for level in levels)]
            number += 1
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    record()
