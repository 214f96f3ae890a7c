"""PORCHLIGHT_PUSH_KEY and the development key."""

from __future__ import annotations

import pytest

from porchlight.push.keys import public_key_text, vapid_keys
from porchlight.settings.environment import Settings
from porchlight.settings.keys import P256_ORDER, push_key_problems
from tenants.kit.base64url import encode_base64url

KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"  # RFC 8291, appendix A
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


def _settings(env: str, push_key: str = "", owner: str = "one") -> Settings:
    return Settings.model_validate(
        {
            "env": env,
            "push_key": push_key,
            "database_url": f"postgresql://porchlight_app:{owner}@localhost/porchlight",
        }
    )


def test_public_key_belongs_to_the_private_one() -> None:
    assert push_key_problems(KEY) == []
    assert public_key_text(_settings("production", KEY)) == PUBLIC


def test_development_derives_a_key_and_production_has_none() -> None:
    first, again, other = (public_key_text(_settings("development", owner=one)) for one in ("one", "one", "two"))
    assert first == again != other
    assert len(first) == 87
    assert vapid_keys(_settings("production")) == []
    assert public_key_text(_settings("production")) == ""


@pytest.mark.parametrize(
    "key",
    ["short", "A" * 43, encode_base64url(P256_ORDER.to_bytes(32)), encode_base64url(bytes(range(8)) * 4), KEY + "x"],
)
def test_malformed_key_is_refused_without_showing_it(key: str) -> None:
    problems = push_key_problems(key)
    assert len(problems) == 1
    assert key not in problems[0]
    with pytest.raises(ValueError, match="PORCHLIGHT_PUSH_KEY"):
        vapid_keys(_settings("development", key))


def test_browsers_subscribe_to_the_first_key() -> None:
    new = encode_base64url(bytes(range(1, 33)))
    rotated = _settings("production", f"{new}, {KEY}")
    assert push_key_problems(rotated.push_key) == []
    assert public_key_text(rotated) == public_key_text(_settings("production", new)) != PUBLIC
    assert [key.private_numbers() for key in vapid_keys(rotated)][1:] == [
        key.private_numbers() for key in vapid_keys(_settings("production", KEY))
    ]
    assert len(push_key_problems(f"{KEY},{KEY}")) == len(push_key_problems(f"{new},short")) == 1
