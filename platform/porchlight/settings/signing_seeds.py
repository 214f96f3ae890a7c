"""The secret seeds of the keys that sign for people outside: waivers, and with keys derived from them, passes."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from psycopg.conninfo import conninfo_to_dict

from porchlight.settings.environment import Settings
from porchlight.settings.keys import waiver_seeds

SEED_BYTES = 32


def signing_seeds(settings: Settings) -> dict[str, bytes]:
    """Return the seeds of PORCHLIGHT_WAIVER_KEYS by key id. The first one signs; the others only verify.

    In development, without the setting, the seed is derived from the database password, which the state folder keeps.
    Raises ValueError for a malformed setting, and in production for an empty one.
    """
    seeds = waiver_seeds(settings.waiver_keys)
    if not seeds:
        if settings.production:
            raise ValueError("PORCHLIGHT_WAIVER_KEYS is not set.")
        password = str(conninfo_to_dict(settings.database_url).get("password") or "")
        seeds = {"development": hashlib.sha256(b"porchlight waivers\0" + password.encode()).digest()}
    return seeds


def derived_seed(seed: bytes, purpose: str) -> bytes:
    """Return the seed of another purpose (RFC 5869). A key of one purpose says nothing about that of another."""
    return HKDF(hashes.SHA256(), SEED_BYTES, salt=None, info=f"porchlight {purpose}".encode()).derive(seed)
