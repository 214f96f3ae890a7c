"""Payout connections on the wire (SPEC 3, 7.2). Field names are SPEC's, which are the payment provider's."""

from __future__ import annotations

from pydantic import ConfigDict

from tenants.kit.schemas import Answer


class ConnectionStatus(Answer):
    """How a guru's connection to the payment provider stands. `currently_due`: what they are still asked for."""

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    connected: bool
    charges_enabled: bool
    payouts_enabled: bool
    details_submitted: bool
    currently_due: list[str]


class ConnectionAnswer(Answer):
    """The answer of GET /api/connect/status."""

    success: bool
    data: ConnectionStatus


class Address(Answer):
    """Where the browser goes next."""

    url: str


class AddressAnswer(Answer):
    """A page of the payment provider, good once and for minutes. `url` stands beside `data` too, as SPEC lists it."""

    success: bool
    url: str
    data: Address


class Received(Answer):
    """The answer to an event."""

    received: bool
