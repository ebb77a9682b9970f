"""What a browser practised before it signed in goes with it."""

from functools import partial

from dicecup.hosting.people.accounts import account_of
from dicecup.hosting.store import Store
from dicecup.hosting.store.cards import merge_cards


async def take_over(store: Store, before: str, after: str) -> None:
    """Give the cards of an identity without an account to another identity. Raises `StoreError`.

    The cards of an account stay: its owner can sign in again."""
    if await account_of(store, before) is None:
        await store.writer.work(partial(merge_cards, before=before, after=after))
