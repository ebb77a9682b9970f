"""`dicecup bound`: output and refusals."""

from dataclasses import replace
from pathlib import Path

import pytest

from dicecup.cli import main
from dicecup.engine.yamm.bound import certificate


def test_an_altered_certificate_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.bound"
    content = bytearray(certificate.SHIPPED.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert main(["bound", "yamm", "--verify", str(path), "--lang", "en"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "dicecup: tables-damaged: The table a.bound is damaged.\n"


def test_a_certificate_for_another_sheet_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.bound"
    certificate.save(path, certificate.flat({"d": 1}, {"d": 1}, [0, 10], [0] * 210))
    assert main(["bound", "yamm", "--verify", str(path), "--lang", "de"]) == 1
    assert capsys.readouterr().err.startswith("dicecup: not-the-blocks: ")


def test_a_missing_certificate_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", "yamm", "--verify", str(tmp_path / "none"), "--lang", "fr"]) == 1
    assert capsys.readouterr().err.startswith("dicecup: tables-missing: ")


@pytest.mark.parametrize("minutes", ["-1", "inf", "nan", "x"])
def test_an_invalid_length_of_time_is_refused(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", "yamm", f"--minutes={minutes}"]) == 2
    assert "--minutes" in capsys.readouterr().err


@pytest.mark.slow
def test_the_shipped_certificate_is_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", "yamm", "--verify", "--lang", "en"]) == 0
    claimed = certificate.load(certificate.SHIPPED).claimed
    shown = capsys.readouterr().out
    assert shown.startswith("No strategy reaches a mean of more than ")
    assert float(shown.split()[-2]) == pytest.approx(claimed, abs=2e-4)


@pytest.mark.slow
def test_a_search_without_time_keeps_the_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.bound"
    assert main(["bound", "yamm", "--minutes", "0", "--out", str(path), "--lang", "en"]) == 0
    shipped = certificate.load(certificate.SHIPPED)
    assert certificate.load(path).claimed == pytest.approx(shipped.claimed, abs=1e-6)
    assert "Bound before" in capsys.readouterr().out
    certificate.save(path, replace(shipped, claimed=3000.0))
    assert main(["bound", "yamm", "--verify", str(path), "--lang", "en"]) == 1
    assert capsys.readouterr().err.startswith("dicecup: not-proved: ")
