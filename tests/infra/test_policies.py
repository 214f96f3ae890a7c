"""What the main platform's pages may load is one law, told by the API and, while it is away, by Caddy."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from porchlight.settings import Settings
from porchlight.webs import content_security_policy, headers
from tests.infra.house import BIN, CADDYFILE

DOMAIN = "sign-in.porchlight.example"
FIREBASE: dict[str, Any] = {
    "firebase_project_id": "porchlight",
    "firebase_api_key": "k",
    "firebase_auth_domain": DOMAIN,
}
STRIPE: dict[str, Any] = {"stripe_publishable_key": "pk_live_1", "stripe_pricing_table_id": "prctbl_1"}


def _production(**configured: Any) -> Settings:
    return Settings(env="production", base_host="porchlight.example", firebase_emulator_host="", **configured)


def _policy(settings: Settings) -> dict[str, set[str]]:
    parts = (part.split() for part in content_security_policy(settings).split(";"))
    return {words[0]: set(words[1:]) for words in parts}


def _headers_of_the_shell() -> dict[str, str]:
    """Those of the main platform's page in Caddy's own reading of the Caddyfile."""
    made = subprocess.run(
        [BIN / "caddy", "adapt", "--config", CADDYFILE, "--adapter", "caddyfile"],
        env=os.environ
        | {"FIREBASE_AUTH_DOMAIN": DOMAIN, "PORCHLIGHT_BASE_HOST": "porchlight.example", "PORCHLIGHT_TLS": "internal"},
        capture_output=True,
        check=True,
    )
    found: list[dict[str, str]] = []

    def look(at: Any) -> None:
        if isinstance(at, list):
            for part in at:
                look(part)
        elif isinstance(at, dict):
            named = at.get("response", {}).get("set", {}) if at.get("handler") == "headers" else {}
            if "https://apis.google.com" in " ".join(named.get("Content-Security-Policy", [])):
                found.append({name.lower(): words[0] for name, words in named.items()})
            for part in at.values():
                look(part)

    look(json.loads(made.stdout))
    assert found
    assert all(other == found[0] for other in found)
    return found[0]


def test_caddys_shell_carries_the_headers_of_the_apis() -> None:
    shell = _headers_of_the_shell()
    for name, words in headers(_production(**FIREBASE, **STRIPE)).items():
        assert shell[name] == words, name


def test_google_and_stripe_may_do_what_they_need_in_production() -> None:
    policy = _policy(_production(**FIREBASE, **STRIPE))
    assert policy["script-src"] == {
        "'self'",
        "https://apis.google.com",
        "https://js.stripe.com",
        "https://*.js.stripe.com",
    }
    assert {"https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"} <= policy["connect-src"]
    assert f"https://{DOMAIN}" in policy["frame-src"]
    assert {"https://js.stripe.com", "https://hooks.stripe.com"} <= policy["frame-src"]
    assert policy["style-src"] == policy["font-src"] == {"'self'"}
    assert "same-origin-allow-popups" in headers(_production(**FIREBASE))["cross-origin-opener-policy"]


@pytest.mark.parametrize("configured", [{}, FIREBASE, STRIPE])
def test_who_is_not_configured_may_nothing(configured: dict[str, Any]) -> None:
    policy = content_security_policy(_production(**configured))
    assert ("google" in policy) == (configured is FIREBASE)
    assert ("stripe" in policy) == (configured is STRIPE)
    assert "http://" not in policy
    assert "unsafe" not in policy


def test_the_emulator_stands_in_for_google_in_development() -> None:
    settings = Settings(firebase_project_id="demo", firebase_emulator_host="127.0.0.1:9099")
    policy = _policy(settings)
    for part in ("script-src", "connect-src"):
        assert policy[part] == {"'self'", "http://127.0.0.1:9099"}
    assert policy["frame-src"] == {"'self'", "http://127.0.0.1:9099", "*.porchlight.localhost:*"}
