"""The decisions of staff: documents, reports, risks, failed jobs, money, waiver texts and impersonations."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, ask_api, choose, fill, named, press

_ADMIN = "main-web/features/admin"
_DIALOG = "[role=dialog]"
_BANNER = "aside[aria-label='Viewing as a guru']"
_IMPERSONATE = (
    press(re.compile("^spanish$")),
    press("View as this guru…", inside=_DIALOG),
    fill("Reason", "They asked how leads look"),
    press("Open the console"),
)
# A job that failed; nothing runs it.
_FAILED_JOB = """
INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, status, deferred_at)
VALUES ('default', 'listings:geocode_user', 'failed', DEFAULT) RETURNING id"""
# A correction above $100, which the holder of a key requested.
_WAITING_ADJUSTMENT = """
WITH key AS (
  INSERT INTO admin_keys (id, name, key_hash) VALUES (uuidv7(), 'Sweep', uuid_send(uuidv7())) RETURNING name)
SELECT app.request_adjustment(uuidv7(), 'suspense_cleared', app.ledger_account('losses', 'usd', NULL, NULL, NULL),
                              app.ledger_account('suspense', 'usd', NULL, NULL, NULL), 12345, 'Booked twice', key.name)
  FROM key"""
_FINDING = """
INSERT INTO findings (id, kind, stripe_id, cents) VALUES (uuidv7(), 'unknown_line', 'txn_sweep', 31) RETURNING id"""
_FAILED_EVENT = """
INSERT INTO stripe_inbox (id, endpoint, kind, object_id, created, state, tries, error)
VALUES ('evt_sweep', 'platform', 'charge.updated', 'ch_sweep', app.now(), 'failed', 8, 'KeyError: amount')
RETURNING id"""

STAFF_DECISIONS = (
    Write(
        f"{_ADMIN}/documents/api/review-document",
        "POST",
        "/documents/[^/]+/[^/]+/status",
        "admin",
        "/admin?tab=documents",
        named("Approve"),
        on_server_error="Failed to update document status",
        on_network_error="Error updating document status",
    ),
    Write(
        f"{_ADMIN}/reports/api/resolve-report",
        "POST",
        "/admin/reports/[^/]+/resolution",
        "admin",
        "/admin?tab=reports",
        named("Resolve", inside=_DIALOG),
        (
            press(re.compile("respect|saw", re.IGNORECASE), inside="tbody"),
            choose("Outcome", value="acted"),
            fill(re.compile("^Note"), "The photo is gone."),
        ),
    ),
    Write(
        f"{_ADMIN}/risk/api/decide-risk-review",
        "PUT",
        "/admin/risk-reviews/[^/]+/decision",
        "admin",
        "/admin/risks?search=blorfing+of+newts",
        named(re.compile("^(Save|Change) rating$"), inside=_DIALOG),
        (
            ask_api("POST", "/liability/risk", '{"skillCategory": "", "activityDescription": "blorfing of newts"}'),
            press("blorfing of newts"),
            choose("Risk level", value="high"),
            fill(re.compile("^Note"), "They are slippery."),
        ),
    ),
    Write(
        f"{_ADMIN}/jobs/api/retry-failed-jobs",
        "POST",
        "/admin/failed-jobs/[^/]+/retries",
        "admin",
        "/admin/jobs?job={}",
        named(re.compile("^Try again.*listings:geocode_user$")),
        example=_FAILED_JOB,
    ),
    Write(
        f"{_ADMIN}/money/api/decide-adjustment",
        "PUT",
        "/admin/money/adjustments/[^/]+/decision",
        "admin",
        "/admin/money?tab=adjustments&adjustment={}",
        named("Approve and post", inside="[role=alertdialog]"),
        (press("Approve", inside="tr:has-text('$123.45')"),),
        example=_WAITING_ADJUSTMENT,
    ),
    Write(
        f"{_ADMIN}/money/api/explain-finding",
        "PUT",
        "/admin/money/findings/[^/]+/explanation",
        "admin",
        "/admin/money?finding={}",
        named("Mark as explained", inside=_DIALOG),
        (
            press("Unknown line", inside="tr:has-text('txn_sweep')"),
            fill("Reason", "Stripe's gift for a new account"),
        ),
        example=_FINDING,
    ),
    Write(
        f"{_ADMIN}/money/api/retry-event",
        "POST",
        "/admin/money/events/[^/]+/retries",
        "admin",
        "/admin/money?tab=events&event={}",
        named(re.compile("^Run again.*evt_sweep$")),
        example=_FAILED_EVENT,
    ),
    Write(
        f"{_ADMIN}/sessions/api/acknowledge-waiver-texts",
        "POST",
        "/admin/waivers/acknowledgment",
        "admin",
        "/admin?tab=sessions",
        named("Acknowledge"),
    ),
    Write(
        f"{_ADMIN}/impersonation/api/allow-impersonated-writes",
        "PUT",
        "/admin/impersonation/writing",
        "admin",
        "/admin/sites?search=spanish",
        named("Allow changes", inside=_DIALOG),
        (*_IMPERSONATE, press("Allow changes…"), fill("Reason", "They asked us to correct a price")),
    ),
    Write(
        f"{_ADMIN}/impersonation/api/stop-impersonation",
        "DELETE",
        "/admin/impersonation",
        "admin",
        "/admin/sites?search=spanish",
        named("Stop viewing", inside=_BANNER),
        _IMPERSONATE,
    ),
)
