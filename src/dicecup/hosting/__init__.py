"""Hosting of tables on a server: loaded tables, locking, saving, publishing, timers and
the store."""
