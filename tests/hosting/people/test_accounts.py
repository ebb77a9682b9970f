"""Accounts: a handle that looks like no other."""

import pytest

from dicecup.hosting.errors import HostingCode, HostingError
from dicecup.hosting.people.accounts import Account, account_by_handle, account_of, change_account, handles_of, insert_account
from dicecup.hosting.people.handles import check_handle, handle_shape
from dicecup.hosting.store import Store


async def add(store: Store, identity: str, handle: str) -> Account:
    account = Account(identity, handle, 5.0, public=False)
    await store.writer.work(lambda connection: insert_account(connection, account))
    return account


async def test_an_account_is_found_by_identity_and_by_handle(store: Store) -> None:
    account = await add(store, "anna", "Zoë_1")
    assert await account_of(store, "anna") == account
    assert await account_by_handle(store, "ZOË_1") == account
    assert await account_of(store, "ben") is None
    assert await handles_of(store, ["ben", "anna"]) == {"anna": "Zoë_1"}


async def test_an_identity_has_one_account(store: Store) -> None:
    await add(store, "anna", "Anna")
    with pytest.raises(HostingError) as refused:
        await add(store, "anna", "Berta")
    assert refused.value.code is HostingCode.HAS_ACCOUNT


@pytest.mark.parametrize("like", ["paypal", "PAYPAL", "PaypaI", "Раураl", "Ρaypal", "Pаypal", "Ｐaypal"])
async def test_a_handle_that_looks_like_another_is_refused(store: Store, like: str) -> None:
    await add(store, "anna", "Paypal")
    with pytest.raises(HostingError) as refused:
        await add(store, "ben", like)
    assert refused.value.code is HostingCode.HANDLE_TAKEN
    assert await account_of(store, "ben") is None


@pytest.mark.parametrize(
    "handle, like", [("Martin", "m\u0430rtin"), ("Ivol", "\u0456vol"), ("IVOL", "\u0131vol"), ("ivo", "i\u0307vo")]
)
async def test_capitals_do_not_hide_that_handles_look_alike(store: Store, handle: str, like: str) -> None:
    await add(store, "anna", handle)
    with pytest.raises(HostingError) as refused:
        await add(store, "ben", like)
    assert refused.value.code is HostingCode.HANDLE_TAKEN


async def test_a_handle_can_be_changed_to_one_that_looks_like_itself(store: Store) -> None:
    account = await add(store, "anna", "anna")
    await add(store, "ben", "Ben")
    await change_account(store, account._replace(handle="Anna", public=True))
    assert await account_of(store, "anna") == Account("anna", "Anna", 5.0, public=True)
    with pytest.raises(HostingError) as refused:
        await change_account(store, account._replace(handle="BEN"))
    assert refused.value.code is HostingCode.HANDLE_TAKEN


@pytest.mark.parametrize("text", ["a", "Zoë", "می‌خواهم", "Анна", "李", "a" * 40, "x-1_2.3"])
def test_letters_and_digits_of_every_script_are_handles(text: str) -> None:
    check_handle(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " a",
        "a b",
        "a/b",
        "a?",
        "a#",
        "a%",
        "...",
        "-",
        "a" * 41,
        "a\u202eb",
        "\u2066a",
        "a\u200bb",
        "\u3164",
        "a\n",
    ],
)
def test_a_text_that_is_no_handle_is_refused(text: str) -> None:
    with pytest.raises(HostingError) as refused:
        check_handle(text)
    assert refused.value.code is HostingCode.NOT_A_HANDLE


@pytest.mark.parametrize("text", ["deleted", "DELETED", "de1eted", "deIeted", "d\u0435leted", "DEL\u0415TED"])
def test_the_name_of_deleted_accounts_is_taken(text: str) -> None:
    with pytest.raises(HostingError) as refused:
        check_handle(text)
    assert refused.value.code is HostingCode.HANDLE_TAKEN


def test_shapes_follow_the_standard() -> None:
    assert handle_shape("rnodern") == handle_shape("modern")
    assert handle_shape("O0") == handle_shape("00") == handle_shape("оО")
    assert handle_shape("Lan") != handle_shape("Jan")
