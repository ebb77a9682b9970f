"""A played game with mistakes."""

from functools import cache

from dicecup import games, players, record
from dicecup.core.source import SeededSource
from dicecup.record import Journal, Record


@cache
def played(game_id: str, level: str = "casual", turns: int = 20) -> Record:
    """Return a game that computers of a level play for some turns and then resign, or end."""
    game = games.from_id(game_id)
    sides = [players.create(level, f"seed {side}") for side in range(game.players)]
    source, journal = SeededSource("mistakes"), Journal.start(game)
    while (turn := journal.position.turn) is not None and journal.position.number <= turns:
        position = journal.position
        if position.waiting:
            throw = source.throw(turn.kept)
            assert throw is not None
            journal = journal.throw(throw)
        else:
            journal = journal.play(sides[game.player_of_turn(position.number)].choose(position))
    found = Record({"Game": game_id, "Dice": "seed:mistakes"}, journal)
    return record.read(record.concluded(found).to_text()) if journal.position.turn is None else found
