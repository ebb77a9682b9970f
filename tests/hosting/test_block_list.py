"""Blocked networks: which addresses are refused, until when, and that every worker knows."""

import pytest

from dicecup.hosting.block_list import BlockList, network_of
from dicecup.hosting.errors import HostingError
from dicecup.hosting.store import Store
from dicecup.hosting.store.blocks import Block, delete_block, save_block
from tests.hosting.guests import entry


async def test_addresses_in_blocked_networks_are_refused_until_the_end(store: Store) -> None:
    now = 1000.0
    found, other = (BlockList(store, lambda: now) for _ in range(2))
    changes: list[int] = []
    found.on_change.append(lambda: changes.append(len(changes)))
    assert not found.blocks("203.0.113.7")
    for text, until in (
        ("203.0.113.7", None),
        ("198.51.100.0/24", 1010.0),
        ("2001:db8::/48", None),
        ("::ffff:192.0.2.1", None),
    ):
        await save_block(store, Block(network_of(text), until), entry(now))
    for listed in (found, found, other):
        await listed.refresh()
    assert len(changes) == 1  # a list that is the same is not a change
    for address, is_blocked in {
        "203.0.113.7": True,
        "203.0.113.8": False,
        "198.51.100.255": True,
        "198.51.101.0": False,
        "::ffff:198.51.100.1": True,
        "2001:db8:0:1::9": True,
        "2001:db8:1::9": False,
        "192.0.2.1": True,
        "fe80::1%eth0": False,
        "": False,
        "testclient": False,
    }.items():
        assert found.blocks(address) is other.blocks(address) is is_blocked, address
    now = 1010.0
    assert not found.blocks("198.51.100.1")
    assert await delete_block(store, "203.0.113.7/32", entry(now))
    assert not await delete_block(store, "203.0.113.7/32", entry(now))
    await save_block(store, Block("198.51.100.0/24", None), entry(now))  # a block can be extended
    await found.refresh()
    assert (found.blocks("203.0.113.7"), found.blocks("198.51.100.1")) == (False, True)


async def test_everybody_can_be_blocked(store: Store) -> None:
    found = BlockList(store, lambda: 0.0)
    await save_block(store, Block(network_of("0.0.0.0/0"), None), entry(0.0))
    await found.refresh()
    assert found.blocks("127.0.0.1")
    assert not found.blocks("::1")


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "1.2.3.4/33", "::/129", "1.2.3.4 5.6.7.8"])
def test_other_texts_are_no_networks(text: str) -> None:
    with pytest.raises(HostingError) as refused:
        network_of(text)
    assert str(refused.value.code) == "not-a-network"
