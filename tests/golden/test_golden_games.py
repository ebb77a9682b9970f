"""Short games that a person can check: each turn as a record holds it, and the board, the points or
the cell after it.
"""

from collections.abc import Iterable

from dicecup import record, yamm
from dicecup.core.game import Position
from dicecup.games import from_id
from dicecup.record import Journal
from dicecup.yamm.sheet import Cell, Column


def played(game_id: str, *lines: str) -> list[Position]:
    """Return the position after each line."""
    journal = Journal.start(from_id(game_id))
    positions = []
    for line in lines:
        if ">" in line:
            journal = journal.play(line)
        else:
            for word in line.split(" ")[1:]:
                journal = journal.word(word)
        assert journal.lines[-1] == line
        positions.append(journal.position)
    return positions


def boards(*lines: str) -> list[str]:
    """Return the board of Yam Master after each line."""
    return [str(position).split(" ", 1)[0] for position in played("yam-master", *lines)]


def whole(game_id: str, result: str, end: str, lines: Iterable[str]) -> str:
    """Return the text of the record of a finished game."""
    turns = "".join(f"{line}\n" for line in lines)
    return f'[Game "{game_id}"]\n[Result "{result}"]\n[End "{end}"]\n\n{turns}'


def test_x_fills_the_top_row() -> None:
    turns = {
        "1. 11166 a1": "x4/5/5/5/5",  # three 1s, at the first throw
        # o keeps the 6s and rolls a Yam at the third throw
        "2. 13466 k66 12366 k66 66666 c3": "x4/5/2o2/5/5",
        "3. 23344 k33 33345 b1": "xx3/5/2o2/5/5",  # three 3s at the second
        "4. 12345 b4": "xx3/5/2o2/1o3/5",  # a Suite at the first throw: a Sec
        "5. 22446 k44 34446 d1": "xx1x1/5/2o2/1o3/5",  # three 4s
        # o bets, and the Carré wins the Défi square
        "6. 22333 !k333 13333 d3": "xx1x1/5/2oo1/1o3/5",
        "7. 55566 k66 26666 e1": "xx1xx/5/2oo1/1o3/5",  # four 6s are three 6s too
        "8. 13456 !k3456 13456 k3456 33456 --": "xx1xx/5/2oo1/1o3/5",  # a bet for the Suite, lost
        # x bets on the Suite and takes the Défi square: five in a row
        "9. 12346 !k1234 12345 c1": "xxxxx/5/2oo1/1o3/5",
    }
    assert boards(*turns) == list(turns.values())
    over = played("yam-master", *turns)[-1]
    assert str(over) == "xxxxx/5/2oo1/1o3/5 o - 7-9 10"
    assert record.state(record.read(whole("yam-master", "x 0-0", "line", turns)))["outcome"] == {"end": "line", "winner": "x"}


def test_the_predator_saves_the_day_and_the_token_comes_back() -> None:
    turns = {
        "1. 44666 e1": "4x/5/5/5/5",
        "2. 22245 a2": "4x/o4/5/5/5",
        "3. 11666 d2": "4x/o2x1/5/5/5",  # a Full House; the 6s were taken
        "4. 12345 e3": "4x/o2x1/4o/5/5",
        "5. 55555 c3": "4x/o2x1/2x1o/5/5",  # the Yam: three in a diagonal
        "6. 11111 -c3": "4x/o2x1/4o/5/5",  # o's Yam takes it away
        "7. 33333 -e3": "4x/o2x1/5/5/5",  # and x's takes revenge
    }
    assert boards(*turns) == list(turns.values())
    returned = played("yam-master", *turns)
    assert [position.supplies for position in returned[4:]] == [(9, 10), (10, 10), (10, 11)]  # type: ignore[attr-defined]
    out = played("yam-master(captured=out)", *turns)
    assert [position.supplies for position in out[4:]] == [(9, 10), (9, 10), (9, 10)]  # type: ignore[attr-defined]
    assert [position.points for position in returned[4:]] == [(1, 0), (0, 0), (0, 0)]  # type: ignore[attr-defined]


TWELVE = (
    ("11123", "a1"),  # three 1s
    ("33345", "b1"),  # three 3s
    ("44456", "d1"),  # three 4s
    ("14666", "e1"),  # three 6s
    ("22256", "a2"),  # three 2s
    ("12345", "c2"),  # Sec: a Suite at the first throw
    ("35555", "e2"),  # three 5s, and a fourth
    ("11112", "b4"),  # Sec: a Carré
    ("11114", "d4"),  # at most 8, and so is 1+1+1+1+4
    ("33334", "a5"),  # three 3s
    ("22223", "b5"),  # three 2s
    ("44445", "c5"),  # Carré
)
"""x's twelve tokens, all at the first throw; o passes. No five in a row:

    x x . x x    4 in the top row are two and two
    x . x . x
    . . . . .
    . x . x .
    x x x . .    a run of three: 1 point
"""


def twelve() -> list[str]:
    """Return the lines of turns 1 to 23."""
    lines = []
    for count, (dice, square) in enumerate(TWELVE):
        lines += [f"{2 * count + 1}. {dice} {square}", f"{2 * count + 2}. 13466 --"]
    return lines[:-1]


def test_the_last_token_ends_the_game() -> None:
    over = played("yam-master", *twelve())[-1]
    assert str(over) == "xx1xx/x1x1x/5/1x1x1/xxx2 o - 0-12 24"
    state = record.state(record.read(whole("yam-master", "x 1-0", "tokens", twelve())))
    assert (state["points"], state["outcome"]) == ([1, 0], {"end": "tokens", "winner": "x"})


def test_in_the_full_round_o_has_one_more_turn() -> None:
    game_id = "yam-master(end=full_round)"
    assert str(played(game_id, *twelve())[-1]) == "xx1xx/x1x1x/5/1x1x1/xxx2 o 0:????? 0-12 24"
    # Five 6s break the run of three. x has a token again, but the game is over.
    lines = [*twelve(), "24. 66666 -b5"]
    assert str(played(game_id, *lines)[-1]) == "xx1xx/x1x1x/5/1x1x1/x1x2 x - 1-12 25"
    state = record.state(record.read(whole(game_id, "draw 0-0", "tokens", lines)))
    assert (state["points"], state["outcome"]) == ([0, 0], {"end": "tokens", "winner": None})


def test_one_downward_column_of_yamm() -> None:
    turns = {
        "1. 11123 k111 11114 d1.1": 4,  # four 1s
        "2. 22256 d1.2": 6,  # three 2s
        "3. 33334 d1.3": 12,
        "4. 44456 k444 34446 k444 44445 d1.4": 16,
        "5. 55556 d1.5": 20,
        "6. 66666 k666 66666 d1.6": 30,  # five 6s, but not at the first throw: 88 in all, bonus 150
        "7. 34566 d1.H": 24,
        "8. 11124 d1.T": 9,  # 24 is above 9
        "9. 33344 d1.FH": 37,  # the sum of 17, and 20
        "10. 12346 k1234 12345 d1.ST": 45,
        "11. 11111 d1.Y": 80,  # five 1s, and at the first throw: 100 more
    }
    positions = played("yamm(players=1)", *turns)
    for position, (line, points) in zip(positions, turns.items(), strict=True):
        assert isinstance(position, yamm.Position)
        assert position.written[0][Cell(line.rsplit(" ", 1)[1])] == points
    sheet = positions[-1].written[0]  # type: ignore[attr-defined]
    column = Column("d1")
    assert sheet.upper(column) == 4 + 6 + 12 + 16 + 20 + 30 == 88
    assert sheet.bonus(column) == 150
    assert sheet.column_total(column) == 88 + 150 + 24 + 9 + 37 + 45 + 80 == 433
    assert sheet.first_throw_yamms == 1
    assert sheet.total == 533
    assert str(positions[-1]) == "4,6,12,16,20,30,24,9,37,45,.1/.11/.11/.11/.11/.11/.11/.11/.11~d1.Y=1:11111 0:????? 12"


def test_two_players_of_yamm_strike_and_correct() -> None:
    lines = (
        "1. 11166 f1.T",  # P1: T 15
        "2. 55566 k555 55555 u1.Y",  # P2: 65, from the bottom up
        "3. 12345 f1.H",  # P1: H 15 is not above T 15: both are struck
        "3. > f1.ST",  # P1 sees it and moves the result: 45, and T counts again
        # P2 strikes the straight with five 1s at the first throw: 0, and 100 more
        "4. 11111 u1.ST",
        "5. 44556 f1.H",  # P1: H 24
    )
    sheets = [[sheet.total for sheet in position.written] for position in played("yamm", *lines)]  # type: ignore[attr-defined]
    assert sheets == [[15, 0], [15, 65], [0, 65], [60, 65], [60, 165], [84, 165]]
