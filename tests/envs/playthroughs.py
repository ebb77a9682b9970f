"""Write the golden playthroughs of the OpenSpiel games: `python -m tests.envs.playthroughs`.

Games and seeds are chosen so that a person can read the files: the games on small boards end with a
line, and the large ones are stopped early.
"""

from pathlib import Path

from open_spiel.python.algorithms import generate_playthrough

from dicecup.envs.openspiel import NAMES

FOLDER = Path(__file__).parent.parent / "golden" / "openspiel"
GAMES = {
    **dict.fromkeys(NAMES, ("{name}", 2026)),
    "dicecup_yam_master": ("{name}(max_turns=12)", 2026),
    "dicecup_yam_master_2x2": ("{name}", 13),
    "dicecup_yam_master_3x3": ("{name}", 9),
    "dicecup_yamm": ("{name}(max_turns=5)", 2026),
    "dicecup_yamm_pairs": ("dicecup_yamm(columns=d1+f1,max_turns=5,pairs=True,players=4)", 2026),
}
"""File → the game that is played, and the seed."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (game, seed) in GAMES.items():
        text = generate_playthrough.playthrough(game.format(name=name), [], seed=seed)
        (FOLDER / f"{name}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
