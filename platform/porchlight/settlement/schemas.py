"""Response schemas of settlement."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class WebhookResponse(ResponseModel):
    """The response to an event."""

    received: bool
