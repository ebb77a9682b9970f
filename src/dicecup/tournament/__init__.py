"""A tournament as values: its setup, its event log, the state that events fold into, handlers of
commands and of time, pairings, standings and views.

The caller hands in the time. It saves events before it publishes a state.
"""
