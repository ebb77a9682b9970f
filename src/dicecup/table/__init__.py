"""A table as values: events, state, commands, handlers, views, clocks and fairness. Pure."""
