"""Disputes: the bank takes a charge back, with a fee, until it has decided. The feature that made the charge posts it.

Links: https://docs.stripe.com/disputes/how-disputes-work
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tenants.db.rows import Connection
from tenants.kit.logs import log

if TYPE_CHECKING:
    from porchlight.settlement.rules import Source

DisputeState = Literal["inquiry", "open", "under_review", "won", "lost", "closed"]
# A bank that only inquires has not taken any money.
STATES: Mapping[str, DisputeState] = {
    "warning_needs_response": "inquiry",
    "warning_under_review": "inquiry",
    "warning_closed": "closed",
    "needs_response": "open",
    "under_review": "under_review",
    "won": "won",
    "lost": "lost",
    "prevented": "closed",
}


@dataclass(frozen=True, slots=True)
class DisputeFacts:
    """A dispute as it was fetched. Amounts are in cents, by its balance lines: what the bank took, and gave back.

    `due_by`: until when evidence can be sent. `is_answered`: it was sent.
    """

    id: str
    charge: Mapping[str, Any]
    amount_cents: int
    taken_cents: int
    returned_cents: int
    fee_cents: int
    fee_returned_cents: int
    reason: str
    state: DisputeState
    due_by: datetime | None
    opened_at: datetime
    is_answered: bool


class DisputeOwner(Protocol):
    """A feature whose charges can be disputed."""

    def apply_dispute(self, conn: Connection, dispute: DisputeFacts, source: Source) -> bool:
        """Store and post a dispute, if its charge is of this feature. Return whether it is."""

    def open_disputes(self, conn: Connection, before: datetime) -> Iterable[str]:
        """Return the disputes last checked `before` that the bank has not decided."""


class DisputeRule:
    """A dispute, which belongs to the feature that knows its charge: nothing else of the event tells."""

    events = frozenset(
        f"charge.dispute.{change}" for change in ("created", "updated", "closed", "funds_withdrawn", "funds_reinstated")
    )

    def __init__(self, owners: Sequence[DisputeOwner]) -> None:
        self._owners = owners

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the dispute."""
        return str(event["data"]["object"]["id"]) if not event.get("account") else None

    def path(self, object_id: str) -> str:
        """Return the dispute's path, with its charge."""
        return f"/v1/disputes/{object_id}?expand[]=charge"

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Let the feature store and post it. The reconciliation finds one that no feature knows."""
        if fetched is None or not isinstance(fetched.get("charge"), Mapping):
            return
        dispute = dispute_facts(fetched)
        if not any(owner.apply_dispute(conn, dispute, source) for owner in self._owners):
            log.error("dispute_of_unknown_charge", dispute=object_id)

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return the disputes that the bank has not decided."""
        return [("", dispute_id) for owner in self._owners for dispute_id in owner.open_disputes(conn, before)]


def dispute_facts(fetched: Mapping[str, Any]) -> DisputeFacts:
    """Read a fetched dispute, with its charge."""
    amounts = [line["amount"] for line in fetched["balance_transactions"]]
    fees = [line["fee"] for line in fetched["balance_transactions"]]
    evidence = fetched.get("evidence_details") or {}
    due_by = evidence.get("due_by")
    return DisputeFacts(
        id=fetched["id"],
        charge=fetched["charge"],
        amount_cents=fetched["amount"],
        taken_cents=-sum(amount for amount in amounts if amount < 0),
        returned_cents=sum(amount for amount in amounts if amount > 0),
        fee_cents=sum(fee for fee in fees if fee > 0),
        fee_returned_cents=-sum(fee for fee in fees if fee < 0),
        reason=fetched["reason"],
        state=STATES[fetched["status"]],
        due_by=datetime.fromtimestamp(due_by, UTC) if due_by else None,
        opened_at=datetime.fromtimestamp(fetched["created"], UTC),
        is_answered=bool(evidence.get("submission_count")),
    )
