"""The app with a test signing key, as in the tests of Angel's List, so that tests can sign in users by name."""

from __future__ import annotations

from tests.porchlight.angels.conftest import app, certificates, create_user, signer, web

__all__ = ["app", "certificates", "create_user", "signer", "web"]
