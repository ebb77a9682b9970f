"""The suite's own rule: in CI nothing is skipped."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = (Path(__file__).parent / "conftest.py").read_text(encoding="utf-8")
IN_A_TEST = 'import pytest\ndef test_skips(): pytest.skip("no such thing here")'
AS_A_MARK = 'import pytest\n@pytest.mark.skip(reason="no such thing here")\ndef test_is_skipped(): ...'
WHOLE_MODULE = 'import pytest\npytest.skip("no such thing here", allow_module_level=True)'
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_fails(): assert False"


@pytest.mark.parametrize("module", [IN_A_TEST, AS_A_MARK, WHOLE_MODULE])
def test_a_skip_fails_in_ci_and_only_there(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(module)

    monkeypatch.delenv("CI", raising=False)
    assert pytester.runpytest_subprocess().parseoutcomes() == {"skipped": 1}

    monkeypatch.setenv("CI", "true")
    in_ci = pytester.runpytest_subprocess()
    assert sum(in_ci.parseoutcomes().get(outcome, 0) for outcome in ("failed", "error", "errors")) == 1
    in_ci.stdout.fnmatch_lines(["*In CI nothing is skipped. *no such thing here*"])


def test_an_expected_failure_is_no_skip(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(EXPECTED_FAILURE)
    monkeypatch.setenv("CI", "true")
    assert pytester.runpytest_subprocess().parseoutcomes() == {"xfailed": 1}
