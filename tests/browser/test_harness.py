"""The harness: it records announcements and faults."""

import asyncio

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.harness import GONE, Faults, Server, announcements, axe, command, table, view, wait_until


def test_a_table_is_made_and_shown(page: Page) -> None:
    made = table(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Yam Master")
    assert view(page, made)["table"] == made["table"]
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    command(page, made, type="resign", seat=0)
    assert view(page, made)["result"] is not None


def test_announcements_are_recorded(page: Page) -> None:
    page.goto("/")
    expect(page.locator("#main")).to_be_visible()
    page.evaluate("""() => { const line = document.createElement('p'); line.textContent = 'Six sixes';
                             document.querySelector('[data-live]').append(line) }""")
    assert announcements(page) == ["Six sixes"]


def test_axe_reports_a_button_without_a_name(page: Page) -> None:
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
def test_a_fault_is_recorded(page: Page, faults: Faults, script: str, kind: str) -> None:
    page.goto("/")
    page.evaluate(f"() => {{ {script} }}")
    wait_until(page, lambda: any(fault.startswith(f"{kind}:") for fault in faults.left))
    faults.allow("")


@pytest.mark.slow
def test_a_restarted_server_keeps_its_port_and_tables(own_server: Server, new_page: NewPage, faults: Faults) -> None:
    faults.allow(GONE)
    page = new_page(own_server)
    made = table(page)
    expect(page.get_by_role("button", name="First throw")).to_be_visible()
    own_server.restart()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Yam Master")
    assert view(page, made)["table"] == made["table"]


async def test_an_async_test_runs_beside_playwright() -> None:
    await asyncio.sleep(0)
