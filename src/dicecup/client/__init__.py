"""The typed client of a server: make tables, sit down, follow them, act; connections that break are made anew, and nothing is lost.

>>> from dicecup.client import Client, Duty
"""

from dicecup.client.client import Client, Made, Outcome, Transfer
from dicecup.client.duty import Duty
from dicecup.client.errors import ClientCode, ClientError, Refused
from dicecup.client.links import TableLink
from dicecup.client.table import Table, Update

__all__ = [
    "Client",
    "ClientCode",
    "ClientError",
    "Duty",
    "Made",
    "Outcome",
    "Refused",
    "Table",
    "TableLink",
    "Transfer",
    "Update",
]
