"""What `dicecup replay --json` prints: the state in which a record ends, as plain values in the order of NOTATION."""

from typing import Any

from dicecup import yam_master, yamm
from dicecup.record.record import Record


def state(record: Record) -> dict[str, Any]:
    """The object of `dicecup replay --json`; the keys come in the order of NOTATION."""
    position = record.journal.position
    head = {"game": record.game.id, "position": position.to_text(), "turns": record.journal.turns}
    if isinstance(position, yam_master.Position):
        return head | _yam_master(position)
    return head | _yamm(position)


def _yam_master(position: yam_master.Position) -> dict[str, Any]:
    outcome = position.outcome
    winner = None if outcome is None or outcome.winner is None else str(outcome.winner)
    return {
        "board": list(yam_master.board_rows(position.game.board, position.x, position.o)),
        "supplies": list(position.supplies),
        "points": list(position.points),
        "outcome": None if outcome is None else {"end": str(outcome.end), "winner": winner},
        "actions": list(map(str, position.actions)),
    }


def _yamm(position: yamm.Position) -> dict[str, Any]:
    outcome = position.outcome
    ended = outcome and {"end": str(outcome.end), "winners": list(outcome.winners), "totals": list(outcome.totals)}
    return {
        "sheets": [_sheet(sheet) for sheet in position.written],
        "outcome": ended,
        "actions": list(map(str, position.actions)),
        "corrections": list(map(str, position.corrections)),
    }


def _sheet(sheet: yamm.Sheet) -> dict[str, Any]:
    columns = sheet.spec.columns
    rows = sheet.spec.rows
    return {
        "columns": {name: dict(zip(rows, cells, strict=True)) for name, cells in zip(columns, sheet.columns, strict=True)},
        "upper": {name: sheet.upper(name) for name in columns},
        "bonus": {name: sheet.bonus(name) for name in columns},
        "column_totals": {name: sheet.column_total(name) for name in columns},
        "first_throw_yamms": sheet.first_throw_yamms,
        "total": sheet.total,
    }
