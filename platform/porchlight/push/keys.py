"""The key that signs notes to browsers (VAPID, RFC 8292). Browsers subscribe to its public half."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from psycopg.conninfo import conninfo_to_dict

from porchlight.settings.environment import Settings
from porchlight.settings.keys import P256_ORDER, push_scalar
from tenants.kit.base64url import encode_base64url


def vapid_key(settings: Settings) -> ec.EllipticCurvePrivateKey | None:
    """Return the key of PORCHLIGHT_PUSH_KEY, or None in production without it: then no browser can subscribe.

    In development, without the setting, it is derived from the database password, which the state folder keeps.
    Raises ValueError for a malformed setting.
    """
    if settings.push_key:
        return ec.derive_private_key(push_scalar(settings.push_key), ec.SECP256R1())
    if settings.production:
        return None
    password = str(conninfo_to_dict(settings.database_url).get("password") or "")
    digest = int.from_bytes(hashlib.sha512(b"porchlight push\0" + password.encode()).digest())
    return ec.derive_private_key(digest % (P256_ORDER - 1) + 1, ec.SECP256R1())


def public_key_text(settings: Settings) -> str:
    """Return the public key as browsers take it (`applicationServerKey`), or "" without a key."""
    key = vapid_key(settings)
    return encode_base64url(public_point(key.public_key())) if key else ""


def public_point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point, 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
