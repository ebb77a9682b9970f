"""The odds of the turn at hand: how likely each figure or row is, playing for it alone, with the dice that somebody would keep."""

from dicecup import yam_master, yamm
from dicecup.core.dice import Keep, Roll
from dicecup.core.turn import THROWS
from dicecup.engine.odds import Moment, Odds, means, probabilities
from dicecup.games import Position
from dicecup.terminal.board import figure_name
from dicecup.terminal.console import TIE, Console
from dicecup.yam_master import Figure
from dicecup.yamm.rows import UPPER, Row


def show_odds(console: Console, position: Position, kept: Keep | None = None, *, declared: bool = False) -> None:
    """Each aim with its probability, and for Yamm the points to expect; without `kept` with the dice best kept for it.

    `declared`: a Défi is declared with the keep. Raises `ActionError` as `Position.play` would for that keep."""
    turn = position.turn
    if turn is None or turn.waiting:
        console.tell("odds_later")
        return
    under_defi = isinstance(position, yam_master.Position) and position.defi
    if kept is not None:
        _check(position, kept, declared)
    now = Moment(THROWS - turn.throws, Roll(turn.dice), kept, turn.locked, declared or under_defi)
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
        told.append(console.messages("odds_keeping", dice=" ".join(best.keep.text) or "-"))
    console.say(f"  {aim}: {', '.join(told)}".replace(" ", TIE))


def _check(position: Position, kept: Keep, declared: bool) -> None:
    if isinstance(position, yam_master.Position):
        position.play(yam_master.KeepDice(kept, declared))
    else:
        position.play(yamm.KeepDice(kept))


def _figure(console: Console, name: str) -> str:
    return figure_name(next(figure for figure in Figure if figure.ascii == name), console.messages)


def _percent(console: Console, chance: Odds, *, thrice: bool = False) -> str:
    """A row of one face asks for nothing; the chance is that of three dice or more."""
    key = "odds_three_or_more" if thrice else "odds_percent"
    return console.messages(key, percent=_number(console, 100 * float(chance.value)))


def _number(console: Console, value: float) -> str:
    """One decimal, with the language's sign."""
    return f"{value:.1f}".replace(".", console.messages("decimal_sign"))
