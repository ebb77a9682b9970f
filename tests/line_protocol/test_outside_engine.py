import os
from pathlib import Path

import pytest

from dicecup import games
from dicecup.core.game import Position
from dicecup.line_protocol import EngineSpec, Limits, LineProtocolCode, LineProtocolError
from dicecup.line_protocol.lines import LONGEST_LINE
from dicecup.line_protocol.program import CHUNK, MOST_OUTPUT, Deadline, Program
from tests.line_protocol.stubs import HASTY, PATIENT, STUB, started, stub

START = games.from_id("yam-master").start().roll("11235")


def failure(kind: str, limits: Limits = PATIENT, position: Position = START) -> LineProtocolError:
    """Return the error of a stub engine that is asked for a decision."""
    engine = started(kind, limits)
    try:
        engine.new_game(position.game.id)
        with pytest.raises(LineProtocolError) as caught:
            engine.choose(position)
    finally:
        engine.close(grace=0)
    return caught.value


def test_an_engine_chooses_among_the_listed_actions() -> None:
    engine = started("good")
    engine.new_game("yam-master", "1")
    assert engine.choose(START) == START.actions[-1]
    assert (engine.title, engine.value) == ("Stub", 0.25)
    engine.close()


def test_an_engine_that_supports_no_corrections_is_not_asked() -> None:
    engine = started("good")
    position = games.from_id("yamm").start().roll("11166").play("f1.6").roll("22345").play("d1.1")
    assert position.corrections
    assert engine.correct(position, 0) is None
    engine.close()


@pytest.mark.parametrize(
    "kind, code, detail",
    [
        ("dies", LineProtocolCode.DIED, ("why", "status 1: out of ideas")),
        ("crashes", LineProtocolCode.DIED, ("why", "signal 9")),
        ("complains", LineProtocolCode.DIED, ("why", "no tables")),
        ("nonsense", LineProtocolCode.NONSENSE, ("text", "z9")),
        ("gives-up", LineProtocolCode.GAVE_UP, ("why", "no idea")),
        ("floods", LineProtocolCode.FLOODED, ("bytes", LONGEST_LINE)),
        ("chats", LineProtocolCode.FLOODED, ("bytes", MOST_OUTPUT)),
        ("closes", LineProtocolCode.CLOSED, ("engine", stub("closes"))),
    ],
)
def test_a_fault_has_a_code(kind: str, code: LineProtocolCode, detail: tuple[str, object]) -> None:
    error = failure(kind)
    assert error.code is code
    assert error.details[detail[0]] == detail[1]
    assert error.details["engine"] == stub(kind)


def test_an_engine_that_does_not_answer_is_slow() -> None:
    error = failure("slow", HASTY)
    assert error.code is LineProtocolCode.SLOW
    assert error.details["seconds"] == "0.05"


def test_a_silent_engine_does_not_begin() -> None:
    with pytest.raises(LineProtocolError) as caught:
        started("silent", Limits(start=0.05))
    assert caught.value.code is LineProtocolCode.SLOW


@pytest.mark.parametrize("kind, code", [("other-version", LineProtocolCode.HANDSHAKE), ("exits", LineProtocolCode.DIED)])
def test_a_wrong_handshake_has_a_code(kind: str, code: LineProtocolCode) -> None:
    with pytest.raises(LineProtocolError) as caught:
        started(kind)
    assert caught.value.code is code


def test_a_flood_is_never_held() -> None:
    program = Program(["cat", "/dev/zero"], "cat")
    with pytest.raises(LineProtocolError) as caught:
        program.receive(Deadline.after(300))
    assert caught.value.code is LineProtocolCode.FLOODED
    assert len(program._buffer) <= LONGEST_LINE + CHUNK
    program.close(grace=0)


def test_a_program_that_does_not_read_is_slow() -> None:
    program = Program(["sleep", "100000"], "sleep")
    more_than_a_pipe_holds = "x" * 100 * LONGEST_LINE
    with pytest.raises(LineProtocolError) as caught:
        program.send(more_than_a_pipe_holds, Deadline.after(0.05))
    assert caught.value.code is LineProtocolCode.SLOW
    program.close(grace=0)


@pytest.mark.parametrize("kind", ["good", "stays"])
def test_an_engine_ends_with_its_children(kind: str, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    engine = started(kind, PATIENT, fifo)
    engine.new_game("yamm")
    os.set_blocking(reader, True)
    engine.close(grace=0.05)
    assert os.read(reader, 1) == b""
    os.close(reader)


@pytest.mark.parametrize(
    "command, code",
    [
        ("./no-such-program", LineProtocolCode.MISSING),
        (str(STUB), LineProtocolCode.NOT_EXECUTABLE),
        (str(STUB.parent), LineProtocolCode.NOT_EXECUTABLE),
        ("", LineProtocolCode.COMMAND),
        ("'open", LineProtocolCode.COMMAND),
    ],
)
def test_a_command_that_cannot_be_run_has_a_code(command: str, code: LineProtocolCode) -> None:
    with pytest.raises(LineProtocolError) as caught:
        EngineSpec.of_command(command).start(PATIENT)
    assert caught.value.code is code


def test_a_command_has_quoted_arguments() -> None:
    spec = EngineSpec.read("engine:./my engine 'a b'")
    assert spec is not None
    assert spec.command == ("./my", "engine", "a b")
    assert EngineSpec.read("expert") is None
