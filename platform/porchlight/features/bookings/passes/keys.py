"""The Ed25519 keys of passes, derived from those that sign waivers, so that an operator keeps one secret."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from porchlight.settings.environment import Settings
from porchlight.settings.signing_seeds import derived_seed, signing_seeds
from tenants.kit.base64url import encode_base64url

PURPOSE = "passes"


class PassKeys:
    """The keys of this installation. The first one signs; the others verify passes from before a key rotation."""

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError as `signing_seeds` does."""
        seeds = [derived_seed(seed, PURPOSE) for seed in signing_seeds(settings).values()]
        self._keys = [Ed25519PrivateKey.from_private_bytes(seed) for seed in seeds]

    @property
    def current(self) -> Ed25519PrivateKey:
        """Return the key that signs."""
        return self._keys[0]

    @property
    def public_keys(self) -> list[Ed25519PublicKey]:
        """Return all public keys, that of the signing key first."""
        return [key.public_key() for key in self._keys]

    @property
    def published(self) -> list[str]:
        """Return the public keys as base64url of 32 bytes, for devices that verify without a connection."""
        return [encode_base64url(key.public_bytes_raw()) for key in self.public_keys]
