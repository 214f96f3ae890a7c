"""What `porchlight doctor` says of the identity service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porchlight.doctor import Finding, findings
from porchlight.settings import Settings
from tests.support.product import run_program

FIREBASE: dict[str, Any] = {"firebase_project_id": "porchlight", "firebase_api_key": "k", "firebase_emulator_host": ""}


def _of_credentials(**settings: Any) -> list[Finding]:
    found = findings(Settings(**{"database_url": "", "firebase_credentials": "", **settings}))
    return [(ok, words) for ok, words in found if "GOOGLE_APPLICATION_CREDENTIALS" in words]


def test_production_is_warned_when_accounts_cannot_be_asked_about() -> None:
    ((ok, words),) = _of_credentials(env="production", **FIREBASE)
    assert ok is None
    assert "is not set" in words


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    ((ok, _),) = _of_credentials(env="production", firebase_credentials=str(key), **FIREBASE)
    assert ok is False
    key.write_text("{}")
    ((ok, _),) = _of_credentials(env="production", firebase_credentials=str(key), **FIREBASE)
    assert ok is True


@pytest.mark.parametrize("settings", [{"env": "development", **FIREBASE}, {"env": "production"}])
def test_others_need_none(settings: dict[str, Any]) -> None:
    assert _of_credentials(**settings) == []


def test_a_warning_is_printed_and_is_no_failure_by_itself() -> None:
    env = {
        "PORCHLIGHT_ENV": "production",
        "FIREBASE_PROJECT_ID": "porchlight",
        "FIREBASE_API_KEY": "k",
        "GOOGLE_APPLICATION_CREDENTIALS": "",
        "DATABASE_URL": "",
    }
    code, said = run_program("doctor", env=env)
    assert "warn  GOOGLE_APPLICATION_CREDENTIALS is not set" in said.replace("\n", " ")
    assert code == 1  # for the database that is not named
