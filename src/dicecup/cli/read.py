"""`dicecup read PHOTO`: print the upper faces of the dice in a photo."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from dicecup.locale import Messages
from dicecup.terminal.errors import StorageError, TerminalCode

if TYPE_CHECKING:
    from dicecup.vision import Die


def add_arguments(parser: ArgumentParser, messages: Messages) -> None:
    """Add the photo, and `--json` for programs."""
    parser.add_argument("photo", metavar="PHOTO", type=Path, help=messages("read_photo"))
    parser.add_argument("--json", action="store_true", help=messages("read_json"))


def run(arguments: Namespace, messages: Messages) -> int:
    """Print the dice as a line for people or one JSON object, and return 0.

    Raises `StorageError` if the file cannot be read and `VisionError` if it is no usable picture.
    """
    from dicecup.vision import load_photo, read_dice

    try:
        pixels = load_photo(arguments.photo)
    except OSError as error:
        raise StorageError(TerminalCode.CANNOT_READ, file=arguments.photo, why=error.strerror) from None
    dice = read_dice(pixels)
    if arguments.json:
        print(json.dumps({"dice": [as_json(die) for die in dice]}))
    else:
        _print_lines(dice, messages)
    return 0


def as_json(die: "Die") -> dict[str, object]:
    """Return a die as `--json` prints it; box and confidence are rounded to 4 digits."""
    return {
        "face": die.face,
        "box": [round(edge, 4) for edge in die.box],
        "confidence": round(die.confidence, 4),
        "doubtful": die.doubtful,
    }


def _print_lines(dice: "list[Die]", messages: Messages) -> None:
    """Print the number of dice and their faces, and a line for each doubtful die."""
    faces = " ".join(str(face) for face in sorted(die.face for die in dice))
    print(messages("read_dice", count=len(dice), dice=len(dice), faces=faces) if dice else messages("read_none"))
    for die in dice:
        if die.doubtful:
            across, down = (round(50 * (die.box[edge] + die.box[edge + 2])) for edge in (0, 1))
            sure = round(100 * die.confidence)
            print(messages("read_doubtful", face=die.face, sure=sure, across=across, down=down))
