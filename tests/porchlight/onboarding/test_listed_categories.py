"""Check that a site lists as many categories as the plan allows, and advertises nothing that awaits approval."""

from __future__ import annotations

from porchlight.app import Porchlight
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.jobs import do_jobs
from tests.porchlight.onboarding.observers import ServiceConnection, fetch_home
from tests.porchlight.onboarding.users import RISKY, SAFE, Neighbor

CLASSES = ["Karate for kids", "Karate, judo", "(Muay-Thai)", "Martial arts", "Watercolor", "Conversation"]


async def _listed(app: Porchlight, label: str) -> list[str]:
    return [category["slug"] for category in (await fetch_home(app, label))["guru"]["categories"]]


async def _approve(ada: Neighbor, service_db: ServiceConnection) -> None:
    ada.conn.execute("UPDATE documents SET status = 'approved' WHERE user_id = %s", [ada.user_id])
    enqueue_as_service(service_db, "onboarding:update_listed_categories", user_id=str(ada.user_id))
    await do_jobs(ada.database)


async def test_approval_pushes_out_no_listed_category(
    app: Porchlight, ada: Neighbor, service_db: ServiceConnection
) -> None:
    await ada.ready(RISKY, SAFE)  # of which the plan lists one
    assert (await ada.publish("steady")).status_code == 201
    assert await _listed(app, "steady") == [SAFE]
    own = (await fetch_home(app, "steady"))["guru"]["category"]
    await _approve(ada, service_db)
    assert await _listed(app, "steady") == [SAFE]
    assert (await fetch_home(app, "steady"))["guru"]["category"] == own != "general"
    site = (await ada.status())["site"]
    assert {one["slug"]: (one["listed"], one["overLimit"]) for one in site["categories"]} == {
        SAFE: (True, False),
        RISKY: (False, True),
    }


async def test_skill_of_category_that_waits_is_hidden(
    app: Porchlight, ada: Neighbor, service_db: ServiceConnection
) -> None:
    await ada.ready(RISKY)
    await ada.request_data("PUT", "/skills", {"skills": CLASSES})
    assert (await ada.publish("dojo")).status_code == 201
    assert (await fetch_home(app, "dojo"))["guru"]["primarySkills"] == ["Watercolor", "Conversation"]
    await _approve(ada, service_db)
    assert (await fetch_home(app, "dojo"))["guru"]["primarySkills"] == CLASSES
