"""The tags of a record: their lines, and the allowed values of the known tags."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dicecup import games
from dicecup.core.errors import TextError
from dicecup.core.game import FirstPlayer, Position, Rules, Scoring
from dicecup.core.start import StartingRoll
from dicecup.record.codes import Fault, RecordCode
from dicecup.record.match import MatchGame

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]', re.ASCII)
_DICE: Final = re.compile(r"table|seed:.+|(?:committed|duplicate):[0-9a-f]{64}", re.ASCII | re.DOTALL)

OTHER_ENDS: Final = ("resign", "agreed", "time", "abandoned", "cap")
"""The values of the tag `End` of games that people, a clock or a limit ended."""


def tag_text(name: str, value: str) -> str:
    """Return the line of a tag: `[Name "value"]`, with quotes and backslashes escaped."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def tag_from_text(line: str) -> tuple[str, str] | None:
    """Return the name and the value of a tag line, `None` for another line."""
    match = _TAG.fullmatch(line)
    return (match[1], re.sub(r"\\(.)", r"\1", match[2])) if match else None


def result_text(position: Position) -> str:
    """Return the value of `Result` for this position: `*` while the game runs."""
    outcome = position.outcome
    return "*" if outcome is None else position.game.result(position, outcome.winners)


def end_text(position: Position) -> str | None:
    """Return the value of `End` for a position, `None` while the game runs."""
    return None if position.outcome is None else str(position.outcome.end)


def is_table(tags: Mapping[str, str]) -> bool:
    """Return whether a record was played with real dice."""
    return tags.get("Dice") == "table"


def dice_faults(tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    """Yield the faults of the tag `Dice`."""
    dice = tags.get("Dice")
    if dice is not None and not _DICE.fullmatch(dice):
        yield _wrong(RecordCode.TAG_VALUE, "Dice", tags, lines)


def known_tag_faults(game: Rules, tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    """Yield the faults of the tags that do not depend on how the game went. `lines`: the line of
    each tag.
    """
    yield from dice_faults(tags, lines)
    if "Match" in tags and not _is_match(tags["Match"]):
        yield _wrong(RecordCode.TAG_VALUE, "Match", tags, lines)
    if (
        "Start" in tags
        and game.first_player is FirstPlayer.STARTING_ROLL
        and not _is_starting_roll(tags["Start"], game.players)
    ):
        yield _wrong(RecordCode.TAG_VALUE, "Start", tags, lines)
    for name in game.check_tags(tags):
        yield _wrong(RecordCode.TAG_VALUE, name, tags, lines)


def _is_match(text: str) -> bool:
    try:
        MatchGame.from_text(text)
    except TextError:
        return False
    return True


def _is_starting_roll(text: str, players: int) -> bool:
    """Return whether a text is a starting roll that is finished."""
    try:
        return StartingRoll.from_text(text, players).starter is not None
    except TextError:
        return False


def outcome_faults(position: Position, tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    """Yield the faults of `Result`, `End` and `Winners` for the last position of a record."""
    end = end_text(position)
    if end is not None:
        yield from _must_be("Result", result_text(position), tags, lines)
        yield from _must_be("End", end, tags, lines)
    elif "End" not in tags:
        if tags.get("Result", "*") != "*":
            yield _wrong(RecordCode.TAG_WRONG, "Result", tags, lines, expected="*")
    elif tags["End"] in games.ends():
        yield _wrong(RecordCode.TAG_WRONG, "End", tags, lines, expected="-")
    elif tags["End"] not in OTHER_ENDS:
        yield _wrong(RecordCode.TAG_VALUE, "End", tags, lines)
    else:
        yield from _must_fit("Result", position.game.is_result, tags, lines)
        if position.game.scoring is Scoring.TOTALS:
            yield from _must_fit("Winners", lambda value: _is_winners(position.game.sides, value), tags, lines)
            return
    if "Winners" in tags:
        yield _wrong(RecordCode.TAG_NOT_HERE, "Winners", tags, lines)


def _is_winners(sides: int, value: str) -> bool:
    """Return whether a value of `Winners` names at least one side, counted from 0, ascending."""
    named = value.split(" ")
    return [str(side) for side in range(sides) if str(side) in named] == named


def _must_be(name: str, expected: str, tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    if name not in tags:
        yield Fault(0, RecordCode.TAG_MISSING, {"tag": name, "expected": expected})
    elif tags[name] != expected:
        yield _wrong(RecordCode.TAG_WRONG, name, tags, lines, expected=expected)


def _must_fit(name: str, fits: Callable[[str], bool], tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    if name not in tags:
        yield Fault(0, RecordCode.TAG_MISSING, {"tag": name})
    elif not fits(tags[name]):
        yield _wrong(RecordCode.TAG_VALUE, name, tags, lines)


def _wrong(code: RecordCode, name: str, tags: Mapping[str, str], lines: Mapping[str, int], **details: object) -> Fault:
    return Fault(lines[name], code, {"tag": name, "value": tags[name], **details})
