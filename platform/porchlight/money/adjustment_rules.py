"""The decision on an adjustment, without a database: who may correct the ledger alone, and who approves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, NamedTuple

from tenants.kit.errors import ProductError

State = Literal["requested", "posted", "rejected"]

# Up to this sum, in cents, the adjustments of a day need no approval: those of a holder, and those for a person. A
# trigger and a constraint refuse a single one above it without a second holder.
ALONE_UP_TO_CENTS = 10_000
ALONE_WINDOW = timedelta(days=1)


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


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of the admin key of a session. Who used a shared key is not known."""

    name: str
    is_shared: bool

    def is_same_as(self, name: str) -> bool:
        """Return whether this is the holder of that name, which is unique without regard to case."""
        return self.name.lower() == name.lower()


class PostedAlone(NamedTuple):
    """The sums in cents of ALONE_WINDOW that no second person approved: the holder's, and the person's by anyone.

    Corrections of suspense count as those of one person.
    """

    of_holder: int
    of_person: int


def decide_request(cents: int, holder: Holder, posted: PostedAlone) -> State:
    """Return whether an adjustment is posted at once or waits for an approval. Raises NamedKeyRequired."""
    if holder.is_shared:
        raise NamedKeyRequired
    return "posted" if cents + max(posted) <= ALONE_UP_TO_CENTS else "requested"


def check_approval(requested_by: str, holder: Holder) -> None:
    """Raise ApprovalRequired unless the holder of a named key other than the requester approves."""
    if holder.is_shared or holder.is_same_as(requested_by):
        raise ApprovalRequired
