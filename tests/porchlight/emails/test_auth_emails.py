"""Emails for the codes of the Auth emulator."""

from __future__ import annotations

import pytest

from porchlight.auth.emails import auth_action_email

ORIGIN = "https://porchlight.example"
REQUEST_TYPES = {
    "VERIFY_EMAIL": ("verifyEmail", "ada@example.com"),
    "PASSWORD_RESET": ("resetPassword", "ada@example.com"),
    "VERIFY_AND_CHANGE_EMAIL": ("verifyAndChangeEmail", "new@example.com"),
    "RECOVER_EMAIL": ("recoverEmail", "ada@example.com"),
    "EMAIL_SIGNIN": ("signIn", "ada@example.com"),
}


@pytest.mark.parametrize("request_type", REQUEST_TYPES)
def test_auth_action_email_links_to_our_own_page(request_type: str) -> None:
    code = {
        "requestType": request_type,
        "email": "ada@example.com",
        "newEmail": "new@example.com",
        "oobCode": "se&cret",
    }
    message = auth_action_email(code, ORIGIN)
    assert message is not None
    mode, recipient = REQUEST_TYPES[request_type]
    assert message.recipient == recipient
    link = f"{ORIGIN}/auth/action?mode={mode}&oobCode=se%26cret&apiKey=local&lang=en"
    assert link in message.text
    assert link.replace("&", "&amp;") in message.html
    assert "<img" not in message.html
    again = auth_action_email(code, ORIGIN)
    assert again is not None
    assert again.key == message.key
    assert "se&cret" not in message.key


@pytest.mark.parametrize(
    "changes", [{"requestType": "OTHER"}, {"oobCode": ""}, {"email": ""}], ids=["type", "code", "email"]
)
def test_auth_action_email_incomplete_code_returns_none(changes: dict[str, str]) -> None:
    code = {"requestType": "VERIFY_EMAIL", "email": "ada@example.com", "oobCode": "secret"}
    assert auth_action_email(code | changes, ORIGIN) is None
