"""The odds of the turn: the probability of each figure or row, playing for it alone, with the best
dice kept or with given dice."""

from dicecup import yam_master, yamm
from dicecup.core.dice import Keep, Roll
from dicecup.core.game import Position
from dicecup.core.turn import THROWS
from dicecup.engine.turn.odds import Moment, Odds, means, probabilities
from dicecup.terminal.console import TIE, Console
from dicecup.terminal.games.board import figure_name
from dicecup.yam_master import Figure
from dicecup.yamm.rows import UPPER, Row


def show_figure_odds(console: Console, position: yam_master.Position, keep: str | None) -> None:
    """Print the probability of each figure of Yam Master.

    `keep` is the canonical text of an action that keeps dice, with a Défi or without; `None`: the
    best dice for each figure. Raises `ActionError` and `TextError` as `Position.play` does for the
    keep.
    """
    declared = position.defi if keep is None or position.waiting else position.play(keep).defi
    now = _moment(console, position, keep, declared=declared)
    if now is None:
        return
    for name, chance in probabilities(position.game, now).items():
        _say(console, _figure(console, name), [_percent(console, chance)], chance, now.kept)


def show_row_odds(console: Console, position: yamm.Position, keep: str | None) -> None:
    """Print the probability of each row of Yamm and the points to expect. `keep` and errors: as for
    `show_figure_odds`."""
    now = _moment(console, position, keep, declared=False)
    if now is None:
        return
    chances = probabilities(position.game, now)
    for name, points in means(position.game, now).items():
        facts = [] if name in (Row.HIGH, Row.LOW) else [_percent(console, chances[name], thrice=name in UPPER)]
        facts.append(console.messages("odds_points", points=_number(console, float(points.value))))
        _say(console, name, facts, points, now.kept)


def _moment(console: Console, position: Position, keep: str | None, *, declared: bool) -> Moment | None:
    """Print the heading and return the point of the turn, `None` before a throw."""
    turn = position.turn
    if turn is None or turn.waiting:
        console.tell("odds_later")
        return None
    after = position if keep is None else position.play(keep)
    assert after.turn is not None
    kept = None if keep is None else after.turn.kept
    now = Moment(THROWS - turn.throws, Roll(turn.dice), kept, turn.locked, declared)
    if kept is None:
        console.tell("odds_of_turn", left=now.throws_left)
    else:
        console.tell("odds_of_keep", dice=" ".join(kept.text) or "-", left=now.throws_left)
    return now


def _say(console: Console, aim: str, facts: list[str], best: Odds, kept: Keep | None) -> None:
    """Print one aim, with the dice to keep unless they are given or ending the turn is best."""
    if kept is None and best.keep is not None and best.value:
        key = "odds_keeping" if best.keep.count else "odds_keeping_none"
        facts.append(console.messages(key, dice=" ".join(best.keep.text)))
    line = console.messages("odds_line", aim=aim, facts=", ".join(facts))
    console.say(f"  {line}".replace(" ", TIE))


def _figure(console: Console, name: str) -> str:
    """Return the name of a figure that the engine names in ASCII."""
    return figure_name(next(figure for figure in Figure if figure.ascii == name), console.messages)


def _percent(console: Console, chance: Odds, *, thrice: bool = False) -> str:
    """Return the probability in percent. `thrice`: the row is one of 1 to 6, and the probability is
    that of three dice or more."""
    key = "odds_three_or_more" if thrice else "odds_percent"
    return console.messages(key, percent=_number(console, 100 * float(chance.value)))


def _number(console: Console, value: float) -> str:
    """Return the number with one decimal and the decimal sign of the language."""
    return f"{value:.1f}".replace(".", console.messages("decimal_sign"))
