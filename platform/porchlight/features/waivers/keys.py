"""The Ed25519 keys that sign waivers: the private keys of the setting, and the published set of public keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from porchlight.settings.environment import Settings
from porchlight.settings.keys import WAIVER_KEY_ID as KEY_ID
from porchlight.settings.signing_seeds import signing_seeds
from tenants.kit.base64url import decode_base64url, encode_base64url

__all__ = ["KEY_ID", "WaiverKey", "WaiverKeyring", "parse_key", "parse_key_set", "public_jwk", "waiver_keyring"]

MAX_KEY_SET_BYTES = 64_000


@dataclass(frozen=True, slots=True)
class WaiverKey:
    """A signing key with its public id. `seed`: 32 secret bytes."""

    id: str
    seed: bytes = field(repr=False)

    @property
    def public_key(self) -> Ed25519PublicKey:
        """Return the public key."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).public_key()

    def sign(self, data: bytes) -> bytes:
        """Return the signature of bytes, 64 bytes long."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(data)


@dataclass(frozen=True, slots=True)
class WaiverKeyring:
    """All keys. The first one signs; the others only verify earlier waivers."""

    keys: tuple[WaiverKey, ...]

    @property
    def current(self) -> WaiverKey:
        """Return the key that signs."""
        return self.keys[0]

    @property
    def public_keys(self) -> dict[str, Ed25519PublicKey]:
        """Return all public keys by id."""
        return {key.id: key.public_key for key in self.keys}

    def public_key_set(self) -> dict[str, list[dict[str, str]]]:
        """Return the JSON of `/.well-known/porchlight-waiver-keys.json`: a JWK set (RFC 7517, RFC 8037)."""
        return {"keys": [public_jwk(key_id, key) for key_id, key in self.public_keys.items()]}


def waiver_keyring(settings: Settings) -> WaiverKeyring:
    """Return the keys of PORCHLIGHT_WAIVER_KEYS, in development without them a derived one. Raises ValueError."""
    return WaiverKeyring(tuple(WaiverKey(key_id, seed) for key_id, seed in signing_seeds(settings).items()))


def public_jwk(key_id: str, key: Ed25519PublicKey) -> dict[str, str]:
    """Return a public key as JWK."""
    return {"kty": "OKP", "crv": "Ed25519", "kid": key_id, "x": encode_base64url(key.public_bytes_raw())}


def parse_key(jwk: Any) -> tuple[str, Ed25519PublicKey]:
    """Return the id and the key of a JWK. Other members are ignored. Raises ValueError."""
    if not isinstance(jwk, dict) or jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519":
        raise ValueError("The key is not an Ed25519 JWK.")
    key_id, point = jwk.get("kid"), jwk.get("x")
    if not isinstance(key_id, str) or not KEY_ID.fullmatch(key_id) or not isinstance(point, str):
        raise ValueError("The key has no id or no value.")
    return key_id, Ed25519PublicKey.from_public_bytes(decode_base64url(point))


def parse_key_set(data: bytes) -> Mapping[str, Ed25519PublicKey]:
    """Return the keys of a JWK set by id. Raises ValueError if it is malformed or has no key."""
    if len(data) > MAX_KEY_SET_BYTES:
        raise ValueError("The key set is too large.")
    try:
        parsed = json.loads(data.decode())
    except RecursionError as error:
        raise ValueError("The key set is nested too deeply.") from error
    listed = parsed.get("keys") if isinstance(parsed, dict) else None
    if not isinstance(listed, list) or not listed:
        raise ValueError("The file is not a JWK set.")
    keys = dict(map(parse_key, listed))
    if len(keys) < len(listed):
        raise ValueError("The key set has two keys with one id.")
    return keys
