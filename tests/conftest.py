"""Settings of all tests: in CI a skipped test fails unless the kernel forbids it, a repeated test
has the time limit of the first attempt, and Hypothesis has no deadline."""

import os
import signal
import socket
from collections.abc import Generator
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from pytest_timeout import Settings

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

pytest.register_assert_rewrite("tests.conformance")

CI = bool(os.environ.get("CI"))
FORBIDDEN = "The kernel forbids this"
"""How the reason of a skip begins that no package can change. CI allows it."""
TIME_LIMIT = pytest.StashKey[Settings]()

# Servers that the tests start compute as long as a busy machine needs.
for limit in ("DICECUP_SECONDS_PER_JOB", "DICECUP_SECONDS_PER_READING"):
    os.environ.setdefault(limit, "280")

settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if CI else "dev")

# A shell starts its background jobs with SIGINT ignored, and programs inherit that: Ctrl-C would do
# nothing in those that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Send what `--reruns` notes of a test at once. pytest-rerunfailures sends two short messages
    for each, and the system holds the second back until the first is acknowledged: 40 ms."""
    database = getattr(config, "failures_db", None)
    if database is not None and hasattr(database, "sock"):
        database.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    return _no_skip(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    return _no_skip(report)


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Settings) -> None:
    """Keep the time limit of a test for its repetition."""
    item.stash[TIME_LIMIT] = settings


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Set the time limit again where `--reruns` repeats a test. pytest-timeout sets it once, and
    the failure of the first attempt ends it."""
    if getattr(item, "execution_count", 1) > 1 and TIME_LIMIT in item.stash:
        item.ihook.pytest_timeout_cancel_timer(item=item)  # it runs if the first attempt ended its process
        item.ihook.pytest_timeout_set_timer(item=item, settings=item.stash[TIME_LIMIT])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why the first attempt of each repeated test failed."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"first attempt of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


def _no_skip(report: Report) -> Report:
    """Return the report. In CI turn a skip, but no expected failure and nothing `FORBIDDEN`, into a
    failure with its reason."""
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        if str(reason).removeprefix("Skipped: ").startswith(FORBIDDEN):
            return report
        report.outcome = "failed"
        report.longrepr = f"In CI nothing is skipped. {reason}"
    return report
