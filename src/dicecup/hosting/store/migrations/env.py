"""Alembic's entry: it migrates over the connection that it is handed
(`dicecup.hosting.store.migrate`)."""
# ruff: noqa: INP001 Alembic loads this folder by its path

from alembic import context

from dicecup.hosting.store.models import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
