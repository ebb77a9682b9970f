"""Somebody's finished games with what their reviews say, for statistics. Each game is reviewed once, when it is first asked for, behind
the back of whoever asks."""

import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from dicecup import record, yamm
from dicecup.core.dice import FACES
from dicecup.core.errors import DicecupError
from dicecup.core.source import Throw
from dicecup.hosting.dice_statistics import thrown_counts
from dicecup.hosting.digest import stored
from dicecup.hosting.pool import Pool
from dicecup.hosting.store import Digest, Store
from dicecup.hosting.store.reviews import keep_review, reviews_of
from dicecup.record import Record
from dicecup.table.state import TableState
from dicecup.table.table_record import record_of

Json = dict[str, Any]
PLAYER: Final = "expert"
"""Whose evaluation losses are measured with."""


def facts(text: str) -> Json:
    """What statistics need of the record of a game that is over, by player in the order of play: `result`, `loss` of `decisions` that
    were not forced, `luck` and `adjusted` result in the game's `unit`, how often the dice that were thrown showed each of the `faces`, and in
    Yamm the `columns` with their totals and bonuses. What cannot be reviewed has the `refusal`'s code and no losses."""
    played = record.read(text)
    players: list[Json] = [{"faces": faces} for faces in _faces(played)]
    if isinstance(played.journal.position, yamm.Position):
        _add_sheets(played.journal.position, players)
    try:
        unit = _add_losses(played, players)
    except DicecupError as error:
        return {"unit": None, "refusal": str(error.code), "players": players}
    return {"unit": unit, "refusal": None, "players": players}


def _faces(played: Record) -> list[list[int]]:
    """How often the dice that each player threw showed each face; not those that were kept."""
    from dicecup.analysis.steps import steps

    position = played.beginning
    players = position.game.options.players if isinstance(position, yamm.Position) else 2
    counts = [[0] * len(FACES) for _ in range(players)]
    for before, done, _ in steps(played):
        if isinstance(done, Throw) and before.turn is not None:
            player = before.player if isinstance(before, yamm.Position) else int(before.to_move)
            kept = before.turn.kept
            if player is not None and kept in done.roll:  # not so where a kept die was knocked over
                thrown = thrown_counts(done.roll, kept)
                counts[player] = [one + other for one, other in zip(counts[player], thrown, strict=True)]
    return counts


def _add_sheets(position: yamm.Position, players: Sequence[Json]) -> None:
    for number, player in enumerate(players):
        sheet = position.written[number % len(position.written)]
        player["columns"] = {
            name: {"total": sheet.column_total(name), "bonus": sheet.bonus(name)} for name in sheet.spec.columns
        }
        player["first_throw_yamms"] = sheet.first_throw_yamms


def _add_losses(played: Record, players: Sequence[Json]) -> str:
    """The unit that they are in. Raises what cannot be reviewed."""
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
    """`spawn`: does something beside everything else."""

    def __init__(self, store: Store, pool: Pool, spawn: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._store = store
        self._pool = pool
        self._spawn = spawn
        self._wanted: dict[str, None] = {}
        """Tables whose review was asked for, in this order."""
        self._reviewing = False

    async def of(self, identity: str) -> tuple[list[Json], int]:
        """The newest finished games at which they sat, the newest first, and how many of all are yet to be reviewed. `mine`: which of
        the players they were. Raises `StoreError`."""
        over = [digest for digest in await self._store.tables_of(identity) if digest.state == "over"]
        kept = await reviews_of(self._store, [digest.table for digest in over])
        for digest in over:
            if digest.table not in kept:
                self._wanted.setdefault(digest.table)
        if self._wanted and not self._reviewing:
            self._reviewing = True
            self._spawn(self._review())
        games = [_game(digest, identity, json.loads(kept[digest.table])) for digest in over if digest.table in kept]
        return games, len(over) - len(games)

    async def _review(self) -> None:
        """One game after the other, as long as there is room beside what people wait for."""
        try:
            while self._wanted:
                table = next(iter(self._wanted))
                state = TableState.from_events([stored(row) for row in await self._store.events(table)])
                found = await self._pool.run(facts, record_of(state).to_text())
                await keep_review(self._store, table, json.dumps(found | _table_facts(state), separators=(",", ":")))
                self._wanted.pop(table, None)
        finally:  # whoever asks the next time goes on
            self._wanted.clear()
            self._reviewing = False


def _table_facts(state: TableState) -> Json:
    """Whose dice, and who sat where in the order of play; identities stay in the database."""
    seats = [state.seats[seat] for seat in (state.order or range(len(state.seats)))]
    return {
        "dice": state.setup.dice.value,
        "seats": [{"name": seat.name, "level": seat.level, "identity": seat.identity} for seat in seats],
    }


def _game(digest: Digest, identity: str, found: Json) -> Json:
    """As its players may see it."""
    outcome = next((outcome for name, outcome in digest.seats or () if name == identity), None)
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
