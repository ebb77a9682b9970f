"""The facts that decide for or against a keep, a square, a removal or a pass of Yam Master."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.game_analysis import Compared, Fact
from dicecup.analysis.yam_master.squares import Line, SquareReasons
from dicecup.core.game import Action as AnyAction
from dicecup.core.turn import THROWS, Turn
from dicecup.yam_master import Pass, Place, Position, Remove, Squares

APART: Final = 0.02
"""The difference of two probabilities from which on it is a fact."""
LEAST: Final = 0.0005
"""The least worth of stopping a line that is a fact."""
FULL: Final = 3
"""The number of tokens from which on a line is a fact."""
MOST: Final = 2
"""The most facts for a choice; there is at most one against it."""

Chances = Mapping[AnyAction, float]
"""Action that ends the turn → its probability."""


def why(position: Position, choice: Compared, others: Sequence[Compared]) -> list[Fact]:
    """Return the facts that decide for or against a choice, the most important first.

    `others`: the choices of another value, the best first."""
    other = others[0] if others else None
    if isinstance(choice.reasons, SquareReasons):
        facts = list(_of_square(position, choice, choice.reasons, others))
    else:
        facts = list(_of_keep(position, choice, other))
    pros = [fact for fact in facts if fact.good][:MOST]
    cons = [fact for fact in facts if fact.good is False][:1]
    return [*pros, *cons, *(fact for fact in facts if fact.good is None)]


# --- Keeps ----------------------------------------------------------------------------------------


def _of_keep(position: Position, choice: Compared, other: Compared | None) -> Iterator[Fact]:
    """Yield what the turn achieves, with the probabilities of the choice and of another one.

    Where these are alike, yield what the choice aims at."""
    chances = _ends(choice)
    compared = {} if other is None else _ends(other)
    found = list(_comparison(position, chances, compared, other))
    yield from found or _aim(position, chances)
    line = threatened(position)
    if line is None or _wins_too(position, line):
        return
    if any(fact.code == "stops_in" and fact.good for fact in found):
        yield from _worth_of_being_able(choice, other)


def _comparison(position: Position, chances: Chances, compared: Chances, other: Compared | None) -> Iterator[Fact]:
    """Yield the probabilities in which two choices differ. No end of the turn counts in two of
    them."""
    counted: set[AnyAction] = set()

    def fact(code: str, holds: Callable[[AnyAction], bool], least: float, **values: Any) -> Iterator[Fact]:
        """Yield the probability of the ends for which `holds` holds, if the choices differ in it
        and no fact before it counts one of these ends."""
        ends = {end for end in (*chances, *compared) if holds(end)}
        mine, theirs = _chance(chances, holds), _chance(compared, holds)
        if ends and not ends & counted and (other is None or abs(mine - theirs) >= least):
            counted.update(ends)
            against = {} if other is None else {"other": str(other.action), "other_chance": theirs}
            yield Fact(code, {"chance": mine} | against | values, good=(mine >= theirs) != (code == "no_token"))

    yield from fact("wins_in", lambda end: _completes(position, end), APART)
    line = threatened(position)
    if line is not None:
        named = _name(position, line)
        yield from fact("stops_in", lambda end: _stops(position, line, end), APART, line=named)
    figure = _ahead(position, chances, compared, counted)
    if figure is not None:
        yield from fact("figure", lambda end: _figure(position, end) == figure, APART, figure=figure)
    yield from fact("no_token", lambda end: isinstance(end, Pass), 2 * APART)


def _ends(choice: Compared) -> Chances:
    """Return the actions that end the turn after a choice, with their probabilities."""
    if isinstance(choice.reasons, KeepReasons):
        return {action: end.probability for action, end in choice.reasons.endings.items()}
    return {choice.action: 1.0}


def _chance(ends: Chances, holds: Callable[[AnyAction], bool]) -> float:
    return sum(chance for end, chance in ends.items() if holds(end))


def _aim(position: Position, chances: Chances) -> Iterator[Fact]:
    """Yield the probability of a line, or else of the likeliest figure."""
    line = _chance(chances, lambda end: _completes(position, end))
    if line > 0:
        yield Fact("wins_in", {"chance": line})
        return
    figure = _ahead(position, chances, {}, frozenset())
    if figure is not None:
        yield Fact("figure", {"chance": _chance(chances, lambda end: _figure(position, end) == figure), "figure": figure})


def _ahead(position: Position, chances: Chances, compared: Chances, counted: Collection[AnyAction]) -> str | None:
    """Return the figure by which a keep is most ahead of another choice, `None` without any.

    `counted`: ends of the turn that other facts count. A figure with one of them is left out."""
    figures = {figure for end in chances if (figure := _figure(position, end)) is not None}
    figures -= {_figure(position, end) for end in counted}

    def ahead(figure: str) -> float:
        mine, theirs = (_chance(ends, lambda end: _figure(position, end) == figure) for ends in (chances, compared))
        return mine - theirs

    found = max(sorted(figures), key=ahead, default=None)
    return found if found is not None and ahead(found) >= APART else None


def _figure(position: Position, end: AnyAction) -> str | None:
    """Return the name of the figure that a token is placed on."""
    board = position.game.board
    return board.figures[board.index[end.square]].value if isinstance(end, Place) else None


def _sides(position: Position) -> tuple[Squares, Squares]:
    """Return the tokens of the side on turn and of its opponent."""
    tokens = (position.x, position.o)
    return tokens[position.to_move], tokens[position.to_move.other]


def _completes(position: Position, end: AnyAction) -> bool:
    """Return whether a token completes a line."""
    if not isinstance(end, Place):
        return False
    board, place = position.game.board, position.game.board.index[end.square]
    placed = _sides(position)[0] | 1 << place
    return any(placed & win == win for win in board.wins[place])


def threatened(position: Position) -> Squares | None:
    """Return a line that the opponent can complete with one token, `None` without one."""
    board, opposing = position.game.board, _sides(position)[1]
    for place, wins in enumerate(board.wins):
        if position.free >> place & 1:
            for win in wins:
                if (opposing | 1 << place) & win == win:
                    return win
    return None


def _stops(position: Position, line: Squares, end: AnyAction) -> bool:
    """Return whether an action keeps the opponent from completing a line with one token."""
    return isinstance(end, Place | Remove) and bool(line >> position.game.board.index[end.square] & 1)


def _wins_too(position: Position, line: Squares) -> bool:
    """Return whether the token that stops a line completes a line of the side on turn."""
    return position.game.board.has_line(Squares(_sides(position)[0] | line & position.free))


def _name(position: Position, line: Squares) -> list[str]:
    """Return the first and the last square of a line."""
    names = [name for at, name in enumerate(position.game.board.names) if line >> at & 1]
    return [names[0], names[-1]]


def _worth_of_being_able(choice: Compared, other: Compared | None) -> Iterator[Fact]:
    """Yield by how much the best choice is better than the best play that cannot stop the line."""
    if isinstance(choice.reasons, KeepReasons) and (other is None or other.value < choice.value):
        yield from _more_than_unstopped("stopping_in", choice, choice.reasons)


def _more_than_unstopped(code: str, choice: Compared, reasons: KeepReasons | SquareReasons) -> Iterator[Fact]:
    """Yield by how much a choice is better than the best play that cannot stop the line."""
    if reasons.unstopped is not None and choice.value - reasons.unstopped >= LEAST:
        yield Fact(code, {"worth": choice.value - reasons.unstopped, "unit": str(Unit.CHANCE)}, good=None)


# --- Squares --------------------------------------------------------------------------------------


def _of_square(position: Position, choice: Compared, reasons: SquareReasons, others: Sequence[Compared]) -> Iterator[Fact]:
    """Yield what a token, a removal or a pass does on the board, and what it leaves."""
    if reasons.wins:
        yield Fact("wins", {"line": _ends_of(next(line for line in reasons.made if line.tokens == len(line.squares)))})
        return
    if reasons.over:
        yield Fact("over", {})
    stopped = _stopped(reasons)
    if stopped is not None:
        yield Fact("stops", {"line": _ends_of(stopped)})
    if reasons.points:
        code = "scores" if reasons.points > 0 else "loses_points"
        yield Fact(code, {"points": abs(reasons.points)}, good=reasons.points > 0)
    if reasons.denied > 0 and stopped is None:
        yield Fact("denies", {"points": reasons.denied})
    if stopped is None:
        yield from _changes(reasons, others[0] if others else None)
    if reasons.made and reasons.made[0].tokens >= FULL:
        yield Fact("builds", {"line": _ends_of(reasons.made[0]), "tokens": reasons.made[0].tokens})
    if stopped is not None:
        yield from _worth_of_stopping(position, choice, reasons, stopped, others)


def _ends_of(line: Line) -> list[str]:
    return [line.squares[0], line.squares[-1]]


def _stopped(reasons: SquareReasons) -> Line | None:
    """Return a line that lacked one token and is stopped, `None` without one."""
    return next((line for line in reasons.stopped if line.tokens == len(line.squares) - 1), None)


def _changes(reasons: SquareReasons, other: Compared | None) -> Iterator[Fact]:
    """Yield the probabilities of a line in the next turns, where another choice leaves others."""
    compared = other.reasons if other is not None else None
    if not isinstance(compared, SquareReasons) or other is None:
        return
    for code, mine, theirs in (("leaves", reasons.threat, compared.threat), ("prepares", reasons.chance, compared.chance)):
        if mine is not None and theirs is not None and abs(mine.line - theirs.line) >= APART:
            values = {"chance": mine.line, "other": str(other.action), "other_chance": theirs.line}
            yield Fact(code if mine.line else f"{code}_none", values, good=(mine.line > theirs.line) == (code == "prepares"))


def _worth_of_stopping(
    position: Position, choice: Compared, reasons: SquareReasons, stopped: Line, others: Sequence[Compared]
) -> Iterator[Fact]:
    """Yield by how much the best choice is better than not stopping a line.

    After throw 3 it is compared with the best square that stops no line. Before it the turn can go
    on, so it is compared with the best play that does not stop this line in the turn."""
    if not others or others[0].value > choice.value:
        return
    if cast(Turn, position.turn).throws < THROWS:
        line = threatened(position)
        if line is not None and _name(position, line) == _ends_of(stopped) and not _wins_too(position, line):
            yield from _more_than_unstopped("stopping", choice, reasons)
        return
    for other in others:
        if isinstance(other.reasons, SquareReasons) and _stopped(other.reasons) is None:
            yield Fact("stopping", {"worth": choice.value - other.value, "unit": str(Unit.CHANCE)}, good=None)
            return
