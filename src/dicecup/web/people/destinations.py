"""Which hosts the server connects to because another person named them: public ones only.

The name is resolved once. The connection goes to an address that was checked, so that the name
cannot point to another one in between (DNS rebinding). Redirects are not followed.
"""

import asyncio
import socket
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

import httpcore
from httpcore._backends.auto import AutoBackend

NAT64: Final = ip_network("64:ff9b::/96")
"""Addresses that stand for the IPv4 address in their last bits."""


class ForbiddenHostError(Exception):
    """The name of a host has an address that is not public."""


class Destinations:
    """Resolves names to public addresses. `allowed` are networks that count as public, and `named`
    are names in lower case that the host of the server chose, which may have any address."""

    def __init__(self, allowed: Iterable[IPv4Network | IPv6Network] = (), named: Iterable[str] = ()) -> None:
        self._allowed = tuple(allowed)
        self._named = frozenset(named)

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of a host.

        Raises `ForbiddenHostError` if one of them is not public, and `OSError` if the name cannot
        be resolved.
        """
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        for address in addresses:
            if host not in self._named and not self._may_reach(address):
                raise ForbiddenHostError(host)
        return addresses

    def _may_reach(self, text: str) -> bool:
        address = ip_address(text.partition("%")[0])
        if isinstance(address, IPv6Address):
            if address.ipv4_mapped is not None:
                address = address.ipv4_mapped
            elif address in NAT64:
                address = IPv4Address(int(address) & 0xFFFF_FFFF)
        if any(address in network for network in self._allowed):
            return True
        tunnel = isinstance(address, IPv6Address) and (address.sixtofour is not None or address.teredo is not None)
        return address.is_global and not address.is_multicast and not tunnel


class PublicHosts(httpcore.AsyncNetworkBackend):
    """Opens connections of httpcore to public hosts. Raises `ForbiddenHostError` for all others."""

    def __init__(self, destinations: Destinations) -> None:
        self._destinations = destinations
        self._backend = AutoBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 as httpcore calls it
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            addresses = await self._destinations.addresses(host, port)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        failure: Exception = httpcore.ConnectError(host)
        for address in addresses:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore.ConnectError as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)
