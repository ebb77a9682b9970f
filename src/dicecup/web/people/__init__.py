"""Accounts and what people have beyond their tables, over HTTP."""
