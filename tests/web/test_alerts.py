"""The examples for Prometheus and Grafana: every metric in them exists, and every alert names the
section that says what to do."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.parser import text_string_to_metric_families

from dicecup.web.config import Config
from dicecup.web.server import running
from tests.hosting.guests import settings

DOCS: Final = Path(__file__).parents[2] / "docs"
RULES: Final = DOCS / "examples" / "prometheus-rules.yml"
DASHBOARD: Final = DOCS / "examples" / "grafana-dashboard.json"
METRIC: Final = re.compile(r"\bdicecup_\w+")


@pytest.fixture(scope="module")
def alerts() -> list[dict[str, Any]]:
    """Return the alerts of the example."""
    (group,) = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> Iterator[str]:
    """Yield the expressions of the dashboard."""
    for panel in json.loads(DASHBOARD.read_text("utf-8"))["panels"]:
        assert panel["title"]
        for target in panel["targets"]:
            yield target["expr"]


async def test_every_metric_of_the_examples_exists(tmp_path: Path, alerts: list[dict[str, Any]]) -> None:
    given = replace(settings(f"sqlite:///{tmp_path / 'tables.sqlite'}"), backup_hours=24, backups=tmp_path / "backups")
    async with running(given, Config(host="127.0.0.1", port=0)) as (server, _):
        serving = asyncio.create_task(server.serve())
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.listening.getsockname()[1]}") as client:
            await client.get("/api/games")
            shown = (await client.get("/metrics")).text
        server.should_exit = True
        await serving
    known = set()
    for family in text_string_to_metric_families(shown):
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
        known |= {family.name + ending for ending in endings}
    expressions = [alert["expr"] for alert in alerts] + list(panels())
    used = {name for expression in expressions for name in METRIC.findall(expression)}
    assert len(used) > 10
    assert used <= known


def test_every_alert_names_a_section_that_says_what_to_do(alerts: list[dict[str, Any]]) -> None:
    text = (DOCS / "hosting.md").read_text("utf-8")
    sections = {
        title.lower().replace(" ", "-"): body
        for title, body in re.findall(r"^### (.+)\n\n((?:(?!^#).*\n?)+)", text, re.MULTILINE)
    }
    names = [alert["alert"] for alert in alerts]
    assert len(set(names)) == len(names) > 5
    for alert in alerts:
        assert set(alert) <= {"alert", "expr", "for", "labels", "annotations"}
        assert alert["labels"]["severity"] in ("info", "warning", "critical")
        assert alert["annotations"]["summary"].endswith((".", "none."))
        file, _, section = alert["annotations"]["runbook"].partition("#")
        assert (file, section) == ("docs/hosting.md", alert["alert"].lower())
        assert len(sections[section].split()) > 20
    assert {section for section in sections if section.startswith("dicecup")} == {name.lower() for name in names}


def test_expressions_are_balanced(alerts: list[dict[str, Any]]) -> None:
    for expression in [*(alert["expr"] for alert in alerts), *panels()]:
        bare = re.sub(r'"[^"]*"', '""', expression)
        for opening, closing in ("()", "[]", "{}"):
            assert bare.count(opening) == bare.count(closing), expression
    if program := shutil.which("promtool"):
        subprocess.run([program, "check", "rules", RULES], check=True)
