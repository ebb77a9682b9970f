"""How a game at a table starts: from a record or a position, and with which player."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final, NamedTuple

from dicecup import games, record
from dicecup.core.errors import DicecupError
from dicecup.core.game import FirstPlayer, Rules
from dicecup.core.start import StartingRoll
from dicecup.record import Journal, Record
from dicecup.table.errors import TableCode, TableError
from dicecup.table.names import is_name

LONGEST_START: Final = 200_000
"""Characters of a record or position from which a game goes on.

A record of sixteen players has about 100 000.
"""


def first_player(rules: Rules, first: int | None, start: str) -> dict[str, Any]:
    """Return the fields of the state when a game starts: the order of play, or the starting roll.
    Neither, if a lot decides.

    `first`: the seat that starts by agreement. A game that goes on from a `start` is in the order
    of play.
    """
    count = rules.players
    if first is None and start:
        first = 0
    if first is not None:
        return {"order": (*range(first, count), *range(first))}
    if rules.first_player is FirstPlayer.LOT:
        return {}
    starting = StartingRoll(count)
    return {"starting": starting, "order": starting.order}


class Beginning(NamedTuple):
    """The journal with which a game begins, and by player the names in the record that it comes
    from. A missing name is empty, also that of a position."""

    journal: Journal
    names: tuple[str, ...]


def beginning_of(game: str, start: str, *, table: bool) -> Beginning:
    """Return the beginning of a game that goes on from a record or a position.

    If a record with the new kind of dice cannot hold the turns that were played, the journal begins
    with the position after them. An example is a void throw in a game with the server's dice.
    Raises `GameError`, `TableError` (`not-a-start`), `RecordError`, `TextError`, `PositionError`.
    """
    rules = games.from_id(game)
    if len(start) > LONGEST_START:
        raise TableError(TableCode.NOT_A_START, text=start[:40])
    tags: Mapping[str, str] = {}
    if not start:
        journal = Journal.start(rules, table=table)
    elif not start.startswith("["):
        journal = Journal(rules, table, rules.position(start))
    else:
        played = record.read(start)
        tags = played.tags
        if "End" in tags or played.game != rules:
            raise TableError(TableCode.NOT_A_START, text=tags.get("End", played.game.id))
        journal = _journal_with_dice(played, table=table)
    if journal.position.turn is None:
        raise TableError(TableCode.NOT_A_START, text=start)
    named = (tags.get(tag, "") for tag in rules.player_tags)
    return Beginning(journal, tuple(name if is_name(name) else "" for name in named))


def _journal_with_dice(played: Record, *, table: bool) -> Journal:
    """Return the journal of a record as one with real dice (`table`) or with drawn dice.

    A journal that such dice cannot have, for example void throws of drawn dice, begins anew in the
    last position of the record, and so does one that does not begin with the start of the game.
    """
    journal = played.journal
    if played.beginning != played.game.start():
        return Journal(played.game, table, journal.position)
    if journal.table == table:
        return journal
    tags = {"Game": played.game.id} | ({"Dice": "table"} if table else {})
    try:
        return record.read(Record(tags, journal).to_text()).journal
    except DicecupError:
        return Journal(played.game, table, journal.position)


def startable(start: str, name: str) -> str:
    """Return the id of a game that can go on from a record or a position.

    A record names its game. A position does not name its rules: it must be possible with some
    options of the game `name`. Raises what `beginning_of` raises; for a position the error with the
    default options.
    """
    if start.startswith("["):
        game = record.read(start).game.id
        beginning_of(game, start, table=True)
        return game
    fault: DicecupError | None = None
    for game in _game_ids(name):
        try:
            beginning_of(game, start, table=True)
        except DicecupError as error:
            fault = fault or error
        else:
            return game
    raise fault or TableError(TableCode.NOT_A_START, text=start[:40])


def _game_ids(name: str) -> Iterator[str]:
    """Yield the game ids with all options of a game, the one with the default options first."""
    rules = games.rules(name)
    values = [sorted(option.values, key=option.default.__ne__) for option in rules.option_list]
    for chosen in product(*values):
        options = zip(rules.option_list, chosen, strict=True)
        changed = ",".join(f"{option.name}={value}" for option, value in options if value != option.default)
        game = f"{name}({changed})" if changed else name
        try:
            yield rules.from_id(game).id
        except DicecupError:
            continue  # options that exclude each other
