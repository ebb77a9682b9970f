"""The cards of an identity: made from its reviewed games, and chosen for a day.

Cards are made when they are asked for. A card has the id of its table and the place of the
decision, so that a game makes each of its cards once.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from dicecup import record
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.course import GameLosses, Period, course
from dicecup.analysis.mistakes.found import Place, level_of, positions_at, threshold
from dicecup.analysis.mistakes.portion import Card, drill, portion, portion_size
from dicecup.analysis.questions import themes
from dicecup.analysis.registry import ANALYSED, analysis_of
from dicecup.analysis.theme import Theme
from dicecup.core.ids import split_id
from dicecup.games import rules
from dicecup.hosting.event_reader import events_of_rows
from dicecup.hosting.own_games import OWN_GAMES, OwnGames, ReviewedGame
from dicecup.hosting.pool import Pool
from dicecup.hosting.store import EventRow, Store
from dicecup.hosting.store.cards import StoredCard, add_cards, all_cards_of, answers_of, cards_of
from dicecup.hosting.store.device_games import record_of_game
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of

Json = dict[str, Any]
MOST_CARDS: Final = 1000
"""Cards of an identity. Further mistakes make none."""
GAMES_AT_ONCE: Final = 10
"""Games whose cards one request makes."""
DRILL: Final = 10
"""Cards of a drill."""


class ThemeCourse(NamedTuple):
    """A theme of a game: its cards, how many of them are due, the loss of a game over time, and
    whether computers make questions about it."""

    game: str
    theme: Theme
    unit: Unit
    cards: int
    due: int
    periods: tuple[Period, ...]
    made: bool


class Practice(NamedTuple):
    """What a person can practise on a day.

    `cards`: the portion of the day, or of a drill, in the order of asking. `answered`: the number
    of cards that were answered on the day. `due`: the number of all cards that wait on the day, new
    ones included. `size`: the number of cards that take about ten minutes. `total`: the number of
    all cards. `waiting`: how many games have no cards yet. `opponents`: the name of the other
    player for each of the `cards` of a game of two.
    """

    cards: list[StoredCard]
    answered: int
    due: int
    size: int
    total: int
    themes: list[ThemeCourse]
    waiting: int
    opponents: dict[str, str]


async def practice(
    store: Store, pool: Pool, own_games: OwnGames, identity: str, day: int, asked: tuple[str, Theme] | None = None
) -> Practice:
    """Return what an identity can practise on a day (days since 1970, in its time zone).

    `asked`: the name of a game and the theme of a drill. Raises `StoreError`, and what `Pool.run`
    raises."""
    games, waiting = await own_games.reviewed(identity)
    known = await all_cards_of(store, identity)
    cards = [card for card in known if not card.removed]
    missing = missing_cards(games, identity, {card.card for card in known})
    now = missing[:GAMES_AT_ONCE]
    for game, lost in now:
        text = await _source(store, game, identity)
        if text is None:
            continue  # the table was deleted meanwhile
        positions = await pool.run_for(OWN_GAMES, positions_of, text, [place for place, *_ in lost])
        await add_cards(store, identity, _new_cards(game, lost, positions))
    if now:
        cards = await cards_of(store, identity)
    answers = await answers_of(store, identity)
    by_id = {card.card: card for card in cards}
    shown = [card_of(card) for card in cards]
    answered = {answer.card for answer in answers if answer.day == day}
    size = portion_size([answer.seconds for answer in answers])
    chosen = (
        portion([card for card in shown if card.id not in answered], day, max(size - len(answered), 0))
        if asked is None
        else drill(shown, asked[1], asked[0], DRILL)
    )
    return Practice(
        cards=[by_id[card.id] for card in chosen],
        answered=len(answered),
        due=sum(card.due is None or card.due <= day for card in shown if card.id not in answered),
        size=size,
        total=len(cards),
        themes=theme_courses(games, identity, shown, day),
        waiting=waiting + len(missing) - len(now),
        opponents=opponents_of(games, identity, {card.id for card in chosen}),
    )


def opponents_of(games: Iterable[ReviewedGame], identity: str, cards: Collection[str]) -> dict[str, str]:
    """Return the name of the other player for each of these cards of a game of two."""
    found: dict[str, str] = {}
    for game in games:
        seats, players = game.facts["seats"], game.facts["players"]
        if len(seats) != 2:
            continue
        for seat, player, other in zip(seats, players, reversed(seats), strict=True):
            if seat["identity"] == identity:
                places = (place for place, *_ in player.get("mistakes", ()))
                found |= {card: other["name"] for place in places if (card := card_id(game, place)) in cards}
    return found


def missing_cards(
    games: Sequence[ReviewedGame], identity: str, known: set[str]
) -> list[tuple[ReviewedGame, list[tuple[str, str, float, str]]]]:
    """Return the mistakes of reviewed games that are no cards yet, game by game, the newest first.

    A mistake is what loses more than the threshold of the level that the person has in all these
    games. It is given as place, theme, loss and action."""
    losses, decisions = defaultdict[str, float](float), defaultdict[str, int](int)
    for game in games:
        for player in game.players_of(identity) if game.facts["unit"] is not None else ():
            name = split_id(game.digest.game)[0]
            losses[name] += player["loss"]
            decisions[name] += player["decisions"]
    room = MOST_CARDS - len(known)
    found = []
    for game in games:
        if game.facts["unit"] is None:
            continue
        name, unit = split_id(game.digest.game)[0], Unit(game.facts["unit"])
        least = threshold(level_of(decisions[name], losses[name], unit), unit)
        new = [
            (place, theme, loss, played)
            for player in game.players_of(identity)
            for place, theme, loss, played in player["mistakes"]
            if loss > least and card_id(game, place) not in known
        ][: max(room, 0)]
        room -= len(new)
        if new:
            found.append((game, new))
    return found


def theme_courses(games: Sequence[ReviewedGame], identity: str, cards: Sequence[Card], day: int) -> list[ThemeCourse]:
    """Return every theme of the games that have an analysis, also without games or cards."""
    by_name = defaultdict[str, list[GameLosses]](list)
    for game in games:
        if game.facts["unit"] is None:
            continue
        for player in game.players_of(identity):
            losses = {Theme(theme): loss for theme, loss in player["themes"].items()}
            by_name[split_id(game.digest.game)[0]].append(GameLosses(game.digest.created, losses))
    found = []
    for name in ANALYSED:
        played = rules(name)()
        analysis, made = analysis_of(played), themes(played)
        for theme in analysis.themes:
            own = [card for card in cards if card.group == (name, theme)]
            due = sum(card.due is None or card.due <= day for card in own)
            periods = course(by_name[name], theme)
            found.append(ThemeCourse(name, theme, analysis.unit, len(own), due, periods, theme in made))
    return found


def card_id(game: ReviewedGame, place: str) -> str:
    """Return the id of the card of a decision."""
    return f"{game.digest.table}-{place}"


def positions_of(source: str | Sequence[EventRow], places: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return game and position of the question at each of these places. `source`: the record of a
    game on a device, or the events of a table. Runs in a process of the pool."""
    text = source if isinstance(source, str) else record_of(TableState.from_events(events_of_rows(source))).to_text()
    found = positions_at(record.read(text))
    asked = {place: found.get(Place.from_text(place)) for place in places}
    return {place: (position.game.id, str(position)) for place, position in asked.items() if position is not None}


async def _source(store: Store, game: ReviewedGame, identity: str) -> str | Sequence[EventRow] | None:
    if game.owner is not None:
        return await record_of_game(store, identity, game.digest.table)
    return await store.events(game.digest.table) or None


def _new_cards(
    game: ReviewedGame, lost: Iterable[tuple[str, str, float, str]], positions: dict[str, tuple[str, str]]
) -> list[StoredCard]:
    unit, created = game.facts["unit"], game.digest.created
    return [
        StoredCard(card_id(game, place), *positions[place], played, theme, unit, loss, created, None)
        for place, theme, loss, played in lost
        if place in positions
    ]


def card_of(card: StoredCard) -> Card:
    """Return a card as far as its choice depends on it."""
    return Card(card.card, card.game, Theme(card.theme), Unit(card.unit), card.loss, card.due)
