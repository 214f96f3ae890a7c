"""The writes of staff in the admin console."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, fill, named, press

_ADMIN = "main-web/features/admin"
_DIALOG = "[role=dialog]"

ADMIN = (
    Write(
        f"{_ADMIN}/api/update-suspension",
        "POST",
        "/admin/sites/[^/]+/suspension",
        "admin",
        "/admin/sites?search=spanish",
        named("Suspend this site"),
        (
            press(re.compile("^spanish$")),
            press("Suspend…", inside=_DIALOG),
            fill("Reason", "Asks for deposits"),
        ),
    ),
    Write(
        f"{_ADMIN}/impersonation/api/start-impersonation",
        "POST",
        "/admin/sites/[^/]+/impersonation",
        "admin",
        "/admin/sites?search=spanish",
        named("Open the console"),
        (
            press(re.compile("^spanish$")),
            press("View as this guru…", inside=_DIALOG),
            fill("Reason", "They asked how leads look"),
        ),
    ),
    Write(
        f"{_ADMIN}/sites/api/export-site",
        "POST",
        "/admin/sites/[^/]+/export",
        "admin",
        "/admin/sites?search=spanish",
        named("Export", inside=_DIALOG),
        (press(re.compile("^spanish$")),),
    ),
    Write(
        f"{_ADMIN}/listings/api/update-listing-visibility",
        "POST",
        "/admin/listings/[^/]+/hiding",
        "admin",
        "/admin?tab=listings&search=silversmithing",
        named("Hide this listing"),
        (
            press("Silversmithing"),
            press("Hide…", inside=_DIALOG),
            fill("Reason", "Sells something else"),
        ),
    ),
    Write(
        f"{_ADMIN}/sessions/api/cancel-session",
        "POST",
        "/admin/sessions/[^/]+/cancellation",
        "admin",
        "/admin?tab=sessions&search=machine+safety",
        named(re.compile("^Cancel (for both|this session|session)$"), inside=_DIALOG),
        (
            press(re.compile("^Machine Safety Morning")),
            press("Cancel for both…", inside=_DIALOG),
            fill("Reason", "The workshop is closed"),
        ),
    ),
    Write(
        f"{_ADMIN}/money/api/create-adjustment",
        "POST",
        "/admin/money/adjustments",
        "admin",
        "/admin/money?tab=adjustments",
        named("Request adjustment", inside=_DIALOG),
        (
            press("Request an adjustment"),
            fill("Their email address", "rosa.delgado@example.com"),
            fill("Amount ($)", "12.50"),
            fill("Reason", "A flood in the kitchen"),
        ),
    ),
    Write(f"{_ADMIN}/session/api/log-out", "POST", "/admin/logout", "admin", "/admin", named("Logout")),
)
