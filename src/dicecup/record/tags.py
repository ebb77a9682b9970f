"""The tags of a record: how a line of them is written, and what the known ones may say."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dicecup import yam_master, yamm
from dicecup.core.errors import TextError
from dicecup.games import Game, Position
from dicecup.record.codes import Fault, RecordCode
from dicecup.yamm.codes import TagCode
from dicecup.yamm.match import MatchGame
from dicecup.yamm.seats import writers_from_text
from dicecup.yamm.start import StartingRoll

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]', re.ASCII)
_DICE: Final = re.compile(r"table|seed:.+|committed:[0-9a-f]{64}", re.ASCII | re.DOTALL)
_NUMBER: Final = r"(?:0|[1-9][0-9]*)"
_YAM_MASTER_RESULT: Final = re.compile(rf"(?:[xo]|draw) {_NUMBER}-{_NUMBER}", re.ASCII)

RULES_ENDS: Final = ("line", "tokens", "full")
"""`End` where the rules ended the game."""
OTHER_ENDS: Final = ("resign", "agreed", "time", "abandoned", "cap")
"""`End` where people, a clock or a limit ended it."""


def tag_text(name: str, value: str) -> str:
    """`[Name "value"]`; quotes and backslashes are escaped."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def tag_from_text(line: str) -> tuple[str, str] | None:
    """Name and value, or `None` where the line is no tag."""
    match = _TAG.fullmatch(line)
    return (match[1], re.sub(r"\\(.)", r"\1", match[2])) if match else None


def result_text(position: Position) -> str:
    """What `Result` says of this position: `*` while the game runs."""
    if isinstance(position, yam_master.Position):
        outcome = position.outcome
        if outcome is None:
            return "*"
        winner = "draw" if outcome.winner is None else str(outcome.winner)
        return f"{winner} {outcome.points[0]}-{outcome.points[1]}"
    return "*" if position.outcome is None else " ".join(map(str, position.outcome.totals))


def end_text(position: Position) -> str | None:
    """What `End` says of this position, `None` while the game runs."""
    return None if position.outcome is None else str(position.outcome.end)


def is_table(tags: Mapping[str, str]) -> bool:
    """Whether the dice of the record are real ones."""
    return tags.get("Dice") == "table"


def dice_faults(tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    """What is wrong with `Dice`."""
    dice = tags.get("Dice")
    if dice is not None and not _DICE.fullmatch(dice):
        yield _wrong(RecordCode.TAG_VALUE, "Dice", tags, lines)


def known_tag_faults(game: Game, tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    """What is wrong with the tags that do not depend on how the game went. `lines`: where each tag stands."""
    yield from dice_faults(tags, lines)
    readers: dict[str, Callable[[str], object]] = {"Match": MatchGame.from_text}
    if isinstance(game, yamm.Yamm):
        options = game.options
        readers["Start"] = lambda text: _settled(StartingRoll.from_text(text, options.players))
        readers["Writer"] = lambda text: writers_from_text(options, text)
    for name, read in readers.items():
        try:
            if name in tags:
                read(tags[name])
        except TextError:
            yield _wrong(RecordCode.TAG_VALUE, name, tags, lines)


def _settled(start: StartingRoll) -> None:
    """A record's starting roll says who starts. Raises `TextError`."""
    if start.starter is None:
        raise TextError(TagCode.NOT_A_STARTING_ROLL, text=str(start))


def outcome_faults(position: Position, tags: Mapping[str, str], lines: Mapping[str, int]) -> Iterator[Fault]:
    """What is wrong with `Result`, `End` and `Winners`, given the position in which the record ends."""
    end = end_text(position)
    if end is not None:
        yield from _must_be("Result", result_text(position), tags, lines)
        yield from _must_be("End", end, tags, lines)
    elif "End" not in tags:
        if tags.get("Result", "*") != "*":
            yield _wrong(RecordCode.TAG_WRONG, "Result", tags, lines, expected="*")
    elif tags["End"] in RULES_ENDS:
        yield _wrong(RecordCode.TAG_WRONG, "End", tags, lines, expected="-")
    elif tags["End"] not in OTHER_ENDS:
        yield _wrong(RecordCode.TAG_VALUE, "End", tags, lines)
    else:
        yield from _must_fit("Result", lambda value: _is_result(position, value), tags, lines)
        if isinstance(position, yamm.Position):
            sheets = len(position.sheets)
            yield from _must_fit("Winners", lambda value: _is_winners(sheets, value), tags, lines)
            return
    if "Winners" in tags:
        yield _wrong(RecordCode.TAG_NOT_HERE, "Winners", tags, lines)


def _is_result(position: Position, value: str) -> bool:
    """Whether `Result` has its form; the points of a game that the rules did not end are not checked."""
    if isinstance(position, yam_master.Position):
        return bool(_YAM_MASTER_RESULT.fullmatch(value))
    totals = value.split(" ")
    return len(totals) == len(position.sheets) and all(re.fullmatch(_NUMBER, total, re.ASCII) for total in totals)


def _is_winners(sheets: int, value: str) -> bool:
    """Whether `Winners` names at least one sheet, counted from 0, ascending."""
    named = value.split(" ")
    return [str(sheet) for sheet in range(sheets) if str(sheet) in named] == named


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
