"""Creating a contact message: rate limits, the message and its email job, in one SQL statement."""

from __future__ import annotations

from porchlight.features.contact.schemas import ContactPayload
from porchlight.plans.limits import LIMITS, PlanFeature
from porchlight.plans.plans import PLANS_BY_SLUG, PlanSlug
from tenants.db.pool import Database
from tenants.db.rate_limit import RETRY_AFTER_SECONDS, FloodLimit, Sender, flood_limit_params
from tenants.http.idempotency import content_digest, content_key
from tenants.http.proof_of_work import ProofOfWork, ProofRequired
from tenants.kit import clock
from tenants.kit.errors import KeyReused, Limited
from tenants.kit.ids import new_id

THANKS = "Thank you! Your message has been sent."
MESSAGES_PER_HOUR = FloodLimit(per_address=5, per_network=30, flood_from=30, total=5000)
_CREATE_MESSAGE = """
SELECT app.add_contact_message(
  %(id)s, %(name)s, %(email)s, %(subject)s, %(message)s, %(address)s, %(network)s, %(key)s, %(digest)s, %(is_proven)s,
  %(per_address)s, %(per_network)s, %(flood_from)s, %(total)s, %(period)s)"""


async def create_message(
    db: Database,
    message: ContactPayload,
    *,
    key: str | None,
    sender: Sender,
    secret: bytes,
    proof: str = "",
    limit: FloodLimit | None,
    plan: PlanSlug | None = None,
) -> bool:
    """Store a message and enqueue its email to the staff. Return False for a resend under the same key.

    Without a key, the same text from the same address on the same day is a resend. A message with a filled honeypot
    is dropped. `secret` signs challenges, and `proof` is a solved one. `limit` None means unlimited. `plan`: the plan
    of a signed-in sender. Raises Limited, ProofRequired (in a flood), KeyReused (the key was used for
    another text), Unavailable.
    """
    if message.website:
        return True
    digest = content_digest(message.name, message.email, message.subject, message.message)
    key = key or content_key(digest, sender.address_hash, clock.now())
    work = ProofOfWork(secret, f"contact {key}", proof)
    outcome = await db.write_value(
        str,
        None,
        _CREATE_MESSAGE,
        {
            "id": new_id(),
            "name": message.name,
            "email": message.email,
            "subject": _with_promise(message.subject, plan),
            "message": message.message,
            "address": sender.address_hash,
            "network": sender.network_hash,
            "key": key,
            "digest": digest,
            **flood_limit_params(limit, is_proven=work.is_valid()),
        },
    )
    if outcome == "unproven":
        raise ProofRequired(work.challenge())
    if outcome == "limited":
        raise Limited(retry_after=RETRY_AFTER_SECONDS)
    if outcome == "other":
        raise KeyReused
    return outcome == "created"


def _with_promise(subject: str, plan: PlanSlug | None) -> str:
    """Return the subject for the staff. It begins with a plan that promises an answer within some days."""
    days = int(LIMITS[plan][PlanFeature.SUPPORT_DAYS]) if plan else 0
    if plan is None or days == 0:
        return subject
    within = "1 business day" if days == 1 else f"{days} business days"
    return f"[{PLANS_BY_SLUG[plan].name}, {within}] {subject}".rstrip()
