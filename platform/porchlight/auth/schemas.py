"""Request and response schemas of sessions and the email change (SPEC 4)."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from tenants.kit.email_addresses import wire_email
from tenants.kit.schemas import EMAIL, ONE_LINE, Payload, ResponseModel

MAX_TOKEN_LENGTH = 8192
MAX_EMAIL_LENGTH = 254


class SessionPayload(Payload):
    """An ID token to exchange for a cookie session."""

    id_token: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TOKEN_LENGTH)]


class EmailChangePayload(Payload):
    """The new email address."""

    email: Annotated[
        str,
        StringConstraints(min_length=3, max_length=MAX_EMAIL_LENGTH),
        ONE_LINE,
        EMAIL,
        AfterValidator(wire_email),  # as the token has it
        AfterValidator(str.lower),
    ]


class SessionUser(ResponseModel):
    """The signed-in user, as every host may know them. `site`: the subdomain of the guru site they own, or null."""

    id: str
    handle: str
    display_name: str
    photo_url: str = Field(alias="photoURL")
    site: str | None


class SessionState(ResponseModel):
    """The signed-in user, or null."""

    user: SessionUser | None


class SessionResponse(ResponseModel):
    """The current session."""

    success: bool
    data: SessionState


class OpenSession(ResponseModel):
    """A session of the user. `device` is a short name for the browser's User-Agent."""

    id: str
    device: str
    user_agent: str
    authenticated_at: str
    created_at: str
    last_seen_at: str
    expires_at: str
    current: bool


class OpenSessions(ResponseModel):
    """All sessions of the user, newest first."""

    sessions: list[OpenSession]


class SessionsResponse(ResponseModel):
    """The response of GET /api/auth/sessions."""

    success: bool
    data: OpenSessions
