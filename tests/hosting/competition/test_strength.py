"""The arithmetic of ratings, compared with published numbers and with a second calculation."""

import json
from math import exp, log, pi, sqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dicecup.core.game import LEVELS
from dicecup.hosting.competition.fitting import estimated, fitting_level, fitting_levels
from dicecup.hosting.competition.levels import FILE, level_strengths
from dicecup.hosting.competition.rated_game import Member, RatedGame
from dicecup.hosting.competition.rating import WHOLE_GAMES, Held, changes, opponents, share_of
from dicecup.hosting.competition.strength import (
    CENTRE,
    LARGEST_DEVIATION,
    NEW,
    PERIOD,
    SCALE,
    Strength,
    after_duel,
    after_games,
    after_group,
    expected_score,
)
from dicecup.hosting.table_summary import TableSummary

strengths = st.builds(Strength, st.floats(1000, 2000), st.floats(30, 350), st.floats(0.03, 0.1))
scores = st.sampled_from((0.0, 0.5, 1.0))


def test_the_example_of_the_paper_comes_out_to_its_last_digit() -> None:
    """Glickman, "Example of the Glicko-2 system" (2022), with the digits that he gives. His r' and
    RD' follow from the rounded μ' and φ', and his σ' is cut off."""
    opponents = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    found = after_games(Strength(1500, 200, 0.06), opponents)
    mu, phi = round((found.rating - CENTRE) / SCALE, 4), round(found.deviation / SCALE, 4)
    assert (mu, phi) == (-0.2069, 0.8722)
    assert int(found.volatility * 1e5) / 1e5 == 0.05999
    assert round(SCALE * mu + CENTRE, 2) == 1464.06
    assert round(SCALE * phi, 2) == 151.52
    assert found.rating == pytest.approx(1464.05, abs=0.005)  # without rounding on the way


@example(Strength(1907, 30, 0.0625), [(Strength(1000, 30, 0.0625), 0.0)] * 2)
@given(strengths, st.lists(st.tuples(strengths, scores), min_size=1, max_size=4))
def test_glicko_2_agrees_with_a_second_calculation(own: Strength, games: list[tuple[Strength, float]]) -> None:
    found, wanted = after_games(own, games), second_calculation(own, games)
    assert found.rating == pytest.approx(wanted.rating, abs=1e-3)
    assert found.deviation == pytest.approx(max(wanted.deviation, 30), abs=1e-3)
    assert found.volatility == pytest.approx(wanted.volatility, rel=1e-5)


def second_calculation(own: Strength, games: list[tuple[Strength, float]]) -> Strength:
    """Return the strength after these games by the formulas of the paper, with the new volatility
    found by halving the interval in which the paper looks for it. After a great surprise the
    equation has other solutions outside."""
    phi = own.deviation / SCALE
    weighed = []
    for other, score in games:
        g = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
        weighed.append((g, 1 / (1 + exp(-g * (own.rating - other.rating) / SCALE)), score))
    v = 1 / sum(g * g * e * (1 - e) for g, e, _ in weighed)
    surplus = sum(g * (score - e) for g, e, score in weighed)
    a, delta = log(own.volatility**2), v * surplus

    def slope(x: float) -> float:
        total = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - total) / (2 * total**2) - (x - a) / 0.25

    surprise = delta**2 - phi**2 - v
    low, high = sorted((a, log(surprise))) if surprise > 0 else (a - 40, a)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    volatility = exp(low / 2)
    after = 1 / sqrt(1 / (phi**2 + volatility**2) + 1 / v)
    return Strength(own.rating + SCALE * after**2 * surplus, min(SCALE * after, LARGEST_DEVIATION), volatility)


@given(strengths, strengths, strengths)
def test_winning_never_lowers_a_rating(own: Strength, other: Strength, third: Strength) -> None:
    assert after_duel(own, other, 1).rating > own.rating > after_duel(own, other, 0).rating
    (won,), _, (lost,) = after_group([[own], [third], [other]], [0, 1, 2])
    assert won.rating > own.rating
    assert lost.rating < other.rating


@given(strengths, strengths)
def test_two_players_who_draw_come_closer(own: Strength, other: Strength) -> None:
    (one,), (two,) = after_group([[own], [other]], [0, 0])
    assert abs(one.rating - two.rating) <= abs(own.rating - other.rating) + 1e-9


def test_ranks_are_the_right_way_round_whatever_the_order_of_the_sides() -> None:
    first = after_group([[NEW], [NEW], [NEW], [NEW]], [0, 1, 2, 3])
    shuffled = after_group([[NEW], [NEW], [NEW], [NEW]], [2, 0, 3, 1])
    assert [side[0].rating for side in first] == sorted((side[0].rating for side in first), reverse=True)
    assert shuffled == [first[2], first[0], first[3], first[1]]


def test_a_group_of_sixteen_says_no_more_than_one_game() -> None:
    after = after_group([[NEW]] * 16, list(range(16)))
    once = after_group([[NEW], [NEW]], [0, 1])[0][0].rating - NEW.rating
    assert after[0][0].rating - NEW.rating == pytest.approx(once)
    assert sum(side[0].rating for side in after) == pytest.approx(16 * NEW.rating)


def test_partners_share_what_their_pair_wins() -> None:
    weak, strong = Strength(1300, 80), Strength(1700, 80)
    (one, two), _ = after_group([[weak, strong], [weak, strong]], [0, 1])
    assert one.rating - weak.rating == pytest.approx(two.rating - strong.rating)
    even = after_group([[weak], [weak]], [0, 1])[0][0]
    assert 0 < one.rating - weak.rating < even.rating - weak.rating  # half of the surprise each


def test_a_deviation_grows_with_time_up_to_that_of_a_new_player() -> None:
    known = Strength(1800, 60)
    assert known.after_rest(PERIOD).deviation == pytest.approx(sqrt(60**2 + (0.06 * SCALE) ** 2))
    assert known.after_rest(1e12).deviation == LARGEST_DEVIATION
    assert known.after_rest(-5).deviation == 60
    assert known.is_provisional is False
    assert NEW.is_provisional is True


def test_an_expected_score_is_one_half_among_equals_and_uncertain_where_ratings_are() -> None:
    assert expected_score(NEW, NEW) == 0.5
    sure, unsure = (expected_score(Strength(1700, known), Strength(1500, known)) for known in (30, 350))
    assert 0.5 < unsure < sure < 1


# --- One game -------------------------------------------------------------------------------------


def game(sides: list[list[Member]], ranks: tuple[int, ...], pool: str) -> RatedGame:
    return RatedGame("t", 100.0, pool, tuple(map(tuple, sides)), ranks)


def test_further_games_of_two_people_on_a_day_count_less_and_less() -> None:
    assert [share_of(earlier) for earlier in range(WHOLE_GAMES + 3)] == [1.0] * WHOLE_GAMES + [0.5, 0.25, 0.125]
    duel = game([[Member("anna")], [Member("ben")]], (0, 1), "yamm:open:duel:slow")
    whole, half = (changes(duel, {}, share)[0].held.strength for share in (1.0, 0.5))
    assert half.rating - NEW.rating == pytest.approx((whole.rating - NEW.rating) / 2)


def test_a_person_who_left_a_pair_loses_although_the_pair_won() -> None:
    pairs = [[Member("anna", left=True), Member("ben")], [Member("carla"), Member(None, "club")]]
    made = changes(game(pairs, (0, 1), "yamm:open:pairs:slow"), {}, 1)
    won = {each.identity: each.held.strength.rating - each.before.rating for each in made}
    assert won["anna"] < 0 < won["ben"]
    assert won["carla"] < 0
    assert opponents(game(pairs, (0, 1), "yamm:open:pairs:slow")) == [("anna", "carla"), ("ben", "carla")]


def test_a_person_who_has_rested_is_less_certain() -> None:
    held = Held(Strength(1800, 60), 9, 100.0 - 100 * PERIOD)
    duel = game([[Member("anna")], [Member("ben")]], (0, 1), "yamm:open:duel:slow")
    (anna, _) = changes(duel, {"anna": held}, 1.0)
    assert anna.before.deviation > 60
    assert anna.held.games == 10


# --- Levels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["yam-master", "yamm"])
def test_every_level_has_a_measured_rating(name: str) -> None:
    measured = level_strengths(name)
    assert measured.keys() == set(LEVELS)
    assert measured["novice"].rating == 1500
    assert measured["random"].rating < measured["novice"].rating < measured["casual"].rating < measured["club"].rating
    assert json.loads(FILE.read_text("utf-8"))["command"] == "python -m bench.level_ratings write"


@pytest.mark.parametrize("rating, level", [(0, "novice"), (1500, "novice"), (1680, "casual"), (1850, "club"), (2007, "expert")])
def test_the_nearest_level_fits_never_one_below_beginners(rating: float, level: str) -> None:
    assert fitting_level("yam-master", Strength(rating, 60)) == level
    assert fitting_level("a-third-game", Strength(rating, 60)) == ""


def table(level: str, outcome: str | None, name: str = "yam-master") -> TableSummary:
    seats = [{"name": "Anna", "level": ""}, {"name": level, "level": level}]
    return TableSummary("t", name, "over", 0.0, outcome, (0,), {"seats": seats})


def test_three_games_find_a_fitting_level() -> None:
    assert fitting_levels([table("novice", "won")] * 2, {}) == {}
    assert fitting_levels([table("novice", "won")] * 3, {}) == {"yam-master": "club"}
    assert fitting_levels([table("novice", "lost")] * 3, {}) == {"yam-master": "novice"}
    assert fitting_levels([table("club", "won"), table("casual", "won"), table("novice", "won")], {}) == {"yam-master": "club"}
    assert fitting_levels([table("novice", None)] * 3, {}) == {}


def test_a_known_rating_goes_before_an_estimate() -> None:
    lost = [table("novice", "lost")] * 3
    assert fitting_levels(lost, {"yam-master:open:duel:slow": Strength(1990, 80)}) == {"yam-master": "expert"}
    assert fitting_levels(lost, {"yam-master:open:duel:slow": Strength(1990, 200)}) == {"yam-master": "novice"}
    assert fitting_levels(lost, {"yam-master:open:group:slow": Strength(1990, 80)}) == {"yam-master": "novice"}


@pytest.mark.parametrize("own", [1500, 1664, 1834, 2007])
def test_an_estimate_comes_near_the_strength_of_a_player(own: float) -> None:
    """Score exactly what is expected against the level that fits, as a player does on average."""
    levels, strength, played = level_strengths("yam-master"), NEW, []
    for _ in range(12):
        level = levels[fitting_level("yam-master", strength)]
        played.append((level, expected_score(Strength(own, 0), level)))
        strength = estimated(played)
    assert strength.rating == pytest.approx(own, abs=80)
    assert fitting_level("yam-master", strength) == fitting_level("yam-master", Strength(own))
