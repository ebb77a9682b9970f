"""The message about something to share."""

from typing import Literal

from dicecup.web.messages import Outgoing


class Shared(Outgoing):
    """Something to share: the `link`, its `title`, and where the link works.

    `card` is the address of its picture (PNG), `replay` that of the animated game (GIF), `embed`
    that of the page for a frame, and `embed_title` the title of the frame: that of a result shows
    the whole ranking. Addresses are null where there is none.
    """

    link: str
    title: str
    card: str | None
    replay: str | None
    embed: str | None
    embed_title: str
    reach: Literal["everywhere", "local-network", "this-device"]
