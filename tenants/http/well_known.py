"""Addresses with a meaning that the web agrees on (RFC 8615), on the main platform and on guru sites."""

from __future__ import annotations

WELL_KNOWN = "/.well-known/"
CHANGE_PASSWORD = "/.well-known/change-password"  # noqa: S105 - W3C's address for password managers
