"""Pages to print: empty sheets, and a game as far as it was played."""

from collections.abc import Collection, Sequence
from typing import cast

from dicecup import yam_master, yamm
from dicecup.locale import Messages
from dicecup.record import Journal, Record, read
from dicecup.sheets import duel, score_sheet
from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.typesetting import typeset


def empty_sheet(language: str, *, players: int | None = None, names: Sequence[str] = (), pairs: bool = False) -> bytes:
    """Return a PDF with empty sheets of Yamm, one a page, for each player or each pair.

    `players`: by default the number of names, at least 1, in pairs at least 4. Raises `SheetError`
    (`too-many-names`) and `GameError` (`option-value`, `pairs-need-even-players`)."""
    options = yamm.Options(max(len(names), 4 if pairs else 1) if players is None else players, pairs=pairs)
    if len(names) > options.players:
        raise SheetError(SheetCode.TOO_MANY_NAMES, names=len(names), players=options.players)
    return typeset("score_sheet", score_sheet.empty(options, names, Messages(language)))


def of_game(game: Record | Journal, language: str, *, sheets: Collection[int] | None = None) -> bytes:
    """Return a PDF of a game, over or not.

    Yamm has a page for each sheet, Yam Master one page with the board and the turns. `sheets`: the
    numbers of the sheets to print, from 0; by default all. Raises `SheetError` (`no-page` for
    another game, `no-such-sheet`)."""
    record = game if isinstance(game, Record) else Record({}, game)
    rules, position, messages = record.game, record.journal.position, Messages(language)
    if rules.name == "yamm":
        chosen = _chosen(sheets, rules.sides)
        return typeset("score_sheet", score_sheet.filled(record, cast(yamm.Position, position), chosen, messages))
    if rules.name == "yam-master":
        _chosen(sheets, 1)
        return typeset("duel", duel.page(record, cast(yam_master.Position, position), messages))
    raise SheetError(SheetCode.NO_PAGE, game=rules.id)


def of_text(text: str, language: str) -> bytes:
    """Return a PDF of the game of a record's text. Raises `RecordError`, and as `of_game`."""
    return of_game(read(text), language)


def _chosen(sheets: Collection[int] | None, count: int) -> Sequence[int]:
    """Return the chosen sheets, ascending. Raises `SheetError` (`no-such-sheet`)."""
    chosen = range(count) if sheets is None else sorted(set(sheets))
    for sheet in chosen:
        if not 0 <= sheet < count:
            raise SheetError(SheetCode.NO_SUCH_SHEET, sheet=sheet + 1, sheets=count)
    return chosen
