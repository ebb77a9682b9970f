"""Typed client of a server: create tables, sit down, follow tables and act at them.

A client connects again when its connection breaks, without losing an event or repeating a command.

>>> from dicecup.client import Client, SeatAgent
"""

from dicecup.client.client import Client, OutcomeCount, TableLinks, TransferLink
from dicecup.client.client_errors import ClientCode, ClientError, ServerRefusal
from dicecup.client.links import TableLink, TournamentLink
from dicecup.client.remote_table import RemoteTable, TableUpdate
from dicecup.client.seat_agent import SeatAgent
from dicecup.client.tournaments import RemoteTournament

__all__ = [
    "Client",
    "ClientCode",
    "ClientError",
    "OutcomeCount",
    "RemoteTable",
    "RemoteTournament",
    "SeatAgent",
    "ServerRefusal",
    "TableLink",
    "TableLinks",
    "TableUpdate",
    "TournamentLink",
    "TransferLink",
]
