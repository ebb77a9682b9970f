"""The review of a game: its course as a curve, the losses by kind of decision, luck, and the
costliest decisions."""

from collections.abc import Sequence
from typing import Final

from dicecup.analysis.curve import Curve, curves, place
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import FEWEST
from dicecup.analysis.registry import EXACT, analysis_of
from dicecup.analysis.reviewed import LossKind, Review, ReviewedDecision
from dicecup.analysis.why import why_moved
from dicecup.core.dice import Dice
from dicecup.locale import Messages
from dicecup.record import OTHER_ENDS
from dicecup.terminal.chart import bars, bounds, column_of
from dicecup.terminal.console import TIE, WIDTH, Cell, Console, Style
from dicecup.terminal.display import decimal, end_reason, game_title, player_names, side_name
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.screen import dice_text
from dicecup.terminal.why import sentence_of

LABEL: Final = 7
"""The characters before the curve."""
LINES: Final = {1: 8, 2: 6}
"""The lines of a curve, by the number of curves. More curves have three lines each."""
MARKS: Final = "①②③"
"""The marks of the costliest decisions, on the curve and in the list."""
STEP: Final = {Unit.CHANCE: 1.0, Unit.POINTS: 100.0}
"""The scale of a curve begins and ends at a multiple of this step."""


def show_review(console: Console, review: Review) -> None:
    """Print the whole review. The tables repeat in numbers what the curves of block characters
    show."""
    _head(console, review)
    if review.turns:
        _show_curves(console, review)
        _losses(console, review)
        _play(console, review)
        _throws(console, review)
        _result(console, review)
        _worst(console, review)


# --- Numbers and names ----------------------------------------------------------------------------


def scaled(review: Review, value: float) -> float:
    """Return a value in points, or in percent of a win."""
    return value * (100 if review.unit is Unit.CHANCE else 1)


def side_names(review: Review) -> tuple[str, ...]:
    """Return the names of the sides."""
    return tuple(side_name(review.record, side) for side in range(len(review.sides)))


def unit_name(review: Review, messages: Messages) -> str:
    """Return the name of the unit of the values."""
    return messages(f"review_unit_{review.unit}")


def moment(review: Review, decision: ReviewedDecision, messages: Messages) -> str:
    """Return one of the costliest decisions in a sentence. `TIE` joins the words of an action."""
    throws, dice = _shown(decision)
    return messages(
        "review_moved" if decision.kind is LossKind.CORRECTION else "review_moment",
        turn=decision.turn,
        name=player_names(review.record)[decision.player],
        dice=dice_text(dice).replace(" ", TIE),
        throw=throws,
        played=screen_of(review.game).action_name(review.game, decision.played, messages).replace(" ", TIE),
        best=screen_of(review.game).action_name(review.game, decision.best, messages).replace(" ", TIE),
        loss=decimal(messages, scaled(review, decision.loss)),
        unit=unit_name(review, messages),
    )


def _shown(decision: ReviewedDecision) -> tuple[int, Dice]:
    """Return the number of throws and the dice of a decision, for a correction those of the result
    that was moved."""
    return screen_of(decision.position.game).shown_dice(decision.position, decision.played)


# --- The report -----------------------------------------------------------------------------------


def _head(console: Console, review: Review) -> None:
    """Print the players, the end of the game, and the evaluation that the values come from."""
    messages = console.messages
    names = ", ".join(player_names(review.record))
    console.tell("review_title", Style.HEAD, game=game_title(review.game, messages), names=names)
    if not review.turns:
        console.tell("review_no_turns")
        return
    console.tell(f"review_by_{review.unit}", evaluation=review.evaluation)
    if review.foreign_options:
        console.tell("hints_foreign")
    if review.end is None:
        console.tell("review_broken_off", turns=len(review.turns))
    elif review.end in OTHER_ENDS:
        console.say(end_reason(review.end, messages))
        console.tell("review_no_end_by_rules")


def _show_curves(console: Console, review: Review) -> None:
    """Print the curves as bars of block characters, with the marks of the costliest decisions
    below."""
    drawn = curves(review)
    everything = [value for curve in drawn for value in curve.values]
    low, high = bounds(everything, STEP[review.unit])
    height = LINES.get(len(drawn), 3)
    names = side_names(review)
    for curve in drawn:
        console.say()
        console.tell(f"review_curve_{review.unit}", Style.HEAD, name=names[curve.side])
        lines = bars(curve.values, low, high, WIDTH - LABEL, height)
        labels = {0: high, height // 2: (low + high) / 2, height - 1: low} if height > 3 else {0: high, height - 1: low}
        for at, line in enumerate(lines):
            label = decimal(console.messages, scaled(review, labels[at]), 0) if at in labels else ""
            console.row([Cell(label, LABEL - 2, Style.DIM, ">"), Cell("", 2), Cell(line, len(line), align="<")])
        last = str(len(curve.values) - 1)
        console.row([Cell("", LABEL), Cell("1", 1, Style.DIM), Cell(last, WIDTH - LABEL - 1, Style.DIM, ">")])
        console.row([Cell("", LABEL), Cell(_marks(review, curve, WIDTH - LABEL), WIDTH - LABEL, Style.WRONG, "<")])


def _marks(review: Review, curve: Curve, width: int) -> str:
    """Return the line of marks below a curve. A mark stands as near to its turn as the other marks
    allow."""
    found = [" "] * width
    for mark, decision in zip(MARKS, review.worst, strict=False):
        if turn_side(review, decision) in (curve.side, None):
            column = column_of(place(review, decision.turn), len(curve.values), width)
            distances = [abs(at - column) if other == " " else width for at, other in enumerate(found)]
            found[distances.index(min(distances))] = mark
    return "".join(found)


def turn_side(review: Review, decision: ReviewedDecision) -> int | None:
    """Return the side whose curve shows a decision, `None` for the one curve of a chance, which
    belongs to both sides."""
    return review.turns[decision.turn - 1].side if review.unit is Unit.POINTS else None


def _losses(console: Console, review: Review) -> None:
    """Print the losses of each player by kind of decision."""
    kinds = [LossKind.FIRST_KEEP, LossKind.SECOND_KEEP, LossKind.ENDING]
    kinds.append(LossKind.CORRECTION if review.unit is Unit.POINTS else LossKind.DEFI)
    ending = "review_cell" if review.unit is Unit.POINTS else "review_square"
    keys = [ending if kind is LossKind.ENDING else f"review_{kind}" for kind in kinds]
    rows = [
        [*(_number(console, review, player.losses[kind]) for kind in kinds), _number(console, review, player.loss)]
        for player in review.players
    ]
    _table(console, review, "review_losses", [*keys, "review_all"], player_names(review.record), rows)


def _play(console: Console, review: Review) -> None:
    """Print the number of decisions, mean loss, grade and luck of each player."""
    rows, messages = [], console.messages
    for player in review.players:
        count, mean, half = player.decisions
        mean_text = "-" if mean is None else decimal(messages, scaled(review, mean), 2)
        interval = "" if half is None else f" ± {decimal(messages, scaled(review, half), 2)}"
        luck = decimal(messages, scaled(review, player.luck), sign=True)
        allowed = f" ({player.grades[0]} – {player.grades[-1]})" if len(player.grades) > 1 else ""
        rows.append([str(count), mean_text + interval, (player.grade or "-") + allowed, luck])
    keys = ["review_decisions", "review_mean", "review_grade", "review_luck"]
    _table(console, review, "review_play", keys, player_names(review.record), rows)
    if any(len(player.grades) > 1 for player in review.players):
        console.tell("review_grades")
    if analysis_of(review.game).is_graded(review.game) and None in {player.grade for player in review.players}:
        console.tell("review_few", count=FEWEST)


def _throws(console: Console, review: Review) -> None:
    """Print the luckiest throw and the unluckiest throw."""
    thrown = [(each, turn) for turn in review.turns for each in turn.throws]
    luckiest = max(thrown, key=lambda pair: pair[0].luck)
    unluckiest = min(thrown, key=lambda pair: pair[0].luck)
    for key, (each, turn) in (("review_luckiest", luckiest), ("review_unluckiest", unluckiest)):
        if each.throw is not None:
            console.tell(
                key,
                turn=turn.number,
                name=player_names(review.record)[turn.player],
                throw=each.number,
                dice=dice_text(each.throw.roll).replace(" ", TIE),
                luck=decimal(console.messages, scaled(review, each.luck), sign=True),
                unit=unit_name(review, console.messages),
            )


def _result(console: Console, review: Review) -> None:
    """Print the parts of the result, start value, luck, losses and error, and the result without
    luck."""
    rows = []
    for side in review.sides:
        luck = side.expected - side.adjusted
        losses = side.adjusted - side.start - side.residual
        parts = [(side.start, False), (luck, True), (losses, True), (side.residual, True), (side.expected, False)]
        rows.append([decimal(console.messages, scaled(review, value), sign=sign) for value, sign in parts])
        rows[-1].append(_number(console, review, side.adjusted))
    keys = ["review_start", "review_luck", "review_lost", "review_error", "review_end", "review_adjusted"]
    _table(console, review, "review_result", keys, side_names(review), rows)
    if review.unit is Unit.CHANCE:
        console.tell("review_both")
    if review.evaluation != EXACT:
        console.tell("review_error_note")


def _worst(console: Console, review: Review) -> None:
    """Print the costliest decisions with the better choice, and why a correction was worse."""
    console.say()
    if not review.worst:
        console.tell("review_nothing_lost")
        return
    console.tell("review_worst", Style.HEAD)
    for mark, decision in zip(MARKS, review.worst, strict=False):
        console.say(f"{mark} {moment(review, decision, console.messages)}")
        if decision.kind is LossKind.CORRECTION:
            why = sentence_of(review.game, decision.played, why_moved(decision, review.unit), console.messages)
            console.say(f"  {why}")


def _number(console: Console, review: Review, value: float) -> str:
    return decimal(console.messages, scaled(review, value))


def _table(
    console: Console, review: Review, title: str, keys: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Print a table with a row for each name. A column is as wide as its widest entry; numbers are
    aligned right."""
    heads = [console.fit(console.messages(key)) for key in keys]
    widths = [
        2 + max(map(len, column)) for column in zip(heads, *([console.fit(text) for text in row] for row in rows), strict=True)
    ]
    room = WIDTH - sum(widths)
    label = min(room, max(map(len, map(console.fit, names))))
    console.say()
    console.tell(title, Style.HEAD, unit=unit_name(review, console.messages))
    console.row([Cell("", label), *(Cell(head, width, Style.DIM, ">") for head, width in zip(heads, widths, strict=True))])
    for name, row in zip(names, rows, strict=True):
        cells = (Cell(text, width, align=">") for text, width in zip(row, widths, strict=True))
        console.row([Cell(console.fit(name)[:label], label, align="<"), *cells])
