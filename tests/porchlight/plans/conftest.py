"""Users and gurus whose plan a test chooses."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import psycopg
import pytest

from sites.services.defaults import add_default_services
from tenants.kit.ids import new_id
from tenants.tenancy.lifecycle import NewGuru, create_guru
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.factories import SeededGuru, insert_row
from tests.porchlight.named_users import app, certificates, create_user, signer, web

__all__ = ["app", "certificates", "create_user", "publish", "signer", "web"]

Publish = Callable[[ApiUser], SeededGuru]
_numbers = itertools.count()


@pytest.fixture
def publish(database: Database) -> Publish:
    """A function that gives a user a site with the default services."""

    def create(user: ApiUser) -> SeededGuru:
        label = f"site-{next(_numbers)}x{new_id().hex[-6:]}"
        with psycopg.connect(database.service_url) as conn:
            guru = SeededGuru(create_guru(conn, NewGuru(label, "Guru", "general", user.email)), label, label)
            add_default_services(conn, guru.id)
            insert_row(conn, "memberships", {"tenant_id": guru.id, "user_id": user.user_id})
        return guru

    return create
