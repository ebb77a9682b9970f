"""Alembic's entry: it migrates over the connection that it is handed
(`dicecup.hosting.store.migrate`)."""
# ruff: noqa: INP001 Alembic loads this folder by its path

from alembic import context

from dicecup.hosting.store import competition_models, learning_models, models

context.configure(connection=context.config.attributes["connection"], target_metadata=models.METADATA)
assert competition_models.DUPLICATES.metadata is learning_models.CARDS.metadata is models.METADATA
context.run_migrations()
