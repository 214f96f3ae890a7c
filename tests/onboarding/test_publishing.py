"""From a finished wizard to a site that answers."""

from __future__ import annotations

from porchlight.app import Porchlight
from tests.onboarding.people import RISKY, SAFE, Neighbour
from tests.platform_.world import BASE, visitor


async def test_publishing_makes_a_guru_with_everything(app: Porchlight, ada: Neighbour) -> None:
    await ada.ready(SAFE, RISKY)
    answer = await ada.publish("ada-bakes")
    assert answer.status_code == 201, answer.text
    body = answer.json()
    assert body["message"] == "Submitted. A badge appears after any required docs are approved."
    assert body["data"] == {
        "subdomain": "ada-bakes",
        "url": f"http://ada-bakes.{BASE}/",
        "status": "active",
        "made": True,
    }
    async with visitor(app, f"ada-bakes.{BASE}") as guest:
        home = (await guest.get("/api/gurus/ada-bakes/home")).json()
    assert home["guru"]["character"] == "Ada Alvarez"
    assert home["guru"]["tagline"] == "I bake bread and teach others how."
    assert home["guru"]["city"] == "Denver"
    assert [(s["name"], s["price"], s["duration"], s["popular"]) for s in home["services"]] == [
        ("One-on-One Consultation", 75, "60 minutes", True),
        ("Group Workshop", 45, "90 minutes", False),
        ("Monthly Mentorship", 200, "Monthly", False),
    ]
