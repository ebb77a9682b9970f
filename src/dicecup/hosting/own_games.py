"""Finished games of an identity with the results of their reviews, for statistics.

Each game is reviewed once, in the background, when its statistics are first asked for.
"""

import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from dicecup import record
from dicecup.core.dice import FACES
from dicecup.core.errors import DicecupError
from dicecup.core.source import Throw
from dicecup.hosting.dice_statistics import thrown_counts
from dicecup.hosting.event_rows import event_of_row
from dicecup.hosting.pool import Pool
from dicecup.hosting.store import Digest, Store
from dicecup.hosting.store.reviews import reviews_of, save_review
from dicecup.record import Record
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of

Json = dict[str, Any]
PLAYER: Final = "expert"
"""Level whose evaluation measures losses."""


def facts(text: str) -> Json:
    """Return what statistics need of the record of a finished game.

    `players`, in the order of play, holds for each player:

    - `faces`: how often the dice that the player threw showed 1, 2, … 6,
    - `result`, `loss` of `decisions` that were not forced, `luck`, and the result `adjusted` for
      luck, all in `unit`,
    - in Yamm the `columns` with their totals and bonuses, and `first_throw_yamms`.

    A game that cannot be reviewed has the code of the `refusal` and no losses. Raises
    `RecordError`.
    """
    played = record.read(text)
    players: list[Json] = [{"faces": faces} for faces in _faces(played)]
    add_facts = _GAME_FACTS.get(played.game.name)
    if add_facts is not None:
        add_facts(played.journal.position, players)
    try:
        unit = _add_losses(played, players)
    except DicecupError as error:
        return {"unit": None, "refusal": str(error.code), "players": players}
    return {"unit": unit, "refusal": None, "players": players}


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
        }
    return str(found.unit)


class OwnGames:
    """Finished games with their reviews. `spawn` runs the reviews as a background task."""

    def __init__(self, store: Store, pool: Pool, spawn: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._store = store
        self._pool = pool
        self._spawn = spawn
        self._waiting: dict[str, None] = {}
        """Tables to review, in the order of the requests."""
        self._reviewing = False

    async def of(self, identity: str) -> tuple[list[Json], int]:
        """Return the newest finished games of an identity, and how many of them wait for their
        review.

        Raises `StoreError`.
        """
        over = [digest for digest in await self._store.tables_of(identity) if digest.state == "over"]
        saved = await reviews_of(self._store, [digest.table for digest in over])
        for digest in over:
            if digest.table not in saved:
                self._waiting.setdefault(digest.table)
        if self._waiting and not self._reviewing:
            self._reviewing = True
            self._spawn(self._review())
        games = [_game(digest, identity, json.loads(saved[digest.table])) for digest in over if digest.table in saved]
        return games, len(over) - len(games)

    async def _review(self) -> None:
        """Review one game after another. After an error the next request starts again."""
        try:
            while self._waiting:
                table = next(iter(self._waiting))
                state = TableState.from_events([event_of_row(row) for row in await self._store.events(table)])
                found = await self._pool.run(facts, record_of(state).to_text())
                await save_review(self._store, table, json.dumps(found | _table_facts(state), separators=(",", ":")))
                self._waiting.pop(table, None)
        finally:
            self._waiting.clear()
            self._reviewing = False


def _table_facts(state: TableState) -> Json:
    """Return the kind of dice, and the people and computers in the order of play."""
    seats = [state.seats[seat] for seat in (state.order or range(len(state.seats)))]
    return {
        "dice": state.setup.dice.value,
        "seats": [{"name": seat.name, "level": seat.level, "identity": seat.identity} for seat in seats],
    }


def _game(digest: Digest, identity: str, found: Json) -> Json:
    """Return a game as its player may see it: `mine` replaces the identities."""
    outcome = next((held.outcome for held in digest.seats or () if held.identity == identity), None)
    return {
        "table": digest.table,
        "game": digest.game,
        "created": digest.created,
        "outcome": outcome,
        "dice": found["dice"],
        "unit": found["unit"],
        "players": [
            {"name": seat["name"], "level": seat["level"], "mine": seat["identity"] == identity, **player}
            for seat, player in zip(found["seats"], found["players"], strict=True)
        ],
    }
