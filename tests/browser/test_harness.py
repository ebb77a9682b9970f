"""The harness itself: it hears what is said, and nothing bad goes unnoticed."""

import asyncio

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, Faults, Server, axe, command, said, table, view


def test_a_table_is_made_and_shown(page: Page) -> None:
    made = table(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Yam Master")
    assert view(page, made)["table"] == made["table"]
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    command(page, made, type="resign", seat=0)
    assert view(page, made)["result"] is not None


def test_what_is_said_is_heard(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#main")).to_be_visible()
    page.evaluate("""() => { const said = document.createElement('p'); said.textContent = 'Six sixes';
                             document.querySelector('[data-live]').append(said) }""")
    assert said(page) == ["Six sixes"]


def test_axe_finds_what_it_should(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#main")).to_be_visible()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [line.split(":")[0] for line in axe(page)] == ["button-name"]


@pytest.mark.parametrize(
    "script, kind",
    [
        ("console.error('bad')", "console"),
        ("setTimeout(() => { throw new Error('bad') })", "page"),
        ("fetch('https://example.org/').catch(() => null)", "console"),
        ("location = 'https://example.org/'", "elsewhere"),
    ],
)
def test_a_fault_is_noticed(page: Page, faults: Faults, script: str, kind: str) -> None:
    page.goto("/")
    page.evaluate(f"() => {{ {script} }}")
    for _ in range(600):
        page.wait_for_timeout(50)
        if any(fault.startswith(f"{kind}:") for fault in faults.left):
            break
    assert kind in {fault.partition(":")[0] for fault in faults.left}
    faults.allow("")


def test_a_server_ends_and_begins_again(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    faults.allow(GONE)
    page = new_page(own_server)
    made = table(page)
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    own_server.restart()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Yam Master")
    assert view(page, made)["table"] == made["table"]


async def test_other_tests_have_loops_of_their_own() -> None:
    await asyncio.sleep(0)
