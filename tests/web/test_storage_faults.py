"""What clients and the host see of a fault of the storage."""

from pathlib import Path

import pytest
import structlog.testing

from dicecup.hosting.store.store_errors import FAULTS, StoreCode, StoreError
from dicecup.hosting.table_host import TableHost
from dicecup.locale import LANGUAGES, Messages
from dicecup.web import storage_faults
from dicecup.web.refusals import refusal, status_of
from tests.hosting.test_faults import set_pages
from tests.web.serving import Browser, serving
from tests.web.test_storage import ALONE, fill, hosts

__all__ = ["hosts"]


async def test_a_fault_is_seen_until_it_is_over(tmp_path: Path, hosts: list[TableHost]) -> None:
    with structlog.testing.capture_logs() as logged:
        async with serving(tmp_path) as url, Browser(url) as anna:
            await anna.make(ALONE)
            await set_pages(hosts[0], 0)
            await fill(anna)
            assert await seen(anna) == (503, "storage-full", ["full"])
            await set_pages(hosts[0], 10_000)
            while (await anna.http.get("/health")).status_code != 200:
                await hosts[0].outages.heartbeat()
            assert await seen(anna) == (200, "ok", [])
            await anna.make(ALONE)
    told = [line for line in logged if line["event"] == "storage"]
    assert [(line["log_level"], line["status"]) for line in told] == [("error", "storage-full"), ("warning", "ok")]
    assert str(tmp_path / "tables.sqlite") in told[0]["message"]


async def seen(browser: Browser) -> tuple[int, str, list[str]]:
    """Return the status of the probe, its code, and the reasons whose metric is 1."""
    health = await browser.http.get("/health")
    lines = (await browser.http.get("/metrics")).text.splitlines()
    gauges = [
        line.removeprefix('dicecup_storage_error{reason="') for line in lines if line.startswith("dicecup_storage_error{")
    ]
    assert len(gauges) == len(FAULTS)
    return health.status_code, health.json()["status"], [line.partition('"')[0] for line in gauges if line.endswith(" 1.0")]


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_clients_do_not_see_the_file(code: StoreCode) -> None:
    error = StoreError(code, file=Path("/srv/secret/tables.sqlite"), why="attempt to write a readonly database")
    for language in LANGUAGES:
        shown = refusal(error, language)
        assert shown.code == ("storage-full" if code is StoreCode.FULL else "storage-down")
        assert "secret" not in shown.model_dump_json()
        assert "{" not in shown.message
    assert status_of(error) == (507 if code is StoreCode.FULL else 503)


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_the_host_reads_which_file_and_what_to_do(code: StoreCode, monkeypatch: pytest.MonkeyPatch) -> None:
    for language in LANGUAGES:
        monkeypatch.setattr(storage_faults, "DEFAULT_LANGUAGE", language)
        with structlog.testing.capture_logs() as logged:
            storage_faults.log_fault(StoreError(code, file=Path("/srv/tables.sqlite"), why="odd\nreason"))
        (line,) = logged
        assert "/srv/tables.sqlite" in line["message"]
        assert "odd?reason" in line["message"]
        assert Messages(language)("storage_recovered")
