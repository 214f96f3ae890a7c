"""Emails for signing in: a code, verify an address, reset a password, change an address.

In production Firebase sends all but the sign-in code with its own templates; their links lead to our page
`/auth/action`, which the operator sets in the Firebase console. The Auth emulator sends no email, so the worker sends
these instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from urllib.parse import urlencode
from uuid import UUID

from porchlight.emails.kinds import MailKind
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.ports import EmailMessage

ACTION_PATH = "/auth/action"  # our page for the links in all of these emails

# The emulator's request type: the mode that the link carries, the template and the button.
_MODES = {
    "VERIFY_EMAIL": ("verifyEmail", "verify_email", "Verify my email"),
    "PASSWORD_RESET": ("resetPassword", "reset_password", "Choose a new password"),
    "VERIFY_AND_CHANGE_EMAIL": ("verifyAndChangeEmail", "change_email", "Use this email"),
    "RECOVER_EMAIL": ("recoverEmail", "email_changed", "Change it back"),
    "EMAIL_SIGNIN": ("signIn", "sign_in_link", "Sign in"),
}
TEMPLATES = EmailTemplates(
    "porchlight.auth",
    {template: MailKind.ACCOUNT for _, template, _ in _MODES.values()} | {"sign_in_code": MailKind.ACCOUNT},
)


def auth_action_email(code: Mapping[str, str], main_origin: str) -> EmailMessage | None:
    """Return the email for one of the emulator's codes, or None for an unknown request type.

    A code is an object of the emulator's API: {email, newEmail?, requestType, oobCode}.
    """
    known = _MODES.get(code.get("requestType", ""))
    secret = code.get("oobCode", "")
    if known is None or not secret or not code.get("email"):
        return None
    mode, template, button = known
    new_email = code.get("newEmail") if mode == "verifyAndChangeEmail" else None
    query = urlencode({"mode": mode, "oobCode": secret, "apiKey": "local", "lang": "en"})
    return TEMPLATES.create_message(
        template,
        key="sign-in-" + hashlib.sha256(secret.encode()).hexdigest()[:32],
        to=Recipient(new_email or code["email"], is_verified=False, person=None),  # its link is a secret
        why="You're receiving this because someone used this email on Porchlight. Not you? Ignore it.",
        action=Action(button, f"{main_origin}{ACTION_PATH}?{query}"),
    )


def sign_in_code_email(code_id: UUID, email: str, digits: str, main_origin: str) -> EmailMessage:
    """Return the email with a sign-in code. Its subject begins with the digits, which phones offer to fill in."""
    return TEMPLATES.create_message(
        "sign_in_code",
        key=f"sign-in-code-{code_id}",
        to=Recipient(email, is_verified=False, person=None),  # its digits are a secret
        why="You're receiving this because someone used this email on Porchlight. Not you? Ignore it.",
        action=Action("Open Porchlight", f"{main_origin}/login"),
        facts={"code": digits},
    )
