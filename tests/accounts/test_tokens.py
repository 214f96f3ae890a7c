"""Forged and stale ID tokens, against real RSA keys: every kind is 401 and makes no account."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import jwt
import psycopg
import pytest
from cryptography.hazmat.primitives import serialization

from porchlight.accounts import standing, tokens
from tests.accounts.calls import bearer
from tests.platform_.world import BASE, serving, settings_of, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, CertificateServer, Emulator, Signer, claims
from tests.support.product import run_program


@pytest.fixture(scope="module")
def signer() -> Signer:
    return Signer("key-one")


@pytest.fixture(scope="module")
def stranger() -> Signer:
    return Signer("key-of-nobody")


@pytest.fixture(scope="module")
def certificates(signer: Signer) -> Iterator[CertificateServer]:
    server = CertificateServer(signer)
    yield server
    server.close()


@pytest.fixture(scope="module")
async def web(
    database: Database, emulator: Emulator, certificates: CertificateServer
) -> AsyncIterator[httpx.AsyncClient]:
    """An app that wants signed tokens, and asks the emulator how accounts stand.

    The account the forged tokens speak of is a good one: nothing but the token itself may be why they are refused.
    """
    for uid in ("good", "x" * 129):
        emulator.create(uid)
    async with serving(
        database,
        firebase_project_id=PROJECT,
        firebase_emulator_host=emulator.host,
        firebase_certs_url=certificates.url,
    ) as app:
        async with visitor(app, BASE) as client:
            yield client


async def _status(web: httpx.AsyncClient, token: str) -> int:
    return (await web.get("/api/auth/profile", headers=bearer(token))).status_code


def _unsigned(said: dict[str, Any], header: dict[str, Any]) -> str:
    def part(value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return f"{part(header)}.{part(said)}."


def _confused(signer: Signer) -> str:
    """HS256 with the public key as the secret: the classic confusion of algorithms."""
    import hashlib
    import hmac

    head = _unsigned(claims("good"), {"alg": "HS256", "typ": "JWT", "kid": signer.kid}).rstrip(".")
    public = signer.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    made = hmac.new(public, head.encode(), hashlib.sha256).digest()
    return f"{head}.{base64.urlsafe_b64encode(made).rstrip(b'=').decode()}"


Forge = Callable[[Signer, Signer], str]
FORGED: dict[str, Forge] = {
    "alg none": lambda s, o: _unsigned(claims("good"), {"alg": "none", "typ": "JWT"}),
    "alg none with our kid": lambda s, o: _unsigned(claims("good"), {"alg": "none", "kid": s.kid}),
    "HS256 with the public key": lambda s, o: _confused(s),
    "another's key under our kid": lambda s, o: o.token(claims("good"), kid=s.kid),
    "unknown kid": lambda s, o: o.token(claims("good")),
    "no kid": lambda s, o: jwt.encode(claims("good"), s.key, algorithm="RS256"),
    "RS512": lambda s, o: jwt.encode(claims("good"), s.key, algorithm="RS512", headers={"kid": s.kid}),
    "another project's audience": lambda s, o: s.token(claims("good", aud="other-project")),
    "a list of audiences": lambda s, o: s.token(claims("good", aud=[PROJECT, "other"])),
    "another issuer": lambda s, o: s.token(claims("good", iss="https://securetoken.google.com/other")),
    "no issuer": lambda s, o: s.token(claims("good", iss=None)),
    "expired beyond leeway": lambda s, o: s.token(claims("good", exp=int(time.time()) - 65)),
    "no expiry": lambda s, o: s.token(claims("good", exp=None)),
    "issued in the future": lambda s, o: s.token(claims("good", iat=int(time.time()) + 90)),
    "authenticated in the future": lambda s, o: s.token(claims("good", auth_time=int(time.time()) + 90)),
    "never authenticated": lambda s, o: s.token(claims("good", auth_time=None)),
    "not yet valid": lambda s, o: s.token(claims("good", nbf=int(time.time()) + 90)),
    "no subject": lambda s, o: s.token(claims("good", sub=None)),
    "empty subject": lambda s, o: s.token(claims("good", sub="")),
    "subject too long": lambda s, o: s.token(claims("good", sub="x" * 129, user_id="x" * 129)),
    "subject and user disagree": lambda s, o: s.token(claims("good", user_id="other")),
    "expiry as words": lambda s, o: s.token(claims("good", iat=True)),
    "a custom token": lambda s, o: s.token(claims("good", firebase=None)),
    "another tenant's": lambda s, o: s.token(claims("good", firebase={"tenant": "t", "sign_in_provider": "password"})),
    "anonymous": lambda s, o: s.token(claims("good", firebase={"sign_in_provider": "anonymous"})),
    "a changed payload": lambda s, o: _changed(s.token(claims("good"))),
    "no token": lambda s, o: "nonsense",
    "nine kilobytes": lambda s, o: s.token(claims("good", extra="x" * 9000)),
}


def _changed(token: str) -> str:
    head, _, signature = token.split(".")
    return f"{head}.{_unsigned(claims('somebody-else'), {}).split('.')[1]}.{signature}"


async def test_a_good_token_is_let_in(web: httpx.AsyncClient, emulator: Emulator, signer: Signer) -> None:
    emulator.create("good-one")
    answer = await web.get("/api/auth/profile", headers=bearer(signer.token(claims("good-one"))))
    assert answer.status_code == 200
    assert answer.json()["data"]["email"] == "good-one@example.com"
    # A clock may be off by a minute.
    now = int(time.time())
    assert await _status(web, signer.token(claims("good-one", exp=now - 30))) == 200
    assert await _status(web, signer.token(claims("good-one", iat=now + 30, auth_time=now + 30))) == 200


@pytest.mark.parametrize("kind", FORGED)
async def test_forged_is_refused(
    web: httpx.AsyncClient, database: Database, signer: Signer, stranger: Signer, kind: str
) -> None:
    token = FORGED[kind](signer, stranger)
    for method, path, body in (
        ("GET", "/api/auth/profile", None),
        ("PUT", "/api/auth/profile", {"bio": "mine now"}),
        ("POST", "/api/auth/register", {}),
        ("GET", "/api/auth/session", None),
    ):
        answer = await web.request(method, path, json=body, headers=bearer(token))
        assert answer.status_code == 401, (path, answer.text)
        assert answer.json()["error"]["message"] == "Authentication required. Please sign in and try again."
    exchanged = await web.post("/api/auth/session", json={"idToken": token}, headers={"origin": f"http://{BASE}"})
    assert exchanged.status_code == (422 if len(token) > 8192 else 401)
    assert "set-cookie" not in exchanged.headers
    with psycopg.connect(database.superuser_url) as conn:
        assert conn.execute(
            "SELECT count(*) FROM users WHERE firebase_uid IN ('good', 'somebody-else', 'None', '')"
        ).fetchone() == (0,)


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "bearer x y", "Token abc", "Bearer \xff"])
async def test_other_authorization_is_refused(web: httpx.AsyncClient, header: str) -> None:
    answer = await web.get("/api/auth/profile", headers=[(b"authorization", header.encode("latin-1"))])
    assert answer.status_code == 401


async def test_disabled_revoked_and_deleted_accounts(
    web: httpx.AsyncClient, emulator: Emulator, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for uid in ("to-disable", "to-revoke"):
        emulator.create(uid)
        assert await _status(web, signer.token(claims(uid))) == 200
    emulator.disable("to-disable")
    emulator.revoke("to-revoke")
    # Sixty seconds later, at most, it is felt.
    later = SimpleNamespace(monotonic=lambda: time.monotonic() + 60)
    monkeypatch.setattr(standing, "time", later)
    assert await _status(web, signer.token(claims("to-disable"))) == 401
    old = int(time.time()) - 30
    assert await _status(web, signer.token(claims("to-revoke", iat=old, auth_time=old))) == 401
    assert await _status(web, signer.token(claims("to-revoke", iat=int(time.time()) + 1))) == 200  # signed in again
    assert await _status(web, signer.token(claims("never-there"))) == 401


async def test_keys_are_rotated_and_survive_an_outage(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = Signer("old"), Signer("new")
    server = CertificateServer(old)
    try:
        async with serving(database, firebase_project_id=PROJECT, firebase_certs_url=server.url) as app:
            async with visitor(app, BASE) as web:
                assert await _status(web, old.token(claims("rotating"))) == 200
                assert server.asked == 1
                for _ in range(5):  # an unknown key id is no way to make us ask again and again
                    assert await _status(web, new.token(claims("rotating"))) == 401
                assert server.asked == 1
                server.signers = [new]
                ahead = SimpleNamespace(monotonic=lambda: time.monotonic() + tokens.ROTATION_PAUSE + 1)
                monkeypatch.setattr(tokens, "time", ahead)
                assert await _status(web, new.token(claims("rotating"))) == 200
                assert await _status(web, old.token(claims("rotating"))) == 401
                server.out = True
                ahead.monotonic = lambda: time.monotonic() + 30_000
                assert await _status(web, new.token(claims("rotating"))) == 200
    finally:
        server.close()


async def test_without_any_key_it_is_503(database: Database, signer: Signer) -> None:
    server = CertificateServer()
    server.out = True
    try:
        async with serving(database, firebase_project_id=PROJECT, firebase_certs_url=server.url) as app:
            async with visitor(app, BASE) as web:
                answer = await web.get("/api/auth/profile", headers=bearer(signer.token(claims("early"))))
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
                server.out, server.signers = False, [signer]
                assert await _status(web, signer.token(claims("early"))) == 200
    finally:
        server.close()


async def test_the_emulators_mode_takes_no_signed_token(database: Database, emulator: Emulator, signer: Signer) -> None:
    async with serving(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as app:
        async with visitor(app, BASE) as web:
            _, uid, token = emulator.sign_up()
            assert await _status(web, token) == 200
            assert await _status(web, signer.token(claims(uid))) == 401
            stale = _unsigned(claims(uid, exp=int(time.time()) - 65), {"alg": "none", "typ": "JWT"})
            assert await _status(web, stale) == 401


async def test_offline_mode_knows_nobody(database: Database, emulator: Emulator) -> None:
    _, _, token = emulator.sign_up()
    async with serving(database) as app:
        async with visitor(app, BASE) as web:
            assert (await web.get("/api/config")).json()["data"]["firebase"] is None
            assert await _status(web, token) == 401
            assert (await web.get("/api/auth/session")).json()["data"] == {"user": None}


def test_production_refuses_the_emulator(database: Database) -> None:
    env = {
        "PORCHLIGHT_ENV": "production",
        "DATABASE_URL": database.app_url,
        "FIREBASE_PROJECT_ID": PROJECT,
        "FIREBASE_API_KEY": "k",
    }
    assert settings_of(database, env="production", limits="on", firebase_emulator_host="127.0.0.1:1").faults()
    code, output = run_program("serve", "--port", "1", env=env | {"FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099"})
    assert code == 1
    assert "FIREBASE_AUTH_EMULATOR_HOST" in output


async def test_an_outage_of_the_identity_service(database: Database, signer: Signer) -> None:
    """Signed tokens are believed meanwhile; what was known of an account before stays known."""
    certificates = CertificateServer(signer)
    try:
        async with serving(
            database,
            firebase_project_id=PROJECT,
            firebase_emulator_host="127.0.0.1:9",  # nobody answers there
            firebase_certs_url=certificates.url,
        ) as app:
            async with visitor(app, BASE) as web:
                assert await _status(web, signer.token(claims("in-the-dark"))) == 200
    finally:
        certificates.close()
