"""The program in a pseudo-terminal: languages, colours, control keys, saving and resuming."""

import re
from pathlib import Path

import pexpect

from dicecup import record
from tests.sweep import sweep
from tests.terminal.program import dicecup, ended, enter, lines, saved, terminal

COLOUR = re.compile("\x1b\\[[0-9;]*m")
DUEL = ("play", "yam-master", "--table", "--seat", "Anna", "--seat", "Ben")


def plain(text: str) -> str:
    """Return the text without colours and with the line ends of a pipe."""
    return COLOUR.sub("", text).replace("\r\n", "\n")


FLOWS = {
    "de": (
        "Wer beginnt",
        "Wurf 1: 1 1 2 3 5",
        "Défi (Wette) angesagt.",
        "Défi (Wette) angesagt: Ein Stein",
        "Stein gesetzt: d4 ≤8",
        "gespeichert",
    ),
    "en": (
        "Who begins",
        "Throw 1: 1 1 2 3 5",
        "Défi (Challenge) declared.",
        "A Défi (Challenge) is",
        "Token placed: d4 ≤8",
        "saved",
    ),
    "fr": ("Qui commence", "Lancer 1 : 1 1 2 3 5", "Défi relevé.", "Un défi est relevé", "Pion posé : d4 ≤8", "enregistrée"),
}


@sweep("language", FLOWS)
def test_start_keep_challenge_error_place_quit_resume(tmp_path: Path, language: str) -> None:
    begins, first, declared, under, placed, left = FLOWS[language]
    with terminal(tmp_path, *DUEL, "--lang", language) as child:
        child.expect_exact(begins)
        shown = [plain(text) for text in enter(child, ["1", "11235", "!11", "612", "k33", "k112", "11", "d4"], "[>:] $")]
        child.sendline("q")
        assert ended(child) == 0
        assert left in plain(str(child.before))
    for part, text in zip((first, declared, under, "[not-these-dice]", placed), (2, 3, 4, 5, 8), strict=True):
        assert part in shown[text], (part, shown)
    with terminal(tmp_path, "play", "--resume", "--lang", language) as child:
        child.expect("> $")
        assert "1. 11235 !k11 11126 k112 11112 d4" in plain(str(child.before))
        child.sendline("q")
        assert ended(child) == 0


@sweep(
    "language, heads, cell, written",
    [
        ("de", "Wahl 1", "wahl 2 fh", "Geschrieben: Wahl 2, Zeile FH: 42"),
        ("en", "Free 1", "free 2 fh", "Written: Free 2, row FH: 42"),
        ("fr", "Libre 1", "libre 2 fh", "Écrit : Libre 2, ligne FH : 42"),
    ],
)
def test_a_turn_of_yamm(tmp_path: Path, language: str, heads: str, cell: str, written: str) -> None:
    arguments = ("play", "yamm", "--table", "--seat", "Anna", "--seat", "Ben", "--lang", language)
    with terminal(tmp_path, *arguments) as child:
        shown = [plain(text) for text in enter(child, ["6", "11235", "k-", "44455", "d1.2", cell], "> $")]
        child.sendline("q")
        assert ended(child) == 0
    assert heads in shown[2]
    assert "↓1     ↓2     ↓3     ↑1     ↑2     ↑3" in shown[2]
    assert "[42]" in shown[4]
    assert "[cell-out-of-order]" in shown[5]
    assert written in shown[6]
    assert max(len(line) for text in shown[1:] for line in text.splitlines()) <= 80


def test_enter_twice_begins_a_game_against_the_computer(tmp_path: Path) -> None:
    with terminal(tmp_path, "play") as child:
        for _ in range(2):
            child.expect(": $")
            child.sendline("")
        child.expect("You \\([xo]\\)> $")
        child.sendline("q")
        assert ended(child) == 0
    (path,) = saved(tmp_path)
    assert record.load(path).tags["Game"] == "yam-master"


def test_a_terminal_gets_colours_that_add_nothing(tmp_path: Path) -> None:
    pictures = {}
    for name, environ in {"colour": {}, "NO_COLOR": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}}.items():
        with terminal(tmp_path / name, *DUEL, environ=environ) as child:
            pictures[name] = "".join(enter(child, ["1", "11112"], "[>:] $")[1:])
    assert COLOUR.search(pictures["colour"])
    assert not COLOUR.search(pictures["NO_COLOR"] + pictures["dumb"])
    output = [re.sub("20.*dicecup", "", plain(text).partition("?")[2]) for text in pictures.values()]
    assert output[0] == output[1] == output[2]


def test_nothing_moves_the_cursor(tmp_path: Path) -> None:
    with terminal(tmp_path, *DUEL) as child:
        shown = "".join(enter(child, ["1", "11112", "?", "read", "a1"], "[>:] $"))
    assert set(re.findall("\x1b[^m]*.", shown)) <= set(COLOUR.findall(shown))


def test_control_c_and_control_d_end_the_program(tmp_path: Path) -> None:
    for key, exit_code in (("c", 130), ("d", 1)):
        with terminal(tmp_path / key, *DUEL) as child:
            enter(child, ["1", "11235"], "[>:] $")
            child.sendcontrol(key)
            while child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=20):
                # a terminal loses the key while it prepares a line, so the key is sent again
                child.sendcontrol(key)
            output = plain(str(child.before))
            assert ended(child) == exit_code
            assert "The game is saved. To continue: dicecup play --resume" in output
            assert "Traceback" not in output
        again = dicecup(tmp_path / key, "play", "--resume", typed=lines("quit"))
        assert "Throw 1: 1 1 2 3 5" in again.stdout


def test_a_closed_terminal_leaves_the_game_saved(tmp_path: Path) -> None:
    with terminal(tmp_path, *DUEL) as child:
        enter(child, ["1", "11235", "11"], "[>:] $")
    (path,) = saved(tmp_path)
    assert record.load(path).journal.words == ("11235", "k11")
