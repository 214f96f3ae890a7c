"""Encryption of secrets that the product keeps for people, such as passwords of other services (AES-256-GCM)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from psycopg.conninfo import conninfo_to_dict

from porchlight.settings.environment import Settings
from porchlight.settings.keys import secrets_seeds

_NONCE_BYTES = 12


class SecretLost(Exception):
    """A secret was encrypted with a key that is not among those of the settings, or for another row."""


@dataclass(frozen=True, slots=True)
class SecretBox:
    """The keys of PORCHLIGHT_SECRETS_KEY by id. The first one encrypts; the others only decrypt earlier secrets."""

    keys: Mapping[str, bytes] = field(repr=False)

    def seal(self, secret: bytes, row: str) -> bytes:
        """Return a secret, encrypted for the row whose ids are `row`: copied to another row, it does not open."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # only few processes need it

        key_id, key = next(iter(self.keys.items()))
        nonce = secrets.token_bytes(_NONCE_BYTES)
        head = bytes([len(key_id)]) + key_id.encode() + nonce
        return head + AESGCM(key).encrypt(nonce, secret, row.encode())

    def open(self, sealed: bytes, row: str) -> bytes:
        """Return the secret of a row. Raise SecretLost."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        length = sealed[0] if sealed else 0
        key_id, rest = sealed[1 : 1 + length], sealed[1 + length :]
        key = self.keys.get(key_id.decode("ascii", "replace"))
        if key is None or len(rest) <= _NONCE_BYTES:
            raise SecretLost
        try:
            return AESGCM(key).decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], row.encode())
        except InvalidTag:
            raise SecretLost from None


def secret_box(settings: Settings) -> SecretBox | None:
    """Return the keys of PORCHLIGHT_SECRETS_KEY, or None without any in production: then no secrets can be kept.

    In development, without the setting, the key is derived from the database password, which the state folder keeps.
    Raise ValueError for a malformed setting.
    """
    seeds = secrets_seeds(settings.secrets_key)
    if not seeds and settings.production:
        return None
    password = str(conninfo_to_dict(settings.database_url).get("password") or "")
    return SecretBox(seeds or {"development": hashlib.sha256(b"porchlight secrets\0" + password.encode()).digest()})
