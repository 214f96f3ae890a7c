"""The certificates and the key with which tests sign tokens."""

from __future__ import annotations

from tests.fixtures.identity import certificates, signer

__all__ = ["certificates", "signer"]
