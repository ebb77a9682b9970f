"""The journal: the lines that it writes during a game, and the words that it refuses."""

import pytest

from dicecup.core.dice import keep, roll
from dicecup.core.errors import ActionError, DicecupError, TextError
from dicecup.core.source import Throw
from dicecup.games import from_id
from dicecup.record import Journal, position_after
from dicecup.yam_master import KeepDice, Place
from dicecup.yamm import KeepDice as YammKeep
from dicecup.yamm import Write
from dicecup.yamm.sheet import cell
from tests.record.texts import LINE_OF_X, read

YAM_MASTER = Journal.start(from_id("yam-master"))
YAMM = Journal.start(from_id("yamm"))
TABLE = Journal.start(from_id("yam-master(kept_dice=locked)"), table=True)


def test_a_turn_is_written_word_by_word() -> None:
    journal = YAM_MASTER
    assert (journal.to_text(), journal.turns, journal.throws) == ("", 0, 0)
    journal = journal.throw(Throw(roll("11346")))
    assert (journal.words, journal.to_text()) == (("11346",), "1. 11346\n")
    journal = journal.play(KeepDice(keep("11"), defi=True)).throw(Throw(roll("11112"))).play("c1")
    assert (journal.words, journal.lines) == ((), ("1. 11346 !k11 11112 c1",))
    assert (journal.to_text(), journal.turns, journal.throws) == ("1. 11346 !k11 11112 c1\n", 1, 2)


def test_a_void_throw_is_written_and_not_counted() -> None:
    journal = TABLE.throw(None).throw(None).throw(Throw(roll("22456"))).play("k22").throw(None)
    assert journal.to_text() == "1. ~ ~ 22456 k22 ~\n"
    assert journal.throws == 1
    assert journal.position.waiting


def test_locked_dice_that_were_knocked_over_are_written_with_the_bar() -> None:
    journal = TABLE.throw(Throw(roll("22456"))).play("k22").throw(Throw(roll("23446"), keep("24")))
    assert journal.to_text() == "1. 22456 k22 24|346\n"


def test_a_correction_stands_before_the_line_of_the_turn_that_runs() -> None:
    journal = YAMM.word("11122").play("f1.1").word("33344").play("k333").play("1. > f2.1")
    assert journal.to_text() == "1. 11122 f1.1\n1. > f2.1\n2. 33344 k333\n"
    assert journal.word("33345").play("f3.3").to_text() == "1. 11122 f1.1\n1. > f2.1\n2. 33344 k333 33345 f3.3\n"


def test_a_word_is_a_throw_where_dice_are_in_the_air() -> None:
    assert YAM_MASTER.word("11122").word("k11").word("11222").word("d2").to_text() == "1. 11122 k11 11222 d2\n"
    assert TABLE.word("~").word("22456").word("k22").word("24|346").to_text() == "1. ~ 22456 k22 24|346\n"


@pytest.mark.parametrize(
    "journal, word, code",
    [
        (YAM_MASTER, "a1", "not-a-face"),
        (YAM_MASTER, "~", "void-throw-not-table"),
        (YAM_MASTER, "24|346", "wrong-locked-dice"),
        (TABLE.word("22456"), "~", "not-an-action"),
        (YAM_MASTER.word("11122"), "11122", "not-an-action"),
        (YAM_MASTER.word("11122"), "f1.1", "not-an-action"),
        (YAMM.word("11122"), "--", "not-an-action"),
        (YAMM.word("11122"), "f1.ZT", "not-a-cell"),
        (YAMM.word("11122"), "d1.2", "cell-out-of-order"),
    ],
)
def test_a_refused_word_leaves_the_journal_unchanged(journal: Journal, word: str, code: str) -> None:
    before = journal.to_text(), str(journal.position)
    with pytest.raises(DicecupError) as refusal:
        journal.word(word)
    assert refusal.value.code == code
    assert (journal.to_text(), str(journal.position)) == before


def test_no_throw_is_due_while_a_person_decides() -> None:
    for journal in (TABLE.word("22456"), YAM_MASTER.word("22456")):
        with pytest.raises(ActionError, match="no-dice-in-the-air"):
            journal.throw(Throw(roll("22456")))
        with pytest.raises(ActionError, match="void-throw-not-table"):
            journal.throw(None)


def test_an_action_of_the_other_game_is_one_only_if_its_text_is() -> None:
    assert YAM_MASTER.word("11122").play(YammKeep(keep("11"))).to_text() == "1. 11122 k11\n"
    assert YAMM.word("11122").play(KeepDice(keep("11"))).to_text() == "1. 11122 k11\n"
    with pytest.raises(TextError):
        YAM_MASTER.word("11122").play(Write(cell("f1.1")))
    with pytest.raises(TextError):
        YAMM.word("11122").play(Place("a1"))
    with pytest.raises(TextError):
        YAMM.word("11122").play(KeepDice(keep("11"), defi=True))


CORRECTED = """\
1. 11266 f2.6
2. 11234 f1.1
1. > f1.6
3. 13455 k55 24555 f1.5 %spent=3 ; a comment
"""


def test_the_position_at_the_end_of_a_turn_is_that_before_its_correction() -> None:
    found = read(CORRECTED, game="yamm")
    lines = CORRECTED.splitlines(keepends=True)
    for turn, until in ((1, 1), (2, 2), (3, 4)):
        assert position_after(found, turn) == read("".join(lines[:until]), game="yamm").journal.position
    assert position_after(found, 4) is None


def test_the_position_at_the_end_of_a_turn_follows_from_the_first_one() -> None:
    found = read("5. 11122 d3\n6. 11123 a1\n", Dice="table", Position="5/5/1x2o/5/2x2 x 2!:455?? 10-11 5")
    assert position_after(found, 6) == found.journal.position
    assert position_after(found, 4) is None


def test_the_last_position_of_a_game_can_be_asked_for() -> None:
    found = read(LINE_OF_X, Result="x 0-0", End="line")
    after = position_after(found, 9)
    assert after is not None
    assert after.outcome is not None
