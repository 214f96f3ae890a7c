"""The app, gurus with owners who sign in, and an admin's area."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.databases import Database
from tests.porchlight.bookings.conftest import guru, gurus, new_guru, new_owner
from tests.porchlight.named_users import app, certificates, create_user, signer, web
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import forget_seeded

__all__ = ["app", "certificates", "create_user", "guru", "gurus", "new_guru", "new_owner", "signer", "web"]


@pytest.fixture
async def owner(new_owner: Any, database: Database) -> GuruOwner:
    """The owner of a guru without reviews."""
    found: GuruOwner = await new_owner()
    forget_seeded(database, found.guru)
    return found
