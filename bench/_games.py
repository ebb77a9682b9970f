"""Games that the figures replay. A seed makes them the same on every machine."""

from dicecup import Journal, Record, SeededSource, from_id, players, record


def played(game_id: str, seed: str, *, level: str = "random", turns: int = 400) -> Record:
    """Return the record of a game between players of one level.

    A game that is not over after `turns` turns is cut there and recorded as a capped draw.
    """
    game = from_id(game_id)
    source, player = SeededSource(seed), players.create(level, seed)
    journal = Journal.start(game)
    while (turn := journal.position.turn) is not None and journal.turns < turns:
        journal = journal.throw(source.throw(turn.kept)) if turn.waiting else journal.play(player.choose(journal.position))
    tags = {"Game": game_id, "Dice": f"seed:{seed}"}
    if turn is not None:
        tags |= {"Result": "draw 0-0", "End": "cap"}
        return Record(tags, journal)
    return record.concluded(Record(tags, journal))
