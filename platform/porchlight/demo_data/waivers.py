"""Demo waivers: accepted as a user would, so that they are signed into the gurus' chains."""

from __future__ import annotations

from sqlalchemy import text

from porchlight.demo_data.bookings import DemoSession, load_sessions
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.catalog.catalog import rated_categories
from porchlight.features.profiles.user_profiles import StoredProfiles
from porchlight.features.risk.assessor import RiskService
from porchlight.features.waivers.actions import Requester, WaiverServices, accept_waiver
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.features.waivers.schemas import WaiverPayload
from porchlight.settings.environment import Settings
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock

LOCAL_ADDRESS = "127.0.0.1"
CONTACT = {"name": "Alex Lindqvist", "phone": "+1 303 555 0142", "relationship": "family"}
_CATEGORY_NAME_AND_TEXT = text(
    "SELECT g.category, p.display_name, app.waiver_text_version(g.id) FROM gurus g, profiles p"
    " WHERE g.id = :tenant AND p.user_id = :person"
)
_SET_WAIVER = text(
    "UPDATE bookings SET waiver_level = (SELECT level FROM waivers WHERE user_id = :person AND id = :waiver),"
    " waiver_id = :waiver, waiver_until = :until WHERE tenant_id = :tenant AND id = :booking AND person_id = :person"
)


async def load_all(settings: Settings) -> int:
    """Accept the waivers of the demo sessions that need one, once. Return their number."""
    sessions = [session for session in load_sessions() if session.waiver]
    async with Database(settings.database_url) as db:
        risk = RiskService(db, rated_categories())
        services = WaiverServices(db, risk, StoredProfiles(), waiver_keyring(settings).current, limited=False)
        for session in sessions:
            await _accept(services, session)
    return len(sessions)


async def _accept(services: WaiverServices, session: DemoSession) -> None:
    person = neighbor_id(session.person)
    row_key = {"tenant": session.tenant, "person": person}
    async with unit_of_work(services.db, tenant_id=session.tenant, user_id=person) as unit:
        category, name, text_version = (await unit.execute(_CATEGORY_NAME_AND_TEXT, row_key)).one()
    assessed = await services.risk.assess_activity(category, session.service)
    payload = WaiverPayload.model_validate(
        {
            "riskLevel": assessed.rating,
            "emergencyContact": CONTACT,
            "timestamp": clock.to_iso8601(clock.now()),
            "skillCategory": category,
            "activityDescription": session.service,
            "exchangeId": f"{session.guru}/{session.service_id}",
            "signature": {"participantName": name, "typedName": name, "guardian": False},
            "guruTextVersion": text_version,
        }
    )
    requester = Requester(person, LOCAL_ADDRESS, "demo data")
    accepted = await accept_waiver(services, requester, payload, f"demo-{session.id}")
    async with unit_of_work(services.db, tenant_id=session.tenant, user_id=person) as unit:
        values = {"waiver": accepted.waiver_id, "until": accepted.expires_at, "booking": session.id}
        await unit.execute(_SET_WAIVER, row_key | values)
