"""Errors of accounts that features raise without the web framework."""

from __future__ import annotations

from tenants.kit.errors import Forbidden


class EmailUnverified(Forbidden):
    """The user's address is not verified."""

    code = "email_unverified"
    message = "Please verify your email address first. We sent you a link."
