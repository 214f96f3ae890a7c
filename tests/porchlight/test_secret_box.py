"""Encryption of secrets that the product keeps for people."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from porchlight.settings.environment import Settings
from porchlight.settings.secret_box import SecretBox, SecretLost, secret_box

KEYS = {name: bytes(range(start, start + 32)) for name, start in (("new", 0), ("old", 100))}


def settings(**changes: Any) -> Settings:
    values = {"database_url": "postgresql://app:one@127.0.0.1:5432/porchlight", "secrets_key": ""}
    return Settings(**(values | changes))


def test_secret_opens_for_its_row_only() -> None:
    box = SecretBox(KEYS)
    sealed = box.seal(b"app password", "busy_sources/1/2")
    assert b"app password" not in sealed
    assert box.open(sealed, "busy_sources/1/2") == b"app password"
    with pytest.raises(SecretLost):
        box.open(sealed, "busy_sources/1/3")


def test_same_secret_is_never_sealed_alike() -> None:
    box = SecretBox(KEYS)
    assert box.seal(b"x", "row") != box.seal(b"x", "row")


def test_earlier_key_opens_and_a_lost_one_does_not() -> None:
    sealed = SecretBox({"old": KEYS["old"]}).seal(b"x", "row")
    assert SecretBox(KEYS).open(sealed, "row") == b"x"
    with pytest.raises(SecretLost):
        SecretBox({"new": KEYS["new"]}).open(sealed, "row")


@pytest.mark.parametrize(
    "sealed", [b"", b"\x03", b"\x03new", b"\x03new" + bytes(12), b"\x03new" + bytes(40), b"\xff" * 9]
)
def test_other_bytes_do_not_open(sealed: bytes) -> None:
    with pytest.raises(SecretLost):
        SecretBox(KEYS).open(sealed, "row")


def test_keys_come_from_the_setting() -> None:
    key = base64.urlsafe_b64encode(KEYS["new"]).decode().rstrip("=")
    box = secret_box(settings(secrets_key=f"2027:{key}"))
    assert box is not None
    assert box.keys == {"2027": KEYS["new"]}
    assert "PORCHLIGHT_SECRETS_KEY" in settings(secrets_key="2027:short").problems()[0]


def test_production_without_key_keeps_no_secrets() -> None:
    assert secret_box(settings(env="production")) is None
    first, second = (
        secret_box(settings(env="development", database_url=f"postgresql://app:{name}@h/db")) for name in ("one", "two")
    )
    assert first is not None
    assert first.keys != (second.keys if second else {})


def test_production_refuses_local_calendars() -> None:
    production = settings(env="production", local_calendars="127.0.0.1:5232")
    assert any("PORCHLIGHT_LOCAL_CALENDARS" in problem for problem in production.problems())
    assert production.local_calendar_servers == frozenset()
