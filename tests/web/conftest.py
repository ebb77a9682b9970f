"""Fixtures: the URL of a server on SQLite, and browsers of two people."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hosting.conftest import database, postgres
from tests.web.serving import Browser, serving

__all__ = ["database", "postgres"]


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
