"""Request bodies of moves."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from porchlight.features.bookings.schemas import StartTime
from tenants.kit.schemas import ONE_LINE, Payload


class MovePayload(Payload):
    """The new start, and the digest of the terms that the user saw."""

    starts_at: StartTime
    terms_digest: Annotated[str, StringConstraints(max_length=64), ONE_LINE]
