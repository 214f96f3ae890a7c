"""Forged and expired ID tokens, with real RSA keys: each is a 401 and creates no account."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import httpx
import jwt
import psycopg
import pytest
from cryptography.hazmat.primitives import serialization

from porchlight.auth import account_status, tokens
from porchlight.settings.environment import Settings
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Emulator, Signer, claims
from tests.fixtures.product import run_program
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import BASE_HOST, create_settings, http_client, run_app
from tests.porchlight.auth.api_client import bearer_header

# All workers share the emulator, and two of them may run tests of this module.
_RUN = secrets.token_hex(4)
GOOD, VALID, DISABLED, REVOKED = (f"{name}-{_RUN}" for name in ("good", "valid", "to-disable", "to-revoke"))
TOO_LONG = _RUN.ljust(129, "x")


@pytest.fixture(scope="module")
def foreign_signer() -> Signer:
    """A key that the app does not know."""
    return Signer("unknown-key")


@pytest.fixture(scope="module")
async def web(
    database: Database, emulator: Emulator, certificates: CertificateServer
) -> AsyncIterator[httpx.AsyncClient]:
    """An app that requires signed tokens and gets account statuses from the emulator.

    The account of the forged tokens exists, so that the app can reject them only because of the token.
    """
    for uid in (GOOD, TOO_LONG):
        emulator.create(uid)
    async with run_app(
        database,
        firebase_project_id=PROJECT,
        firebase_emulator_host=emulator.host,
        firebase_certs_url=certificates.url,
    ) as app:
        async with http_client(app, BASE_HOST) as client:
            yield client


async def _status(web: httpx.AsyncClient, token: str) -> int:
    return (await web.get("/api/auth/profile", headers=bearer_header(token))).status_code


def _unsigned(payload: dict[str, Any], header: dict[str, Any]) -> str:
    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part(header)}.{part(payload)}."


def _hs256_with_public_key(signer: Signer) -> str:
    """Return an HS256 token with the public key as the secret (algorithm confusion)."""
    import hashlib
    import hmac

    unsigned = _unsigned(claims(GOOD), {"alg": "HS256", "typ": "JWT", "kid": signer.kid}).rstrip(".")
    public = signer.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    signature = hmac.new(public, unsigned.encode(), hashlib.sha256).digest()
    return f"{unsigned}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


Forge = Callable[[Signer, Signer], str]


FORGERIES: dict[str, Forge] = {
    "alg none": lambda own, foreign: _unsigned(claims(GOOD), {"alg": "none", "typ": "JWT"}),
    "alg none with our kid": lambda own, foreign: _unsigned(claims(GOOD), {"alg": "none", "kid": own.kid}),
    "HS256 with the public key": lambda own, foreign: _hs256_with_public_key(own),
    "another key with our kid": lambda own, foreign: foreign.token(claims(GOOD), kid=own.kid),
    "unknown kid": lambda own, foreign: foreign.token(claims(GOOD)),
    "no kid": lambda own, foreign: jwt.encode(claims(GOOD), own.key, algorithm="RS256"),
    "RS512": lambda own, foreign: jwt.encode(claims(GOOD), own.key, algorithm="RS512", headers={"kid": own.kid}),
    "another project's audience": lambda own, foreign: own.token(claims(GOOD, aud="other-project")),
    "list of audiences": lambda own, foreign: own.token(claims(GOOD, aud=[PROJECT, "other"])),
    "another issuer": lambda own, foreign: own.token(claims(GOOD, iss="https://securetoken.google.com/other")),
    "no issuer": lambda own, foreign: own.token(claims(GOOD, iss=None)),
    "expired beyond leeway": lambda own, foreign: own.token(claims(GOOD, exp=int(time.time()) - 65)),
    "no expiry": lambda own, foreign: own.token(claims(GOOD, exp=None)),
    "issued in the future": lambda own, foreign: own.token(claims(GOOD, iat=int(time.time()) + 90)),
    "authenticated in the future": lambda own, foreign: own.token(claims(GOOD, auth_time=int(time.time()) + 90)),
    "no authentication time": lambda own, foreign: own.token(claims(GOOD, auth_time=None)),
    "not yet valid": lambda own, foreign: own.token(claims(GOOD, nbf=int(time.time()) + 90)),
    "no subject": lambda own, foreign: own.token(claims(GOOD, sub=None)),
    "empty subject": lambda own, foreign: own.token(claims(GOOD, sub="")),
    "subject too long": lambda own, foreign: own.token(claims(GOOD, sub=TOO_LONG, user_id=TOO_LONG)),
    "subject and user_id differ": lambda own, foreign: own.token(claims(GOOD, user_id="other")),
    "issue time as bool": lambda own, foreign: own.token(claims(GOOD, iat=True)),
    "custom token": lambda own, foreign: own.token(claims(GOOD, firebase=None)),
    "token of an Identity Platform tenant": lambda own, foreign: own.token(
        claims(GOOD, firebase={"tenant": "t", "sign_in_provider": "password"})
    ),
    "anonymous": lambda own, foreign: own.token(claims(GOOD, firebase={"sign_in_provider": "anonymous"})),
    "changed payload": lambda own, foreign: _with_changed_payload(own.token(claims(GOOD))),
    "not a JWT": lambda own, foreign: "nonsense",
    "longer than 8192 characters": lambda own, foreign: own.token(claims(GOOD, extra="x" * 9000)),
}


def _with_changed_payload(token: str) -> str:
    head, _, signature = token.split(".")
    return f"{head}.{_unsigned(claims('another-user'), {}).split('.')[1]}.{signature}"


async def test_valid_token_is_accepted(web: httpx.AsyncClient, emulator: Emulator, signer: Signer) -> None:
    emulator.create(VALID)
    response = await web.get("/api/auth/profile", headers=bearer_header(signer.token(claims(VALID))))
    assert response.status_code == 200
    assert response.json()["data"]["email"] == f"{VALID}@example.com"
    # The clocks may differ by a minute.
    now = int(time.time())
    assert await _status(web, signer.token(claims(VALID, exp=now - 30))) == 200
    assert await _status(web, signer.token(claims(VALID, iat=now + 30, auth_time=now + 30))) == 200


@pytest.mark.parametrize("kind", FORGERIES)
async def test_forged_token_is_401(
    web: httpx.AsyncClient, database: Database, signer: Signer, foreign_signer: Signer, kind: str
) -> None:
    token = FORGERIES[kind](signer, foreign_signer)
    for method, path, body in (
        ("GET", "/api/auth/profile", None),
        ("PUT", "/api/auth/profile", {"bio": "changed"}),
        ("POST", "/api/auth/register", {}),
        ("GET", "/api/auth/session", None),
    ):
        response = await web.request(method, path, json=body, headers=bearer_header(token))
        assert response.status_code == 401, (path, response.text)
        assert response.json()["error"]["message"] == "Authentication required. Please sign in and try again."
    exchanged = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": f"http://{BASE_HOST}"})
    assert exchanged.status_code == (422 if len(token) > 8192 else 401)
    assert "set-cookie" not in exchanged.headers
    with psycopg.connect(database.superuser_url) as conn:
        assert conn.execute(
            "SELECT count(*) FROM users WHERE firebase_uid IN (%s, 'another-user', 'None', '')", [GOOD]
        ).fetchone() == (0,)


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "bearer x y", "Token abc", "Bearer \xff"])
async def test_malformed_authorization_header_is_401(web: httpx.AsyncClient, header: str) -> None:
    response = await web.get("/api/auth/profile", headers=[(b"authorization", header.encode("latin-1"))])
    assert refusal(response) == (401, "unauthenticated")


async def test_disabled_revoked_and_deleted_accounts_are_401(
    web: httpx.AsyncClient, emulator: Emulator, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for uid in (DISABLED, REVOKED):
        emulator.create(uid)
        assert await _status(web, signer.token(claims(uid))) == 200
    emulator.disable(DISABLED)
    emulator.revoke(REVOKED)
    # After at most sixty seconds, the tokens are rejected.
    later = SimpleNamespace(monotonic=lambda: time.monotonic() + 60)
    monkeypatch.setattr(account_status, "time", later)
    assert await _status(web, signer.token(claims(DISABLED))) == 401
    old = int(time.time()) - 30
    assert await _status(web, signer.token(claims(REVOKED, iat=old, auth_time=old))) == 401
    assert await _status(web, signer.token(claims(REVOKED, iat=int(time.time()) + 1))) == 200  # a new sign-in
    assert await _status(web, signer.token(claims("unknown"))) == 401


async def test_token_keys_rotate_and_survive_an_outage(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = Signer("old"), Signer("new")
    server = CertificateServer(old)
    try:
        async with run_app(database, firebase_project_id=PROJECT, firebase_certs_url=server.url) as app:
            async with http_client(app, BASE_HOST) as web:
                old_token = old.token(claims("rotating"))
                assert await _status(web, old_token) == 200
                assert server.request_count == 1
                for _ in range(5):  # an unknown key id causes no repeated fetches
                    assert await _status(web, new.token(claims("rotating"))) == 401
                assert server.request_count == 1
                server.signers = [new]
                ahead = SimpleNamespace(monotonic=lambda: time.monotonic() + tokens.KEY_FETCH_INTERVAL_SECONDS + 1)
                monkeypatch.setattr(tokens, "time", ahead)
                assert await _status(web, new.token(claims("rotating"))) == 200
                assert await _status(web, old_token) == 401  # although it was verified before
                server.is_down = True
                ahead.monotonic = lambda: time.monotonic() + 30_000
                assert await _status(web, new.token(claims("rotating"))) == 200
    finally:
        server.close()


async def test_token_without_any_key_is_503(database: Database, signer: Signer) -> None:
    server = CertificateServer()
    server.is_down = True
    try:
        async with run_app(database, firebase_project_id=PROJECT, firebase_certs_url=server.url) as app:
            async with http_client(app, BASE_HOST) as web:
                response = await web.get("/api/auth/profile", headers=bearer_header(signer.token(claims("early"))))
                assert (response.status_code, response.headers["retry-after"]) == (503, "2")
                server.is_down, server.signers = False, [signer]
                assert await _status(web, signer.token(claims("early"))) == 200
    finally:
        server.close()


async def test_emulator_mode_rejects_signed_tokens(database: Database, emulator: Emulator, signer: Signer) -> None:
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        async with http_client(app, BASE_HOST) as web:
            _, uid, token = emulator.sign_up()
            assert await _status(web, token) == 200
            assert await _status(web, signer.token(claims(uid))) == 401
            expired = _unsigned(claims(uid, exp=int(time.time()) - 65), {"alg": "none", "typ": "JWT"})
            assert await _status(web, expired) == 401


async def test_offline_mode_treats_requests_as_anonymous(database: Database, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with run_app(database) as app:
        async with http_client(app, BASE_HOST) as web:
            assert (await web.get("/api/config")).json()["data"]["firebase"] is None
            assert await _status(web, token) == 401
            assert (await web.get("/api/auth/session")).json()["data"] == {"user": None}


def test_production_with_emulator_does_not_start(database: Database) -> None:
    env = {
        "PORCHLIGHT_ENV": "production",
        "DATABASE_URL": database.app_url,
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_API_KEY": "k",
    }
    assert create_settings(database, env="production", limits="on", firebase_emulator_host="127.0.0.1:1").problems()
    code, output = run_program("serve", "--port", "1", env=env | {"FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099"})
    assert code == 1
    assert "FIREBASE_AUTH_EMULATOR_HOST" in output


async def test_identity_provider_outage_accepts_signed_tokens(database: Database, signer: Signer) -> None:
    """During an outage, signed tokens are accepted; a cached status still applies."""
    certificates = CertificateServer(signer)
    try:
        async with run_app(
            database,
            firebase_project_id=PROJECT,
            firebase_emulator_host="127.0.0.1:9",  # nothing listens there
            firebase_certs_url=certificates.url,
        ) as app:
            async with http_client(app, BASE_HOST) as web:
                assert await _status(web, signer.token(claims("during-outage"))) == 200
    finally:
        certificates.close()


def test_environment_is_production_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PORCHLIGHT_ENV", raising=False)
    assert Settings().production
    monkeypatch.setenv("PORCHLIGHT_ENV", "development")
    assert not Settings().production
