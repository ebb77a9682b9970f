"""The site that the passkeys of a request belong to."""

from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request

from dicecup.hosting.people.passkeys import INSTALLED, Site
from dicecup.web.config import host_name
from dicecup.web.refusals import WebCode, WebError
from dicecup.web.requests import Context

NAME: Final = "Dicecup"


def origin_of(request: Request, context: Context) -> str:
    """Return the beginning of the addresses of pages: the public URL, or else the host that the
    request names, which `Origins` has checked."""
    return context.config.origin or f"{request.url.scheme}://{request.headers.get('host', '').lower()}"


def site_of(request: Request, context: Context) -> Site:
    """Return the site of the origin. Raises `WebError` (`not-offered`) without the extra
    `accounts`."""
    if not INSTALLED:
        raise WebError(WebCode.NOT_OFFERED)
    origin = origin_of(request, context)
    return Site(host_name(urlsplit(origin).netloc), origin, NAME)


PasskeySite = Annotated[Site, Depends(site_of)]
