"""The canonical record of an accepted waiver, and its commitments to data that can be erased.

The record is permanent. Drawn signature, emergency contact, network address and user agent are in a separate JSON
object, each with a random salt. The record has only their hashes, so it stays verifiable after they are erased.
Records before drawings were among them may have the hash of an image instead: `signature.drawnSha256`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from porchlight.contracts import RiskLevel
from porchlight.features.waivers.canonical import canonical_json, sha256_hex
from porchlight.features.waivers.levels import expires_at
from porchlight.features.waivers.texts import TextVersion
from tenants.kit.clock import to_iso8601

SALT_BYTES = 16
# The three checkboxes (SPEC 5).
CONSENTS = ("readAndUnderstood", "acknowledgesRisks", "agreesToRelease")

# The name of the drawn signature among the data that can be erased.
DRAWN_SIGNATURE = "drawnSignature"

Erasable = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class EmergencyContact:
    """A person to call in an emergency. `relationship` may be empty (SPEC 5)."""

    name: str
    phone: str
    relationship: str


@dataclass(frozen=True, slots=True)
class WaiverAcceptance:
    """Everything that a record states. `accepted_at` is timezone-aware; the record has whole seconds.

    `exchange_id`, `exchange_title`: the service, listing or sample that is joined. `signed_by`: "guardian" if the
    participant is a minor; `typed_signature` is then the guardian's name. It is empty in a waiver that was accepted
    without one. `by_link`: the participant has no account; `account_id` is the id of their personal link.
    """

    waiver_id: UUID
    account_id: UUID
    accepted_at: datetime
    level: RiskLevel
    reasons: Sequence[str]
    category: str
    activity: str
    exchange_id: str
    exchange_title: str
    participant_name: str
    signed_by: Literal["self", "guardian"]
    consents: Sequence[str]
    texts: Sequence[TextVersion]
    typed_signature: str = ""
    by_link: bool = False


def create_erasable(
    contact: EmergencyContact | None,
    network_address: str,
    user_agent: str,
    drawing: Mapping[str, Any] | None = None,
) -> Erasable:
    """Return the data that can be erased, each value with a new 128-bit salt. Empty values are left out.

    `drawing`: the drawn signature, as `drawings.describe_drawing` returns it.
    """
    values = {
        DRAWN_SIGNATURE: drawing,
        "emergencyContact": asdict(contact) if contact else None,
        "networkAddress": network_address,
        "userAgent": user_agent,
    }
    return {name: {"salt": secrets.token_hex(SALT_BYTES), "value": value} for name, value in values.items() if value}


def commitment(salt: str, value: Any) -> str:
    """Return the hash that commits to a value: `sha256(JCS([salt, value]))` in hexadecimal."""
    return sha256_hex(canonical_json([salt, value]))


def matches_commitment(kept: Any, committed: Any) -> bool:
    """Return whether an entry of `Erasable` is the one that a record commits to."""
    return (
        isinstance(kept, dict)
        and set(kept) == {"salt", "value"}
        and isinstance(kept["salt"], str)
        and commitment(kept["salt"], kept["value"]) == committed
    )


def build_record(acceptance: WaiverAcceptance, erasable: Erasable) -> dict[str, Any]:
    """Return the record as strings, integers, lists and objects. It has commitments to `erasable`.

    Raises ValueError without all three consents, and for a time without a time zone.
    """
    if set(acceptance.consents) != set(CONSENTS):
        raise ValueError("A waiver needs all three consents.")
    if acceptance.accepted_at.tzinfo is None:
        raise ValueError("The time of acceptance needs a time zone.")
    record: dict[str, Any] = {
        "waiverId": str(acceptance.waiver_id),
        "accountId": str(acceptance.account_id),
        "acceptedAt": to_iso8601(acceptance.accepted_at),
        "expiresAt": to_iso8601(expires_at(acceptance.level, acceptance.accepted_at)),
        "level": acceptance.level,
        "reasons": list(acceptance.reasons),
        "activity": {"category": acceptance.category, "description": acceptance.activity},
        "exchange": {"id": acceptance.exchange_id, "title": acceptance.exchange_title},
        "participant": {"name": acceptance.participant_name, "signedBy": acceptance.signed_by},
        "consents": list(CONSENTS),
        "texts": [asdict(text) for text in acceptance.texts],
        "signature": {"typed": acceptance.typed_signature} if acceptance.typed_signature else {},
        "commitments": {name: commitment(kept["salt"], kept["value"]) for name, kept in erasable.items()},
    }
    if acceptance.by_link:
        record["signedWith"] = "personalLink"
    return record


def record_sha256(record: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a record's canonical form. Raises ValueError if it has none."""
    return sha256_hex(canonical_json(record))
