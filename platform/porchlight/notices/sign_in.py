"""The mails of signing in: verify, reset, change of address.

In production Firebase sends them itself, from its own templates, with links to our page (the operator sets that
address in the Firebase console). The local Auth emulator sends none, so the worker turns its codes into these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from urllib.parse import urlencode

from porchlight.notices import layout
from porchlight.notices.mail import Letter

ACTION_PATH = "/auth/action"  # our page for every such link; Firebase's parameters
_FOOTER = "You get this mail because somebody used this address at Porchlight. If it was not you, do nothing."

# By the emulator's request type: the link's mode, the subject, the words, the button.
_MAILS = {
    "VERIFY_EMAIL": (
        "verifyEmail",
        "Verify your email for Porchlight",
        "Welcome to Porchlight! Please confirm that this address is yours.",
        "Verify my email",
    ),
    "PASSWORD_RESET": (
        "resetPassword",
        "Reset your password for Porchlight",
        "Somebody asked to reset the password of your account. Choose a new one here.",
        "Choose a new password",
    ),
    "VERIFY_AND_CHANGE_EMAIL": (
        "verifyAndChangeEmail",
        "Verify your new email for Porchlight",
        "Please confirm that your account should use this address from now on.",
        "Use this address",
    ),
    "RECOVER_EMAIL": (
        "recoverEmail",
        "Your email for Porchlight was changed",
        "The email address of your account was changed. If that was not you, take it back here.",
        "Take my address back",
    ),
    "EMAIL_SIGNIN": (
        "signIn",
        "Sign in to Porchlight",
        "Here is your link to sign in.",
        "Sign in",
    ),
}


def letter_for_code(code: Mapping[str, str], main_origin: str) -> Letter | None:
    """The mail for one of the emulator's codes ({email, newEmail?, requestType, oobCode}); None for unknown kinds."""
    mail = _MAILS.get(code.get("requestType", ""))
    secret = code.get("oobCode", "")
    if mail is None or not secret or not code.get("email"):
        return None
    mode, title, words, button = mail
    recipient = code.get("newEmail") if mode == "verifyAndChangeEmail" else code["email"]
    query = urlencode({"mode": mode, "oobCode": secret, "apiKey": "local", "lang": "en"})
    link = (button, f"{main_origin}{ACTION_PATH}?{query}")
    return Letter(
        key="sign-in-" + hashlib.sha256(secret.encode()).hexdigest()[:32],
        recipient=recipient or code["email"],
        subject=title,
        plain=layout.plain([words], link=link, footer=_FOOTER),
        html=layout.html(title, [words], link=link, footer=_FOOTER),
    )
