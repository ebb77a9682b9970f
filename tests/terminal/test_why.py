"""The sentences that say why a choice is good or bad: every number in them is calculated again
from the rules, the values of the choices and the ways in which a turn ends."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final, cast

import pytest

from dicecup import games, record, yam_master, yamm
from dicecup.analysis.decisions import ActionAnalysis, DecisionAnalysis, analyse
from dicecup.analysis.endings import KeepReasons
from dicecup.analysis.evaluation import Evaluation, Unit
from dicecup.analysis.game_analysis import Fact
from dicecup.analysis.questions import decisions
from dicecup.analysis.registry import by_tables
from dicecup.analysis.review import review
from dicecup.analysis.reviewed import LossKind
from dicecup.analysis.why import why, why_moved
from dicecup.analysis.yam_master.squares import threat
from dicecup.core.dice import ROLLS, Roll
from dicecup.core.game import Action, Position
from dicecup.core.turn import BEGIN, THROWS
from dicecup.engine.turn.value import turn_values
from dicecup.locale import LANGUAGES, Messages
from dicecup.terminal.console import Console
from dicecup.terminal.games import screen_of
from dicecup.terminal.games.sheet import column_name
from dicecup.terminal.review import show_review
from dicecup.terminal.why import sentence_of, why_text
from tests.yam_master.positions import at

FEW: Final = (("yam-master", 12), ("yamm(players=1)", 4), ("yamm", 3))
MANY: Final = (("yam-master", 1400), ("yamm(players=1)", 400), ("yamm", 200))
Values = dict[str, Any]


@cache
def expert(game: str, *, alone: bool = False) -> Evaluation:
    return by_tables(games.from_id(game), alone=alone)


def analysed(position: Position) -> DecisionAnalysis:
    name = position.game.id
    return analyse(position, expert(name), points=expert(name, alone=True) if name == "yamm" else None)


def sampled(game: str, seed: str, count: int) -> Iterator[DecisionAnalysis]:
    """Yield analyses of decisions from games between levels."""
    chance = Random(f"{game} {seed}")
    while count:
        played = list(decisions(games.from_id(game), chance))
        for position in chance.sample(played, min(count, len(played), 25)):
            yield analysed(position)
            count -= 1


@pytest.mark.parametrize("game, count", FEW)
def test_every_number_of_a_sentence_is_one_of_the_analysis(game: str, count: int) -> None:
    codes = {code for found in sampled(game, "few", count) for code in checked(found, 2)}
    assert len(codes) > 4


@pytest.mark.slow
@pytest.mark.timeout(1800)  # about three minutes of work
@pytest.mark.parametrize("game, count", MANY)
def test_every_number_is_true_on_two_thousand_positions(game: str, count: int) -> None:
    codes = {code for found in sampled(game, "many", count) for code in checked(found, 4)}
    rare = {
        "stops",
        "stops_in",
        "stopping",
        "stopping_in",
        "wins",
        "wins_in",
        "builds",
        "leaves",
        "prepares",
        "denies",
        "scores",
    }
    assert codes >= (rare if game == "yam-master" else {"strikes", "strikes_both", "struck", "near_bonus", "no_bonus", "bonus"})


def checked(found: DecisionAnalysis, others: int) -> Iterator[str]:
    """Check the sentences of the best choice and of some others in all languages, and yield the
    codes of their facts."""
    rest = found.choices[1:]
    for choice in (found.best, *Random(str(found.position)).sample(rest, min(others, len(rest)))):
        facts = why(found, choice)
        assert_no_event_twice(found, choice, facts)
        for fact in facts:
            assert_alike(fact.values, TRUTHS[fact.code](found, choice, fact))
            yield fact.code
        for language, opponent in product(LANGUAGES, ("", "Benedikt")):
            text = why_text(found, choice, Messages(language), opponent)
            assert (text is None) == (not facts)
            if text is not None:
                compare(found, choice, facts, text, Messages(language), opponent)


def assert_no_event_twice(found: DecisionAnalysis, choice: ActionAnalysis, facts: tuple[Fact, ...]) -> None:
    """Check that no code, no line and no end of the turn is in two facts."""
    codes = [fact.code for fact in facts]
    assert len(set(codes)) == len(codes), codes
    lines = [tuple(fact.values["line"]) for fact in facts if "line" in fact.values]
    assert len(set(lines)) == len(lines), codes
    counted = [(fact.code, action) for fact in facts if fact.code in ENDS for action in ends_of(found, choice, fact)]
    assert len({action for _, action in counted}) == len(counted), counted


def ends_of(found: DecisionAnalysis, choice: ActionAnalysis, fact: Fact) -> set[Action]:
    """Return the ends of the turn whose probabilities a fact adds up, for both choices."""
    compared = [choice, *([other_of(found, fact)] if "other" in fact.values else [])]
    ends = {action for each in compared for action in probabilities(each)}
    return {action for action in ends if ENDS[fact.code](found.position, action, fact)}


def assert_alike(values: Mapping[str, Any], truth: Values) -> None:
    """Check that two mappings hold the same texts and, to rounding, the same numbers."""
    assert values.keys() == truth.keys()
    for name, value in truth.items():
        assert values[name] == (pytest.approx(value, abs=1e-9) if isinstance(value, float) else value), name


def compare(
    found: DecisionAnalysis, choice: ActionAnalysis, facts: tuple[Fact, ...], text: str, messages: Messages, opponent: str
) -> None:
    """Check that a sentence holds these facts in this order and no other number."""

    def phrase(action: str) -> str:
        return screen_of(found.position.game).phrase(found.position.game.action(action), messages)

    subject = phrase(str(choice.action))
    assert text.lower().startswith(subject.lower())
    rest = text[len(subject) :]
    for fact in facts:
        values = {name: shown(name, value, fact.values, messages) for name, value in fact.values.items()}
        if "other" in fact.values:
            values["other"] = phrase(fact.values["other"])
        values["opponent"] = opponent or messages("why_opponent")
        before, clause, rest = rest.partition(messages(f"why_{fact.code}", **values))
        assert clause, (fact, text)
        assert not re.search(r"\d", before), (before, text)
        if "other_chance" in values:
            named = rf"(?: \({re.escape(values['other'])}\u00a0?:)?"
            compared = re.match(rf"{named} (?:\D* )?{values['other_chance']}\u00a0?%\)?", rest)
            assert compared, (fact, text)
            rest = rest[compared.end() :]
    assert rest == "."


def shown(name: str, value: Any, values: Any, messages: Messages) -> Any:
    """Return a value as people read it."""
    match name:
        case "chance" | "other_chance":
            percent = 100 * value
            digits = 1 if 0.05 <= percent < 0.95 or 99 < percent < 100 else 0
            text = f"{round(min(percent, 99.9) if digits else percent, digits):.{digits}f}"
        case "now" | "later":
            text = f"{value:.1f}"
        case "worth":
            scaled = value if values["unit"] == "points" else 100 * value
            text = f"{scaled:.{1 if scaled >= 0.95 else 2}f}"
            unit = messages("analysis_in_points" if values["unit"] == "points" else "odds_percent", points="@", percent="@")
            return unit.replace("@", text.replace(".", messages("decimal_sign")))
        case "line":
            return f"{value[0]}–{value[1]}"
        case "column":
            return column_name(value, messages)
        case _:
            return value
    return text.replace(".", messages("decimal_sign"))


# --- The same numbers, calculated without the code that makes the facts --------------------------


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


# --- Sentences as players read them ---------------------------------------------------------------


def test_the_probability_of_a_strike_is_that_of_the_dice() -> None:
    position = games.position("yamm(players=1)", "/".join([".11"] * 9) + " 1:11336 1").play("k1133").roll("11334")
    found = analysed(position)
    keep = next(choice for choice in found.choices if str(choice.action) == "k1133")
    assert isinstance(keep.reasons, KeepReasons)
    waiting, struck = position.play("k1133"), 0.0
    for roll, weight in waiting.chances:
        shown = waiting.roll(roll)
        values = expert("yamm(players=1)").values(shown)
        best = max(values, key=lambda action: values[action])
        struck += weight / 6 * (not cast(yamm.Position, shown).preview(cast(yamm.Write, best)).points)
    assert sum(end.struck for end in keep.reasons.endings.values()) == pytest.approx(struck)


@pytest.mark.parametrize(
    "language, opponent, sentence",
    [
        ("en", "", "e3 stops a3–e3 and gains 1 point on the opponent; stopping it is worth @%."),
        ("en", "Benedikt", "e3 stops a3–e3 and gains 1 point on Benedikt; stopping it is worth @%."),
        ("de", "", "e3 stoppt a3–e3 und gewinnt gegenüber dem Gegner 1 Punkt; das Stoppen ist @ % wert."),
        ("de", "Benedikt", "e3 stoppt a3–e3 und gewinnt gegenüber Benedikt 1 Punkt; das Stoppen ist @ % wert."),
        ("fr", "", "e3 bloque a3–e3 et gagne 1 point sur l’adversaire ; ce blocage vaut @ %."),
        ("fr", "Benedikt", "e3 bloque a3–e3 et gagne 1 point sur Benedikt ; ce blocage vaut @ %."),
    ],
)
def test_a_stopped_line_says_what_stopping_is_worth(language: str, opponent: str, sentence: str) -> None:
    found = analysed(at("5/1x3/oooo1/2x1x/4x x 3:12345 8-8 9"))
    text = why_text(found, found.best, Messages(language), opponent)
    assert text is not None
    assert re.sub(r"\d+[.,]\d(?=\u00a0?%)|(?<=worth )[\d.]+", "@", text).replace("\u00a0", " ") == sentence


@pytest.mark.parametrize("throw", [1, 2])
def test_a_square_that_stops_a_line_before_throw_3_is_compared_with_throwing_on(throw: int) -> None:
    found = analysed(at(f"5/1x3/oooo1/2x1x/4x x {throw}:12345 8-8 9"))
    assert str(found.best.action) == "e3"
    (stopping,) = (fact for fact in why(found, found.best) if fact.code == "stopping")
    going_on = max(each.value for each in found.choices if each.action.kept is not None)
    assert found.best.value - going_on < stopping.values["worth"] < found.best.value
    assert_alike(stopping.values, worth_of_being_able(found, found.best, stopping))


CORRECTED: Final = """[Game "yamm(players=1)"]
[Dice "table"]

1. 11266 k66 22666 f1.FH
1. > f2.6
2. 44444 f1.Y
"""


def test_a_correction_has_a_sentence_with_the_loss_of_its_review(capsys: pytest.CaptureFixture[str]) -> None:
    reviewed = review(record.read(CORRECTED))
    (moved,) = (each for turn in reviewed.turns for each in turn.decisions if each.kind is LossKind.CORRECTION)
    parts, worth = why_moved(moved, reviewed.unit)
    other = next(action for action in moved.values if str(action) == parts.values["other"])
    assert moved.values[other] == max(value for value in moved.values.values() if value != moved.values[moved.played])
    more = moved.values[moved.played] - moved.values[other]
    now = points_in(CORRECTED, moved.played) - points_in(CORRECTED, other)
    signs = ["more" if value > 0 else "fewer" for value in (now, more - now)]
    assert parts.code == f"now_{signs[0]}_later_{signs[1]}"
    assert_alike(parts.values, {"now": float(abs(now)), "later": abs(more - now), "other": str(other)})
    assert (worth.code, parts.good) == (("costs", False) if moved.loss else ("worth", True))
    assert_alike(worth.values, {"worth": abs(more), "unit": "points"})
    for language in LANGUAGES:
        messages = Messages(language)
        text = sentence_of(reviewed.game, moved.played, (parts, worth), messages)
        assert text is not None
        for action in (moved.played, other):
            column, _, row = str(action).rpartition(" ")[2].partition(".")
            assert messages("why_cell", row=row, column=column_name(column, messages)).lower() in text.lower()
        for name, value in {**parts.values, **worth.values}.items():
            assert name in ("other", "unit") or shown(name, value, worth.values, messages) in text
        assert moved in reviewed.worst
        show_review(Console(messages, colour=False), reviewed)
        assert flat(text) in flat(capsys.readouterr().out)


def points_in(text: str, correction: Action) -> int:
    """Return the total of a sheet on which the first turn wrote the cell of a correction."""
    head, _, written = text.partition(" f1.FH\n")
    assert written
    position = record.read(f"{head} {str(correction).rpartition(' ')[2]}\n").journal.position
    return cast(yamm.Position, position).written[0].total


def flat(text: str) -> str:
    """Return a text with single spaces, also where a line must not break."""
    return " ".join(text.split())


@pytest.mark.parametrize(
    "language, first, last",
    [
        ("en", "Keeping 1 2 3 5 stops a3–e3 in @% of turns (keeping 2 3 5: @%)", "being able to stop the line is worth @%."),
        (
            "de",
            "1 2 3 5 behalten stoppt a3–e3 in @ % der Züge (2 3 5 behalten: @ %)",
            "diese Linie stoppen zu können, ist @ % wert.",
        ),
        ("fr", "Garder 1 2 3 5 bloque a3–e3 dans @ % des tours (garder 2 3 5 : @ %)", "pouvoir bloquer cette ligne vaut @ %."),
    ],
)
@pytest.mark.parametrize("throw, keep", [(1, "k1235"), (1, "!k1235"), (2, "k1235")])
def test_a_keep_says_what_being_able_to_stop_a_line_is_worth(
    language: str, first: str, last: str, throw: int, keep: str
) -> None:
    found = analysed(at(f"5/1x3/oooo1/2x1x/4x x {throw}:12335 8-8 9"))
    choice = next(each for each in found.choices if str(each.action) == keep)
    assert {"stops_in", "stopping_in"} <= set(checked(found, 1))
    text = why_text(found, choice, Messages(language))
    assert text is not None
    said = re.sub(r"\d+([.,]\d+)?(?=\u00a0?%)", "@", text).replace("\u00a0", " ")
    assert said.endswith(f"; {last}")
    assert said.startswith(first) or keep.startswith("!")


def test_a_keep_that_costs_more_does_not_say_what_stopping_is_worth() -> None:
    found = analysed(at("5/1x3/oooo1/2x1x/4x x 2:12335 8-8 9"))
    assert [fact.code for fact in why(found, found.choices[1])][-1] == "costs"


@pytest.mark.parametrize("throw", [1, 2])
def test_where_stopping_wins_a_keep_does_not_say_what_stopping_is_worth(throw: int) -> None:
    found = analysed(at(f"4x/4x/oooo1/4x/4x x {throw}:12335 8-8 9"))
    assert [fact.code for fact in why(found, found.best)] == ["wins_in", "worth"]


@pytest.mark.parametrize(
    "text, keep, codes",
    [
        ("o4/1xxxx/1o3/ooo1o/5 o 1:15566 8-6 20", "k1", ["wins_in", "stops_in", "worth"]),
        ("o2x1/1o1x1/1o1x1/o2xx/1xo1o o 1:12456 6-6 24", "k5", ["stops_in", "stopping_in"]),
        ("1x1ox/xxxo1/1x1o1/xox2/oo1oo o 1:14466 4-4 42", "k44", ["wins_in", "no_token", "worth"]),
        ("1oooo/1x3/1x3/4o/1oo1x x 2:14456 9-5 17", "k1", ["stops_in", "stopping_in"]),
    ],
)
def test_the_figure_of_a_square_that_a_line_needs_is_not_counted_again(text: str, keep: str, codes: list[str]) -> None:
    found = analysed(at(text))
    choice = next(each for each in found.choices if str(each.action) == keep)
    facts = why(found, choice)
    assert_no_event_twice(found, choice, facts)
    assert [fact.code for fact in facts] == codes


def test_a_line_of_five_needs_no_other_word() -> None:
    found = analysed(at("5/1oo2/xxxx1/2o1o/5 x 3:12345 8-8 9"))
    assert why_text(found, found.best, Messages("en")) == "e3 completes a3–e3 and wins."
