"""Request and response schemas of the money pages of staff. All amounts are in cents of US dollars."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.contracts import MoneySummary
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

MAX_CENTS = 100_000_000  # $1,000,000
FindingState = Literal["open", "explained", "gone"]
WriteState = Literal["ready", "sent", "done", "refused", "unknown", "absent"]
EventState = Literal["new", "done", "ignored", "failed"]
DisputeState = Literal["inquiry", "open", "under_review", "won", "lost", "closed"]
AdjustmentState = Literal["requested", "posted", "rejected"]
# What staff can correct, and in which direction.
AdjustmentKind = Literal["write_off", "goodwill_credit", "suspense_to_losses", "losses_to_suspense"]
Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000), PRINTABLE]


class MoneySummaryResponse(ResponseModel):
    """The state of the books."""

    success: bool
    data: MoneySummary


class MoneyFinding(ResponseModel):
    """A difference between the ledger and Stripe. `cents` has the sign of Stripe's side less ours.

    Of a `failed_refund` and a `stuck_transfer`, they are its amount, and `stripe_id` is our id of the refund, or of the
    payment whose earnings were to be sent.
    """

    id: str
    kind: str
    account: str
    stripe_id: str
    cents: int
    state: FindingState
    found_at: str
    note: str
    explained_by: str


class MoneyFindingPage(ResponseModel):
    """A page of findings, the newest first."""

    items: list[MoneyFinding]
    next_cursor: str | None


class MoneyFindingsResponse(ResponseModel):
    """A page of findings."""

    success: bool
    data: MoneyFindingPage


class ExplanationPayload(Payload):
    """Why a finding is not an error, or how it was corrected."""

    note: Note


class MoneyFindingResponse(ResponseModel):
    """A finding."""

    success: bool
    data: MoneyFinding


class StripeWriteRow(ResponseModel):
    """A change at Stripe that was decided, and its outcome."""

    id: str
    kind: str
    subject_id: str
    attempt: int
    account: str
    state: WriteState
    tries: int
    object_id: str
    error_code: str
    error_message: str
    created_at: str
    due_at: str | None


class StripeWritePage(ResponseModel):
    """A page of writes, the newest first."""

    items: list[StripeWriteRow]
    next_cursor: str | None


class StripeWritesResponse(ResponseModel):
    """A page of writes."""

    success: bool
    data: StripeWritePage


class StripeEventRow(ResponseModel):
    """An event that Stripe sent."""

    id: str
    kind: str
    account: str
    object_id: str
    state: EventState
    tries: int
    error: str
    received_at: str


class StripeEventPage(ResponseModel):
    """A page of events, the newest first."""

    items: list[StripeEventRow]
    next_cursor: str | None


class StripeEventsResponse(ResponseModel):
    """A page of events."""

    success: bool
    data: StripeEventPage


class StripeEventResponse(ResponseModel):
    """An event."""

    success: bool
    data: StripeEventRow


class DisputeRow(ResponseModel):
    """A payment that the user's bank disputes: for a plan, or for sessions. `fee_cents`: what Stripe charges for it.

    An `inquiry` has moved no money yet. `due_by`: until when evidence counts. That about a plan is sent in Stripe's
    dashboard, that about a session by its `guru`, a label that is "" for plans. `is_answered`: the guru has.
    """

    id: str
    kind: Literal["plan", "session"]
    stripe_id: str
    person: str
    guru: str
    cents: int
    fee_cents: int
    reason: str
    state: DisputeState
    due_by: str | None
    opened_at: str
    is_answered: bool


class DisputePage(ResponseModel):
    """A page of disputes, the newest first."""

    items: list[DisputeRow]
    next_cursor: str | None


class DisputesResponse(ResponseModel):
    """A page of disputes."""

    success: bool
    data: DisputePage


class ReconciliationRow(ResponseModel):
    """A comparison of the ledger with Stripe: the lines that were new, and the findings that are open after it."""

    id: str
    finished_at: str
    lines: int
    open_findings: int
    cents_off: int
    accounts_off: int


class ReconciliationPage(ResponseModel):
    """A page of reconciliations, the newest first."""

    items: list[ReconciliationRow]
    next_cursor: str | None


class ReconciliationsResponse(ResponseModel):
    """A page of reconciliations."""

    success: bool
    data: ReconciliationPage


class AdjustmentPayload(Payload):
    """A correction. `email`: the person whose account it is; empty for corrections of suspense."""

    kind: AdjustmentKind
    email: Annotated[str, StringConstraints(strip_whitespace=True, max_length=320)] = ""
    cents: int = Field(gt=0, le=MAX_CENTS)
    reason: Note


class AdjustmentRow(ResponseModel):
    """A correction with its decision. `person` is the email address of the person whose account it is."""

    id: str
    kind: AdjustmentKind
    person: str
    cents: int
    reason: str
    state: AdjustmentState
    requested_by: str
    requested_at: str
    decided_by: str
    decided_at: str | None


class AdjustmentPage(ResponseModel):
    """A page of adjustments, the newest first."""

    items: list[AdjustmentRow]
    next_cursor: str | None


class AdjustmentsResponse(ResponseModel):
    """A page of adjustments."""

    success: bool
    data: AdjustmentPage


class AdjustmentResponse(ResponseModel):
    """An adjustment."""

    success: bool
    data: AdjustmentRow


class DecisionPayload(Payload):
    """Whether an adjustment is approved or rejected."""

    approve: bool
