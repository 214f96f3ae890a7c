"""The keys that sign notes to browsers (VAPID, RFC 8292). Browsers subscribe to the public half of the first one."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from psycopg.conninfo import conninfo_to_dict

from porchlight.settings.environment import Settings
from porchlight.settings.keys import P256_ORDER, push_scalars
from tenants.kit.base64url import encode_base64url


def vapid_keys(settings: Settings) -> list[ec.EllipticCurvePrivateKey]:
    """Return the keys of PORCHLIGHT_PUSH_KEY; none in production without it: then no browser can subscribe.

    Browsers subscribe to the first one; the others sign notes to browsers that subscribed before. In development,
    without the setting, there is one, derived from the database password, which the state folder keeps. Raises
    ValueError for a malformed setting.
    """
    scalars = push_scalars(settings.push_key)
    if not scalars and not settings.production:
        password = str(conninfo_to_dict(settings.database_url).get("password") or "")
        digest = int.from_bytes(hashlib.sha512(b"porchlight push\0" + password.encode()).digest())
        scalars = [digest % (P256_ORDER - 1) + 1]
    return [ec.derive_private_key(one, ec.SECP256R1()) for one in scalars]


def public_key_text(settings: Settings) -> str:
    """Return the public key to which browsers subscribe (`applicationServerKey`), or "" without a key."""
    keys = vapid_keys(settings)
    return encode_base64url(public_point(keys[0].public_key())) if keys else ""


def public_point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point, 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
