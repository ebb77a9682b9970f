"""One table as values: events, state, commands, handlers, views, clocks and fair dice.

The room is pure: no input or output, no clock, no random number. It runs on servers, in the
terminal and in browsers.
"""
