"""The measured rules of thumb as values for `paper/thumb.typ`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from dicecup.analysis.rules_of_thumb import rules_of_thumb
from dicecup.locale import Messages
from dicecup.sheets.typesetting import typeset
from dicecup.yam_master import BOARD

Values = dict[str, Any]

LISTED: Final = 5
"""The number of best pairs and of worst pairs of squares."""
SHOWN_STAGES: Final = ("0", "22", "44", "66", "88")
"""The numbers of written cells that have a column."""
ORDERS: Final = {"d": "guide_worth_down", "u": "guide_worth_up", "f": "guide_worth_free"}
EFFECTS: Final = ("stops", "blocks_three", "four", "three", "points", "point", "denies")


def thumb_page(language: str) -> bytes:
    """Return a PDF with the rules of thumb of both games."""
    return typeset("thumb", values(Messages(language)))


def values(messages: Messages) -> Values:
    """Return the values of the page."""
    found = rules_of_thumb()
    yamm, yam_master = found["yamm"], found["yam_master"]
    return {
        "language": messages.language,
        "title": messages("guide_worth"),
        "games": [
            {
                "title": messages("game_yamm"),
                "about": _about(messages, yamm["games"]),
                "parts": [
                    _part("cells", messages, _by_stage(messages, "row", {row: row for row in yamm["cells"]}, yamm["cells"])),
                    _part("bonus", messages, _by_stage(messages, "column", _orders(messages), yamm["points"], 2)),
                    _part("columns", messages, _by_stage(messages, "column", _orders(messages), yamm["columns"])),
                    _part("keeps", messages, []),
                ],
                "keeps": [_keep(dice, best, messages) for dice, best in yamm["keeps"].items()],
            },
            {
                "title": messages("game_yam_master"),
                "about": _about(messages, yam_master["games"]),
                "parts": [
                    _part("squares", messages, [_board(yam_master["squares"], messages)]),
                    _part("tokens", messages, [_effects(yam_master["tokens"], messages)]),
                    _part("fours", messages, [_figures(yam_master["fours"], messages)]),
                    _part("pairs", messages, [_pairs(yam_master["pairs"], messages)]),
                ],
                "keeps": [],
            },
        ],
    }


def _about(messages: Messages, games: int) -> str:
    return messages("guide_worth_about", games=games, level=messages("level_expert"))


def _part(name: str, messages: Messages, tables: Sequence[Values]) -> Values:
    """Return a part of the page: its heading, a text, and its tables."""
    return {"title": messages(f"guide_worth_{name}"), "about": messages(f"guide_worth_{name}_about"), "tables": list(tables)}


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Values:
    return {"head": list(head), "rows": [list(row) for row in rows]}


def _orders(messages: Messages) -> dict[str, str]:
    return {order: messages(key) for order, key in ORDERS.items()}


def _by_stage(
    messages: Messages, head: str, names: Mapping[str, str], found: Mapping[str, Mapping[str, Sequence[float]]], digits: int = 1
) -> list[Values]:
    """Return a table with a row for each name and a column for each stage."""
    rows = [
        [name, *(_measured(messages, found[key].get(stage), digits) for stage in SHOWN_STAGES)] for key, name in names.items()
    ]
    stages = (messages("guide_worth_written", count=stage) for stage in SHOWN_STAGES)
    return [_table((messages(f"guide_worth_{head}"), *stages), rows)]


def _measured(messages: Messages, pair: Sequence[float] | None, digits: int, factor: float = 1) -> str:
    """Return a mean with half of its interval; a dash where nothing was measured."""
    if pair is None:
        return "–"
    return f"{_number(messages, factor * pair[0], digits)} ± {_number(messages, factor * pair[1], digits)}"


def _number(messages: Messages, value: float, digits: int) -> str:
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    return text.replace(".", messages("decimal_sign")).replace("-", "−")


def _keep(dice: str, best: Mapping[str, Any], messages: Messages) -> Values:
    """Return a roll with its best choice and the loss of the next best one."""
    return {
        "dice": dice,
        "best": keep_text(best["best"], messages),
        "loss": "" if best["loss"] is None else _number(messages, best["loss"], 1),
    }


def keep_text(action: str, messages: Messages) -> str:
    """Return the dice of a keep, or the row that is written."""
    if not action.startswith("k"):
        return messages("guide_worth_write", row=action.partition(".")[2])
    return messages("guide_worth_nothing") if action == "k-" else " ".join(action[1:])


def _board(gains: Mapping[str, float], messages: Messages) -> Values:
    """Return the board with the gain of each square."""
    rows = [
        [row, *(f"{_figure(column + row)} +{_number(messages, 100 * gains[column + row], 1)}" for column in "abcde")]
        for row in "12345"
    ]
    return _table(("", *"abcde"), rows)


def _figure(square: str) -> str:
    return BOARD.figures[BOARD.index[square]].value


def _effects(found: Mapping[str, Sequence[float]], messages: Messages) -> Values:
    rows = [[messages(f"guide_worth_{name}"), _measured(messages, found[name], 1, 100)] for name in EFFECTS if name in found]
    return _table((messages("guide_worth_effect"), messages("guide_worth_gain")), rows)


def _figures(found: Mapping[str, Sequence[float]], messages: Messages) -> Values:
    ranked = sorted(found.items(), key=lambda item: -item[1][0])
    rows = [[figure, _measured(messages, pair, 1, 100)] for figure, pair in ranked]
    return _table((messages("guide_worth_figure"), messages("guide_worth_gain")), rows)


def _pairs(found: Mapping[str, float], messages: Messages) -> Values:
    ranked = sorted(found.items(), key=lambda item: -item[1])
    listed = [*ranked[:LISTED], *ranked[-LISTED:]]
    rows = [[pair, _number(messages, 100 * gain, 1)] for pair, gain in listed]
    return _table((messages("guide_worth_two"), messages("guide_worth_gain")), rows)
