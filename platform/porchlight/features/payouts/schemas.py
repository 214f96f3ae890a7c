"""Request and response schemas of payout connections (SPEC 3, 7.2), with the payment provider's field names."""

from __future__ import annotations

from pydantic import ConfigDict

from tenants.kit.schemas import ResponseModel


class ConnectionStatus(ResponseModel):
    """The state of a guru's payout account. `currently_due`: the missing requirements."""

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    connected: bool
    charges_enabled: bool
    payouts_enabled: bool
    details_submitted: bool
    currently_due: list[str]


class ConnectionResponse(ResponseModel):
    """The response of GET /api/connect/status."""

    success: bool
    data: ConnectionStatus


class RedirectUrl(ResponseModel):
    """The URL to redirect the browser to."""

    url: str


class RedirectUrlResponse(ResponseModel):
    """A single-use, short-lived page of the payment provider. `url` is also outside of `data`, as SPEC lists it."""

    success: bool
    url: str
    data: RedirectUrl
