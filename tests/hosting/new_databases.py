"""New SQLite databases for tests. The migrations make the first one of a process; the next ones are
made with its SQL, which takes a quarter of the time: a thousand tests begin with an empty file."""

from functools import cache

from sqlalchemy import Connection, create_engine

from dicecup.hosting.store import migrate

_migrated = migrate._upgrade


@cache
def _statements() -> tuple[str, ...]:
    """Return the SQL of a database that the migrations have made."""
    with create_engine("sqlite://").begin() as connection:
        _migrated(connection)
        dump = list(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert (dump[0], dump[-1]) == ("BEGIN TRANSACTION;", "COMMIT;")
    return tuple(dump[1:-1])


def _made_or_migrated(connection: Connection) -> None:
    if connection.dialect.name != "sqlite" or connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first():
        _migrated(connection)
        return
    for statement in _statements():
        connection.exec_driver_sql(statement)


migrate._upgrade = _made_or_migrated
