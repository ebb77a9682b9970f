import pytest

from dicecup.line_protocol.lines import Go, after, go_line, read_go


@pytest.mark.parametrize(
    "actions, seconds, correct, line",
    [
        (("k-", "c3", "--"), 10.0, False, "go time 10000 actions k-;c3;--"),
        (("none", "16. > f2.Y"), 0.0015, True, "go correct time 1 actions none;16. > f2.Y"),
        (("--",), -1.0, False, "go time 0 actions --"),
    ],
)
def test_a_request_reads_back(actions: tuple[str, ...], seconds: float, correct: bool, line: str) -> None:
    assert go_line(actions, seconds, correct=correct) == line
    assert read_go(line) == Go(actions, max(0, int(1000 * seconds)), correct)


@pytest.mark.parametrize(
    "line", ["go", "go time", "go time 5", "go time x actions --", "go time 05 actions --", "go time ٣ actions a"]
)
def test_other_requests_are_refused(line: str) -> None:
    assert read_go(line) is None


def test_a_word_is_a_whole_word() -> None:
    assert after("bestaction c3", "bestaction") == "c3"
    assert after("readyok", "readyok") == ""
    assert after("bestactions c3", "bestaction") is None
