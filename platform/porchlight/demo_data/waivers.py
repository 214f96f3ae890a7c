"""Demo waivers: accepted as a user would, so that they are signed into the gurus' chains."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import text

from porchlight.catalog.catalog import rated_categories
from porchlight.contracts import RiskLevel
from porchlight.demo_data.bookings import DemoSession, load_sessions
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.bookings.participants.people import ADD_PARTICIPANTS
from porchlight.features.profiles.user_profiles import StoredProfiles
from porchlight.features.risk.assessor import RiskService
from porchlight.features.waivers.actions import Requester, WaiverServices, accept_waiver
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.schemas import WaiverPayload
from porchlight.settings.environment import Settings
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.ids import new_id

LOCAL_ADDRESS = "127.0.0.1"
CONTACT = {"name": "Alex Lindqvist", "phone": "+1 303 555 0142", "relationship": "family"}
_CATEGORY_NAME_AND_TEXT = text(
    "SELECT g.category, p.display_name, coalesce(t.version, 0)"
    " FROM gurus g JOIN profiles p ON p.user_id = :person LEFT JOIN current_waiver_texts t ON t.tenant_id = g.id"
    " WHERE g.id = :tenant"
)


async def load_all(settings: Settings) -> int:
    """Accept the waivers of the demo sessions that need one, once. Return their number."""
    sessions = [session for session in load_sessions() if session.waiver]
    async with Database(settings.database_url) as db:
        risk = RiskService(db, rated_categories())
        services = WaiverServices(db, risk, StoredProfiles(), waiver_keyring(settings).current, limited=False)
        return sum([await _accept(services, session) for session in sessions])


async def _accept(services: WaiverServices, session: DemoSession) -> int:
    """Sign for those of the session for whom its person signs; the others get links. Return the number of waivers."""
    person = neighbor_id(session.person)
    row_key = {"tenant": session.tenant, "person": person}
    async with unit_of_work(services.db, tenant_id=session.tenant, user_id=person) as unit:
        category, name, text_version = (await unit.execute(_CATEGORY_NAME_AND_TEXT, row_key)).one()
    assessed = await services.risk.assess_activity(category, session.service)
    names, signers = session.participants or [name], session.signers or ["self"]
    people: list[dict[str, str]] = []
    for participant, signer in zip(names, signers, strict=False):
        people.append({"name": participant, "signer": signer})
        if signer == "link":
            address = f"{participant.lower().replace(' ', '.')}@example.com"
            people[-1] |= {"signer_id": str(new_id()), "token": str(uuid4()), "email": address}
            continue
        signature = {"participantName": participant, "typedName": name, "guardian": signer == "guardian"}
        payload = _payload(session, category, assessed.rating, text_version, signature)
        key = f"demo-{session.id}" if signer == "self" else f"demo-{session.id}-{participant}"
        await accept_waiver(services, Requester(person, LOCAL_ADDRESS, "demo data"), payload, key)
    async with unit_of_work(services.db, tenant_id=session.tenant, user_id=person) as unit:
        await unit.execute(ADD_PARTICIPANTS, {"ids": [session.id], "level": assessed.rating, "people": people})
    return sum(one["signer"] != "link" for one in people)


def _payload(
    session: DemoSession, category: str, level: RiskLevel, text_version: int | None, signature: dict[str, object]
) -> WaiverPayload:
    return WaiverPayload.model_validate(
        {
            "riskLevel": level,
            "emergencyContact": CONTACT,
            "timestamp": clock.to_iso8601(clock.now()),
            "skillCategory": category,
            "activityDescription": session.service,
            "exchangeId": f"{session.guru}/{session.service_id}",
            "signature": signature,
            "guruTextVersion": text_version,
        }
    )
