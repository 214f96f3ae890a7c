"""The admin key, and the key of the audit log: one or, while keys are exchanged, several, separated by commas."""

from __future__ import annotations

import hashlib
import hmac

SHORTEST = 32  # characters (DESIGN 7)
# Words of keys that stand in examples until somebody sets a real one. In a generated key none turns up.
PLACEHOLDERS = ("change", "default", "example", "password", "placeholder", "replace", "secret", "admin-key", "adminkey")


def keys_of(setting: str) -> list[str]:
    """The keys that a setting names."""
    return [key.strip() for key in setting.split(",") if key.strip()]


def faults(setting: str, name: str = "PORCHLIGHT_ADMIN_KEY") -> list[str]:
    """What is wrong with the keys, a sentence each."""
    found = []
    for key in keys_of(setting):
        if len(key) < SHORTEST:
            found.append(f"{name} is too short: use at least {SHORTEST} random characters.")
        elif len(set(key)) < 10:
            found.append(f"{name} is not random: use a generated one.")
        elif any(word in key.lower().replace("_", "-") for word in PLACEHOLDERS):
            found.append(f"{name} looks like the one of an example: use a generated one.")
    return found


def name_of(key: str) -> str:
    """A name for a key that gives nothing of it away; logs and sessions carry it."""
    return "key-" + hashlib.sha256(b"porchlight admin key\0" + key.encode()).hexdigest()[:8]


def matching(setting: str, offered: str) -> str | None:
    """The name of the key that `offered` is, or None. Takes the same time whichever it is, and whether it is."""
    found = None
    offered_hash = hashlib.sha256(offered.encode("utf-8", "surrogatepass")).digest()
    for key in keys_of(setting):
        if hmac.compare_digest(hashlib.sha256(key.encode()).digest(), offered_hash):
            found = name_of(key)
    return found
