"""The secret of a busy source: its address, with a user and a password if it has them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from uuid import UUID

from porchlight.settings.secret_box import SecretBox


@dataclass(frozen=True, slots=True)
class SourceSecret:
    """An address, which is often secret itself, and a login for it or ""."""

    url: str = field(repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def seal_secret(box: SecretBox, secret: SourceSecret, tenant_id: UUID, source_id: UUID) -> bytes:
    """Return the secret of a source, encrypted."""
    return box.seal(json.dumps(asdict(secret)).encode(), _row(tenant_id, source_id))


def open_secret(box: SecretBox, sealed: bytes, tenant_id: UUID, source_id: UUID) -> SourceSecret:
    """Return the secret of a source. Raise SecretLost."""
    return SourceSecret(**json.loads(box.open(sealed, _row(tenant_id, source_id))))


def _row(tenant_id: UUID, source_id: UUID) -> str:
    return f"busy_sources/{tenant_id}/{source_id}"
