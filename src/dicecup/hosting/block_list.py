"""The networks that may not use the server, as this process knows them."""

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from math import inf
from typing import Final

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.refreshed import Refreshed
from dicecup.hosting.store import Store
from dicecup.hosting.store.blocks import Block, blocks_of


class BlockList(Refreshed[Block]):
    """The blocked networks."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        super().__init__(store, blocks_of)
        self.on_change.append(self._index)
        self._clock = clock
        self._networks: dict[tuple[int, int], dict[int, float]] = {}
        """By version and length of the prefix: prefixes as numbers, each with the end of its
        block."""

    def _index(self) -> None:
        """Arrange the networks by the length of their prefix."""
        self._networks = {}
        for block in self.rows:
            network = ip_network(block.network)
            prefixes = self._networks.setdefault((network.version, network.prefixlen), {})
            prefixes[int(network.network_address) >> (network.max_prefixlen - network.prefixlen)] = block.until or inf

    def blocks(self, address: str) -> bool:
        """Return whether an address is blocked now. A text that is no address is not."""
        if not self._networks:
            return False
        try:
            read = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        read = _unmapped(read)
        return any(
            self._clock() < prefixes.get(int(read) >> (read.max_prefixlen - length), -inf)
            for (version, length), prefixes in self._networks.items()
            if version == read.version
        )


def network_of(text: str) -> str:
    """Return an address or a network in CIDR form, as it is stored. Raises `HostingError`
    (`not-a-network`)."""
    try:
        network: IPv4Network | IPv6Network = ip_network(text.strip(), strict=False)
    except ValueError:
        raise HostingError(HostingCode.NOT_A_NETWORK, text=text) from None
    mapped = _unmapped(network.network_address)
    if network.prefixlen >= IPV4_PREFIX and isinstance(mapped, IPv4Address) and isinstance(network, IPv6Network):
        return str(ip_network((mapped, network.prefixlen - IPV4_PREFIX)))
    return str(network)


IPV4_PREFIX: Final = 96
"""Bits of an IPv6 address before the IPv4 address in it."""


def _unmapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address holds, any other address unchanged."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped
