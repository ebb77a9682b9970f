"""The odds of the turn at hand: how likely each figure or row is, playing for it alone, with the dice that somebody would keep."""

from dicecup import yam_master
from dicecup.core.dice import Keep, Roll
from dicecup.core.game import Position
from dicecup.core.turn import THROWS
from dicecup.engine.turn.odds import Moment, Odds, means, probabilities
from dicecup.terminal.board import figure_name
from dicecup.terminal.console import TIE, Console
from dicecup.yam_master import Figure
from dicecup.yamm.rows import UPPER, Row


def show_odds(console: Console, position: Position, keep: str | None) -> None:
    """Each aim with its probability, and for Yamm the points to expect. `keep` is the canonical text of an action that keeps dice,
    with a Défi or without; `None`: the dice that are best kept for each aim.

    Raises `ActionError` and `TextError` as `Position.play` would for that keep."""
    turn = position.turn
    if turn is None or turn.waiting:
        console.tell("odds_later")
        return
    after = position if keep is None else position.play(keep)
    assert after.turn is not None
    declared = isinstance(after, yam_master.Position) and after.defi
    kept = None if keep is None else after.turn.kept
    now = Moment(THROWS - turn.throws, Roll(turn.dice), kept, turn.locked, declared)
    if kept is None:
        console.tell("odds_of_turn", left=now.throws_left)
    else:
        console.tell("odds_of_keep", dice=" ".join(kept.text) or "-", left=now.throws_left)
    if isinstance(position, yam_master.Position):
        for name, chance in probabilities(position.game, now).items():
            _say(console, _figure(console, name), [_percent(console, chance)], chance, kept)
        return
    chances = probabilities(position.game, now)
    for name, points in means(position.game, now).items():
        told = [] if name in (Row.HIGH, Row.LOW) else [_percent(console, chances[name], thrice=name in UPPER)]
        told.append(console.messages("odds_points", points=_number(console, float(points.value))))
        _say(console, name, told, points, kept)


def _say(console: Console, aim: str, told: list[str], best: Odds, kept: Keep | None) -> None:
    """One aim a line; with the dice to keep, unless they are given or the turn is best ended."""
    if kept is None and best.keep is not None and best.value:
        key = "odds_keeping" if best.keep.count else "odds_keeping_none"
        told.append(console.messages(key, dice=" ".join(best.keep.text)))
    line = console.messages("odds_line", aim=aim, told=", ".join(told))
    console.say(f"  {line}".replace(" ", TIE))


def _figure(console: Console, name: str) -> str:
    return figure_name(next(figure for figure in Figure if figure.ascii == name), console.messages)


def _percent(console: Console, chance: Odds, *, thrice: bool = False) -> str:
    """A row of one face asks for nothing; the chance is that of three dice or more."""
    key = "odds_three_or_more" if thrice else "odds_percent"
    return console.messages(key, percent=_number(console, 100 * float(chance.value)))


def _number(console: Console, value: float) -> str:
    """One decimal, with the language's sign."""
    return f"{value:.1f}".replace(".", console.messages("decimal_sign"))
