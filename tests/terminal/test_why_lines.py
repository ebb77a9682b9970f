"""The sentences about lines of Yam Master: completed, stopped, and what stopping is worth."""

import re

import pytest

from dicecup.analysis.why import why
from dicecup.locale import Messages
from dicecup.terminal.why import why_text
from tests.terminal.why_checks import analysed, assert_alike, assert_no_event_twice, checked
from tests.terminal.why_truths import worth_of_being_able
from tests.yam_master.positions import at


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
