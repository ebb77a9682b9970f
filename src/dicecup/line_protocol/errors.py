"""Errors of engines that speak the line protocol."""

from enum import StrEnum

from dicecup.core.errors import DicecupError


class LineProtocolCode(StrEnum):
    """What is wrong with an engine."""

    COMMAND = "engine-command"
    """The command of the engine has an open quotation mark, or is empty."""
    MISSING = "engine-missing"
    """There is no such program."""
    NOT_EXECUTABLE = "engine-not-executable"
    """The system does not run this file."""
    UNSUPPORTED = "engine-unsupported"
    """This system cannot run engines."""
    HANDSHAKE = "engine-handshake"
    """The engine speaks another version of the protocol, or another protocol."""
    SLOW = "engine-slow"
    """The engine did not answer in time."""
    DIED = "engine-died"
    """The engine ended by itself."""
    CLOSED = "engine-closed"
    """The engine closed its output and runs on."""
    FLOODED = "engine-flooded"
    """The engine wrote too much before its answer."""
    NONSENSE = "engine-nonsense"
    """The engine answered with an action that was not listed."""
    GAVE_UP = "engine-gave-up"
    """The engine answered that it has no action."""
    NOT_AN_AGENT = "not-an-agent"
    """An import path that leads to no agent."""


class LineProtocolError(DicecupError):
    """An engine that failed.

    `details`: the `engine` as it was named, and according to the code `seconds`, `bytes`, the
    offending `text`, or `why`.
    """
