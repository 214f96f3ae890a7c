"""The admin key and the audit log key. During a key rotation each is a comma-separated list of keys."""

from __future__ import annotations

import hashlib
import hmac

MIN_KEY_LENGTH = 32  # characters (ARCHITECTURE 7)
# Substrings of example keys. Generated keys do not contain them.
PLACEHOLDERS = ("change", "default", "example", "password", "placeholder", "replace", "secret", "admin-key", "adminkey")


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
