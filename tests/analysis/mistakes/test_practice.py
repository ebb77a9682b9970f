"""Laws of the schedule, of portions and of the course of losses."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.course import FEWEST as FEWEST_GAMES
from dicecup.analysis.mistakes.course import PERIODS, GameLosses, course
from dicecup.analysis.mistakes.portion import FEWEST, MOST, Card, drill, mixed, portion, portion_size
from dicecup.analysis.mistakes.schedule import LONGEST, Answered, due_day
from dicecup.analysis.theme import Theme

TODAY = 20_000
answers = st.lists(
    st.builds(Answered, st.integers(TODAY, TODAY + 60), st.booleans()), unique_by=lambda each: each.day, min_size=1
)
cards = st.lists(
    st.builds(
        Card,
        st.integers(0, 10_000).map(str),
        st.sampled_from(["yam-master", "yamm(players=1)"]),
        st.sampled_from([Theme.FIRST_KEEP, Theme.STRIKING, Theme.LINE]),
        st.sampled_from(Unit),
        st.floats(0.001, 50),
        st.none() | st.integers(TODAY - 30, TODAY + 30),
    ),
    unique_by=lambda card: card.id,
    max_size=40,
)


@given(answers, st.randoms())
def test_a_card_returns_on_a_later_day_and_in_any_order_of_sending(given_answers: list[Answered], chance: object) -> None:
    last = max(answer.day for answer in given_answers)
    due = due_day(given_answers)
    assert due is not None
    assert last < due <= last + LONGEST
    shuffled = list(given_answers)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert due_day(shuffled) == due


@given(answers)
def test_a_right_answer_puts_a_card_off_for_longer_than_a_wrong_one(given_answers: list[Answered]) -> None:
    day = max(answer.day for answer in given_answers) + 1
    right, wrong = (due_day([*given_answers, Answered(day, answer)]) for answer in (True, False))
    assert right is not None
    assert wrong is not None
    assert wrong <= right


def test_a_card_that_is_known_returns_less_and_less() -> None:
    assert due_day([]) is None
    given_answers = [Answered(TODAY, False)]
    for _ in range(5):
        due = due_day(given_answers)
        assert due is not None
        given_answers.append(Answered(due, True))
    waits = [later.day - earlier.day for earlier, later in pairwise(given_answers)]
    assert waits[0] == 1
    assert waits == sorted(waits)
    assert waits[-1] > 10


@given(cards, st.integers(0, 20))
def test_a_portion_holds_what_is_due_and_new(held: list[Card], size: int) -> None:
    found = portion(held, TODAY, size)
    ready = [card for card in held if card.due is None or card.due <= TODAY]
    assert len(found) == min(size, len(ready))
    assert set(found) <= set(ready)
    new = [card for card in ready if card.due is None]
    chosen = [card for card in found if card.due is None]
    assert len(chosen) >= min(len(new), size // 4)
    waiting = sorted(card.due for card in ready if card.due is not None)
    assert sorted(card.due for card in found if card.due is not None) == waiting[: size - len(chosen)]


@given(cards)
def test_neighbours_differ_where_they_can(held: list[Card]) -> None:
    found = mixed(held)
    assert Counter(found) == Counter(held)
    groups = Counter(card.group for card in held)
    most = max(groups.values(), default=0)
    if most <= len(held) - most + 1:
        assert all(one.group != other.group for one, other in pairwise(found))


@given(cards)
def test_a_drill_is_one_theme_and_starts_with_the_costliest(held: list[Card]) -> None:
    found = drill(held, Theme.LINE, "yam-master", 5)
    assert all(card.group == ("yam-master", Theme.LINE) for card in found)
    weights = [card.weight for card in found]
    assert weights == sorted(weights, reverse=True)


def test_a_portion_takes_ten_minutes() -> None:
    assert portion_size([]) == 20
    assert portion_size([60.0] * 3) == 10
    assert portion_size([600.0] * 40 + [20.0] * 60) == 30
    assert (portion_size([900.0]), portion_size([0.0])) == (FEWEST, MOST)


@given(st.lists(st.builds(GameLosses, st.floats(0, 1e9), st.just({Theme.LINE: 0.25})), max_size=60))
def test_every_game_is_in_one_period(games: list[GameLosses]) -> None:
    found = course(games, Theme.LINE)
    assert len(found) <= PERIODS
    assert sum(period.loss.decisions for period in found) == len(games)
    if len(games) >= FEWEST_GAMES:
        assert all(period.loss.decisions >= FEWEST_GAMES for period in found)
    assert all(period.loss.mean == 0.25 for period in found)
    assert all(period.loss.mean == 0.0 for period in course(games, Theme.STRIKING))
