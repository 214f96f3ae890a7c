"""`porchlight doctor`: findings about the identity provider."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from porchlight.cli import doctor
from porchlight.cli.doctor import Finding, findings
from porchlight.settings.environment import Settings
from tests.fixtures.databases import Database
from tests.fixtures.product import run_program

FIREBASE: dict[str, Any] = {"firebase_project_id": "porchlight", "firebase_api_key": "k", "firebase_emulator_host": ""}


def _of_credentials(**settings: Any) -> list[Finding]:
    results = findings(Settings(**{"database_url": "", "firebase_credentials": "", **settings}))
    return [(ok, message) for ok, message in results if "GOOGLE_APPLICATION_CREDENTIALS" in message]


def test_production_without_credentials_warns() -> None:
    ((ok, message),) = _of_credentials(env="production", **FIREBASE)
    assert ok is None
    assert "is not set" in message


def test_missing_credentials_file_is_fault(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    ((ok, _),) = _of_credentials(env="production", firebase_credentials=str(key), **FIREBASE)
    assert ok is False
    key.write_text("{}")
    ((ok, _),) = _of_credentials(env="production", firebase_credentials=str(key), **FIREBASE)
    assert ok is True


@pytest.mark.parametrize("settings", [{"env": "development", **FIREBASE}, {"env": "production"}])
def test_credentials_not_needed_is_silent(settings: dict[str, Any]) -> None:
    assert _of_credentials(**settings) == []


def test_doctor_prints_warning() -> None:
    env = {
        "PORCHLIGHT_ENV": "production",
        "FIREBASE_PROJECT_ID": "porchlight",
        "FIREBASE_API_KEY": "k",
        "GOOGLE_APPLICATION_CREDENTIALS": "",
        "DATABASE_URL": "",
    }
    code, output = run_program("doctor", env=env)
    assert "warn  GOOGLE_APPLICATION_CREDENTIALS is not set" in output.replace("\n", " ")
    assert code == 1  # for the missing database URL


def test_doctor_compares_zones_with_postgres(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def zone_finding() -> Finding:
        (found,) = [one for one in findings(Settings(database_url=database.app_url)) if "2026" in one[1]]
        return found

    before = zone_finding()
    assert before[0] in (True, None)  # PostgreSQL's tables are those of the machine that built it
    monkeypatch.setattr(doctor, "_offset", lambda name, _at: 3600 if name == "Europe/Berlin" else None)
    is_fine, text = zone_finding()
    assert is_fine is None
    assert re.search(r"other rules than version \w+ for Africa/Abidjan, .* and \d+ more", text)
