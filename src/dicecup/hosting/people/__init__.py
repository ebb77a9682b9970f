"""People of a server: accounts, and what identities have beyond their tables."""
