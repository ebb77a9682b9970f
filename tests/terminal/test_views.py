"""Views of a position: expected screens, the width of lines, every language."""

import pytest

from dicecup import games, record
from dicecup.locale import LANGUAGES, Messages
from dicecup.record import Record
from dicecup.terminal import display
from dicecup.terminal.console import WIDTH, Console
from dicecup.terminal.games import board, screen_of, sheet
from dicecup.yam_master import Figure
from dicecup.yamm import Column


def duel(text: str) -> Record:
    """Return a record of Yam Master that begins with this position."""
    kept = record.read('[Game "yam-master"]\n[X "Anna"]\n[O "Ben"]\n[Dice "table"]\n\n')
    journal = kept.journal
    object.__setattr__(journal, "position", games.position("yam-master", text))
    return kept


def sheets(moves: str) -> Record:
    """Return a record of Yamm for two players with these lines."""
    return record.read(f'[Game "yamm"]\n[P1 "Anna"]\n[P2 "Ben"]\n[Dice "table"]\n\n{moves}\n')


def shown(capsys: pytest.CaptureFixture[str], kept: Record, language: str = "en", *, short: bool = False) -> str:
    """Return the output for a decision."""
    display.show_decision(Console(Messages(language), colour=False, short=short), kept)
    return capsys.readouterr().out


PREDATOR = "x1o2/5/5/5/5 x 1:11111 11-11 3"
DEFI = "x1o2/5/5/5/5 x 2!:11146 11-11 3"


def test_the_board_with_what_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, duel(PREDATOR)).splitlines() == [
        "      a       b       c       d       e",
        "  1   x       3      [o]      4       6",
        "  2   2    [Carré]  [Sec]   [Full]    5",
        "  3  [≤8]   [Full]  [Yam]    Défi   Suite",
        "  4   6     [Sec]   Suite    [≤8]    [1]",
        "  5   3       2    [Carré]    5       4",
        "Anna (x): tokens left 11, points 0.",
        "Ben (o): tokens left 11, points 0.",
        "Throw 1: 1 1 1 1 1. Throws left: 2.",
        "Free for a token: b2 Carré (Four of a kind), c2 Sec (One shot),",
        "  d2 Full (Full House), a3 ≤8, b3 Full (Full House), c3 Yam (Five of a kind),",
        "  b4 Sec (One shot), d4 ≤8, e4 1 (Three of a kind), c5 Carré (Four of a kind).",
        "Predator: a token can be taken off c1.",
    ]


def test_under_a_challenge_a_three_of_a_kind_is_not_enough(capsys: pytest.CaptureFixture[str]) -> None:
    printed = shown(capsys, duel(DEFI), "de")
    assert "[" not in printed
    assert printed.splitlines()[-3:] == [
        "Wurf 2: 1 1 1 4 6. Würfe übrig: 1.",
        "Défi (Wette) angesagt: Ein Stein braucht Full, Carré, Yam, Suite oder ≤8.",
        "Kein freies Feld passt zu diesen Würfeln.",
    ]


def test_the_board_is_read_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    position = duel(PREDATOR).journal.position
    board.read_board(Console(Messages("fr"), colour=False), position)  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines()[0] == "a1 1 : pion de x; b1 3; c1 Défi : pion de o; d1 4; e1 6."


MOVES = """1. 66666 f1.6
2. 11235 d1.1
3. 55555 f1.5
4. 11266 u1.Y
5. 12345 f1.H
6. 11235 d1.2
7. 11112 f1.1
8. 11235 d1.3
9. 22222 f1.2
10. 11235 d1.4
11. 33366 f1.3
12. 11235 d1.5
13. 44446 f1.4
14. 11235 d1.6
15. 22334"""


def test_the_sheet_is_printed_with_open_cells_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, sheets(MOVES)).splitlines() == [
        "Sheet of Anna",
        "              ↓1     ↓2     ↓3     ↑1     ↑2     ↑3  Free 1  Free 2  Free 3",
        "1            [x]    [x]    [x]      .      .      .       4     [x]     [x]",
        "2              .      .      .      .      .      .      10     [4]     [4]",
        "3              .      .      .      .      .      .       9     [6]     [6]",
        "4              .      .      .      .      .      .      16     [4]     [4]",
        "5              .      .      .      .      .      .      25     [x]     [x]",
        "6              .      .      .      .      .      .      30     [x]     [x]",
        "Sum            0      0      0      0      0      0      94       0       0",
        "Bonus       (60)   (60)   (60)   (60)   (60)   (60)    +300    (60)    (60)",
        "Missing       60     60     60     60     60     60       -      60      60",
        "Subtotal       -      -      -      -      -      -     394       -       -",
        "H High         .      .      .      .      .      .      15    [14]    [14]",
        "T Low          .      .      .      .      .      .    [14]    [14]    [14]",
        "FH             .      .      .      .      .      .     [x]     [x]     [x]",
        "ST             .      .      .      .      .      .     [x]     [x]     [x]",
        "Y              .      .      .    [x]    [x]    [x]     [x]     [x]     [x]",
        "Total          -      -      -      -      -      -       -       -       -",
        "Anna: 709 points (first-throw Yamms: 3). Ben: 12 points.",
        "Throw 1: 2 2 3 3 4. Throws left: 2.",
    ]


def test_a_cell_that_would_strike_two_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    kept = sheets(f"{MOVES} k234 23456")
    printed = shown(capsys, kept)
    assert "T Low          .      .      .      .      .      .    [xx]    [20]    [20]" in printed.splitlines()
    console = Console(Messages("de"), colour=False)
    sheet.read_column(console, kept.journal.position, 0, Column("f1"))  # type: ignore[arg-type]
    assert " ".join(capsys.readouterr().out.split()) == (
        "Wahl 1: 1 4; 2 10; 3 9; 4 16; 5 25; 6 30; H 15; T offen, würde H und T streichen; FH offen, würde gestrichen; "
        "ST offen, gäbe 50; Y offen, würde gestrichen. Summe 94, Bonus 300, Zwischentotal 394."
    )


def test_a_column_is_read_with_its_sums(capsys: pytest.CaptureFixture[str]) -> None:
    kept = sheets(MOVES)
    console = Console(Messages("en"), colour=False)
    sheet.read_column(console, kept.journal.position, 1, Column("d1"))  # type: ignore[arg-type]
    assert " ".join(capsys.readouterr().out.split()) == (
        "↓1: 1 2; 2 2; 3 3; 4 struck; 5 5; 6 struck; H empty; T empty; FH empty; ST empty; Y empty. "
        "Sum 12, bonus 0, subtotal 12."
    )


def test_short_prints_lines_instead_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, sheets(MOVES), short=True).splitlines()
    assert lines[:3] == [
        "Anna: 709 points (first-throw Yamms: 3). Ben: 12 points.",
        "Throw 1: 2 2 3 3 4. Throws left: 2.",
        "↓1: 1 = x. Sum 0, 60 short of bonus 60.",
    ]
    assert "Free 1: T = 14, FH = x, ST = x, Y = x. Sum 94, bonus 300, subtotal 394." in lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [PREDATOR, DEFI, MOVES])
def test_everything_fits_80_columns(capsys: pytest.CaptureFixture[str], language: str, text: str) -> None:
    kept = sheets(text) if text == MOVES else duel(text)
    console = Console(Messages(language), colour=False)
    display.show_record(kept, console)
    display.show_decision(console, kept)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= WIDTH


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_board_are_always_shown(language: str) -> None:
    messages = Messages(language)
    for figure in Figure:
        assert board.figure_name(figure, messages).startswith(figure.value)
    assert "ß" not in "".join(map(str, Messages("de")._catalogue.values()))


@pytest.mark.parametrize(
    "action, printed",
    [
        ("k-", ["Behalten: keine"]),
        ("!k11", ["Défi (Wette) angesagt.", "Behalten: 1 1"]),
        ("e4", ["Stein gesetzt: e4 1 (Dreierpasch)"]),
        ("-c1", ["Predator: Stein weggenommen von c1"]),
        ("--", ["Kein Stein."]),
    ],
)
def test_effects_of_yam_master_are_printed(action: str, printed: list[str]) -> None:
    before = games.position("yam-master", PREDATOR)
    assert screen_of(before.game).effects(before, before.play(action), before.game.action(action), Messages("de")) == printed


def test_a_lost_challenge_is_printed() -> None:
    before = games.position("yam-master", DEFI)
    assert screen_of(before.game).effects(before, before.play("--"), before.game.action("--"), Messages("en")) == [
        "The Défi (Challenge) is lost: no token."
    ]


def test_a_defi_with_a_big_figure_is_not_lost() -> None:
    before = games.position("yam-master", "2x2/5/3xx/2x2/5 o 3!:12345 8-12 10")
    assert screen_of(before.game).effects(before, before.play("--"), before.game.action("--"), Messages("en")) == ["No token."]


def test_an_ignored_defi_needs_no_big_figure(capsys: pytest.CaptureFixture[str]) -> None:
    kept = record.read('[Game "yam-master(failed_defi=ignored)"]\n[Dice "table"]\n\n1. 11145 !k111 11145\n')
    lines = shown(capsys, kept)
    assert "a token needs Full" not in lines
    assert "e4 1 (Three of a kind)" in lines.replace("\n ", "")


@pytest.mark.parametrize(
    "line, action, printed",
    [
        ("15. 22334", "f2.2", ["Written: Free 2, row 2: 4"]),
        ("15. 22334", "f1.Y", ["Struck: Free 1, row Y"]),
        ("15. 33444", "f1.T", ["Struck: H and T of Free 1"]),
        ("15. 11111", "f1.FH", ["Written: Free 1, row FH: 50", "Yamm in the first throw: 100 points more."]),
        ("15. 22334", "14. > d2.1", ["The result of turn 14 is moved.", "Written: ↓2, row 1: 2"]),
    ],
)
def test_effects_of_yamm_are_printed(line: str, action: str, printed: list[str]) -> None:
    before = sheets(MOVES.replace("15. 22334", line)).journal.position
    after = before.play(before.game.action(action))
    assert screen_of(before.game).effects(before, after, before.game.action(action), Messages("en")) == printed


def test_totals_that_become_known_are_printed() -> None:
    kept = sheets(MOVES.replace("13. 44446 f1.4\n14. 11235 d1.6\n15. 22334", "13. 44446"))
    before = kept.journal.position
    printed = screen_of(before.game).effects(before, before.play("f1.4"), before.game.action("f1.4"), Messages("en"))
    assert printed == ["Written: Free 1, row 4: 16", "Subtotal of Free 1: 94 and bonus 300"]


@pytest.mark.parametrize(
    "tags, printed",
    [
        ('[Result "x 2-1"]\n[End "resign"]', ["Game over by resignation.", "Winner: Anna (x).", "Points: x 2, o 1."]),
        ('[Result "draw 1-1"]\n[End "time"]', ["Game over: out of time.", "A draw.", "Points: x 1, o 1."]),
    ],
)
def test_ends_of_yam_master_are_printed(capsys: pytest.CaptureFixture[str], tags: str, printed: list[str]) -> None:
    display.show_end(
        Console(Messages("en"), colour=False), record.read(f'[Game "yam-master"]\n[X "Anna"]\n[O "Ben"]\n{tags}\n\n')
    )
    assert capsys.readouterr().out.splitlines() == printed


def test_a_shared_win_names_both_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    tags = '[Result "5 5"]\n[End "cap"]\n[Winners "0 1"]'
    kept = record.read(f'[Game "yamm(players=4,pairs=yes)"]\n[P1 "A"]\n[P2 "B"]\n[P3 "C"]\n[P4 "D"]\n{tags}\n\n')
    display.show_end(Console(Messages("de"), colour=False), kept)
    assert capsys.readouterr().out.splitlines() == [
        "Spielende: Die vereinbarte Zahl Züge ist gespielt.",
        "Geteilter Sieg: A & C, B & D.",
        "A & C 5, B & D 5",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_every_end_has_its_words(language: str) -> None:
    messages = Messages(language)
    for end in (*games.ends(), *record.OTHER_ENDS):
        assert display.end_reason(end, messages)
    everything = "yam-master(kept_dice=locked,failed_defi=ignored,captured=out,end=full_round)"
    assert display.game_title(games.from_id(everything), messages).count(",") == 3
    assert "(" in display.game_title(games.from_id("yamm(players=4,kept_dice=locked,pairs=yes)"), messages)
