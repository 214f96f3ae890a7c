"""Security headers of the main platform, which the API and Caddy's fallback must send alike."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from porchlight.settings.environment import Settings
from porchlight.web.main_site import content_security_policy, headers
from tests.infra.deployment import BIN, CADDYFILE

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
    return {values[0]: set(values[1:]) for values in parts}


def _fallback_headers() -> dict[str, str]:
    """Return the fallback page's headers from Caddy's adapted configuration."""
    adapted = subprocess.run(
        [BIN / "caddy", "adapt", "--config", CADDYFILE, "--adapter", "caddyfile"],
        env=os.environ
        | {"FIREBASE_AUTH_DOMAIN": DOMAIN, "PORCHLIGHT_BASE_HOST": "porchlight.example", "PORCHLIGHT_TLS": "internal"},
        capture_output=True,
        check=True,
    )
    matches: list[dict[str, str]] = []

    def collect(node: Any) -> None:
        if isinstance(node, list):
            for part in node:
                collect(part)
        elif isinstance(node, dict):
            named = node.get("response", {}).get("set", {}) if node.get("handler") == "headers" else {}
            if "https://apis.google.com" in " ".join(named.get("Content-Security-Policy", [])):
                matches.append({name.lower(): values[0] for name, values in named.items()})
            for part in node.values():
                collect(part)

    collect(json.loads(adapted.stdout))
    assert matches
    assert all(other == matches[0] for other in matches)
    return matches[0]


def test_caddy_fallback_has_same_headers_as_api() -> None:
    fallback = _fallback_headers()
    for name, values in headers(_production(**FIREBASE, **STRIPE)).items():
        assert fallback[name] == values, name


def test_csp_in_production_allows_google_and_stripe() -> None:
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
def test_csp_excludes_unconfigured_services(configured: dict[str, Any]) -> None:
    policy = content_security_policy(_production(**configured))
    assert ("google" in policy) == (configured is FIREBASE)
    assert ("stripe" in policy) == (configured is STRIPE)
    assert "http://" not in policy
    assert "unsafe" not in policy


def test_csp_in_development_allows_auth_emulator() -> None:
    settings = Settings(firebase_project_id="demo", firebase_emulator_host="127.0.0.1:9099")
    policy = _policy(settings)
    for part in ("script-src", "connect-src"):
        assert policy[part] == {"'self'", "http://127.0.0.1:9099"}
    assert policy["frame-src"] == {"'self'", "http://127.0.0.1:9099", "*.porchlight.localhost:*"}


def test_pricing_table_of_own_script_is_allowed() -> None:
    """The policy follows the script: its origin may be loaded and framed, and Stripe's may not."""
    table: dict[str, Any] = {"stripe_pricing_table_url": "http://127.0.0.1:8002/pricing-table.js"}
    policy = _policy(Settings(**STRIPE, **table))
    for directive in ("script-src", "frame-src"):
        assert "http://127.0.0.1:8002" in policy[directive]
        assert not any("stripe.com" in source for source in policy[directive])


def test_live_key_needs_confirmation() -> None:
    keys = {"stripe_secret_key": "sk_live_1", "stripe_webhook_secret": "a", "stripe_connect_webhook_secret": "b"}
    assert any("PORCHLIGHT_MONEY_LIVE" in problem for problem in _production(**keys).problems())
    assert not any("PORCHLIGHT_MONEY_LIVE" in problem for problem in _production(**keys, money_live="on").problems())
