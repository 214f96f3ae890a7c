"""Verification of ID tokens with PyJWT and cached keys (docs/sign-in.md: 4,000 per second; Firebase's SDK does 785)."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import OrderedDict
from typing import Any

import httpx
import jwt
import orjson
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from cryptography.x509 import load_pem_x509_certificate

from porchlight.ports import Claims
from tenants.kit import clock, timeouts
from tenants.kit.email_addresses import wire_email
from tenants.kit.errors import Unauthenticated, Unavailable
from tenants.kit.logs import log

GOOGLE_CERTS_URL = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
ISSUER_PREFIX = "https://securetoken.google.com/"
MAX_CLOCK_SKEW_SECONDS = 60
MAX_TOKEN_LENGTH = 8192
MIN_KEY_TTL_SECONDS, MAX_KEY_TTL_SECONDS = 60.0, 86_400.0  # bounds of the response's Cache-Control
KEY_FETCH_INTERVAL_SECONDS = 10.0  # between two fetches for an unknown key
_MAX_AGE = re.compile(r"max-age\s*=\s*(\d{1,9})")
_MAX_RESPONSE_BYTES = 200_000
_MAX_VERIFIED_TOKENS = 10_000


class Certificates:
    """The identity provider's public keys by key id, fetched on demand and cached as its Cache-Control allows."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._keys: dict[str, RSAPublicKey] = {}
        self._fresh_until = 0.0
        self._fetched_at = float("-inf")
        self._fetch_lock = asyncio.Lock()

    async def key(self, kid: str) -> RSAPublicKey | None:
        """Return the key with this id, or None. Raises Unavailable if there are no keys at all."""
        now = time.monotonic()
        is_known = kid in self._keys
        if now >= self._fresh_until or (not is_known and now >= self._fetched_at + KEY_FETCH_INTERVAL_SECONDS):
            async with self._fetch_lock:
                if self._fetched_at < now:  # no other request fetched while this one waited
                    await self._fetch()
        if not self._keys:
            raise Unavailable(retry_after=2)
        return self._keys.get(kid)

    async def _fetch(self) -> None:
        self._fetched_at = time.monotonic()
        try:
            async with (
                asyncio.timeout(timeouts.current.firebase_keys_seconds),
                httpx.AsyncClient(timeout=timeouts.current.firebase_keys_seconds) as client,
            ):
                response = await client.get(self._url)
            response.raise_for_status()
            if len(response.content) > _MAX_RESPONSE_BYTES:
                raise ValueError("too large")
            keys = {str(kid): _public_key(pem) for kid, pem in orjson.loads(response.content).items()}
        except (httpx.HTTPError, TimeoutError, ValueError, AttributeError) as error:
            # The old keys stay in use: a key that was just withdrawn is better than an outage of every sign-in.
            log.warning("certificate_fetch_failed", kind=type(error).__name__, cached=len(self._keys))
            self._fresh_until = time.monotonic() + (KEY_FETCH_INTERVAL_SECONDS if self._keys else 0.0)
            return
        self._keys = keys
        max_age = _MAX_AGE.search(response.headers.get("cache-control", ""))
        ttl = float(max_age[1]) if max_age else MIN_KEY_TTL_SECONDS
        self._fresh_until = time.monotonic() + min(max(ttl, MIN_KEY_TTL_SECONDS), MAX_KEY_TTL_SECONDS)


def _public_key(pem: str) -> RSAPublicKey:
    text = pem.encode()
    is_certificate = b"BEGIN CERTIFICATE" in text
    key = load_pem_x509_certificate(text).public_key() if is_certificate else load_pem_public_key(text)
    if not isinstance(key, RSAPublicKey):
        raise ValueError("not an RSA key")
    return key


class FirebaseTokens:
    """Verifies ID tokens of one Firebase project.

    `certificates` None: accept the unsigned tokens of the local Auth emulator. The settings allow it only in
    development.
    """

    def __init__(self, project_id: str, certificates: Certificates | None) -> None:
        self._project = project_id
        self._certificates = certificates
        # Tokens whose signature was verified, by their digest, with the key: decoding one takes 0.3 ms.
        self._verified: OrderedDict[bytes, tuple[str, RSAPublicKey, dict[str, Any]]] = OrderedDict()

    async def read(self, token: str) -> Claims:
        """Return the claims of a valid token. Raises Unauthenticated, or Unavailable without keys."""
        try:
            if not 0 < len(token) <= MAX_TOKEN_LENGTH or not token.isascii():
                raise Unauthenticated
            if self._certificates is None:
                claims = _unsigned_claims(token)
            else:
                claims = await self._signed_claims(token, self._certificates)
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
            raise Unauthenticated from None
        return self._check_claims(claims)

    async def _signed_claims(self, token: str, certificates: Certificates) -> dict[str, Any]:
        digest = hashlib.sha256(token.encode()).digest()
        if verified := self._verified.get(digest):
            known_kid, known_key, claims = verified
            if await certificates.key(known_kid) is known_key:  # it was not withdrawn meanwhile
                return claims
        header = jwt.get_unverified_header(token)
        kid = header.get("kid")
        if header.get("alg") != "RS256" or not isinstance(kid, str):
            raise Unauthenticated
        key = await certificates.key(kid)
        if key is None:
            raise Unauthenticated
        # `_check_claims` checks the claims, the same way for signed and unsigned tokens.
        options: Any = {
            "verify_signature": True,
            "verify_exp": False,
            "verify_nbf": False,
            "verify_iat": False,
            "verify_aud": False,
            "verify_iss": False,
            "verify_sub": False,
            "verify_jti": False,
        }
        claims = jwt.decode(token, key, algorithms=["RS256"], options=options)
        self._verified[digest] = (kid, key, claims)
        if len(self._verified) > _MAX_VERIFIED_TOKENS:
            self._verified.popitem(last=False)
        return claims

    def _check_claims(self, claims: dict[str, Any]) -> Claims:
        """Check Firebase's rules for ID tokens, and return the claims with their times by the product's clock.

        Raises Unauthenticated for each violation alike.
        """
        now = clock.machine_now().timestamp()  # the provider's clock
        expires_at, issued_at = _epoch_seconds(claims, "exp"), _epoch_seconds(claims, "iat")
        auth_time = _epoch_seconds(claims, "auth_time")
        not_before = _epoch_seconds(claims, "nbf") if "nbf" in claims else 0
        uid = claims.get("sub")
        firebase = claims.get("firebase")
        is_valid = (
            claims.get("aud") == self._project
            and claims.get("iss") == ISSUER_PREFIX + self._project
            and isinstance(uid, str)
            and 0 < len(uid) <= 128
            and uid.isprintable()
            and claims.get("user_id", uid) == uid
            and now < expires_at + MAX_CLOCK_SKEW_SECONDS
            and max(issued_at, auth_time, not_before) <= now + MAX_CLOCK_SKEW_SECONDS
            and isinstance(firebase, dict)
            and "tenant" not in firebase
            and firebase.get("sign_in_provider") != "anonymous"
        )
        if not is_valid or not isinstance(uid, str):
            raise Unauthenticated
        shift = int(clock.offset().total_seconds())
        return Claims(
            uid=uid,
            email=wire_email(_text(claims, "email").lower()),
            email_verified=claims.get("email_verified") is True,
            name=_text(claims, "name"),
            picture=_text(claims, "picture"),
            auth_time=auth_time + shift,
            issued_at=issued_at + shift,
        )


def _unsigned_claims(token: str) -> dict[str, Any]:
    if jwt.get_unverified_header(token).get("alg") != "none":
        raise Unauthenticated
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


def _epoch_seconds(claims: dict[str, Any], name: str) -> int:
    value = claims.get(name)
    if type(value) is not int or not 0 < value < 1 << 40:  # a bool is an int, but not a time
        raise Unauthenticated
    return value


def _text(claims: dict[str, Any], name: str) -> str:
    value = claims.get(name)
    return value if isinstance(value, str) and value.isprintable() and len(value) <= 2000 else ""
