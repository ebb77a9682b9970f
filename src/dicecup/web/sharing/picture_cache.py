"""Pictures that were made lately, and answers with them."""

import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import Request, Response

from dicecup import __version__

MOST_BYTES: Final = 16_000_000
"""Bytes of all pictures that one worker keeps."""
FOR_ALL: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}
"""Header of pictures, which other sites may show."""


class PictureCache:
    """The pictures of one worker, by what they show. Those that were not asked for lately are
    dropped first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._held = 0
        self._pictures: OrderedDict[str, bytes] = OrderedDict()

    async def answer(
        self, request: Request, media_type: str, shows: tuple[str, ...], make: Callable[[], Awaitable[bytes]]
    ) -> Response:
        """Return a picture as an answer. It is made unless the client or this worker has it.

        `shows`: everything that the picture depends on. Raises what `make` raises.
        """
        tag = hashlib.sha256("\0".join((__version__, media_type, *shows)).encode()).hexdigest()[:32]
        headers = {"ETag": f'"{tag}"', "Cache-Control": "no-cache", **FOR_ALL}
        known = {each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")}
        if f'"{tag}"' in known:
            return Response(status_code=304, headers=headers)
        if tag in self._pictures:
            self._pictures.move_to_end(tag)
        else:
            self._keep(tag, await make())
        return Response(self._pictures[tag], headers=headers, media_type=media_type)

    def _keep(self, tag: str, picture: bytes) -> None:
        """Keep a picture, the newest one always."""
        self._held += len(picture) - len(self._pictures.pop(tag, b""))
        self._pictures[tag] = picture
        while self._held > self._most and len(self._pictures) > 1:
            _, dropped = self._pictures.popitem(last=False)
            self._held -= len(dropped)
