"""Who wins, and what a record says of it, where people, a clock or a limit end a game. Sides are x and o, or the sheets."""

from collections.abc import Collection

from dicecup import yam_master
from dicecup.core.game import Position


def all_sides(position: Position) -> tuple[int, ...]:
    """Both sides, or all sheets: they share a game that was agreed drawn."""
    return (0, 1) if isinstance(position, yam_master.Position) else tuple(range(len(position.sheets)))


def sides_without(position: Position, place: int) -> tuple[int, ...]:
    """Which sides win when the player of this place in the order of play gives up: the other one, or of the other sheets those
    with the highest total; none where there is no other."""
    if isinstance(position, yam_master.Position):
        return (1 - place,)
    totals = {sheet: held.total for sheet, held in enumerate(position.written) if sheet != place % len(position.sheets)}
    return tuple(sheet for sheet, total in totals.items() if total == max(totals.values()))


def result_of(position: Position, winners: Collection[int]) -> str:
    """The tag `Result`: x and o both are a draw; in Yamm the totals so far, and `Winners` says the rest."""
    if isinstance(position, yam_master.Position):
        won = "xo"[next(iter(winners))] if len(winners) == 1 else "draw"
        return f"{won} {position.points[0]}-{position.points[1]}"
    return " ".join(str(sheet.total) for sheet in position.written)
