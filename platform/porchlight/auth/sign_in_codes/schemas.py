"""Request and response schemas of sign-in codes."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from porchlight.auth.schemas import EmailChangePayload
from porchlight.auth.sign_in_codes.codes import DIGITS
from tenants.kit.schemas import Payload, ResponseModel


class CodePayload(EmailChangePayload):
    """The address to which a code goes."""


class CodeData(ResponseModel):
    """A code on its way. `id`: names it when its digits are typed."""

    id: str
    seconds_left: int


class CodeResponse(ResponseModel):
    """The response of POST /api/auth/codes."""

    success: bool
    data: CodeData


class DigitsPayload(Payload):
    """The digits of a code, as the email has them."""

    code: Annotated[str, StringConstraints(strip_whitespace=True, pattern=rf"^[0-9]{{{DIGITS}}}$")]


class SignInData(ResponseModel):
    """A token with which the browser signs in at the identity provider. `is_new`: the account was just created."""

    token: str
    is_new: bool


class SignInTokenResponse(ResponseModel):
    """The response of POST /api/auth/codes/{id}/sign-in."""

    success: bool
    data: SignInData
