"""Fixtures: the URL of a server on SQLite, and browsers of two people."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from dicecup.hosting import table_host
from tests.hosting.conftest import database, postgres
from tests.web.serving import Browser, serving

__all__ = ["database", "postgres"]


@pytest.fixture(scope="session", autouse=True)
def patient_readers() -> Iterator[None]:
    """Let requests and records be read on a busy machine, where it takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_host, "READING_SECONDS", 280.0)
        yield


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path) as served:
        yield served


@pytest.fixture
async def anna(url: str) -> AsyncIterator[Browser]:
    async with Browser(url) as browser:
        yield browser


@pytest.fixture
async def ben(url: str) -> AsyncIterator[Browser]:
    async with Browser(url) as browser:
        await browser.http.get("/api/me")
        yield browser
