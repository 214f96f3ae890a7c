"""Addresses of leads. Anyone can type an address, so its owner can say in every email that it wasn't them.

The link in the emails needs no sign-in: the person may have no account.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from sites.leads.models import AddressState
from tenants.db.pool import Database
from tenants.db.rows import Connection, fetch_one
from tenants.kit import clock
from tenants.kit.errors import NotFound

_TOKEN = re.compile(r"[0-9a-f]{64}")
_ADD = """
INSERT INTO lead_addresses (tenant_id, email) VALUES (%(tenant)s, lower(%(email)s))
ON CONFLICT (tenant_id, email) DO NOTHING"""
_BY_EMAIL = "SELECT state, token FROM lead_addresses WHERE tenant_id = %(tenant)s AND email = lower(%(email)s)"
_SITE_OF = """
SELECT g.label, a.state FROM lead_addresses a JOIN gurus g ON g.id = a.tenant_id
 WHERE a.tenant_id = %(tenant)s AND a.token = %(token)s"""
_UPDATE = """
UPDATE lead_addresses a SET state = %(state)s, changed_at = %(now)s FROM gurus g
 WHERE a.tenant_id = %(tenant)s AND a.token = %(token)s AND g.id = a.tenant_id
RETURNING g.label, a.state"""


@dataclass(frozen=True, slots=True)
class AddressToken:
    """The token of an address in a link: the guru's id and the random token of the row."""

    tenant_id: UUID
    token: UUID

    @property
    def text(self) -> str:
        """The token as part of a URL."""
        return self.tenant_id.hex + self.token.hex


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """An address of the leads of the site `label`."""

    label: str
    state: AddressState


class _StoredAddress(NamedTuple):
    state: AddressState
    token: UUID


def parse_address_token_or_404(text: str) -> AddressToken:
    """Return the token in a URL. Raise NotFound for a malformed one, as for an unknown one."""
    if not _TOKEN.fullmatch(text):
        raise NotFound
    return AddressToken(UUID(text[:32]), UUID(text[32:]))


def prepare_address(conn: Connection, tenant_id: UUID, email: str) -> AddressToken | None:
    """Return the token for an email to this address, or None if its owner blocked the site. In a job's transaction."""
    params = {"tenant": tenant_id, "email": email}
    conn.execute(_ADD, params)
    stored = fetch_one(conn, _StoredAddress, _BY_EMAIL, params)
    return None if stored is None or stored.state == "blocked" else AddressToken(tenant_id, stored.token)


async def get_address(db: Database, token: AddressToken) -> SiteAddress:
    """Return the address of a token. Raise NotFound."""
    return _only(
        await db.read(token.tenant_id, _SITE_OF, {"tenant": token.tenant_id, "token": token.token}, row=SiteAddress)
    )


async def update_address(db: Database, token: AddressToken, state: AddressState) -> SiteAddress:
    """Set what the owner of an address said. Raise NotFound."""
    params = {"tenant": token.tenant_id, "token": token.token, "state": state, "now": clock.now()}
    return _only(await db.write(token.tenant_id, _UPDATE, params, row=SiteAddress))


def _only(rows: list[SiteAddress]) -> SiteAddress:
    if not rows:
        raise NotFound
    return rows[0]
