"""Pairings, standings and crosstables of tournaments as values for `paper/tournament.typ`."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from dicecup.locale import Messages
from dicecup.sheets.typesetting import typeset
from dicecup.sheets.words import isolated, printable
from dicecup.tournament.errors import TournamentCode, TournamentError
from dicecup.tournament.events import Result
from dicecup.tournament.setup import EVERYBODY_MEETS, Format, TieBreak
from dicecup.tournament.standings import Line, Meeting, crosstable, standings
from dicecup.tournament.state import TournamentState
from dicecup.tournament.values import Pairing

Values = dict[str, Any]

MOST_ACROSS: Final = 16
"""Entrants of a crosstable with a column for each of them. Larger ones have a column a round."""
RESULTS: Final = {Result.WON: "1 – 0", Result.DRAWN: "½ – ½", Result.LOST: "0 – 1", Result.NEITHER: "0 – 0"}
SIGNS: Final = {2: "+", 1: "=", 0: "−"}
"""Signs of a win, a draw and a loss, by half points."""
SEATS: Final = {True: "¹", False: "²"}
FORFEIT: Final = "°"


def pairings_page(state: TournamentState, language: str, *, number: int | None = None) -> bytes:
    """Return a PDF with the pairings of a round, by default of the last one, with its results.

    Raises `TournamentError` (`no-such-round`)."""
    number = len(state.rounds) if number is None else number
    if not 1 <= number <= len(state.rounds):
        raise TournamentError(TournamentCode.NO_SUCH_ROUND, text=number)
    messages, played = Messages(language), state.rounds[number - 1]
    rows = [
        [str(table), _name(state, pairing.first), _result(pairing), _name(state, pairing.second)]
        for table, pairing in enumerate(state.pairings_of(played), 1)
    ]
    rows += [["", _name(state, entrant), messages("print_bye"), ""] for entrant in played.byes]
    columns = [
        _column(messages("print_table"), "end"),
        _column(messages("print_first_seat"), wide=True),
        _column(messages("print_result"), "center"),
        _column(messages("print_second_seat"), wide=True),
    ]
    page = messages("print_round", number=number)
    return typeset("tournament", _values(state, messages, page, columns, rows))


def standings_page(state: TournamentState, language: str) -> bytes:
    """Return a PDF with the standings."""
    messages = Messages(language)
    lines = standings(state)
    kinds = state.setup.chosen_tie_breaks
    columns = [
        _column(messages("print_rank"), "end"),
        _column(messages("print_name"), wide=True),
        _column(messages("print_points"), "end"),
        _column(messages("print_played"), "end"),
        _column(messages("print_won_drawn_lost"), "center"),
        *(_column(messages(f"print_tie_{kind.value.replace('-', '_')}"), "end") for kind in kinds),
    ]
    rows = [
        [
            f"{line.rank}.",
            _name(state, line.entrant),
            points_text(line.points),
            str(line.played),
            f"{line.won} / {line.drawn} / {line.lost}",
            *(_tie(kind, value) for kind, value in zip(kinds, line.tie_breaks, strict=True)),
        ]
        for line in lines
    ]
    return typeset("tournament", _values(state, messages, messages("print_standings"), columns, rows))


def crosstable_page(state: TournamentState, language: str) -> bytes:
    """Return a PDF with the crosstable: a column for each opponent where everybody meets everybody,
    else one for each round, and for an arena all games in one."""
    messages, lines, meetings = Messages(language), standings(state), crosstable(state)
    places = {line.entrant: place for place, line in enumerate(lines, 1)}
    across = state.setup.format in EVERYBODY_MEETS and len(lines) <= MOST_ACROSS
    if across:
        heads = [str(place) for place in places.values()]
        cells = [_against(line, lines, meetings[line.entrant]) for line in lines]
        legend = ""
    elif state.setup.format is Format.ARENA:
        heads, legend = [messages("print_games")], messages("print_crosstable_legend")
        cells = [[" ".join(_meeting(meeting, places) for meeting in meetings[line.entrant])] for line in lines]
    else:
        heads, legend = [str(played.number) for played in state.rounds], messages("print_crosstable_legend")
        cells = [_by_round(len(state.rounds), meetings[line.entrant], places) for line in lines]
    is_arena = state.setup.format is Format.ARENA
    columns = [
        _column("", "end"),
        _column(messages("print_name"), wide=not is_arena),
        *(_column(head, "start" if is_arena else "center", wide=is_arena) for head in heads),
        _column(messages("print_points"), "end"),
    ]
    rows = [
        [str(places[line.entrant]), _name(state, line.entrant), *own, points_text(line.points)]
        for line, own in zip(lines, cells, strict=True)
    ]
    values = _values(state, messages, messages("print_crosstable"), columns, rows, legend=legend)
    return typeset("tournament", values | {"landscape": len(heads) > 9, "dense": True})


def points_text(points: int) -> str:
    """Return half points in words of a crosstable: `3½`."""
    whole, half = divmod(points, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"


def _values(
    state: TournamentState,
    messages: Messages,
    page: str,
    columns: Sequence[Values],
    rows: Iterable[Sequence[str]],
    legend: str = "",
) -> Values:
    """Return what stands on a page."""
    title = printable(state.setup.name)
    return {
        "language": messages.language,
        "title": f"{title}: {page}",
        "heading": title,
        "page": page,
        "sub": _sub(state, messages),
        "note": title,
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        "legend": legend,
        "landscape": False,
        "dense": False,
    }


def _sub(state: TournamentState, messages: Messages) -> str:
    """Return the format and the game, and how far the tournament is."""
    kind = messages(f"print_format_{state.setup.format.value.replace('-', '_')}")
    parts = [kind, messages(f"game_{state.setup.rules.name.replace('-', '_')}")]
    if state.setup.format is not Format.ARENA and state.rounds:
        parts.append(messages("print_round_of", number=len(state.rounds), rounds=max(state.most_rounds, len(state.rounds))))
    return " · ".join(parts)


def _column(word: str, align: str = "start", *, wide: bool = False) -> Values:
    return {"word": word, "align": align, "wide": wide}


def _name(state: TournamentState, entrant: int) -> str:
    return isolated(printable(state.entrant(entrant).name))


def _result(pairing: Pairing) -> str:
    if pairing.result is None:
        return "–"
    return RESULTS[pairing.result] + ("" if pairing.is_played else FORFEIT)


def _tie(kind: TieBreak, value: float | None) -> str:
    """Return the value of a tie-break: a mean loss with three decimals, the others with the
    fraction that they have."""
    if value is None:
        return "–"
    return f"{value:.3f}" if kind is TieBreak.MEAN_LOSS else f"{value:.2f}".rstrip("0").rstrip(".")


def _against(line: Line, lines: Sequence[Line], meetings: Sequence[Meeting]) -> list[str]:
    """Return the points of an entrant against each other one, in the order of the standings."""
    cells = []
    for other in lines:
        played = [each for each in meetings if each.opponent == other.entrant]
        shown = " ".join(_points_of(each) for each in played)
        cells.append("×" if other is line else shown)
    return cells


def _points_of(meeting: Meeting) -> str:
    if meeting.points is None:
        return "–"
    return points_text(meeting.points) + ("" if meeting.is_played else FORFEIT)


def _by_round(rounds: int, meetings: Sequence[Meeting], places: dict[int, int]) -> list[str]:
    by_round = {meeting.round: _meeting(meeting, places) for meeting in meetings}
    return [by_round.get(number, "") for number in range(1, rounds + 1)]


def _meeting(meeting: Meeting, places: dict[int, int]) -> str:
    """Return a meeting: `+7¹` for a win against place 7 with the first seat."""
    sign = "?" if meeting.points is None else SIGNS[meeting.points]
    if meeting.opponent is None:
        return f"{sign}{FORFEIT}"
    return f"{sign}{places[meeting.opponent]}{SEATS[meeting.is_first] if meeting.is_played else FORFEIT}"
