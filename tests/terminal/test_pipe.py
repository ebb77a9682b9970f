"""The program in a pipe: short games, bad input, full disks, kills, closed pipes, encodings."""

import os
import re
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from dicecup import record
from tests.sweep import sweep
from tests.terminal.program import PROGRAM, SECONDS, dicecup, environment, lines, saved, start_program

DUEL = ("play", "yam-master", "--table", "--seat", "Anna", "--seat", "Ben")
YAMM = ("play", "yamm", "--table", "--seat", "Anna", "--seat", "Ben")
DRAWN = ("play", "yam-master", "--seat", "Anna", "--seat", "Ben", "--seed", "a")


def test_a_short_game_of_yam_master(tmp_path: Path) -> None:
    typed = lines("1", "11235", "!11", "236", "a1", "k112", "11", "d4", "34566", "66", "66655", "Full d2", "d2", "quit")
    done = start_program(tmp_path, *DUEL, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "! a1: after a Défi (Challenge) a token needs Full" in done.stdout
    assert "Token placed: d4 ≤8" in done.stdout
    assert "! “Full d2” is not understood here" in done.stdout
    assert "Token placed: d2 Full (Full House)" in done.stdout
    (path,) = saved(tmp_path)
    assert record.load(path).journal.lines == ("1. 11235 !k11 11236 k112 11112 d4", "2. 34566 k66 55666 d2")


def test_a_short_game_of_yamm_with_a_starting_roll_and_a_correction(tmp_path: Path) -> None:
    typed = lines("3", "5", "11235", "11", "666", "free 1 fh", "22334", "1 > f2 6", "f1.6", "correct 2 f1.H", "quit")
    done = dicecup(tmp_path, *YAMM, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    (path,) = saved(tmp_path)
    kept = record.load(path)
    assert [kept.tags[name] for name in ("P1", "P2", "Start")] == ["Ben", "Anna", "3 5"]
    assert kept.journal.lines == ("1. 11235 k11 11666 f1.FH", "1. > f2.6", "2. 22334 f1.6", "2. > f1.H")


def test_a_cell_that_strikes_two_asks_first(tmp_path: Path) -> None:
    entries = ["6", "11235", "f1.H", "11235", "f1.1", "66666", "f1.T", "n", "f1.T", "y", "quit"]
    done = dicecup(tmp_path, *YAMM, typed=lines(*entries))
    question = "Free 1, row T strikes H and T of Free 1, because H would not be above T."
    assert done.stdout.count(question) == 2
    assert "Nothing was done." in done.stdout
    assert "Struck: H and T of Free 1\nYamm in the first throw: 100 points more." in done.stdout


@pytest.mark.parametrize("game", ["", "1", "2", "yamm", "yamm(players=3)", "chess"])
def test_enter_is_enough_to_begin(tmp_path: Path, game: str) -> None:
    entries = [game, "chess, chess" if game == "chess" else "Anna,Ben,Carl" if "3" in game else "", "", "", "quit", "quit"]
    done = dicecup(tmp_path, "play", "--seed", "a", typed=lines(*entries))
    assert done.stderr == ("" if game != "chess" else done.stderr)
    if game == "chess":
        assert "! “chess” is not one of the choices. [not-a-choice]" in done.stdout
        assert "! “chess, chess” is not one of the choices. [not-a-choice]" in done.stdout
        assert done.returncode == 0
    else:
        assert done.returncode == 0
        (path,) = saved(tmp_path)
        assert record.load(path).game.id == {"": "yam-master", "1": "yam-master", "2": "yamm"}.get(game, game)


def test_pairs_and_their_writers_are_asked_for(tmp_path: Path) -> None:
    entries = ["yamm", "Anna, Ben, Carl, Dora", "y", "Anna, Carl", "Emil", "Carl", "6", "11235", "quit"]
    done = dicecup(tmp_path, "play", "--table", typed=lines(*entries))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("[not-a-writer]") == 2
    assert "Anna (writer: Carl)> " in done.stdout
    (path,) = saved(tmp_path)
    assert record.load(path).tags["Writer"] == "P3"


def test_every_command_of_yam_master_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        "?",
        "rules",
        "board",
        "read",
        "read c3",
        "read z9",
        "actions",
        "history",
        "save",
        "save copy.txt",
        "save copy.txt",
        "",
    ]
    monkeypatch.chdir(tmp_path)
    done = dicecup(tmp_path, *DUEL, typed=lines("2", *asked, "11235", *asked, "quit"))
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "Real dice: type the five faces",
        "Sec (One shot): Full, Carré",
        "a3 ≤8; b3 Full; c3 Yam; d3 Défi; e3 Suite.",
        "\nc3 Yam.\n",
        "! “z9” is not one of the choices. [not-a-choice]",
        "The dice must be thrown first.",
        "k- k1 k2 k3 k5 k11",
        "No turn has been played yet.",
        "1. 11235\n",
        "! copy.txt already exists; it is not overwritten. [file-exists]",
    ):
        assert part in done.stdout, part
    assert record.load(tmp_path / "copy.txt").journal.words == ()


def test_every_command_of_yamm_answers(tmp_path: Path) -> None:
    asked = [
        "?",
        "rules",
        "odds",
        "odds 1",
        "odds f1",
        "sheet",
        "sheet ben",
        "sheet 2",
        "sheet Carl",
        "read",
        "read d1",
        "read ben",
        "actions",
        "history",
    ]
    typed = lines("6", "11235", "f1.1", "11235", *asked, "quit")
    done = dicecup(tmp_path, *YAMM, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "99 turns a sheet",
        "Sheet of Ben",
        "Sheet of Anna",
        "! “Carl” is not one of the choices. [not-a-choice]",
        "Keep 1 and play for one thing only (throws left: 2):",
        "! “f1” is not understood here",
        "↓1: 1 open, would score 2; 2 empty",
        "Corrections: 1. > d1.1; 1. > d2.1",
    ):
        assert part in done.stdout, part


def test_a_game_ends_by_resigning_or_by_an_agreed_draw(tmp_path: Path) -> None:
    done = dicecup(tmp_path, *DRAWN, typed=lines("resign", "n", "draw", "n", "draw", "y"))
    assert done.returncode == 0
    assert "[draw-declined]" in done.stdout
    assert done.stdout.endswith("Game over by agreement.\nA draw.\nPoints: x 0, o 0.\n")
    done = dicecup(
        tmp_path, "play", "yam-master", "--seat", "Anna", "--seat", "random", "--seed", "b", typed=lines("draw", "resign", "y")
    )
    assert "! random (o) declines the draw" in done.stdout
    assert "Winner: random (" in done.stdout
    done = dicecup(tmp_path, "play", "yamm(players=1)", "--seat", "Anna", typed=lines("resign", "draw", "quit"))
    assert done.stdout.count("[nobody-to-resign-to]") == 2


def test_locked_dice_that_were_knocked_over(tmp_path: Path) -> None:
    locked = ("play", "yam-master(kept_dice=locked)", *DUEL[2:])
    typed = lines("1", "11235", "11", "33346", "33", "k36", "k33", "k346", "11", "k33", "12", "quit")
    done = dicecup(tmp_path, *locked, typed=typed)
    assert "a locked die was knocked over: which dice are locked now?>" in done.stdout
    (path,) = saved(tmp_path)
    assert record.load(path).journal.words[:3] == ("11235", "k11", "33|346")


def test_a_typing_mistake_can_be_taken_back(tmp_path: Path) -> None:
    done = dicecup(tmp_path, *DUEL, typed=lines("1", "11235", "undo", "undo", "11236", "quit"))
    assert "Taken back: 11235" in done.stdout
    assert "[nothing-to-take-back]" in done.stdout
    (path,) = saved(tmp_path)
    assert record.load(path).journal.words == ("11236",)


def test_a_match_goes_on_by_itself_and_can_be_resumed_between_games(tmp_path: Path) -> None:
    done = dicecup(tmp_path, *DRAWN, "--games", "2", typed=lines("resign", "y", "quit"))
    assert "Game 1 / 2 of the match." in done.stdout
    assert re.search(r"Match, game 1 of 2\. Games won: \w+ \(x\) 0, \w+ \(o\) 1\.", done.stdout)
    assert "Game 2 / 2 of the match." in done.stdout
    first, second = saved(tmp_path)
    if second.name.endswith("-2.dicecup"):
        first, second = second, first
    done = dicecup(tmp_path, "play", "--resume", typed=lines("resign", "y"))
    assert "Match, game 2 of 2." in done.stdout
    done = dicecup(tmp_path, "play", "--resume", typed="")
    assert (done.returncode, "nothing-to-resume" in done.stderr) == (1, True)


# --- Languages and characters ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "language, words",
    [
        ("de", ("Zug 1: Anna (x)", "Wurf 1: 1 1 2 3 5. Würfe übrig: 2.", "Défi (Wette) angesagt.", "Behalten: 1 1")),
        ("en", ("Turn 1: Anna (x)", "Throw 1: 1 1 2 3 5. Throws left: 2.", "Défi (Challenge) declared.", "Kept: 1 1")),
        ("fr", ("Tour 1 : Anna (x)", "Lancer 1 : 1 1 2 3 5. Lancers restants : 2.", "Défi relevé.", "Gardés : 1 1")),
    ],
)
def test_option_and_locale_choose_the_language(tmp_path: Path, language: str, words: tuple[str, ...]) -> None:
    typed = lines("1", "11235", "!11", "quit")
    option = dicecup(tmp_path / "a", *DUEL, "--lang", language, typed=typed)
    locale = dicecup(tmp_path / "b", *DUEL, typed=typed, environ={"LANG": f"{language}_CH.UTF-8"})
    for done in (option, locale):
        assert done.returncode == 0
        for part in words:
            assert part in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
@pytest.mark.parametrize("arguments", [DUEL, YAMM])
@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_encoding_is_enough(tmp_path: Path, encoding: str, arguments: tuple[str, ...], language: str) -> None:
    typed = lines(
        "6" if arguments is YAMM else "1", "11235", "?", "regeln" if language == "de" else "rules", "read", "k7", "quit"
    )
    done = dicecup(tmp_path, *arguments, "--lang", language, typed=typed, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("Défi" if encoding != "ascii" else "Defi") in done.stdout or arguments is YAMM
    assert ("≤8" if encoding in ("utf-8", "cp437") else "<=8") in done.stdout or arguments is YAMM
    assert ("↓1" if encoding == "utf-8" else "v1") in done.stdout or arguments is DUEL
    assert "[not-a-face]" in done.stdout


def test_the_encoding_of_the_environment_is_used(tmp_path: Path) -> None:
    environ = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = start_program(tmp_path, *DUEL, typed=lines("1", "11235", "read", "quit"), environ=environ, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Defi" in done.stdout
    assert "<=8" in done.stdout


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, *DUEL],
        input=b"1\n\xff\xfe\n\xd9\xa3\xd9\xa3\n11235\n\x00\n\x1b[2J\nquit\n",
        capture_output=True,
        check=False,
        env=environment(tmp_path), timeout=SECONDS,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout


def test_a_pipe_gets_no_colours(tmp_path: Path) -> None:
    assert "\x1b" not in dicecup(tmp_path, *DRAWN, typed=lines("quit")).stdout


def test_a_screen_reader_gets_lines_and_every_announcement_once(tmp_path: Path) -> None:
    done = dicecup(tmp_path, *DUEL, "--short", typed=lines("1", "11235", "11", "11", "quit"))
    assert "  a  " not in done.stdout
    assert [done.stdout.count(part) for part in ("Turn 1: Anna (x)", "1 1 2 3 5", "Kept: 1 1", "1 1 1 1 ")] == [1, 1, 1, 0]


# --- What goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, code, exit_code",
    [
        (["play", "chess"], "not-a-game", 1),
        (["play", "yamm(players=99)"], "option-value", 1),
        (["play", "yamm(players=2)"], "option-default", 1),
        (["play", "yamm(players=6,pairs=maybe)", "--seat", "Anna"], "option-value", 1),
        (["play", "yam-master", "--seat", "Anna"], "wrong-number-of-seats", 1),
        (["play", "yam-master", "--seat", "Anna", "--seat", "Anna"], "name-twice", 1),
        (["play", "yam-master", "--seat", "Anna", "--seat", "Robo=deep"], "not-a-level", 1),
        (["play", "yam-master", "--seed", ""], "not-a-seed", 1),
        (["play", "yam-master", "--seed", "a", "--table"], "not-a-seed", 1),
        (["play", "--games", "0"], "not-a-number-of-games", 1),
        (["play", "--resume"], "nothing-to-resume", 1),
        (["play", "--resume", "nowhere"], "cannot-read", 1),
        (["play", "yamm", "--resume"], "resume-alone", 1),
        (["play", "--games", "many"], "bad-command-line", 2),
        (["play", "--lang", "xx"], "bad-command-line", 2),
        (["play", "--what"], "bad-command-line", 2),
        (["play", "--save", "/proc/none/game", "yam-master", "--seat", "Anna", "--seat", "Ben"], "cannot-save", 1),
    ],
)
def test_a_bad_command_line_is_a_typed_error(tmp_path: Path, arguments: list[str], code: str, exit_code: int) -> None:
    done = dicecup(tmp_path, *arguments, typed=lines("Anna, Ben", "quit"))
    assert done.returncode == exit_code
    assert f"dicecup: {code}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert saved(tmp_path) == []


def test_a_record_that_is_broken_is_refused_with_its_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text('[Game "yam-master"]\n[Dice "seed:a"]\n\n1. 11235 k66 11266 --\n')
    done = dicecup(tmp_path, "play", "--resume", str(broken))
    assert done.returncode == 1
    assert done.stderr == f"{broken}:4: not-these-dice: “k66”: these dice are not on the table.\n"


@pytest.mark.parametrize("typed", ["", "1\n", "1\n11235\n", "1\n11235\nk1"])
def test_the_end_of_the_input_ends_the_program(tmp_path: Path, typed: str) -> None:
    done = dicecup(tmp_path, *DUEL, typed=typed)
    assert done.returncode == 1
    assert done.stderr == "dicecup: end-of-input: The input has ended.\n"


def small_files(size: int) -> None:
    """Limit the size of files that the process writes. A larger write fails and does not kill the
    process.
    """
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    dicecup(tmp_path, *DRAWN, typed=lines("--"))
    (path,) = saved(tmp_path)
    before = path.read_bytes()
    done = subprocess.run(
        [*PROGRAM, "play", "--resume"], input="--\n", capture_output=True, check=False, encoding="utf-8",
        env=environment(tmp_path), timeout=SECONDS, preexec_fn=lambda: small_files(len(before)),
    )  # fmt: skip
    assert done.returncode == 1
    assert "dicecup: disk-full: there is no room for" in done.stderr
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_closed_pipe_ends_the_program_quietly(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*PROGRAM, *DRAWN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"?\n")
        process.stdin.flush()
        assert process.wait(SECONDS) == 1
        assert process.stderr.read() == b""


@pytest.mark.parametrize("arguments", [("--help",), ("play", "--help"), ("play", *DRAWN[1:])])
def test_a_closed_output_prints_no_traceback(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=b"quit\n",
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        env=environment(tmp_path),
        timeout=SECONDS,
    )
    os.close(write)
    assert done.returncode == 1
    assert done.stderr == b""


def test_streams_closed_at_the_start_end_with_1(tmp_path: Path) -> None:
    command = " ".join(f"'{part}'" for part in (*PROGRAM, *DRAWN))
    done = subprocess.run(["sh", "-c", f"{command} <&- >&- 2>&-"], check=False, env=environment(tmp_path), timeout=SECONDS)
    assert done.returncode == 1


# --- Kills ----------------------------------------------------------------------------------------


def prompts(process: "subprocess.Popen[bytes]", prompt: bytes) -> bytes:
    """Return the output up to the next prompt."""
    shown = b""
    while not shown.endswith(prompt):
        byte = os.read(process.stdout.fileno(), 1)  # type: ignore[union-attr]
        assert byte, shown
        shown += byte
    return shown


def decision(shown: bytes) -> list[str]:
    """Return the last board and all lines below it."""
    return shown.decode().split("      a       b ")[-1].splitlines()


ENTRIES = (b"k-", b"k-", b"--", b"!k-", b"k-", b"--", b"k-", b"--")


@sweep("steps", range(len(ENTRIES)))
def test_after_a_kill_the_game_continues_as_it_was_shown(tmp_path: Path, steps: int) -> None:
    shown = b""
    with subprocess.Popen(
        [*PROGRAM, *DRAWN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path)
    ) as process:
        assert process.stdin is not None
        for entry in (*ENTRIES[:steps], None):
            shown = prompts(process, b")> ")
            if entry is not None:
                process.stdin.write(entry + b"\n")
                process.stdin.flush()
        process.kill()
    again = dicecup(tmp_path, "play", "--resume", typed=lines("quit"))
    assert again.returncode == 0
    assert again.stdout.split("      a       b ")[-1].split("\nThe game is saved")[0].splitlines() == decision(shown)


@sweep("steps", range(7))
def test_after_a_kill_a_game_of_yamm_continues(tmp_path: Path, steps: int) -> None:
    entries = (b"k-", b"f1.H", b"f1.H", b"1. > f2.H", b"", b"k-", b"f1.1")
    arguments = ("play", "yamm", "--seat", "Anna", "--seat", "Ben", "--seed", "a")
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(tmp_path)
    ) as process:
        assert process.stdin is not None
        for entry in entries[:steps]:
            prompts(process, b"> ")
            process.stdin.write(entry + b"\n")
            process.stdin.flush()
        shown = prompts(process, b"> ").decode().splitlines()
        process.kill()
    again = dicecup(tmp_path, "play", "--resume", typed=lines("quit"))
    assert again.stdout.split("\nThe game is saved")[0].splitlines()[-2:] == shown[-2:]
    assert any("Throw" in line or "Result of turn" in line for line in shown[-2:])


def sleeps(pid: int) -> bool:
    """Return whether the program sleeps, so that it waits for input. Python may lose a signal that
    arrives before.
    """
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def test_an_interrupt_prints_no_traceback(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*PROGRAM, *DRAWN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 a job in the background ignores it
    ) as process:  # fmt: skip
        prompts(process, b")> ")
        while not sleeps(process.pid):
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert err == b""
    assert b"The game is saved. To continue: dicecup play --resume" in out
    assert dicecup(tmp_path, "play", "--resume", typed=lines("quit")).returncode == 0
