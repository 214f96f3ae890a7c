"""The writes of visitors."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, choose, fill, named, press
from tests.e2e.screen_addresses import EXAMPLES

_LOGIN_FAILED = "Login failed. Please try again."
_LEAD_FAILED = "Failed to submit lead"
_HOLD_FAILED = "We couldn't keep this time. Check your connection and try again."

VISITOR = (
    Write(
        "main-web/features/contact/api/send-contact-message",
        "POST",
        "/contact",
        "visitor",
        "/contact",
        named("Send message"),
        (
            fill("Your name", "Nora Newcomer"),
            fill("Email", "nora@example.com"),
            fill("Subject", "A question"),
            fill("Message", "How do I find a teacher near me?"),
        ),
    ),
    Write(
        "main-web/components/reports/create-report",
        "POST",
        "/reports",
        "neighbor",
        "/u/theo-barnes",
        named("Send report"),
        (
            press("Report this"),
            choose("What's wrong?", value="other"),
            fill(re.compile("^Anything else"), "Not who they say they are."),
        ),
    ),
    Write(
        "main-web/features/lead-addresses/api/update-lead-address",
        "PUT",
        "/lead-addresses/[^/]+",
        "visitor",
        "/mail/{}",
        named("This wasn't me"),
        example=EXAMPLES["/mail/:token"],
    ),
    Write(
        "main-web/features/admin/session/api/log-in",
        "POST",
        "/admin/login",
        "visitor",
        "/admin/login",
        named(re.compile("^Log"), inside="main"),
        (fill("Admin key", "not the key, but long enough"),),
        on_server_error=_LOGIN_FAILED,
        on_network_error=_LOGIN_FAILED,
    ),
    Write(
        "guru-web/features/leads/api/create-lead",
        "POST",
        "/gurus/[^/]+/leads",
        "guest",
        "/contact",
        named(re.compile("^Send")),
        (
            fill("Name", "Nora Newcomer"),
            fill("Email", "nora@example.com"),
            fill("Message", "Could you teach me to bake?"),
            press(re.compile("."), "checkbox"),
        ),
        on_server_error=_LEAD_FAILED,
        on_network_error=_LEAD_FAILED,
    ),
    Write(
        "guru-web/features/bookings/api/create-hold",
        "POST",
        "/gurus/[^/]+/holds",
        "guest",
        "/",
        named(re.compile("^[0-9]+:[0-9]{2} [AP]M")),
        (press(re.compile("^See times"), "link", ".hero-booking"),),
        on_server_error=_HOLD_FAILED,
        on_network_error=_HOLD_FAILED,
    ),
)
