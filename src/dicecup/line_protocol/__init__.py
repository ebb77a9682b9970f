"""Other people's engines: the line protocol of docs/engines.md.

`lines` holds the texts of the protocol. `outside_engine` and `program` are the side that asks: a
program as a player, with limits on its time and its output. `server` is the side that answers:
it lets a computer level or a Python agent (`agents`) speak the protocol. `errors` names what can
be wrong with an engine.
"""

from dicecup.line_protocol.errors import LineProtocolCode, LineProtocolError
from dicecup.line_protocol.outside_engine import Limits, OutsideEngine
from dicecup.line_protocol.specs import EngineSpec

__all__ = ["EngineSpec", "Limits", "LineProtocolCode", "LineProtocolError", "OutsideEngine"]
