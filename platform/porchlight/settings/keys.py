"""The keys of the settings. Each setting is a comma-separated list, for key rotations."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

MIN_KEY_LENGTH = 32  # characters (docs/sign-in.md)
# Substrings of example keys. Generated keys do not contain them.
PLACEHOLDERS = ("change", "default", "example", "password", "placeholder", "replace", "secret", "admin-key", "adminkey")
WAIVER_KEY_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_WAIVER_KEY = re.compile(rf"({WAIVER_KEY_ID.pattern}):([A-Za-z0-9_-]{{43}})=?")
_PUSH_KEY = re.compile(r"([A-Za-z0-9_-]{43})=?")
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-4, D.1.2.3
_MIN_DISTINCT_BYTES = 16  # 32 random bytes have about 30


def keys_of(setting: str) -> list[str]:
    """Split a setting into its keys."""
    return [key.strip() for key in setting.split(",") if key.strip()]


def key_problems(setting: str, name: str = "PORCHLIGHT_ADMIN_KEY") -> list[str]:
    """Return what is wrong with the keys, one sentence per problem."""
    problems = []
    for key in keys_of(setting):
        if len(key) < MIN_KEY_LENGTH:
            problems.append(f"{name} is too short: use at least {MIN_KEY_LENGTH} random characters.")
        elif len(set(key)) < 10:
            problems.append(f"{name} is not random: use a generated key.")
        elif any(word in key.lower().replace("_", "-") for word in PLACEHOLDERS):
            problems.append(f"{name} looks like an example: use a generated key.")
    return problems


def seed_problems(setting: str, name: str = "PORCHLIGHT_WAIVER_KEYS") -> list[str]:
    """Return what is wrong with keys that are seeds with ids, one sentence per problem, without parts of a key."""
    problems = []
    ids: set[str] = set()
    for number, entry in enumerate(keys_of(setting), 1):
        match = _WAIVER_KEY.fullmatch(entry)
        if match is None:
            problems.append(
                f"Key {number} of {name} is malformed: write id:seed, where the id has lower-case "
                "letters and digits and the seed is 32 random bytes in base64url."
            )
        elif len(set(_seed(match))) < _MIN_DISTINCT_BYTES:
            problems.append(f"Key {number} of {name} is not random: use a generated seed.")
        elif match[1] in ids:
            problems.append(f"Key {number} of {name} has the id of another key: choose a new id.")
        else:
            ids.add(match[1])
    return problems


def waiver_seeds(setting: str) -> dict[str, bytes]:
    """Return the 32-byte seeds of PORCHLIGHT_WAIVER_KEYS by key id, in order. Raises ValueError if it is malformed."""
    return _seeds(setting, "PORCHLIGHT_WAIVER_KEYS")


def secrets_seeds(setting: str) -> dict[str, bytes]:
    """Return the 32-byte keys of PORCHLIGHT_SECRETS_KEY by key id, in order. Raises ValueError if it is malformed."""
    return _seeds(setting, "PORCHLIGHT_SECRETS_KEY")


def _seeds(setting: str, name: str) -> dict[str, bytes]:
    for problem in seed_problems(setting, name):
        raise ValueError(problem)
    matches = map(_WAIVER_KEY.fullmatch, keys_of(setting))
    return {match[1]: _seed(match) for match in matches if match is not None}


def _seed(match: re.Match[str]) -> bytes:
    return base64.urlsafe_b64decode(match[2] + "=")


def push_key_problems(setting: str) -> list[str]:
    """Return what is wrong with the keys of PORCHLIGHT_PUSH_KEY, without parts of a key."""
    problems = []
    scalars: set[int] = set()
    for key in keys_of(setting):
        match = _PUSH_KEY.fullmatch(key)
        scalar = base64.urlsafe_b64decode(match[1] + "=") if match else b""
        if match is None or not 0 < int.from_bytes(scalar) < P256_ORDER:
            problems.append("PORCHLIGHT_PUSH_KEY is malformed: use private keys of P-256, 32 bytes each in base64url.")
        elif len(set(scalar)) < _MIN_DISTINCT_BYTES:
            problems.append("PORCHLIGHT_PUSH_KEY is not random: use a generated key.")
        elif int.from_bytes(scalar) in scalars:
            problems.append("PORCHLIGHT_PUSH_KEY has a key twice: put the new key before the old ones.")
        scalars.add(int.from_bytes(scalar))
    return problems


def push_scalars(setting: str) -> list[int]:
    """Return the private keys of PORCHLIGHT_PUSH_KEY, in order. Raises ValueError if one is malformed."""
    for problem in push_key_problems(setting):
        raise ValueError(problem)
    return [int.from_bytes(base64.urlsafe_b64decode(key.rstrip("=") + "=")) for key in keys_of(setting)]


def name_of(key: str) -> str:
    """Return a name for a key that does not reveal it, for logs and sessions."""
    return "key-" + hashlib.sha256(b"porchlight admin key\0" + key.encode()).hexdigest()[:8]


def matching(setting: str, offered: str) -> str | None:
    """Return the name of the key that equals `offered`, or None. Takes constant time."""
    key_name = None
    offered_hash = hashlib.sha256(offered.encode("utf-8", "surrogatepass")).digest()
    for key in keys_of(setting):
        if hmac.compare_digest(hashlib.sha256(key.encode()).digest(), offered_hash):
            key_name = name_of(key)
    return key_name
