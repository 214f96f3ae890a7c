"""Response schemas of flags and of the public configuration."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class FlagsResponse(ResponseModel):
    """Flags by name (SPEC 3)."""

    success: bool
    flags: dict[str, bool]


class AdminFlagsResponse(FlagsResponse):
    """Flags by name. `unread`: the names of flags that have no effect yet."""

    unread: list[str]


class FirebaseConfig(ResponseModel):
    """The configuration of the browser's Firebase SDK. `emulator_url`: null in production."""

    project_id: str
    api_key: str
    auth_domain: str
    emulator_url: str | None


class StripeConfig(ResponseModel):
    """The configuration of the embedded pricing table (SPEC 7.2). `script_url`: the script that defines its element."""

    publishable_key: str
    pricing_table_id: str
    script_url: str


class PaymentsConfig(ResponseModel):
    """Whether a payment provider is configured. Without one, pages about money say so in place of buttons."""

    available: bool


class OperatorContact(ResponseModel):
    """The operator's contact details for /about (SPEC 2.10). Empty texts are not shown."""

    name: str
    address: str
    phone: str
    email: str


class PublicConfig(ResponseModel):
    """Public settings. `firebase`: null in offline mode (SPEC 1)."""

    operator: OperatorContact

    firebase: FirebaseConfig | None
    stripe: StripeConfig | None
    payments: PaymentsConfig
    flags: dict[str, bool]


class ConfigResponse(ResponseModel):
    """The response of GET /api/config."""

    success: bool
    data: PublicConfig
