"""All timeouts of the product: how long it waits for the database, other services and slow clients.

They suit visitors: after some seconds, a request fails with a 503 or uses cached data. On slow machines, and in tests,
PORCHLIGHT_TIMEOUT_FACTOR extends them. Code reads `timeouts.current` when it waits, so that a test can replace it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final


def _fixed(default: Any) -> Any:
    """Return a field that the factor does not extend: it is long enough already, or no visitor waits for it."""
    return field(default=default, metadata={"fixed": True})


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The timeouts. The default of each field is the one of production; the end of its name is the unit."""

    # A request's connections and statements. Together they result in a 503 within 3 s (docs/api.md).
    pool_seconds: float = 0.8  # for a free connection
    acquire_seconds: float = 2.0  # until a unit of work has begun: a dead connection may have to be replaced
    pipeline_seconds: float = 1.8  # for the response to a read or a write of one statement
    read_seconds: float = 2.7  # for each later statement; longer than its own timeout, so only a hung server exceeds it
    app_lock_ms: int = 2000
    app_statement_ms: int = 2500
    read_lock_ms: int = _fixed(250)  # of a read that needs no lock in general: others need its connection
    dead_connection_seconds: float = 0.5  # a connection that was already dead fails within it
    connect_seconds: int = 2
    reconnect_seconds: float = _fixed(2.0)  # of back-off, until a request triggers the next attempt
    idle_transaction_ms: int = _fixed(30_000)
    # Statements of jobs, commands and migrations.
    job_statement_ms: int = _fixed(60_000)
    job_lock_ms: int = _fixed(10_000)
    migration_lock_ms: int = _fixed(5000)  # requests behind the migration must not queue
    command_connect_seconds: int = _fixed(5)

    # Clients that send a body.
    upload_seconds: float = _fixed(150.0)  # slow mobile uplinks need minutes
    clean_file_seconds: float = _fixed(45.0)  # per file, without the wait for a free slot

    # Work in the process.
    render_page_seconds: float = 2.0
    risk_classifier_seconds: float = 5.0
    query_model_seconds: float = 0.25
    bio_skills_seconds: float = 5.0

    # Other services.
    firebase_call_seconds: float = 2.0
    firebase_keys_seconds: float = 2.0
    account_status_seconds: float = 2.5
    emulator_seconds: float = _fixed(5.0)
    geocoder_seconds: float = 2.5
    dns_lookup_seconds: float = 2.0  # for one name, all its servers and retries
    certificate_seconds: float = 3.0  # while a person waits
    certificate_job_seconds: float = _fixed(20.0)
    calendar_fetch_seconds: float = _fixed(20.0)  # one reading of a busy source, with all its requests
    calendar_parse_seconds: float = _fixed(10.0)
    push_seconds: float = _fixed(5.0)  # only jobs wait for a push service
    smtp_seconds: float = _fixed(15.0)
    embeddings_seconds: float = _fixed(20.0)  # only jobs wait for it
    storage_seconds: float = _fixed(20.0)
    storage_connect_seconds: float = _fixed(3.0)

    # Payments: a call, and a response that needs the worker and Stripe. Afterwards the page asks again.
    stripe_call_seconds: float = _fixed(8.0)  # with the retry and the wait for a free slot
    stripe_read_seconds: float = _fixed(5.0)  # one try of a call about an account
    stripe_connect_seconds: float = _fixed(2.0)
    payout_response_seconds: float = _fixed(8.0)
    billing_response_seconds: float = _fixed(8.0)
    demo_stripe_seconds: float = _fixed(30.0)

    # The end of the worker.
    worker_stop_seconds: float = _fixed(20.0)

    def extended(self, factor: float) -> Timeouts:
        """Return these timeouts, except the fixed ones, multiplied by `factor`."""
        changes: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if not one.metadata.get("fixed"):
                changes[one.name] = type(value)(round(value * factor, 3))
        return replace(self, **changes)


FACTOR: Final = float(os.environ.get("PORCHLIGHT_TIMEOUT_FACTOR") or 1)
current: Timeouts = Timeouts().extended(FACTOR)
