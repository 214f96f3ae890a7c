"""The payload of an action that the audit log records with a reason."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from tenants.kit.schemas import PRINTABLE, Payload


class NeededReasonPayload(Payload):
    """The reason for an action that requires one."""

    reason: Annotated[str, StringConstraints(min_length=1, max_length=1000), PRINTABLE]
