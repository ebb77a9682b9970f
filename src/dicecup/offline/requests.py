"""The requests of a page, answered without a server: the paths and messages of docs/protocol.md."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from dicecup import games
from dicecup.analysis import answers
from dicecup.offline import messages
from dicecup.offline.errors import OfflineCode, OfflineError
from dicecup.offline.messages import body_of
from dicecup.offline.tables import Tables
from dicecup.table.assistance import refuse_help
from dicecup.table.descriptions import description
from dicecup.table.guides import guide_of, script
from dicecup.table.handover import Seen
from dicecup.table.shown import shown, shown_after
from dicecup.table.starts import startable
from dicecup.table.table_record import record_of

Route: TypeAlias = Callable[["Requests", str, str], Awaitable[Any]]
"""A method of `Requests` that answers the requests of one address: with the part of the address in
brackets, and the body."""


class Requests:
    """The answers to requests. A text is the record of a table; other answers are JSON values.

    All methods raise `DicecupError`.
    """

    def __init__(self, tables: Tables, clock: Callable[[], float]) -> None:
        self._tables = tables
        self._engine = tables.engine
        self._clock = clock

    async def answer(self, method: str, path: str, body: str) -> tuple[int, Any]:
        """Return the status and the answer of a request. Raises `OfflineError` (`no-such-page`) for
        an address that needs a server."""
        for asked, address, route in ROUTES:
            if asked == method and (found := address.fullmatch(path)):
                return 201 if route is Requests.create else 200, await route(self, "".join(found.groups()), body)
        raise OfflineError(OfflineCode.NO_SUCH_PAGE, text=path)

    # --- Games and tables -------------------------------------------------------------------------

    async def games(self, _: str, __: str) -> Any:
        """Return every game, with the levels and analyses of this engine."""
        found = map(games.rules, games.names())
        engine = self._engine
        return {"games": [description(rules, engine.levels(rules), analysed=engine.analyses(rules)) for rules in found]}

    async def create(self, _: str, body: str) -> Any:
        """Create a table. Links to it would open nothing."""
        new = body_of(messages.NewTable, body)
        return _links(await self._tables.create(new.setup, new.name, new.seats))

    async def go_on(self, _: str, body: str) -> Any:
        """Go on with the game of a table whose server does not answer."""
        return {"table": await self._tables.go_on(body_of(Seen, body))}

    async def tables(self, _: str, __: str) -> Any:
        """Return the tables of this device, the newest first."""
        return {"tables": await self._tables.lines()}

    async def look(self, table: str, _: str) -> Any:
        """Return the view of a table."""
        state = await self._tables.state_of(table)
        return {"number": state.number, "view": self._tables.look(state)}

    async def command(self, table: str, body: str) -> Any:
        """Handle a command."""
        return {"number": await self._tables.send(table, messages.command_of(body))}

    async def links(self, table: str, _: str) -> Any:
        """Return the links of a table, which open nothing."""
        return _links((await self._tables.state_of(table)).table)

    async def following(self, table: str, _: str) -> Any:
        """Return the next table."""
        state = await self._tables.state_of(table)
        if state.next is None:
            raise OfflineError(OfflineCode.NO_SUCH_TABLE)
        return {"table": state.next, "watch": "", "watch_key": ""}

    async def record(self, table: str, _: str) -> str:
        """Return the record so far, after the end of the game with the secret of the dice."""
        return record_of(await self._tables.state_of(table)).to_text()

    async def turn(self, asked: str, _: str) -> Any:
        """Return the view of a table at the end of a turn."""
        table, _, number = asked.partition("/turns/")
        return shown_after(record_of(await self._tables.state_of(table)), int(number))

    async def start(self, _: str, body: str) -> Any:
        """Check whether a table can go on from a record or a position."""
        asked = body_of(messages.AskStart, body)
        return {"game": startable(asked.start, asked.game)}

    async def me(self, _: str, __: str) -> Any:
        """Return no outcomes: games on this device are not counted."""
        return {"outcomes": []}

    # --- Learning ---------------------------------------------------------------------------------

    async def guide(self, game: str, _: str) -> Any:
        """Return the guided first game of a game."""
        found = guide_of(games.rules(game)) if game in games.names() else None
        if found is None:
            raise OfflineError(OfflineCode.NO_SUCH_PAGE, text=f"/api/guides/{game}")
        return script(found)

    async def show(self, _: str, body: str) -> Any:
        """Return the view of a position, or of the position after an action."""
        asked = body_of(messages.AskShow, body)
        position = games.from_id(asked.game).position(asked.position)
        return shown(position if asked.after is None else position.play(asked.after))

    async def odds(self, _: str, body: str) -> Any:
        """Return the odds of a point of a turn."""
        asked = body_of(messages.AskOdds, body)
        return self._engine.odds(asked.game, asked.dice, asked.throws_left, asked.keep, asked.defi)

    async def analysis(self, _: str, body: str) -> Any:
        """Return the value of each action in a position."""
        asked = body_of(messages.AskAnalysis, body)
        position = games.from_id(asked.game).position(asked.position)
        refuse_help(await self._tables.guarded_positions(), [position])
        await self._engine.prepare(position.game)
        return self._engine.analysis(position, alone=asked.alone)

    async def review(self, _: str, body: str) -> Any:
        """Return the review of a record."""
        return await self._reviewed(body_of(messages.AskReview, body).record)

    async def review_of(self, table: str, _: str) -> Any:
        """Return the review of a table."""
        return await self._reviewed(await self.record(table, ""))

    async def _reviewed(self, text: str) -> Any:
        played = answers.finished(text)
        refuse_help(await self._tables.guarded_positions(), answers.decided(played))
        await self._engine.prepare(played.game)
        return self._engine.review(played)

    async def question(self, _: str, body: str) -> Any:
        """Return a question of the trainer."""
        asked = body_of(messages.AskQuestion, body)
        await self._engine.prepare(games.from_id(asked.game))
        return self._engine.question(asked.game, asked.seed, asked.number, asked.difficulty, asked.theme)

    async def verdict(self, _: str, body: str) -> Any:
        """Return the loss of a choice and the analysis of all choices."""
        asked = body_of(messages.AskVerdict, body)
        position = games.from_id(asked.game).position(asked.position)
        refuse_help(await self._tables.guarded_positions(), [position])
        before = None if asked.before is None else answers.EarlierAnswer(asked.before.difficulty, asked.before.right)
        now = datetime.fromtimestamp(self._clock(), UTC)
        await self._engine.prepare(position.game)
        return self._engine.verdict(position, asked.difficulty, asked.played, before, now, lenient=asked.lenient)


def _links(table: str) -> dict[str, str]:
    """Return the message `Links` of a table without links."""
    return {"table": table, "join": "", "watch": "", "join_key": "", "watch_key": "", "reach": "this-device"}


_TABLE: Final = "/api/tables/([0-9a-f]{20})"
ROUTES: Final[tuple[tuple[str, re.Pattern[str], Route], ...]] = tuple(
    (method, re.compile(address, re.ASCII), route)
    for method, address, route in (
        ("GET", "/api/games", Requests.games),
        ("POST", "/api/tables", Requests.create),
        ("POST", "/api/going-on", Requests.go_on),
        ("GET", "/api/tables", Requests.tables),
        ("GET", _TABLE, Requests.look),
        ("POST", f"{_TABLE}/commands", Requests.command),
        ("GET", f"{_TABLE}/links", Requests.links),
        ("GET", f"{_TABLE}/next", Requests.following),
        ("GET", f"{_TABLE}/record", Requests.record),
        ("GET", f"{_TABLE}/review", Requests.review_of),
        ("GET", "/api/tables/([0-9a-f]{20}/turns/[1-9][0-9]{0,8})", Requests.turn),
        ("POST", "/api/starts", Requests.start),
        ("GET", "/api/me", Requests.me),
        ("GET", "/api/guides/([\\w-]+)", Requests.guide),
        ("POST", "/api/show", Requests.show),
        ("POST", "/api/odds", Requests.odds),
        ("POST", "/api/analysis", Requests.analysis),
        ("POST", "/api/review", Requests.review),
        ("POST", "/api/questions", Requests.question),
        ("POST", "/api/questions/answer", Requests.verdict),
    )
)
"""Method, address and answer of each request that needs no server."""
