"""Valid and invalid requests made from the OpenAPI document: every answer is described there."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from tests.postgres import Postgres
from tests.web.serving import serving

pytestmark = pytest.mark.slow
CHECKED = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
ANSWER_WITHIN = 90.0
"""Seconds for an answer: the cores may be busy with other work."""


@pytest.fixture(scope="module")
def kept_in(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path | str:
    """Return a folder for SQLite, or the URL of an empty database for these tests only."""
    if request.param == "sqlite":
        folder: Path = tmp_path_factory.mktemp("served")
        return folder
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture(scope="module")
def served(kept_in: Path | str) -> Iterator[str]:
    """Run a server in a thread and yield its URL."""
    ready, stop = threading.Event(), asyncio.Event()
    urls: list[str] = []
    loops: list[asyncio.AbstractEventLoop] = []

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        async with serving(kept_in) as url:
            urls.append(url)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert ready.wait(280)
    yield urls[0]
    loops[0].call_soon_threadsafe(stop.set)
    thread.join()


@pytest.mark.parametrize(
    "kept_in, mode",
    [("sqlite", GenerationMode.NEGATIVE), ("postgresql", GenerationMode.POSITIVE)],
    indirect=["kept_in"],
    ids=["invalid", "valid"],
)
def test_every_answer_is_described(served: str, mode: GenerationMode) -> None:
    operations = [found.ok() for found in schemathesis.openapi.from_url(f"{served}/openapi.json").get_all_operations()]  # type: ignore[union-attr]
    checks = [CHECKS.get_one(name) for name in CHECKED]
    assert len(operations) >= 15
    for operation in operations:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=10, suppress_health_check=list(HealthCheck), deadline=None)
        def ask(case: schemathesis.Case) -> None:  # type: ignore[type-arg]
            case.validate_response(case.call(timeout=ANSWER_WITHIN), checks=checks)  # type: ignore[arg-type]

        with suppress(Unsatisfiable):  # a request without parameters has no invalid variants
            ask()
