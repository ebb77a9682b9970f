"""Fixtures for tests that need any server: one server for all, so that its pools of processes
start once.

The tests run in the event loop of the server.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.web.serving import Browser, serving

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the asynchronous tests of this folder in the event loop of the session."""
    for item in items:
        if FOLDER in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with serving(tmp_path_factory.mktemp("server")) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session")
async def anna(url: str) -> AsyncIterator[Browser]:
    async with Browser(url) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def ben(url: str) -> AsyncIterator[Browser]:
    async with Browser(url) as browser:
        await browser.http.get("/api/me")
        yield browser
