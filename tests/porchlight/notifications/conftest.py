"""Users who are signed in by name, and a push service."""

from tests.porchlight.named_users import app, certificates, create_user, signer, web
from tests.porchlight.notifications.push_service import push_service

__all__ = ["app", "certificates", "create_user", "push_service", "signer", "web"]
