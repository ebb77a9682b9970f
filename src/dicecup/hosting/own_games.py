"""Finished games of an identity with the results of their reviews, for statistics.

Each game is reviewed once, in the background, when its statistics are first asked for. Games that
the identity played on its devices are among them (`device_games`).
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from dicecup import record
from dicecup.core.dice import FACES
from dicecup.core.errors import DicecupError
from dicecup.core.source import Throw
from dicecup.hosting.device_games import levels_of, names_of
from dicecup.hosting.dice_statistics import thrown_counts
from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.event_reader import events_of_rows
from dicecup.hosting.fair_queue import Client
from dicecup.hosting.pool import Pool
from dicecup.hosting.store import Digest, EventRow, Store
from dicecup.hosting.store.device_games import facts_of_games, games_of, record_of_game, save_facts
from dicecup.hosting.store.reviews import reviews_of, save_review
from dicecup.record import Record
from dicecup.table.setup import DiceOf
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of

Json = dict[str, Any]
OWN_GAMES: Final = Client("own games")
"""The client in the queue of all reviews for statistics, one at a time."""
SERVER: Final = ""
"""Stands for an identity where the server itself wants a game reviewed."""
PLAYER: Final = "expert"
"""Level whose evaluation measures losses."""
MOST_MISTAKES: Final = 40
"""Mistakes of a player that the facts of a game hold."""


def facts_of_table(rows: Sequence[EventRow], *, losses: bool = True) -> str:
    """Return the facts of a finished table as JSON: `facts` of its record, the kind of `dice`, and
    the `seats` in the order of play with name, level and identity. Raises `TableError`."""
    state = TableState.from_events(events_of_rows(rows))
    return _facts_text(facts(record_of(state).to_text(), losses=losses) | _table_facts(state))


def facts_of_record(text: str, identity: str, *, losses: bool = True) -> str:
    """Return the facts of a game that an identity played on its device, as `facts_of_table`. Raises
    `RecordError`."""
    played = record.read(text)
    dice = DiceOf.TABLE if played.tags.get("Dice") == "table" else DiceOf.SERVER
    seats = [
        {"name": name, "level": level, "identity": None if level else identity}
        for name, level in zip(names_of(played), levels_of(played), strict=True)
    ]
    return _facts_text(facts(text, losses=losses) | {"dice": dice.value, "seats": seats})


def facts(text: str, *, losses: bool = True) -> Json:
    """Return what statistics need of the record of a finished game.

    `players`, in the order of play, holds for each player:

    - `faces`: how often the dice that the player threw showed 1, 2, … 6,
    - `result`, `loss` of `decisions` that were not forced, `luck`, and the result `adjusted` for
      luck, all in `unit`,
    - the loss by theme in `themes`, and the costliest `mistakes`: place, theme, loss and action
      (`dicecup.analysis.mistakes`),
    - in Yamm the `columns` with their totals and bonuses, and `first_throw_yamms`.

    A game that cannot be reviewed has the code of the `refusal` and no losses. Without `losses` it
    is not reviewed, because that took too long. Raises `RecordError`.
    """
    played = record.read(text)
    players: list[Json] = [{"faces": faces} for faces in _faces(played)]
    add_facts = _GAME_FACTS.get(played.game.name)
    if add_facts is not None:
        add_facts(played.journal.position, players)
    if not losses:
        return {"unit": None, "refusal": str(HostingCode.TOOK_TOO_LONG), "players": players}
    try:
        unit = _add_losses(played, players)
    except DicecupError as error:
        return {"unit": None, "refusal": str(error.code), "players": players}
    return {"unit": unit, "refusal": None, "players": players}


def _facts_text(found: Json) -> str:
    """Return facts as JSON, without the mistakes of computers."""
    for seat, player in zip(found["seats"], found["players"], strict=True):
        if seat["level"]:
            player.pop("mistakes", None)
            player.pop("themes", None)
    return json.dumps(found, separators=(",", ":"))


def _faces(played: Record) -> list[list[int]]:
    """Return how often the dice that each player threw showed each face, without kept dice.

    A real throw in which a kept die was knocked over counts only if it names the locked dice.
    """
    from dicecup.analysis.steps import steps

    counts = [[0] * len(FACES) for _ in range(played.game.players)]
    for before, done, _ in steps(played):
        if isinstance(done, Throw) and before.turn is not None and before.player is not None:
            lying = before.turn.kept if done.locked is None else done.locked
            if lying in done.roll:
                thrown = thrown_counts(done.roll, lying)
                counts[before.player] = [one + other for one, other in zip(counts[before.player], thrown, strict=True)]
    return counts


def _add_yamm_facts(position: Any, players: Sequence[Json]) -> None:
    """Add the columns of each player's sheet. `position` is a `yamm.Position`."""
    for number, player in enumerate(players):
        sheet = position.written[position.game.side_of_player(number)]
        player["columns"] = {
            name: {"total": sheet.column_total(name), "bonus": sheet.bonus(name)} for name in sheet.spec.columns
        }
        player["first_throw_yamms"] = sheet.first_throw_yamms


_GAME_FACTS: Final[Mapping[str, Callable[[Any, Sequence[Json]], None]]] = {"yamm": _add_yamm_facts}
"""Name of a game → function that adds the facts of this game alone."""


def _add_losses(played: Record, players: Sequence[Json]) -> str:
    """Add results, losses and luck and return their unit. Raises `DicecupError` if the game cannot
    be reviewed."""
    from dicecup.analysis.mistakes.found import losses_of
    from dicecup.analysis.questions import ERROR
    from dicecup.analysis.registry import by_tables
    from dicecup.analysis.review import review

    found = review(played, PLAYER, evaluation=by_tables(played.game, PLAYER, alone=True))
    for player, reviewed in zip(players, found.players, strict=True):
        side = found.sides[reviewed.side]
        player |= {
            "result": side.result,
            "adjusted": side.adjusted if side.result is not None else None,
            "luck": reviewed.luck,
            "loss": reviewed.loss,
            "decisions": reviewed.decisions.decisions,
            "themes": {},
            "mistakes": [],
        }
    for lost in sorted(losses_of(found), key=lambda lost: -lost.loss):
        player = players[lost.player]
        player["themes"][lost.theme] = player["themes"].get(lost.theme, 0.0) + lost.loss
        if lost.loss > ERROR[found.unit] and len(player["mistakes"]) < MOST_MISTAKES:
            player["mistakes"].append([str(lost.place), lost.theme, lost.loss, str(lost.played)])
    return str(found.unit)


class _Game(NamedTuple):
    """A game to review. `owner` is the identity that played it on a device, `None` for a table."""

    table: str
    owner: str | None


class ReviewedGame(NamedTuple):
    """A finished game of an identity with its facts. `owner`: as in `_Game`."""

    digest: Digest
    owner: str | None
    facts: Json

    def players_of(self, identity: str) -> list[Json]:
        """Return the facts of the players that the identity played."""
        seated = zip(self.facts["seats"], self.facts["players"], strict=True)
        return [player for seat, player in seated if seat["identity"] == identity]


class OwnGames:
    """Finished games with their reviews. `spawn` runs the reviews as a background task."""

    def __init__(self, store: Store, pool: Pool, spawn: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._store = store
        self._pool = pool
        self._spawn = spawn
        self._waiting: OrderedDict[str, list[_Game]] = OrderedDict()
        """Games to review by identity. Identities take turns."""
        self._reviewing: _Game | None = None
        """The game that is being reviewed."""
        self._is_running = False

    async def of(self, identity: str) -> tuple[list[Json], int]:
        """Return the newest finished games of an identity as their player may see them, and how
        many of them wait for their review.

        Raises `StoreError`.
        """
        games, waiting = await self.reviewed(identity)
        return [_own_game(game, identity) for game in games], waiting

    async def reviewed(self, identity: str) -> tuple[list[ReviewedGame], int]:
        """Return the newest finished games of an identity with their facts, the newest first, and
        how many of them wait for their review.

        Raises `StoreError`.
        """
        over = [digest for digest in await self._store.tables_of(identity) if digest.state == "over"]
        found = {_Game(digest.table, None): digest for digest in over}
        found |= {_Game(digest.table, identity): digest for digest in await games_of(self._store, identity)}
        reviews = await reviews_of(self._store, [digest.table for digest in over])
        saved = {_Game(table, None): text for table, text in reviews.items()}
        saved |= {_Game(table, identity): text for table, text in (await facts_of_games(self._store, identity)).items()}
        missing = [game for game in found if game not in saved]
        if waiting := [game for game in missing if game != self._reviewing]:
            self._waiting[identity] = waiting
        if self._waiting:
            self._start()
        reviewed = sorted(found.keys() & saved.keys(), key=lambda game: (-found[game].created, game.table))
        return [ReviewedGame(found[game], game.owner, json.loads(saved[game])) for game in reviewed], len(missing)

    def review(self, tables: Iterable[str]) -> None:
        """Review finished tables, one after another in turn with what people ask for, unless they
        wait already."""
        waiting = self._waiting.get(SERVER, [])
        known = {*waiting, self._reviewing}
        new = [game for game in (_Game(table, None) for table in tables) if game not in known]
        if new:
            self._waiting[SERVER] = waiting + new
            self._start()

    def _start(self) -> None:
        if not self._is_running:
            self._is_running = True
            self._spawn(self._review())

    async def _review(self) -> None:
        """Review one game after another. After an error the next request starts again."""
        try:
            while self._waiting:
                identity, (game, *others) = self._waiting.popitem(last=False)
                if others:
                    self._waiting[identity] = others
                self._reviewing = game
                if game.owner is None:
                    if not (rows := await self._store.events(game.table)):
                        continue  # the table was deleted meanwhile
                    await save_review(self._store, game.table, await self._facts(facts_of_table, rows))
                elif (text := await record_of_game(self._store, game.owner, game.table)) is not None:
                    found = await self._facts(facts_of_record, text, game.owner)
                    await save_facts(self._store, game.owner, game.table, found)
        finally:
            self._waiting.clear()
            self._reviewing = None
            self._is_running = False

    async def _facts(self, function: Callable[..., str], *game: object) -> str:
        """Return the facts of a game, without losses if its review takes too long."""
        try:
            return await self._pool.run_for(OWN_GAMES, function, *game)
        except HostingError as error:
            if error.code is not HostingCode.TOOK_TOO_LONG:
                raise
        return await self._pool.run_for(OWN_GAMES, function, *game, losses=False)


def _table_facts(state: TableState) -> Json:
    """Return the kind of dice, and the people and computers in the order of play."""
    seats = [state.seats[seat] for seat in (state.order or range(len(state.seats)))]
    return ({"on_device": True} if state.sections else {}) | {
        "dice": state.setup.dice.value,
        "seats": [{"name": seat.name, "level": seat.level, "identity": seat.identity} for seat in seats],
    }


def _own_game(game: ReviewedGame, identity: str) -> Json:
    """Return a game as its player may see it: `mine` replaces the identities."""
    digest, found = game.digest, game.facts
    outcome = next((held.outcome for held in digest.seats or () if held.identity == identity), None)
    return {
        "table": digest.table,
        "game": digest.game,
        "created": digest.created,
        "outcome": outcome,
        "on_device": game.owner is not None or found.get("on_device", False),
        "dice": found["dice"],
        "unit": found["unit"],
        "players": [
            {"name": seat["name"], "level": seat["level"], "mine": seat["identity"] == identity, **_shown(player)}
            for seat, player in zip(found["seats"], found["players"], strict=True)
        ],
    }


def _shown(player: Json) -> Json:
    """Return the facts of a player that statistics show."""
    return {name: value for name, value in player.items() if name not in ("themes", "mistakes")}
