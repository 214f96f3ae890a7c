"""The app and its users."""

from __future__ import annotations

from tests.porchlight.named_users import app, certificates, create_user, signer, web

__all__ = ["app", "certificates", "create_user", "signer", "web"]
