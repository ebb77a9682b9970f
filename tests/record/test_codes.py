"""Every code with which a record is refused, with its line."""

import pytest

from dicecup import record
from dicecup.record import RecordCode, RecordError
from tests.record.texts import LINE_OF_X, faults, text_of

G = '[Game "yam-master"]\n'

REFUSED = [
    ("byte-order-mark", 1, f"\ufeff{G}\n"),
    ("carriage-return", 1, '[Game "yam-master"]\r\n\r\n'),
    ("carriage-return", 3, f"{G}\n1. 11235 --\r\n"),
    ("not-utf8", 3, f"{G}\n1. 11235 -- ;\udcff\n"),
    ("no-final-newline", 1, ""),
    ("no-final-newline", 3, f"{G}\n1. 11235 --"),
    ("blank-line", 3, f"{G}\n\n"),
    ("blank-line", 4, f"{G}\n1. 11235 --\n\n"),
    ("blank-line", 4, f"{G}\n1. 11235 --\n\n2. 11235 --\n"),
    ("no-blank-line", 0, G),
    ("no-blank-line", 0, f'{G}[X "Anna"]\n'),
    ("not-a-tag", 2, f"{G}1. 11235 --\n"),
    ("not-a-tag", 2, f'{G}[X "Anna" ]\n\n'),
    ("not-a-tag", 2, f"{G}[X Anna]\n\n"),
    ("not-a-tag", 2, f'{G}[1X "Anna"]\n\n'),
    ("not-a-tag", 2, f'{G}[É "Anna"]\n\n'),
    ("not-a-tag", 2, f'{G}[X_Y "Anna"]\n\n'),
    ("not-a-tag", 2, f'{G}[X "An"na"]\n\n'),
    ("not-a-tag", 2, f'{G}[X "An\\na"]\n\n'),
    ("not-a-tag", 2, f'{G}[X "Anna\\"]\n\n'),
    ("not-a-tag", 2, f'{G} [X "Anna"]\n\n'),
    ("tag-twice", 2, f"{G}{G}\n"),
    ("tag-twice", 3, f'{G}[X "Anna"]\n[X "Ben"]\n\n'),
    ("tag-missing", 0, "\n"),
    ("tag-missing", 0, '[X "Anna"]\n\n'),
    ("tag-missing", 0, text_of(LINE_OF_X, Result="x 0-0")),
    ("tag-not-here", 2, text_of("", Winners="0")),
    ("tag-value", 2, text_of("", Dice="real")),
    ("tag-wrong", 2, text_of("", Result="x 0-0")),
    ("not-a-turn", 3, f"{G}\n11235 --\n"),
    ("not-a-turn", 3, f"{G}\n1.11235 --\n"),
    ("not-a-turn", 3, f"{G}\n01. 11235 --\n"),
    ("not-a-turn", 3, f"{G}\n0. 11235 --\n"),
    ("not-a-turn", 3, f"{G}\n١. 11235 --\n"),
    ("not-a-turn", 3, f"{G}\n 1. 11235 --\n"),
    ("not-a-turn", 3, f"{G}\n; a comment\n"),
    ("not-a-turn", 3, f"{G}\n%clock=1\n"),
    ("turn-number", 3, f"{G}\n2. 11235 --\n"),
    ("turn-number", 4, f"{G}\n1. 11235 --\n1. 11235 --\n"),
    ("turn-number", 4, f"{G}\n1. 11235 --\n3. 11235 --\n"),
    ("turn-number", 3, f"{G}\n{'9' * 5000}. 11235 --\n"),
    ("spacing", 3, f"{G}\n1. \n"),
    ("spacing", 3, f"{G}\n1.  11235 --\n"),
    ("spacing", 3, f"{G}\n1. 11235  --\n"),
    ("spacing", 3, f"{G}\n1. 11235 k11 \n"),
    ("spacing", 3, f"{G}\n1. ; a comment\n"),
    ("after-the-end-of-turn", 3, f"{G}\n1. 11235 -- --\n"),
    ("after-the-end-of-turn", 3, f"{G}\n1. 11235 -- 11235\n"),
    ("unfinished-turn", 4, f"{G}\n1. 11235\n1. --\n"),
    ("unfinished-turn", 4, f"{G}\n1. 11235 k11\n2. 11235 --\n"),
    ("not-a-note", 3, f"{G}\n1. 11235 -- %\n"),
    ("note-in-mid-turn", 3, f"{G}\n1. 11235 ; a comment\n"),
    ("void-throw-not-table", 3, f"{G}\n1. ~ 11235 --\n"),
    # codes of games, texts, dice and actions
    ("not-a-game", 1, '[Game "chess"]\n\n'),
    ("not-a-game", 1, '[Game ""]\n\n'),
    ("unknown-option", 1, '[Game "yam-master(players=2)"]\n\n'),
    ("option-value", 1, '[Game "yamm(players=0)"]\n\n'),
    ("option-default", 1, '[Game "yamm(players=2)"]\n\n'),
    ("pairs-need-even-players", 1, '[Game "yamm(players=5,pairs=yes)"]\n\n'),
    ("not-ascending", 3, f"{G}\n1. 53211 --\n"),
    ("not-five-dice", 3, f"{G}\n1. 1123 --\n"),
    ("too-many-dice", 3, f"{G}\n1. 112356 --\n"),
    ("not-a-face", 3, f"{G}\n1. 11237 --\n"),
    ("not-a-face", 3, f"{G}\n1. 1123٥ --\n"),
    ("not-a-face", 3, f"{G}\n1. -- --\n"),  # an action where a throw is due
    ("not-an-action", 3, f"{G}\n1. 11235 11235 --\n"),
    ("not-an-action", 3, f"{G}\n1. 11235 ~\n"),
    ("not-an-action", 3, f"{G}\n1. > a1\n"),
    ("kept-die-lost", 3, f"{G}\n1. 11235 k115 22445 --\n"),
    ("no-throw-left", 3, f"{G}\n1. 11235 k11 11236 k11 11245 k11 11256 --\n"),
    ("square-taken", 4, f"{G}\n1. 11122 d2\n2. 11122 d2\n"),
    ("game-over", 12, text_of(f"{LINE_OF_X}10. --\n")),
]


@pytest.mark.parametrize("code, line, text", REFUSED)
def test_a_record_is_refused_with_the_code_and_the_line(code: str, line: int, text: str) -> None:
    assert (line, code) in faults(text)


def test_every_code_has_an_example() -> None:
    # that one: test_files.py
    assert {code for code, *_ in REFUSED} >= set(RecordCode) - {RecordCode.TOO_LARGE}


@pytest.mark.parametrize(
    "text, found",
    [
        # the tags, then the first of the turns
        (
            text_of("1. 11235 k11 22222 --\n", Match="no", Result="x 1-1"),
            [(2, "tag-value"), (5, "kept-die-lost")],
        ),
        (
            text_of("1. 11235 --\n", Dice="real", Match="", Game2="", Result="x 1-1", Winners="0"),
            [(2, "tag-value"), (3, "tag-value")],
        ),
        (text_of("", Match="", Result="x 1-1", Winners="0"), [(2, "tag-value"), (3, "tag-wrong"), (4, "tag-not-here")]),
        ('[Game "no"]\n[X "a"]\n[X "b"]\n[O b]\n\n', [(1, "not-a-game"), (3, "tag-twice"), (4, "not-a-tag")]),
        # the file as a whole comes last
        (text_of(LINE_OF_X, Match="1"), [(2, "tag-value"), (0, "tag-missing"), (0, "tag-missing")]),
        (f'{G}{G}[Dice ""]\n', [(2, "tag-twice"), (3, "tag-value"), (0, "no-blank-line")]),
        (text_of("1. 11235 --\n3. 11235 --\n7. 4 4\n"), [(4, "turn-number")]),
    ],
)
def test_an_error_holds_all_faults(text: str, found: list[tuple[int, str]]) -> None:
    assert faults(text) == found


def test_a_fault_holds_the_offending_input() -> None:
    with pytest.raises(RecordError) as refusal:
        record.read(text_of("1. 11235 k115 22445 --\n", Match="one"))
    tag, turn = refusal.value.faults
    assert tag.details == {"tag": "Match", "value": "one"}
    assert {name: str(value) for name, value in turn.details.items()} == {"action": "22445"}
    assert refusal.value.code == tag.code


@pytest.mark.parametrize(
    "text, details",
    [
        (text_of("", Result="x 1-0"), {"tag": "Result", "value": "x 1-0", "expected": "*"}),
        (text_of("", Result="*", End="line"), {"tag": "End", "value": "line", "expected": "-"}),
        (text_of(LINE_OF_X, End="line"), {"tag": "Result", "expected": "x 0-0"}),
        (text_of(LINE_OF_X, Result="x 0-0", End="tokens"), {"tag": "End", "value": "tokens", "expected": "line"}),
        (text_of("2. 11235 --\n"), {"text": "2", "expected": 1}),
    ],
)
def test_a_fault_holds_the_expected_value(text: str, details: dict[str, object]) -> None:
    with pytest.raises(RecordError) as refusal:
        record.read(text)
    assert [dict(fault.details) for fault in refusal.value.faults] == [details]
