"""What can be printed: empty sheets to play on, and a game as far as it was played."""

from collections.abc import Collection, Sequence

from dicecup import yamm
from dicecup.locale import Messages
from dicecup.record import Journal, Record, read
from dicecup.sheets import duel, score_sheet
from dicecup.sheets.codes import SheetCode, SheetError
from dicecup.sheets.typesetting import typeset


def empty_sheet(language: str, *, players: int | None = None, names: Sequence[str] = (), pairs: bool = False) -> bytes:
    """Empty sheets of Yamm, one a page: for each of the players, or for each pair of them, with the names that are given.

    Without `players` as many as there are names, at least one; in pairs, at least four. Raises `SheetError` (`too-many-names`) and
    `GameError` (`option-value`, `pairs-need-even-players`)."""
    options = yamm.Options(max(len(names), 4 if pairs else 1) if players is None else players, pairs=pairs)
    if len(names) > options.players:
        raise SheetError(SheetCode.TOO_MANY_NAMES, names=len(names), players=options.players)
    return typeset("score_sheet", score_sheet.empty(options, names, Messages(language)))


def of_game(game: Record | Journal, language: str, *, sheets: Collection[int] | None = None) -> bytes:
    """A game on paper, over or not: the sheets of Yamm filled in, or the board of Yam Master with the story of the turns.

    `sheets`: only these, counted from 0; Yam Master has one. Raises `SheetError` (`no-such-sheet`)."""
    record = game if isinstance(game, Record) else Record({}, game)
    count = record.game.options.sheets if isinstance(record.game, yamm.Yamm) else 1
    chosen = range(count) if sheets is None else sorted(set(sheets))
    for sheet in chosen:
        if not 0 <= sheet < count:
            raise SheetError(SheetCode.NO_SUCH_SHEET, sheet=sheet + 1, sheets=count)
    messages = Messages(language)
    if isinstance(record.journal.position, yamm.Position):
        return typeset("score_sheet", score_sheet.filled(record, record.journal.position, chosen, messages))
    return typeset("duel", duel.page(record, record.journal.position, messages))


def of_text(text: str, language: str) -> bytes:
    """The game of a record's text. Raises `RecordError`."""
    return of_game(read(text), language)
