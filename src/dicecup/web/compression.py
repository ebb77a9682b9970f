"""Compression of WebSocket messages (permessage-deflate, RFC 7692) that needs little memory.

A compressor that lives as long as its connection costs 100 KiB. Here a compressor lives for one
message. It starts with the last compressed message of the connection as its dictionary, because
the client still has that message in its window and successive views have most of their text in
common. All connections together keep a limited number of bytes for this; a connection whose last
message was dropped sends one message without a dictionary.
"""

import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import CTRL_OPCODES, Frame
from websockets.typing import ExtensionParameter

SMALLEST: Final = 300
"""Bytes of a message from which compression saves more than it costs."""
LEVEL: Final = 3
"""Level of zlib. Higher levels take twice the time and save a tenth."""
MEMORY_LEVEL: Final = 8
SYNC_MARK: Final = b"\x00\x00\xff\xff"
"""End of a flushed block, which RFC 7692 removes from messages."""
MOST_BYTES: Final = 8 * 2**20


class LastMessages:
    """The last compressed message of each connection, up to a number of bytes. The connections that
    have been silent for longest are dropped first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._size = 0
        self._messages: OrderedDict[int, bytes] = OrderedDict()

    @property
    def size(self) -> int:
        """Return the number of bytes that are kept."""
        return self._size

    def pop(self, connection: int) -> bytes:
        """Remove and return the last message of a connection, empty where none is kept."""
        message = self._messages.pop(connection, b"")
        self._size -= len(message)
        return message

    def keep(self, connection: int, message: bytes) -> None:
        """Keep the last message of a connection that has none here."""
        self._messages[connection] = message
        self._size += len(message)
        while self._size > self._most:
            _, dropped = self._messages.popitem(last=False)
            self._size -= len(dropped)


LAST_MESSAGES: Final = LastMessages()
"""The last messages of all connections of this process."""


class MessageDeflate(PerMessageDeflate):
    """The extension of one connection. Short messages are sent as they are.

    The first message is not kept, so that a connection on which nothing happens costs nothing.
    """

    def __init__(self, base: PerMessageDeflate, last: LastMessages) -> None:
        self._alone = base.local_no_context_takeover
        self._begun = False
        self._last = last
        super().__init__(
            remote_no_context_takeover=True,
            local_no_context_takeover=True,
            remote_max_window_bits=base.remote_max_window_bits,
            local_max_window_bits=base.local_max_window_bits,
        )

    def __del__(self) -> None:
        self._last.pop(id(self))

    def encode(self, frame: Frame) -> Frame:
        """Compress a message. The server sends each message in one frame."""
        if frame.opcode in CTRL_OPCODES or len(frame.data) < SMALLEST:
            return frame
        message = bytes(frame.data)
        window = -self.local_max_window_bits
        if dictionary := self._last.pop(id(self)):
            deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, window, MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, dictionary)
        else:
            deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, window, MEMORY_LEVEL)
        data = deflate.compress(message) + deflate.flush(zlib.Z_SYNC_FLUSH)
        if self._begun and not self._alone:
            self._last.keep(id(self), message)
        self._begun = True
        return Frame(frame.opcode, data.removesuffix(SYNC_MARK), frame.fin, rsv1=True)


class MessageDeflateFactory(ServerPerMessageDeflateFactory):
    """Negotiates `MessageDeflate` with clients that offer permessage-deflate."""

    def __init__(self, last: LastMessages = LAST_MESSAGES) -> None:
        super().__init__(client_no_context_takeover=True)
        self._last = last

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return the parameters of the answer and the extension of the connection."""
        answer, agreed = super().process_request_params(params, accepted_extensions)
        return answer, MessageDeflate(agreed, self._last)
