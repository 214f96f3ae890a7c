"""Corrections of the ledger that staff decide: a reason each, and above $100 a day the approval of a second person.

The caller records the decision in the audit log, in the same transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast
from uuid import UUID

import psycopg

from porchlight.money.rules import events
from tenants.db.rows import Connection, fetch_value
from tenants.kit.errors import Conflict, NotFound, ProductError, ValidationFailed
from tenants.kit.ids import new_id

State = Literal["requested", "posted", "rejected"]

# Up to this sum, in cents, the adjustments of 24 hours need no approval: those of a holder, and those for a person.
# `app.request_adjustment` and a constraint of the table hold the same number.
ALONE_UP_TO_CENTS = 10_000

_REQUEST = "SELECT app.request_adjustment(%s, %s, %s, %s, %s, %s, %s)"
_DECIDE = "SELECT app.decide_adjustment(%s, %s, %s)"


class NamedKeyRequired(ProductError):
    """An adjustment that someone with a shared key requests."""

    status = 409
    code = "named_key_required"
    message = "To correct the books, sign in with an admin key in your own name, so that everyone can see who did it."


class ApprovalRequired(ProductError):
    """An approval by the requester, or with a shared key."""

    status = 409
    code = "approval_required"
    message = "Someone else has to approve this, signed in with an admin key in their own name."


class AlreadyDecided(Conflict):
    """Another admin decided in the meantime."""

    code = "already_decided"
    message = "Someone else has decided this already."


@dataclass(frozen=True, slots=True)
class AdjustmentRequest:
    """A correction: `cents` from the debited to the credited account, by an event of `rules.toml`."""

    event: str
    debit: UUID
    credit: UUID
    cents: int
    reason: str


def request_adjustment(conn: Connection, request: AdjustmentRequest, *, holder: str) -> tuple[UUID, State]:
    """Store an adjustment of a key's holder and post it, unless it has to be approved. Return its id and state.

    Raises NamedKeyRequired for a shared key, and ValidationFailed for an event, accounts or an amount that are not
    possible, or an empty reason.
    """
    if request.event not in adjustment_events():
        raise ValidationFailed("This event is not a correction that staff can make.")
    if request.cents <= 0 or not request.reason.strip():
        raise ValidationFailed("An adjustment needs an amount above zero and a reason.")
    adjustment_id = new_id()
    values = [adjustment_id, request.event, request.debit, request.credit, request.cents, request.reason, holder]
    return adjustment_id, _decided(conn, _REQUEST, values)


def approve_adjustment(conn: Connection, adjustment_id: UUID, *, holder: str) -> State:
    """Post an adjustment that waits. Return its state.

    Raises NotFound, AlreadyDecided, ApprovalRequired unless the holder of a named key other than the requester
    approves it, and ValidationFailed if the ledger refuses it.
    """
    return _decided(conn, _DECIDE, [adjustment_id, holder, True])


def reject_adjustment(conn: Connection, adjustment_id: UUID, *, holder: str) -> State:
    """Reject an adjustment that waits. Return its state. Raises NotFound and AlreadyDecided."""
    return _decided(conn, _DECIDE, [adjustment_id, holder, False])


def adjustment_events() -> frozenset[str]:
    """Return the events that staff can post."""
    return frozenset(event.name for event in events().values() if event.subject == "adjustment")


def _decided(conn: Connection, statement: str, values: list[Any]) -> State:
    try:
        outcome = fetch_value(conn, str, statement, values)
    except psycopg.errors.CheckViolation as error:
        if error.diag.constraint_name == "ck_adjustments_named_holder":
            raise NamedKeyRequired from error
        if error.diag.constraint_name == "ck_adjustments_second_holder":
            raise ApprovalRequired from error
        raise ValidationFailed("The account does not hold that much.") from error
    except psycopg.errors.ForeignKeyViolation as error:
        raise ValidationFailed("This correction cannot be made between these accounts.") from error
    if outcome is None:
        raise NotFound
    if outcome == "decided":
        raise AlreadyDecided
    return cast(State, outcome)
