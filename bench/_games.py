"""Games that the figures replay. They follow from a seed."""

from dicecup import Journal, Record, SeededSource, from_id, players, record


def played(game_id: str, seed: str, *, level: str = "random", turns: int = 400) -> Record:
    """Return a game between players of one level, or its first `turns` turns."""
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
