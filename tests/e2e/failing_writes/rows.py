"""The writes that need a real browser. `main-web/src/testing/failures/writes` has those of the main platform."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, choose, choose_file, fill, named, press

_LEAD_FAILED = "Failed to submit lead"
_HOLD_FAILED = "We couldn't keep this time. Check your connection and try again."
_POST = (
    "SELECT t.id::text FROM posts t JOIN gurus g ON g.id = t.tenant_id"
    " WHERE g.label = 'cooking' AND t.status = 'published' ORDER BY t.id LIMIT 1"
)

WRITES = (
    # Guru sites are prerendered pages, not routes of the app.
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
    Write(
        "guru-web/features/reports/api/create-report",
        "POST",
        "/reports",
        "guest",
        "/report",
        named("Send report"),
        (choose("What's wrong?", "spam"), fill(re.compile("^Anything else"), "The same text on every page.")),
        on_server_error="Your report could not be sent. Please try again later.",
        on_network_error="Your report could not be sent. Please check your connection.",
    ),
    # Pictures are cropped and drawn before they are sent.
    Write(
        "main-web/features/onboarding/api/upload-photo",
        "PUT",
        "/onboarding/photo",
        "asker",
        "/onboarding/profile",
        named("Use this photo"),
        (choose_file("Photo file"),),
    ),
    Write(
        "main-web/features/profiles/api/update-photo",
        "PUT",
        "/auth/photo",
        "neighbor",
        "/profile",
        named("Use this photo"),
        (choose_file("Photo file"),),
    ),
    Write(
        "main-web/features/images/guru/api/upload-image",
        "POST",
        "/guru/images",
        "guru",
        "/guru/posts/{}",
        named("Add picture"),
        (choose_file("Image file"), fill("Describe the picture", "A loaf, cut open on a board")),
        example=_POST,
    ),
    # A prerendered form, a real identity provider, and a dialog of staff.
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
        "main-web/lib/session/delete-account",
        "DELETE",
        "/auth/account",
        "neighbor",
        "/profile",
        named("Delete permanently"),
        (
            press("Delete my account"),
            fill(re.compile("^Type .+ to confirm$"), "DELETE"),
            fill("Your password", "porchlight"),
        ),
    ),
    Write(
        "main-web/features/admin/api/update-suspension",
        "POST",
        "/admin/sites/[^/]+/suspension",
        "admin",
        "/admin/sites?search=spanish",
        named("Suspend this site"),
        (
            press(re.compile("^spanish$")),
            press("Suspend…", inside="[role=dialog]"),
            fill("Reason", "Asks for deposits"),
        ),
    ),
)
