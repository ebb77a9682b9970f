"""Whether an analysis of a position would help somebody in a game against people that runs (docs/decisions/0009). Pure."""

from dicecup import yam_master, yamm
from dicecup.core.game import Position
from dicecup.table.state import TableState
from dicecup.yamm import Sheet


def helps(state: TableState, asked: Position, *, sits: bool) -> bool:
    """Whether this table's game would be helped. Of whoever `sits` there: by everything about what lies on the table, whatever the
    dice, the turn or the options that are asked with it; of anybody else: by that very position. What nothing lies on is for all."""
    if state.end is not None or len(state.people) < 2:
        return False
    here = state.position
    if here == asked:
        return sits or _is_begun(here)
    return sits and _lies_here(here, asked)


def helps_any(state: TableState, asked: frozenset[Position], *, sits: bool) -> bool:
    """The same of several positions, those of a record."""
    if not sits:
        return state.position in asked and helps(state, state.position, sits=False)
    return any(helps(state, position, sits=True) for position in asked)


def _is_begun(position: Position) -> bool:
    """Whether anything lies on the table."""
    if isinstance(position, yam_master.Position):
        return bool(position.x | position.o)
    return bool(_sheets(position))


def _lies_here(here: Position, asked: Position) -> bool:
    """The same tokens, whoever's they are; in Yamm one sheet of a kind, since every sheet can be asked for alone."""
    if isinstance(here, yam_master.Position) and isinstance(asked, yam_master.Position):
        return _is_begun(here) and {here.x, here.o} == {asked.x, asked.o}
    if isinstance(here, yamm.Position) and isinstance(asked, yamm.Position):
        return not _sheets(here).isdisjoint(_sheets(asked))
    return False


def _sheets(position: yamm.Position) -> set[Sheet]:
    """Those on which something is written, with their last result and without it."""
    return {sheet for sheet in (*position.sheets, *position.written) if sheet.written}
