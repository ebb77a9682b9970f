"""The suite's own rule: in CI nothing is skipped but what the kernel forbids."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = (Path(__file__).parent / "conftest.py").read_text(encoding="utf-8")
IN_A_TEST = 'import pytest\ndef test_skips(): pytest.skip("no such thing here")'
AS_A_MARK = 'import pytest\n@pytest.mark.skip(reason="no such thing here")\ndef test_is_skipped(): ...'
BY_THE_KERNEL = 'import pytest\ndef test_skips(): pytest.skip("The kernel forbids this: no namespaces")'
WHOLE_MODULE = 'import pytest\npytest.skip("no such thing here", allow_module_level=True)'
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_fails(): assert False"


@pytest.mark.slow
def test_a_skip_fails_in_ci_and_only_there(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """An expected failure is no skip."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(
        test_in_a_test=IN_A_TEST,
        test_as_a_mark=AS_A_MARK,
        test_whole_module=WHOLE_MODULE,
        test_by_the_kernel=BY_THE_KERNEL,
        test_expected=EXPECTED_FAILURE,
    )

    monkeypatch.delenv("CI", raising=False)
    assert pytester.runpytest_subprocess().parseoutcomes() == {"skipped": 4, "xfailed": 1}

    monkeypatch.setenv("CI", "true")
    in_ci = pytester.runpytest_subprocess("--continue-on-collection-errors")
    outcomes = in_ci.parseoutcomes()
    assert sum(outcomes.pop(outcome, 0) for outcome in ("failed", "error", "errors")) == 3
    assert outcomes == {"skipped": 1, "xfailed": 1}
    reasons = [line for line in in_ci.outlines if "In CI nothing is skipped. " in line and "no such thing here" in line]
    assert len(reasons) >= 3


FAILS_ONCE = """
attempts = []

def test_fails_once():
    attempts.append(1)
    assert len(attempts) == 2, "this is why"
"""


@pytest.mark.slow
def test_the_first_failure_of_a_repeated_test_is_shown(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(FAILS_ONCE)
    repeated = pytester.runpytest_subprocess("--reruns=1")
    assert repeated.ret == 0
    repeated.stdout.fnmatch_lines(["*first attempt of *test_fails_once*", "*this is why*"])


HANGS_WHEN_REPEATED = """
import time

attempts = []

def test_hangs_when_repeated():
    attempts.append(1)
    assert len(attempts) > 1
    time.sleep(600)
"""


@pytest.mark.slow
def test_a_repeated_test_has_a_time_limit(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(HANGS_WHEN_REPEATED)
    repeated = pytester.runpytest_subprocess("--reruns=1", "--timeout=2", "--timeout-method=thread", timeout=280)
    assert repeated.ret != 0
    repeated.stdout.fnmatch_lines(["*Timeout*"])
