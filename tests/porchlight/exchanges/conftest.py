"""Users who are signed in by name."""

from tests.porchlight.named_users import app, certificates, create_user, signer, web

__all__ = ["app", "certificates", "create_user", "signer", "web"]
