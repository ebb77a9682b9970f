"""Fixtures: an empty database of each kind, a store and a host on it, and a PostgreSQL server."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from dicecup.hosting.store import Store
from dicecup.hosting.store.engines import database_url
from dicecup.hosting.table_host import TableHost
from tests.hosting.guests import settings
from tests.postgres import Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database: of SQLite in `make test`, of both kinds in `make
    test-all`."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.the_database()


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    opened = await Store.open(database_url(database))
    yield opened
    await opened.close()


@pytest.fixture
async def host(database: str) -> AsyncIterator[TableHost]:
    opened = await TableHost.open(settings(database))
    yield opened
    await opened.close()
