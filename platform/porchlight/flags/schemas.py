"""Flags and public settings on the wire."""

from __future__ import annotations

from tenants.kit.schemas import Answer


class FlagsAnswer(Answer):
    """Flags by name (SPEC 3)."""

    success: bool
    flags: dict[str, bool]


class FirebaseConfig(Answer):
    """What the browser's Firebase SDK is started with. `emulator_url` is null in production."""

    project_id: str
    api_key: str
    auth_domain: str
    emulator_url: str | None


class StripeConfig(Answer):
    """What the embedded pricing table is shown with (SPEC 7.2)."""

    publishable_key: str
    pricing_table_id: str


class PublicConfig(Answer):
    """Settings a page may know. `firebase` null: offline mode (SPEC 1)."""

    firebase: FirebaseConfig | None
    stripe: StripeConfig | None
    flags: dict[str, bool]


class ConfigAnswer(Answer):
    """The answer of GET /api/config."""

    success: bool
    data: PublicConfig
