"""The lobby: open seats of public tables, and people who look for an opponent.

Everything is in the database, so that any worker can pair any two people.
"""
