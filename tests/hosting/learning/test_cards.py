"""Cards of a person's own mistakes: a week of them, and where they go."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import pytest

from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import is_right
from dicecup.analysis.theme import Theme
from dicecup.hosting.learning.cards import MOST_CARDS, Practice, practice
from dicecup.hosting.learning.merging import take_over
from dicecup.hosting.own_games import OwnGames, facts_of_record
from dicecup.hosting.people.accounts import Account, create_account
from dicecup.hosting.pool import Pool
from dicecup.hosting.retention import DAY, Retention
from dicecup.hosting.store import Digest, SeatedIdentity, Store
from dicecup.hosting.store.cards import (
    StoredAnswer,
    StoredCard,
    add_answers,
    add_cards,
    all_cards_of,
    answers_of,
    cards_of,
    remove_card,
)
from dicecup.hosting.store.device_games import save_facts, save_game
from tests.analysis.mistakes.records import played

MONDAY = 20_000
SUMMARY = '{"seats":[],"waits_for":[],"turn":1,"result":"","end":"","next":null}'
TABLES = {"yam-master": "a" * 20, "yamm(players=1)": "b" * 20}


@cache
def facts(game: str) -> tuple[str, str]:
    """Return the record of a game of Anna against herself, and its facts."""
    text = played(game).to_text()
    return text, facts_of_record(text, "anna")


class Here:
    """A pool that runs every job at once, in this process."""

    async def run_for(self, _: object, function: Callable[..., Any], *arguments: object) -> Any:
        return function(*arguments)


async def with_games(store: Store) -> None:
    """Save a reviewed game of each kind."""
    for game, table in TABLES.items():
        text, found = facts(game)
        digest = Digest(table, game, "over", MONDAY * DAY, None, None, SUMMARY, (SeatedIdentity("anna", (0,), None),))
        await save_game(store, digest, MONDAY * DAY, text)
        await save_facts(store, "anna", table, found)


async def practised(store: Store, day: int, asked: tuple[str, Theme] | None = None) -> Practice:
    own_games = OwnGames(store, cast(Pool, None), lambda _: None)
    return await practice(store, cast(Pool, Here()), own_games, "anna", day, asked)


def answer_to(card: StoredCard, day: int, *, right: bool, seconds: float = 40.0) -> StoredAnswer:
    return StoredAnswer(card.card, day, "k-", 0.0 if right else 30.0, seconds)


async def test_a_week_of_cards(store: Store) -> None:
    """Every day asks a portion. What was wrong comes back on the next day, what was right later,
    and nothing twice on a day."""
    await with_games(store)
    monday = await practised(store, MONDAY)
    assert 4 <= len(monday.cards) <= monday.size
    assert (monday.answered, monday.waiting, monday.total) == (0, 0, monday.due)
    assert len({card.game.partition("(")[0] for card in monday.cards}) == 2
    assert len({card.theme for card in monday.cards}) > 1
    wrong = {card.card for card in monday.cards[:2]}
    seen: dict[str, list[int]] = {}
    for day in range(MONDAY, MONDAY + 7):
        today = await practised(store, day)
        assert len(today.cards) <= today.size
        given = [answer_to(card, day, right=day > MONDAY or card.card not in wrong) for card in today.cards]
        due = await add_answers(store, "anna", given)
        assert set(due) == {card.card for card in today.cards}
        assert all(returns > day for returns in due.values())
        for card in today.cards:
            seen.setdefault(card.card, []).append(day)
        again = await practised(store, day)
        assert again.answered == len(today.cards)
        assert not {card.card for card in again.cards} & {card.card for card in today.cards}
    assert all(seen[card][:2] == [MONDAY, MONDAY + 1] for card in wrong)
    assert all(len(days) == 1 or days[1] > MONDAY + 1 for card, days in seen.items() if card not in wrong)


async def test_an_answer_counts_once_and_in_any_order(store: Store) -> None:
    await with_games(store)
    card, other, *_ = (await practised(store, MONDAY)).cards
    early, late = answer_to(card, MONDAY, right=False), answer_to(card, MONDAY + 3, right=True)
    due = await add_answers(store, "anna", [late])
    both = await add_answers(store, "anna", [early])
    assert both != due
    assert await add_answers(store, "anna", [early, late, answer_to(card, MONDAY, right=True)]) == both
    await add_answers(store, "anna", [answer_to(other, MONDAY, right=False), answer_to(other, MONDAY + 3, right=True)])
    assert {one.due for one in await cards_of(store, "anna") if one.card in (card.card, other.card)} == {both[card.card]}
    assert await add_answers(store, "anna", [answer_to(card._replace(card="unknown"), MONDAY, right=True)]) == {}
    assert await add_answers(store, "ben", [early]) == {}


async def test_themes_have_a_course_and_a_drill(store: Store) -> None:
    await with_games(store)
    found = await practised(store, MONDAY)
    assert {theme.game for theme in found.themes} == {"yam-master", "yamm"}
    assert sum(theme.cards for theme in found.themes) == found.total
    most = max(found.themes, key=lambda theme: theme.cards)
    (period,) = most.periods
    assert period.loss.decisions == 2  # both sides were hers
    assert period.loss.mean is not None
    assert period.loss.mean > 0
    drilled = await practised(store, MONDAY, (most.game, most.theme))
    assert {card.theme for card in drilled.cards} == {most.theme}
    losses = [card.loss for card in drilled.cards]
    assert losses == sorted(losses, reverse=True)
    assert not is_right(losses[-1], Unit(drilled.cards[0].unit))


async def test_cards_go_with_who_signs_in(store: Store) -> None:
    """The cards of a person without an account become those of the account, with all answers."""
    await with_games(store)
    await create_account(store, Account("account", "Anna", 1.0, public=False), lambda _: None)
    card, *_ = (await practised(store, MONDAY)).cards
    cards = await cards_of(store, "anna")
    await add_cards(store, "account", [card])
    await add_answers(store, "account", [answer_to(card, MONDAY + 1, right=True)])
    await add_answers(store, "anna", [answer_to(card, MONDAY, right=False)])
    await take_over(store, "anna", "account")
    assert await cards_of(store, "anna") == []
    assert await answers_of(store, "anna") == []
    assert {one.card for one in await cards_of(store, "account")} == {one.card for one in cards}
    assert [answer.day for answer in await answers_of(store, "account")] == [MONDAY, MONDAY + 1]
    await take_over(store, "account", "ben")
    assert await cards_of(store, "ben") == []


async def test_a_removed_card_is_not_asked_again_and_not_made_again(store: Store) -> None:
    await with_games(store)
    before = await practised(store, MONDAY)
    card = before.cards[0]
    await remove_card(store, "ben", card.card)
    await remove_card(store, "anna", card.card)
    await add_answers(store, "anna", [answer_to(card, MONDAY, right=False)])  # it waited on a device
    later = await practised(store, MONDAY + 1)
    assert (later.total, later.waiting) == (before.total - 1, 0)
    assert card.card not in {each.card for each in (*later.cards, *await cards_of(store, "anna"))}
    await take_over(store, "anna", "account")
    assert [each.card for each in await all_cards_of(store, "account") if each.removed] == [card.card]


async def test_old_cards_are_deleted_with_their_answers(store: Store) -> None:
    await with_games(store)
    card, *_ = (await practised(store, MONDAY)).cards
    await add_answers(store, "anna", [answer_to(card, MONDAY, right=True)])
    await Retention(store, 30, lambda: (MONDAY + 30) * DAY, lambda _: None).sweep()
    assert await cards_of(store, "anna")
    await Retention(store, 30, lambda: (MONDAY + 31) * DAY, lambda _: None).sweep()
    assert await cards_of(store, "anna") == []
    assert await answers_of(store, "anna") == []


async def test_a_person_has_so_many_cards(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await with_games(store)
    assert MOST_CARDS >= 100
    monkeypatch.setattr("dicecup.hosting.learning.cards.MOST_CARDS", 3)
    assert (await practised(store, MONDAY)).total == 3
    assert (await practised(store, MONDAY)).total == 3
