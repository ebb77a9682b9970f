"""The board, its lines and their points (docs/rules.md, Yam Master)."""

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicecup.core.errors import GameError
from dicecup.yam_master import BOARD, Board, Figure, Side, Squares, board_rows, small_board
from dicecup.yam_master.board import layout_from_text, layout_text


def squares(*names: str) -> Squares:
    """Return the set of squares with these names."""
    return Squares(sum(1 << BOARD.index[name] for name in names))


def test_the_layout_is_the_printed_one() -> None:
    printed = """
        |   | a  | b     | c    | d    | e     |
        | 1 | 1  | 3     | Défi | 4    | 6     |
        | 2 | 2  | Carré | Sec  | Full | 5     |
        | 3 | ≤8 | Full  | Yam  | Défi | Suite |
        | 4 | 6  | Sec   | Suite| ≤8   | 1     |
        | 5 | 3  | 2     | Carré| 5    | 4     |
    """
    _, *rows = ([word.strip() for word in line.split("|")[1:-1]] for line in printed.strip().splitlines())
    wanted = {f"{column}{row[0]}": word for row in rows for column, word in zip("abcde", row[1:], strict=True)}
    assert dict(zip(BOARD.names, BOARD.figures, strict=True)) == wanted
    assert BOARD.names == tuple(wanted)


def test_every_figure_has_two_squares_and_yam_has_one() -> None:
    assert {figure: BOARD.figures.count(figure) for figure in Figure} == {f: 2 - (f is Figure.YAM) for f in Figure}


def test_twelve_lines_win() -> None:
    wins = {win for wins in BOARD.wins for win in wins}
    rows = {squares(*(f"{column}{row}" for column in "abcde")) for row in range(1, 6)}
    columns = {squares(*(f"{column}{row}" for row in range(1, 6))) for column in "abcde"}
    diagonals = {squares("a1", "b2", "c3", "d4", "e5"), squares("e1", "d2", "c3", "b4", "a5")}
    assert wins == rows | columns | diagonals
    assert all(BOARD.has_line(win) for win in wins)
    assert [len(through) for through in BOARD.wins] == [
        3,
        2,
        2,
        2,
        3,
        2,
        3,
        2,
        3,
        2,
        2,
        2,
        4,
        2,
        2,
        2,
        3,
        2,
        3,
        2,
        3,
        2,
        2,
        2,
        3,
    ]


def test_one_token_less_is_no_line() -> None:
    full = set(BOARD.names)
    # one in every row and column, and in both long diagonals
    holes = {"a1", "b3", "c5", "d2", "e4"}
    assert BOARD.has_line(squares(*full))
    assert not BOARD.has_line(squares(*full - holes))
    for hole in holes:
        assert BOARD.has_line(squares(*full - holes, hole))


@pytest.mark.parametrize(
    "own, points",
    [
        ("", 0),
        ("a1 b1", 0),
        ("a1 b1 c1", 1),
        ("a1 b1 d1 e1", 0),  # two and two: no run of three
        ("a1 b1 c1 e1", 1),  # three and one
        ("a1 b1 c1 d1", 2),  # a run of four scores 2, not two runs of three
        ("b1 c1 d1 e1", 2),
        ("a1 b1 c1 d1 e1", 0),  # five score nothing: they win
        ("c2 c3 c4", 1),
        ("a1 b2 c3", 1),  # the long diagonals
        ("b2 c3 d4 e5", 2),
        ("a5 b4 c3 d2", 2),
        ("c1 b2 a3", 1),  # the four short diagonals of three squares
        ("c1 d2 e3", 1),
        ("a3 b4 c5", 1),
        ("c5 d4 e3", 1),
        ("d1 c2 b3 a4", 2),  # the four of four squares
        ("d1 c2 b3", 1),
        ("b1 c2 d3 e4", 2),
        ("a2 b3 c4 d5", 2),
        ("e2 d3 c4 b5", 2),
        ("b1 c2 e4", 0),
        ("a1 b1 c1 a2 a3", 2),  # a token counts in every line
        ("a1 b1 c1 a2 b2 c2 a3 b3 c3", 8),  # three rows, three columns, two diagonals
        ("b1 a2", 0),  # corners of two squares are no line
    ],
)
def test_runs_of_three_and_four_score_and_five_do_not(own: str, points: int) -> None:
    assert BOARD.points(squares(*own.split())) == points


def points_by_text(own: set[str]) -> int:
    """Return the points by a second implementation of the rule, over each line as text."""
    starts = [(f"{c}{r}", step) for c in "abcde" for r in range(1, 6) for step in ((1, 0), (0, 1), (1, 1), (-1, 1))]
    total = 0
    for name, (right, down) in starts:
        column, row = "abcde".index(name[0]), int(name[1])
        if 0 <= column - right < 5 and row - down >= 1:
            continue
        line = ""
        while 0 <= column < 5 and row < 6:
            line += "x" if f"{'abcde'[column]}{row}" in own else "."
            column, row = column + right, row + down
        total += sum({3: 1, 4: 2}.get(len(run), 0) for run in re.findall("x+", line))
    return total


@given(st.sets(st.sampled_from(BOARD.names)))
def test_the_points_of_any_board_equal_the_second_implementation(own: set[str]) -> None:
    assert BOARD.points(squares(*own)) == points_by_text(own)


def test_runs_are_the_squares_that_score() -> None:
    runs = BOARD.runs(squares("a1", "b1", "c1", "e1", "c2", "c3", "c4"))
    assert [[BOARD.names[place] for place in run] for run in runs] == [["a1", "b1", "c1"], ["c1", "c2", "c3", "c4"]]


@given(st.sets(st.sampled_from(BOARD.names)))
def test_runs_add_up_to_the_points(own: set[str]) -> None:
    mask = squares(*own)
    assert BOARD.points(mask) == sum(len(run) - 2 for run in BOARD.runs(mask))
    assert all(mask >> place & 1 for run in BOARD.runs(mask) for place in run)


def test_board_rows_show_both_sides() -> None:
    assert board_rows(BOARD, squares("a1", "c3"), squares("e5")) == ("x....", ".....", "..x..", ".....", "....o")


def test_the_sides_are_x_and_o() -> None:
    assert [str(side) for side in Side] == ["x", "o"]
    assert [side.other for side in Side] == [Side.O, Side.X]


# Boards as values


def test_a_small_board_has_its_own_lines() -> None:
    board = small_board("1 Full 6/Sec Yam Suite/2 <=8 Defi", tokens=3)
    assert (board.rows, board.columns, board.tokens, board.line, board.scores) == (3, 3, 3, 3, ((2, 1),))
    assert board.names == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert board.figures[7] is Figure.AT_MOST_8
    assert layout_text(board.layout) == "1 Full 6/Sec Yam Suite/2 <=8 Defi"
    for places in combinations(range(9), 3):
        own = Squares(sum(1 << place for place in places))
        in_line = places in {(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)}
        assert board.has_line(own) == in_line
    assert board.points(Squares(0b000_000_011)) == 1
    assert board.points(Squares(0b000_001_010)) == 1  # a diagonal of two squares
    assert board.points(Squares(0b000_000_101)) == 0
    assert board.points(Squares(0b000_000_111)) == 0


def test_a_board_need_not_be_square() -> None:
    board = Board(layout_from_text("1 2 3/4 5 6"), tokens=4, line=3, scores=())
    assert board.names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert [win for wins in board.wins for win in wins] == [0b111] * 3 + [0b111000] * 3
    assert board.runs(Squares(0b111111)) == ()


def test_a_line_may_be_shorter_than_the_board() -> None:
    board = Board(layout_from_text("1 2 3/4 5 6/1 2 3"), tokens=4, line=2, scores=())
    assert len({win for wins in board.wins for win in wins}) == 6 + 6 + 8
    assert board.has_line(Squares(0b010_100_000))
    assert not board.has_line(Squares(0b001_000_001))


def test_equal_boards_are_one_value() -> None:
    assert small_board("1 2/3 4", 2) == small_board("1 2/3 4", 2)
    assert hash(small_board("1 2/3 4", 2)) == hash(small_board("1 2/3 4", 2))
    assert small_board("1 2/3 4", 2) != small_board("1 2/3 4", 3)


@pytest.mark.parametrize(
    "layout, tokens, line",
    [
        ((), 1, 2),
        (((),), 1, 2),
        (layout_from_text("1 2/3"), 1, 2),
        (layout_from_text("1 2/3 4"), 0, 2),
        (layout_from_text("1 2/3 4"), 2, 1),
        (layout_from_text("1 2/3 4"), 2, 3),
        (layout_from_text("/".join(["1 2"] * 10)), 2, 2),
        (layout_from_text(" ".join(["1"] * 10)), 2, 2),
    ],
)
def test_impossible_boards_are_refused(layout: tuple[tuple[Figure, ...], ...], tokens: int, line: int) -> None:
    with pytest.raises(GameError, match="not-a-board"):
        Board(layout, tokens, line, ())


@pytest.mark.parametrize("text", ["", "1 2/3 Yamm", "1  2/3 4", "1 2/3 4/", "1 2/3 4 5", "1 2 3/4 5 6"])
def test_other_texts_are_no_board(text: str) -> None:
    with pytest.raises(GameError, match="not-a-board"):
        small_board(text, 2)


def test_the_largest_board_has_nine_rows_and_columns() -> None:
    board = Board(layout_from_text("/".join([" ".join(["1"] * 9)] * 9)), tokens=40, line=9, scores=())
    assert (board.names[0], board.names[-1]) == ("a1", "i9")
