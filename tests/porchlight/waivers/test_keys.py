"""PORCHLIGHT_WAIVER_KEYS, the development key and the published key set."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest

from porchlight.features.waivers.keys import WaiverKey, WaiverKeyring, parse_key_set, waiver_keyring
from porchlight.settings.environment import Settings
from porchlight.settings.keys import seed_problems, waiver_seeds
from tenants.kit.base64url import encode_base64url
from tests.porchlight.waivers.samples import KEY, OLD_KEY

SEED, OLD_SEED = encode_base64url(KEY.seed), encode_base64url(OLD_KEY.seed)
KEYRING = WaiverKeyring((KEY, OLD_KEY))


def _settings(**changes: Any) -> Settings:
    return Settings(**({"database_url": "postgresql://app:one@127.0.0.1:5432/porchlight", "waiver_keys": ""} | changes))


def test_waiver_keys_setting_is_parsed_in_order() -> None:
    keyring = waiver_keyring(_settings(waiver_keys=f"2026:{SEED}, 2025:{OLD_SEED}="))
    assert keyring == KEYRING
    assert keyring.current == KEY
    generated = f"w-1:{secrets.token_urlsafe(32)}"
    assert seed_problems(generated) == []


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        (SEED, "Key 1 of PORCHLIGHT_WAIVER_KEYS is malformed"),
        (f"2026:{SEED},2025:{OLD_SEED[1:]}", "Key 2 of PORCHLIGHT_WAIVER_KEYS is malformed"),
        (f"Key:{SEED}", "Key 1 of PORCHLIGHT_WAIVER_KEYS is malformed"),
        (f"2026:{SEED},2026:{OLD_SEED}", "Key 2 of PORCHLIGHT_WAIVER_KEYS has the id of another key"),
        (f"2026:{'A' * 43}", "Key 1 of PORCHLIGHT_WAIVER_KEYS is not random"),
    ],
    ids=["no id", "short seed", "capital letter", "same id", "not random"],
)
def test_invalid_waiver_key_is_named_without_its_seed(setting: str, problem: str) -> None:
    (message,) = seed_problems(setting)
    assert message.startswith(problem)
    assert SEED not in message
    assert OLD_SEED[1:] not in message
    assert message in _settings(waiver_keys=setting).problems()
    with pytest.raises(ValueError, match="PORCHLIGHT_WAIVER_KEYS"):
        waiver_seeds(setting)


def test_production_without_waiver_keys_does_not_start() -> None:
    production = _settings(env="production")
    assert any(problem.startswith("PORCHLIGHT_WAIVER_KEYS is not set") for problem in production.problems())
    with pytest.raises(ValueError, match="is not set"):
        waiver_keyring(production)
    assert _settings(env="production", waiver_keys=f"2026:{SEED}", clock_offset_seconds=0).problems() == []
    assert _settings().problems() == []


def test_development_key_follows_database_password() -> None:
    keyring = waiver_keyring(_settings())
    moved = _settings(database_url="postgresql://app:one@127.0.0.1:9999/other")
    assert waiver_keyring(moved) == keyring
    another_state = _settings(database_url="postgresql://app:two@127.0.0.1:5432/porchlight")
    assert waiver_keyring(another_state).current.seed != keyring.current.seed


def test_waiver_key_repr_hides_seed() -> None:
    assert repr(KEY.seed) not in repr(KEYRING)
    assert "2026" in repr(KEYRING)


def test_public_key_set_has_public_members_only() -> None:
    published = KEYRING.public_key_set()
    assert [set(key) for key in published["keys"]] == [{"kty", "crv", "kid", "x"}] * 2
    text = json.dumps(published)
    assert SEED not in text
    parsed = parse_key_set(text.encode())
    assert {key_id: key.public_bytes_raw() for key_id, key in parsed.items()} == {
        key_id: key.public_bytes_raw() for key_id, key in KEYRING.public_keys.items()
    }


def test_key_set_of_rfc_8037_is_read() -> None:
    # RFC 8037, appendix A.
    seed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
    point = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    keyring = waiver_keyring(_settings(waiver_keys=f"rfc:{seed}"))
    assert keyring.public_key_set() == {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "rfc", "x": point}]}


@pytest.mark.parametrize(
    "changes",
    [{"kty": "RSA"}, {"crv": "X25519"}, {"kid": ""}, {"kid": 1}, {"x": ""}, {"x": None}, {"x": "AAAA"}],
)
def test_malformed_key_set_is_rejected(changes: dict[str, Any]) -> None:
    jwk: dict[str, Any] = dict(KEYRING.public_key_set()["keys"][0])
    malformed: list[Any] = [{"keys": [jwk | changes]}, {"keys": []}, {"keys": [jwk, jwk]}, {"keys": 1}, [], 7]
    for data in malformed:
        with pytest.raises(ValueError):
            parse_key_set(json.dumps(data).encode())


@pytest.mark.parametrize("data", [b"", b"\xff", b"{", b"[" * 60_000, b" " * 70_000])
def test_key_set_of_any_bytes_is_rejected(data: bytes) -> None:
    with pytest.raises(ValueError):
        parse_key_set(data)


def test_waiver_key_signature_verifies() -> None:
    key = WaiverKey("2026", KEY.seed)
    signature = key.sign(b"data")
    assert len(signature) == 64
    key.public_key.verify(signature, b"data")
