"""Exact odds: the chance of each figure or row when a turn is played for nothing else.

The odds are known from any point of a turn. Standard library only. All numbers are fractions of
integers: the readable turn is exact where its values are multiples of `value.EXACT`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import floordiv
from typing import Any, Final, TypeAlias

from dicecup.core.dice import FACES, NO_DICE, ROLLS, Keep, Roll, keep, roll
from dicecup.core.game import Rules
from dicecup.core.turn import THROWS, KeptDice, locked_from_text
from dicecup.engine.errors import EngineCode, EngineError
from dicecup.engine.turn.value import EXACT, TurnValues, best_values, keep_values, mean, turn_values
from dicecup.yam_master import YamMaster
from dicecup.yam_master.figures import BIG_ROLLS, FIGURES, Figure
from dicecup.yam_master.options import FailedDefi
from dicecup.yamm.rows import ROWS, UPPER, VALUES, Row

Points: TypeAlias = list[int]
"""The points that each of the 252 rolls gives for an aim: 0 or 1 for a probability."""
NOTHING: Final[Points] = [0] * len(ROLLS)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of a turn.

    `throws_left` (0 to 3); `shown`, the dice on the table, `None` before the first throw; `kept`,
    the dice that will be kept, `None` for the best; `locked`, the dice that must be kept;
    `declared`, whether a Défi was declared or is declared with the keep.
    """

    throws_left: int = THROWS
    shown: Roll | None = None
    kept: Keep | None = None
    locked: Keep = NO_DICE
    declared: bool = False

    @property
    def throws(self) -> int:
        """The number of throws made so far."""
        return THROWS - self.throws_left


@dataclass(frozen=True, slots=True)
class Aim:
    """An aim of a turn: the points of ending with each roll after throws 1, 2 and 3, and after
    throws 2 and 3 under a Défi.
    """

    stops: tuple[Points, Points, Points]
    defi: tuple[Points, Points] | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """The best expectation for an aim, a fraction, and the dice to keep for it.

    `keep` is `None` where the turn is best ended, is over or has not begun.
    """

    value: Fraction
    keep: Keep | None


def moment(
    game: Rules, *, dice: str | None = None, throws_left: int | None = None, kept: str | None = None, declared: bool = False
) -> Moment:
    """Return the point of a turn that these texts name.

    `dice`: five faces in any order, or `33|456` with the locked ones first. `kept`: the faces to
    keep, `-` for none.

    Raises `DiceError`, and `EngineError`: `not-a-stage` (this number of throws left is not
    possible), `not-a-keep` (these dice cannot be kept then), `no-defi` (no Défi can be declared
    then, or in this game).
    """
    shown, locked = _shown(dice)
    chosen = None if kept is None else keep("".join(sorted(kept)))
    begun = shown is not None or chosen is not None
    left = throws_left if throws_left is not None else THROWS - 1 if begun else THROWS
    stages = range(1, THROWS + 1) if not begun else range(THROWS) if chosen is None else range(1, THROWS)
    if left not in stages or (locked is not NO_DICE and (left != 1 or _kept_dice(game) is not KeptDice.LOCKED)):
        raise EngineError(EngineCode.NOT_A_STAGE, throws_left=left, dice=dice or "")
    if chosen is not None:
        allowed = shown.keeps if shown is not None else (chosen,) if chosen.count < len(ROLLS[0].faces) else ()
        if chosen not in allowed or locked not in chosen.parts:
            raise EngineError(EngineCode.NOT_A_KEEP, keep=kept, dice=dice or "")
    if declared and (game.name != "yam-master" or (not begun and left == 1)):
        raise EngineError(EngineCode.NO_DEFI, game=game.id)
    return Moment(left, shown, chosen, locked, declared)


def _kept_dice(game: Rules) -> KeptDice:
    """Return the value of the option `kept_dice`, `free` for games without this option."""
    options: Any = getattr(game, "options", None)
    return getattr(options, "kept_dice", KeptDice.FREE)


def _shown(text: str | None) -> tuple[Roll | None, Keep]:
    """Return the dice and the locked dice of a text such as `11236` or `11|236`."""
    if text is None:
        return None, NO_DICE
    left, bar, right = text.partition("|")
    ordered = ["".join(sorted(half)) for half in (left, right)]
    if bar:
        return locked_from_text("|".join(ordered))
    return roll(ordered[0]), NO_DICE


def probabilities(game: Rules, now: Moment) -> dict[str, Odds]:
    """Return the odds of each figure or row by its ASCII name, when the turn is played for it
    alone.

    Yam Master: the figures in the order of RULES. Under a Défi they are those that could be placed,
    because the cost of a lost bet depends on `failed_defi`. Yamm: rows 1 to 6 stand for that face
    three times or more. Other games have no aims.
    """
    if game.name not in AIMS:
        return {}
    return {name: odds(aim, now, _kept_dice(game)) for name, aim in AIMS[game.name](game)}


def means(game: Rules, now: Moment) -> dict[str, Odds]:
    """Return the best expected points of each row of Yamm, for T (low) the fewest. Other games
    have none.
    """
    if game.name != "yamm":
        return {}
    found = {}
    for row in ROWS:
        sign = -1 if row is Row.LOW else 1
        points = [sign * value for value in VALUES[row]]
        best = odds(Aim((points, points, points)), now, _kept_dice(game))
        found[str(row)] = Odds(sign * best.value, best.keep)
    return found


def odds(aim: Aim, now: Moment, kept_dice: KeptDice) -> Odds:
    """Return the best expectation for one aim at this moment."""
    stops = [[EXACT * points for points in values] for values in aim.stops]
    defi = None if aim.defi is None else [[EXACT * points for points in values] for values in aim.defi]
    if now.shown is None and now.kept is None:
        return Odds(Fraction(_from_the_start(stops, defi, now, kept_dice), EXACT), None)
    solved = turn_values(stops, defi, kept_dice=kept_dice, divide=floordiv)
    value, best = max(_choices(solved, now), key=lambda choice: choice[0])
    return Odds(Fraction(value, EXACT), best)


def _from_the_start(stops: list[Points], defi: list[Points] | None, now: Moment, kept_dice: KeptDice) -> Any:
    """Return the expectation of a turn of `throws_left` throws before its first throw.

    A Défi that is declared in any case leaves no other way to end the turn.
    """
    if now.declared:
        stops = [NOTHING] * THROWS
    if now.throws_left == 1:
        return mean(stops[0], floordiv)
    if now.throws_left == THROWS:
        return turn_values(stops, defi, kept_dice=kept_dice, divide=floordiv).value
    keeps = [keep_values(stop, floordiv) for stop in (stops[1], *(() if defi is None else defi[:1]))]
    return mean(best_values([max(values) for values in zip(*keeps, strict=True)], stops[0]), floordiv)


def _choices(solved: TurnValues, now: Moment) -> Iterator[tuple[Any, Keep | None]]:
    """Yield every choice at this moment with its value: ending the turn, or each keep, also with a
    Défi.
    """
    declaring = now.declared and now.throws == 1
    if now.shown is not None and now.kept is None and not declaring:
        yield solved.stop_value(now.throws, now.shown, declared=now.declared), None
    if now.throws == THROWS:
        return
    kept = [now.kept] if now.kept is not None else [] if now.shown is None else now.shown.keeps
    both = solved.defi_keeps is not None and now.throws == 1
    for declared in (True,) if now.declared else (False, True) if both else (False,):
        for chosen in kept:
            if now.locked in chosen.parts:
                yield solved.keep_value(now.throws, chosen, declared=declared), chosen


def _figures(game: YamMaster) -> Iterator[tuple[str, Aim]]:
    """Yield the aims of Yam Master (RULES, Yam Master, "A turn")."""
    lost = game.options.failed_defi is FailedDefi.TURN_LOST
    big = [int(shown in BIG_ROLLS) for shown in ROLLS]
    for figure in Figure:
        if figure is Figure.SEC:
            yield figure.ascii, Aim((big, NOTHING, NOTHING), (NOTHING, NOTHING))
        elif figure is Figure.DEFI:
            yield figure.ascii, Aim((NOTHING, NOTHING, NOTHING), (big, big))
        else:
            holds = [int(figure in FIGURES[shown]) for shown in ROLLS]
            under = [one and other for one, other in zip(holds, big, strict=True)] if lost else holds
            yield figure.ascii, Aim((holds, holds, holds), (under, under))


def _rows(_: Any) -> Iterator[tuple[str, Aim]]:
    """Yield the aims of Yamm. For H and T any dice count."""
    for row in ROWS:
        if row in UPPER:
            face = FACES[UPPER.index(row)]
            holds = [int(shown.counts[face - 1] >= 3) for shown in ROLLS]
        else:
            holds = [int(points > 0) for points in VALUES[row]]
        yield str(row), Aim((holds, holds, holds))


AIMS: Final[Mapping[str, Callable[[Any], Iterator[tuple[str, Aim]]]]] = {"yam-master": _figures, "yamm": _rows}
"""Name of a game → the names and the aims of its figures or rows."""
