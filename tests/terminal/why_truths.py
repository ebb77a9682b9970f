"""The numbers of the facts of `dicecup.analysis.why`, calculated without the code that makes the
facts: from the rules, the values of the choices and the ways in which a turn ends."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, cast

from dicecup import games, yam_master, yamm
from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis
from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.game_analysis import Fact
from dicecup.analysis.registry import by_tables
from dicecup.analysis.why import why
from dicecup.analysis.yam_master.squares import threat
from dicecup.core.dice import ROLLS, Roll
from dicecup.core.game import Action, Position
from dicecup.core.turn import BEGIN, THROWS
from dicecup.engine.turn.value import turn_values

Values = dict[str, Any]


@cache
def expert(game: str, *, alone: bool = False) -> Evaluation:
    return by_tables(games.from_id(game), alone=alone)


def other_of(found: DecisionAnalysis, fact: Fact) -> ActionAnalysis:
    return next(choice for choice in found.choices if str(choice.action) == fact.values["other"])


def probabilities(choice: ActionAnalysis) -> Mapping[Action, float]:
    """Return the actions that end the turn after a choice, with their probabilities."""
    if isinstance(choice.reasons, KeepReasons):
        return {action: end.probability for action, end in choice.reasons.endings.items()}
    return {choice.action: 1.0}


def chances(holds: Callable[[Position, Action, Fact], bool], **names: str) -> Callable[..., Values]:
    """Return a check of the probability that the turn ends with an action for which `holds`
    holds."""

    def share(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> float:
        return sum(chance for action, chance in probabilities(choice).items() if holds(found.position, action, fact))

    def truth(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
        values = {"chance": share(found, choice, fact)} | {name: fact.values[name] for name in names}
        if "other" in fact.values:
            other = other_of(found, fact)
            values |= {"other": str(other.action), "other_chance": share(found, other, fact)}
            assert fact.good == ((values["chance"] >= values["other_chance"]) != (fact.code == "no_token"))
        return values

    return truth


def rows(row: str | None = None, *, struck: bool = False) -> Callable[..., Values]:
    """Return a check of the probability that the turn fills a row, or strikes a cell."""

    def share(choice: ActionAnalysis, wanted: str | None) -> float:
        assert isinstance(choice.reasons, KeepReasons)
        ends = [(str(action).partition(".")[2], end) for action, end in choice.reasons.endings.items()]
        if struck:
            return sum(end.struck for _, end in ends)
        return sum(end.probability - end.struck for name, end in ends if name == wanted)

    def truth(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
        wanted = row or fact.values.get("row")
        values: Values = {"chance": share(choice, wanted)} | ({} if row or struck else {"row": wanted})
        if "other" in fact.values:
            values |= {"other": fact.values["other"], "other_chance": share(other_of(found, fact), wanted)}
            assert fact.good == ((values["chance"] > values["other_chance"]) != struck)
        return values

    return truth


def tokens(position: Position, action: Action, fact: Fact) -> tuple[set[str], set[str], set[str]]:
    """Return the squares of the side on turn after an action, those of the opponent before it, and
    those of the line that a fact names."""
    assert isinstance(position, yam_master.Position)
    own, opposing = [
        {name for at, name in enumerate(position.game.board.names) if held >> at & 1}
        for held in ((position.x, position.o), (position.o, position.x))[position.to_move]
    ]
    if isinstance(action, yam_master.Place):
        own.add(action.square)
    first, last = fact.values.get("line", ("a1", "a1"))
    steps = [(ord(last[at]) > ord(first[at])) - (ord(last[at]) < ord(first[at])) for at in (0, 1)]
    line = {chr(ord(first[0]) + steps[0] * n) + chr(ord(first[1]) + steps[1] * n) for n in range(5)}
    return own, opposing, line


def completes(position: Position, action: Action, _: Fact) -> bool:
    assert isinstance(position, yam_master.Position)
    if not isinstance(action, yam_master.Place):
        return False
    after = position.play_unchecked(action)
    return position.game.board.has_line((after.x, after.o)[position.to_move])


def stops(position: Position, action: Action, fact: Fact) -> bool:
    own, opposing, line = tokens(position, action, fact)
    assert len(line & opposing) == 4
    assert not line & (own - {getattr(action, "square", "")})
    return isinstance(action, yam_master.Place | yam_master.Remove) and action.square in line


def has_figure(position: Position, action: Action, fact: Fact) -> bool:
    board = cast(yam_master.Position, position).game.board
    return isinstance(action, yam_master.Place) and str(board.figures[board.index[action.square]]) == fact.values["figure"]


def is_pass(_: Position, action: Action, __: Fact) -> bool:
    return isinstance(action, yam_master.Pass)


ENDS: Final = {"wins_in": completes, "stops_in": stops, "figure": has_figure, "no_token": is_pass}
"""Code → whether a fact with this code counts an end of the turn."""


def one_line(count: int | None, side: int) -> Callable[..., Values]:
    """Return a check of a line with tokens of one side: 0 for the own side after the action."""

    def truth(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
        held = tokens(found.position, choice.action, fact)
        own, opposing, line = held
        if side == 0:
            assert not line & opposing
        else:
            assert not line & (own - {str(choice.action)})
            assert str(choice.action).removeprefix("-") in line
        number = len(line & held[side])
        assert count in (None, number)
        return {"line": fact.values["line"]} | ({"tokens": number} if count is None else {})

    return truth


def points_gained(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    before = cast(yam_master.Position, found.position)
    after, side = before.play(str(choice.action)), before.to_move
    gained = after.points[side] - before.points[side] - after.points[side.other] + before.points[side.other]
    return {"points": gained if fact.code == "scores" else -gained}


def points_denied(found: DecisionAnalysis, choice: ActionAnalysis, _: Fact) -> Values:
    position = cast(yam_master.Position, found.position)
    board, opposing = position.game.board, (position.o, position.x)[position.to_move]
    bit = 1 << board.index[str(choice.action)]
    return {"points": board.points(yam_master.Squares(opposing | bit)) - board.points(opposing)}


def next_turns(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    position, other = cast(yam_master.Position, found.position), other_of(found, fact)
    word, _, none = fact.code.partition("_")
    side = position.to_move.other if word == "leaves" else position.to_move
    mine, theirs = (threat(position.play(str(each.action)), side).line for each in (choice, other))
    assert fact.good == ((mine > theirs) == (word == "prepares"))
    assert bool(none) == (mine == 0)
    return {"chance": mine, "other": str(other.action), "other_chance": theirs}


def entry(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    """Check a cell against the sheet before and after it is written."""
    position = cast(yamm.Position, found.position)
    assert isinstance(choice.action, yamm.Write)
    assert position.sheet is not None
    column, _, row = choice.action.cell.partition(".")
    name = yamm.Column(column)
    # The result before has dried: it cannot move any more.
    before = position.sheets[position.sheet]
    after = position.play(choice.action).written[position.sheet]
    points, both = position.preview(choice.action)
    assert fact.good == (fact.code not in ("struck", "strikes_both", "no_bonus"))
    match fact.code:
        case "struck":
            assert not points
            assert not both
            return {}
        case "strikes_both":
            assert both
            pair = (before[yamm.Cell(f"{column}.H")] or 0) + (before[yamm.Cell(f"{column}.T")] or 0)
            return {"column": column, "lost": pair}
        case "points":
            return {"points": points}
        case "first_throw_yamm":
            assert found.position.turn is not None
            return {"extra": 100 * (found.position.turn.throws == 1 and len(set(found.position.turn.dice.faces)) == 1)}
        case "bonus":
            assert before.bonus(name) is None
            return {"bonus": after.bonus(name)}
        case "near_bonus":
            reached = after.next_bonus(name)
            assert reached is not None
            return {"column": column, "missing": reached.needed - after.upper(name), "bonus": reached.bonus}
        case _:
            open_rows = [at for at in range(1, 7) if after[yamm.Cell(f"{column}.{at}")] is None]
            assert row in "123456"
            assert after.upper(name) + 5 * sum(open_rows) < 60
            return {"column": column}


def difference(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    other = other_of(found, fact)
    now = gained(found, choice) - gained(found, other)
    parts = {"now": now, "later": choice.value - other.value - now}
    words = re.findall(r"(now|later)_(more|fewer)", fact.code)
    assert all((parts[name] > 0) == (word == "more") for name, word in words)
    assert all(abs(value) < 0.05 for name, value in parts.items() if name not in dict(words))
    assert fact.good == (choice.value > other.value)
    return {name: abs(parts[name]) for name, _ in words} | {"other": str(other.action)}


def gained(found: DecisionAnalysis, choice: ActionAnalysis) -> float:
    position = cast(yamm.Position, found.position)
    assert position.sheet is not None
    if isinstance(choice.reasons, KeepReasons):
        return sum(end.probability * end.gain for end in choice.reasons.endings.values())
    return position.play(str(choice.action)).written[position.sheet].total - position.written[position.sheet].total


def worth(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    """Check the difference to the choice that is named, or else to the best or the next one."""
    if fact.code == "stopping":
        ends = [each for each in found.choices if each.action.kept is None]
        others = [each.value for each in ends if not any(fact.code == "stops" for fact in why(found, each))]
        more = choice.value - max(others)
    else:
        differing = [each for each in found.choices if abs(each.value - choice.value) > 1e-9]
        other = other_of(found, fact) if "other" in fact.values else differing[0]
        assert other.value == differing[0].value
        more = choice.value - other.value
    nearly = abs(more) < (0.05 if found.unit is Unit.POINTS else 0.0005)
    assert nearly == (fact.code in ("is_as_good", "as_good", "no_difference"))
    if not nearly:
        assert (more > 0) == (fact.code in ("is_better", "worse", "worth", "stopping"))
    named = {"other": fact.values["other"]} if "other" in fact.values else {}
    return {"worth": abs(more), "unit": str(found.unit)} | named


def worth_of_stopping(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    """Check the difference to the best square that stops no line, or, where the turn could go on,
    to the best play that stops none."""
    assert found.position.turn is not None
    return (worth if found.position.turn.throws == THROWS else worth_of_being_able)(found, choice, fact)


def worth_of_being_able(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> Values:
    """Check the difference to the best play that cannot stop the line, from the values of all ends
    of the turn after each roll."""
    position = cast(yam_master.Position, found.position)
    turn = position.turn
    assert turn is not None
    assert choice.value == found.best.value
    (stopped,) = (each for each in why(found, choice) if each.code in ("stops_in", "stops"))
    _, opposing, line = tokens(position, choice.action, stopped)
    (empty,) = line - opposing
    assert not completes(position, yam_master.Place(empty), fact)  # the worth of a win is another thing
    begun = replace(position, turn=BEGIN, defi=False)

    def best_end(shown: Position) -> float:
        values = expert(position.game.id).values(shown)
        ends = (action for action in values if action.kept is None)
        return max(values[action] for action in ends if not stops(position, action, stopped))

    def after(kept: str) -> list[float]:
        waiting = begun.roll("11111").play(kept)
        return [best_end(waiting.roll(shown)) for shown in ROLLS]

    free, declared = after("k-"), after("!k-")
    played = turn_values(([best_end(begun.roll(shown)) for shown in ROLLS], free, free), (declared, declared))
    without = played.best(turn.throws, Roll(turn.dice), declared=position.defi).value
    return {"worth": choice.value - without, "unit": "chance"}


TRUTHS: Final[dict[str, Callable[..., Values]]] = {
    "wins_in": chances(completes),
    "stops_in": chances(stops, line=""),
    "figure": chances(has_figure, figure=""),
    "no_token": chances(is_pass),
    "wins": one_line(5, 0),
    "builds": one_line(None, 0),
    "stops": one_line(4, 1),
    "scores": points_gained,
    "loses_points": points_gained,
    "denies": points_denied,
    "over": lambda found, choice, _: {} if found.position.play(choice.action).turn is None else {"over": False},
    "full_house": rows("FH"),
    "straight": rows("ST"),
    "yamm": rows("Y"),
    "row": rows(),
    "strikes": rows(struck=True),
    **dict.fromkeys(("leaves", "leaves_none", "prepares", "prepares_none"), next_turns),
    **dict.fromkeys(("struck", "strikes_both", "points", "first_throw_yamm", "bonus", "near_bonus", "no_bonus"), entry),
    **dict.fromkeys(("is_as_good", "as_good", "no_difference", "is_better", "is_worse", "better", "worse"), worth),
    **dict.fromkeys(("worth", "costs"), worth),
    "stopping": worth_of_stopping,
    "stopping_in": worth_of_being_able,
    **{f"{name}_{sign}": difference for name in ("now", "later") for sign in ("more", "fewer")},
    **{f"now_{one}_later_{two}": difference for one in ("more", "fewer") for two in ("more", "fewer")},
}
