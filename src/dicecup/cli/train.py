"""`dicecup train GAME`: train the tables that the computer players of a game use.

`dicecup train dice-reader` trains the networks that read dice in photos."""

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from dicecup.locale import Messages

TRAINERS: Final = {"yamm": "dicecup.arena.train_yamm", "yam-master": "dicecup.engine.yam_master.training.train"}
"""Each game and the module whose `train` trains it."""
DICE_READER: Final = "dice-reader"
DEFAULT_MINUTES: Final = 20.0
FOLDS: Final = range(5)
PROGRESS_BAR: Final = "{l_bar}{bar}| {elapsed}<{remaining} {postfix}"


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the arguments: the game, the length of the training, and the folder of the table."""
    parser.add_argument("game", metavar="GAME", choices=[*TRAINERS, DICE_READER], help=messages("train_game"))
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--games", metavar="N", type=int, help=messages("train_games"))
    length.add_argument("--minutes", metavar="M", type=float, default=DEFAULT_MINUTES, help=messages("train_minutes"))
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=messages("train_seed"))
    parser.add_argument("--commit", metavar="ID", help=messages("train_commit"))
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("tables"), help=messages("train_out"))
    parser.add_argument("--photos", metavar="DIR", type=Path, default=Path("dice_photos"), help=messages("train_photos"))
    parser.add_argument("--fold", metavar="N", type=int, choices=FOLDS, help=messages("train_fold"))
    parser.add_argument("--start", metavar="FILE", type=Path, help=messages("train_start"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Train a game or the reader with progress on standard error, and print where the result comes
    from."""
    from tqdm import tqdm

    if arguments.game == DICE_READER:
        return _train_dice_reader(arguments, messages)

    options = ["--games", str(arguments.games)] if arguments.games is not None else ["--minutes", str(arguments.minutes)]
    command = ["dicecup", "train", arguments.game, *options, "--seed", str(arguments.seed), "--out", str(arguments.out)]
    with tqdm(total=1.0, file=sys.stderr, disable=None, bar_format=PROGRESS_BAR) as bar:

        def report(done: float, games: int, error: float) -> None:
            """Show the progress of the training."""
            bar.n = min(done, 1.0)
            bar.set_postfix_str(messages("train_progress", games=games, error=f"{error:.4g}"), refresh=False)
            bar.refresh()

        table = import_module(TRAINERS[arguments.game]).train(
            games=arguments.games,
            minutes=arguments.minutes,
            seed=arguments.seed,
            out=arguments.out,
            command=shlex.join(command),
            commit=arguments.commit,
            report=report,
        )
    for name, value in table.origin.items():
        print(f"{name:<16} {value}")
    return 0


def _train_dice_reader(arguments: Namespace, messages: Messages) -> int:
    """Train the dice reader, write its weights into the folder, and return 0."""
    from tqdm import tqdm

    train = _dice_trainer()

    fold = ["--fold", str(arguments.fold)] if arguments.fold is not None else []
    start = ["--start", arguments.start.name] if arguments.start is not None else []
    command = ["dicecup", "train", DICE_READER, *fold, "--seed", str(arguments.seed), *start]
    origin = {"command": shlex.join(command), "commit": arguments.commit}
    with tqdm(total=1.0, file=sys.stderr, disable=None, bar_format=PROGRESS_BAR) as bar:

        def report(stage: str, done: float, loss: float) -> None:
            """Show the progress of a stage."""
            bar.n = done
            bar.set_description_str(stage, refresh=False)
            bar.set_postfix_str(messages("train_loss", loss=f"{loss:.4g}"), refresh=False)
            bar.refresh()

        content = train(
            arguments.photos,
            fold=arguments.fold,
            seed=arguments.seed,
            origin=origin,
            report=report,
            start=arguments.start and arguments.start.read_bytes(),
        )
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / "dice-reader.bin"
    path.write_bytes(content)
    print(path)
    return 0


def _dice_trainer() -> Callable[..., bytes]:
    """Return the function that trains the dice reader.

    Raises `VisionError` if a package of the extra `dice-reader` is not installed.
    """
    from dicecup.vision.errors import package_missing

    try:
        for package in ("torch", "PIL"):
            import_module(package)
    except ImportError as error:
        raise package_missing(str(error.name), DICE_READER) from None
    from dicecup.vision.training.train import train

    return train
