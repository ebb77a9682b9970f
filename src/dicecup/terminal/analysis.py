"""The analysis of a position in sentences: the values of the best choices, and the reasons."""

from collections.abc import Iterator, Sequence
from typing import Final

from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis, ThrowAnalysis
from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.grade import SAME
from dicecup.analysis.yam_master.squares import Line, SquareReasons
from dicecup.analysis.yamm.cells import CellReasons
from dicecup.core.dice import Roll
from dicecup.core.game import Action, Position
from dicecup.locale import Messages
from dicecup.terminal.console import TIE, Console, Style
from dicecup.terminal.display import game_title, show_dice
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.screen import dice_text
from dicecup.terminal.games.sheet import column_name
from dicecup.terminal.why import why_text
from dicecup.yam_master import Figure

LIKELY: Final = 0.02
"""The lowest probability of an ending of the turn that is printed."""
WAYS: Final = 5
"""The most endings of the turn that are printed."""
ROLLS: Final = 3
"""The most rolls that are printed, of the best and of the worst."""


def show_position(console: Console, position: Position) -> None:
    """Print the game, the board or the sheet of the turn, the dice and what they allow."""
    console.say(game_title(position.game, console.messages), Style.HEAD)
    screen = screen_of(position.game)
    screen.show_question(console, position)
    show_dice(console, position)
    if not position.waiting:
        screen.show_choices(console, position)


def show_analysis(console: Console, found: DecisionAnalysis, opponent: str | None = None) -> None:
    """Print the best choices in the order of their values, choices of equal value together.

    `opponent`: the name of the opponent, where it is known."""
    show_value(console, found.unit, found.best.value)
    if found.forced:
        console.tell("analysis_forced")
    for number, alike in enumerate(found.shown, 1):
        console.say()
        _show_choice(console, found, number, alike, opponent)
    hidden = found.choices[sum(map(len, found.shown)) :]
    if hidden:
        console.say()
        console.tell("analysis_hidden", count=len(hidden), loss=loss_text(console, found.unit, hidden[0].loss))
    show_foreign(console, found.foreign)


def show_outlook(console: Console, found: ThrowAnalysis) -> None:
    """Print the value while dice are in the air, its quantiles after the throw, and the best and
    the worst rolls."""
    show_value(console, found.unit, found.value)
    low, middle, high = (_value(console, found.unit, _quantile(found, share)) for share in (0.1, 0.5, 0.9))
    console.tell("analysis_quantiles", low=low, middle=middle, high=high)
    if len(found.rolls) <= 2 * ROLLS:
        console.tell("analysis_rolls", rolls=_rolls(console, found, found.rolls))
    else:
        console.tell("analysis_best_rolls", rolls=_rolls(console, found, found.rolls[:ROLLS]))
        console.tell("analysis_worst_rolls", rolls=_rolls(console, found, found.rolls[: -ROLLS - 1 : -1]))
    words = {figure.ascii: str(figure) for figure in Figure}
    facts = (
        console.messages(
            "odds_line",
            aim=words.get(name, name),
            facts=console.messages("odds_percent", percent=_number(console, 100 * chance)),
        ).replace(" ", TIE)
        for name, chance in found.figures.items()
    )
    console.tell("analysis_figures", figures=", ".join(facts) or "–")
    show_foreign(console, found.foreign)


def _rolls(console: Console, found: ThrowAnalysis, rolls: Sequence[tuple[Roll, float, float]]) -> str:
    """Return the rolls, each with its value and its probability."""
    return "; ".join(
        console.messages(
            "analysis_roll",
            dice=dice_text(shown),
            value=_value(console, found.unit, value),
            percent=_number(console, 100 * chance, 2),
        ).replace(" ", TIE)
        for shown, chance, value in rolls
    )


def show_value(console: Console, unit: Unit, value: float) -> None:
    """Print the value of the position."""
    key = "analysis_points" if unit is Unit.POINTS else "analysis_chance"
    console.tell(key, Style.HEAD, value=value_text(console, unit, value))


def show_foreign(console: Console, foreign: Sequence[str]) -> None:
    """Print a note if the evaluation was trained for other options."""
    if foreign:
        console.tell("hints_foreign")


def named(position: Position, action: Action, messages: Messages) -> str:
    """Return the text of an action and its name."""
    return f"{action} – {screen_of(position.game).choice_name(position, action, messages)}"


def _show_choice(
    console: Console, found: DecisionAnalysis, number: int, alike: Sequence[ActionAnalysis], opponent: str | None
) -> None:
    """Print a choice with its number, value, loss and reasons.

    `alike`: actions of one value; the first is printed in full.
    """
    choice = alike[0]
    facts = [_value(console, found.unit, choice.value)]
    if choice.points is not None and found.unit is Unit.CHANCE:
        facts.append(_value(console, Unit.POINTS, choice.points))
    facts.append(loss_text(console, found.unit, choice.loss))
    aim = named(found.position, choice.action, console.messages)
    line = console.messages("odds_line", aim=aim, facts=", ".join(facts))
    console.say(f"{number}. {line}", None if choice.loss > SAME else Style.OPEN)
    if len(alike) > 1:
        _say(console, console.messages("analysis_alike", actions=", ".join(str(other.action) for other in alike[1:])))
    deciding = why_text(found, choice, console.messages, opponent)
    if deciding is not None:
        _say(console, deciding)
    for sentence in _sentences(console, found, choice):
        _say(console, sentence)


def _say(console: Console, sentence: str) -> None:
    console.say(f"  {sentence}")


def _sentences(console: Console, found: DecisionAnalysis, choice: ActionAnalysis) -> Iterator[str]:
    """Yield the reasons, one sentence each."""
    match choice.reasons:
        case KeepReasons():
            yield from _of_keep(console, found.position, choice.reasons)
        case CellReasons():
            yield from _of_cell(console, choice.reasons)
        case SquareReasons():
            yield from _of_square(console, choice.reasons)
    if choice.shares is not None and choice.shares.games:
        shares = choice.shares
        percents = {name: _number(console, 100 * getattr(shares, name)) for name in ("win", "draw", "loss")}
        yield console.messages("analysis_shares", games=shares.games, **percents)


def _of_keep(console: Console, position: Position, reasons: KeepReasons) -> Iterator[str]:
    """Yield the likeliest ends of the turn and, in Yamm, the points that the turn gains."""
    ways = [
        console.messages(
            "analysis_way",
            action=screen_of(position.game).ending_name(position, action, console.messages),
            percent=_number(console, 100 * way.probability, 0),
        ).replace(" ", TIE)
        for action, way in list(reasons.endings.items())[:WAYS]
        if way.probability >= LIKELY
    ]
    yield console.messages("analysis_endings", ways="; ".join(ways))
    if reasons.gain is not None:
        key = "analysis_gain" if reasons.later is None else "analysis_gain_later"
        yield console.messages(key, points=_number(console, reasons.gain), later=_number(console, reasons.later or 0.0))


def _of_cell(console: Console, reasons: CellReasons) -> Iterator[str]:
    """Yield what an entry gains now, what later turns gain, and its effect on the bonus."""
    messages = console.messages
    if reasons.strikes_both:
        yield messages("analysis_strikes_both", lost=reasons.lost)
    elif reasons.strikes:
        yield messages("analysis_strikes")
    else:
        yield messages("analysis_now", points=reasons.points)
    if reasons.bonus:
        yield messages("analysis_bonus", bonus=reasons.bonus)
    if reasons.first_throw_yamm:
        yield messages("first_throw_yamm")
    later = _number(console, reasons.later)
    given = abs(reasons.gives_up)
    key = "analysis_later" if given < 0.05 else "analysis_later_less" if reasons.gives_up > 0 else "analysis_later_more"
    yield messages(key, later=later, points=_number(console, given))
    upper = reasons.upper
    if upper is not None and not reasons.bonus:
        column = column_name(upper.column, messages)
        if upper.next is None:
            yield messages("analysis_no_bonus", column=column, sum=upper.after)
        else:
            yield messages("analysis_upper", column=column, sum=upper.after, missing=upper.next.missing, bonus=upper.next.bonus)
    if upper is not None and upper.reach_after < upper.reach_before:
        yield messages("analysis_reach", before=upper.reach_before, after=upper.reach_after)


def _of_square(console: Console, reasons: SquareReasons) -> Iterator[str]:
    """Yield what a token gains on a square, what it denies the opponent, and what is threatened
    afterwards."""
    messages = console.messages
    if reasons.wins:
        yield messages("analysis_wins")
        return
    if reasons.points > 0:
        yield messages("analysis_scores", points=reasons.points)
    if reasons.points < 0:
        yield messages("analysis_loses_points", points=-reasons.points)
    if reasons.over:
        yield messages("analysis_over")
        return
    if reasons.made:
        yield messages("analysis_made", lines=_lines(console, reasons.made))
    if reasons.denied_line:
        yield messages("analysis_denied_line")
    elif reasons.denied > 0:
        yield messages("analysis_denied", points=reasons.denied)
    if reasons.stopped:
        yield messages("analysis_stopped", lines=_lines(console, reasons.stopped))
    for key, threat in (("analysis_threat", reasons.threat), ("analysis_hope", reasons.chance)):
        if threat is not None and max(threat) > 0:
            yield messages(key, line=_number(console, 100 * threat.line), points=_number(console, 100 * threat.points))


def _lines(console: Console, lines: Sequence[Line]) -> str:
    """Return lines of the board as `a2–e2 (4)`: the first and the last square, and the number of
    tokens."""
    return ", ".join(
        console.messages("analysis_line", first=line.squares[0], last=line.squares[-1], tokens=line.tokens) for line in lines
    )


def _quantile(found: ThrowAnalysis, share: float) -> float:
    """Return the value that the rolls stay below with this probability."""
    missed = 0.0
    for _, chance, value in reversed(found.rolls):
        missed += chance
        if missed >= share:
            return value
    return found.rolls[0][2]


def _value(console: Console, unit: Unit, value: float) -> str:
    key = "analysis_in_points" if unit is Unit.POINTS else "odds_percent"
    bare = value_text(console, unit, value)
    return console.messages(key, points=bare, percent=bare)


def value_text(console: Console, unit: Unit, value: float) -> str:
    """Return the number without its unit. A value above 1 of a decided game of Yamm is printed as
    100 percent."""
    return _number(console, value if unit is Unit.POINTS else 100 * min(value, 1.0))


def loss_text(console: Console, unit: Unit, loss: float) -> str:
    """Return a loss with two significant digits at least."""
    if loss <= SAME:
        return console.messages("hint_best")
    shown_loss = loss if unit is Unit.POINTS else 100 * loss
    key = "hint_points" if unit is Unit.POINTS else "hint_chance"
    return console.messages(key, loss=_number(console, shown_loss, 1 if shown_loss >= 0.95 else 2))


def _number(console: Console, value: float, digits: int = 1) -> str:
    """Return the number with the decimal sign of the language, never `-0.0`."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace(".", console.messages("decimal_sign"))
