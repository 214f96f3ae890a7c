"""Public pages of the platform for clients without scripts: head tags, JSON-LD, sitemap."""

from __future__ import annotations

import json
import re
from functools import partial
from uuid import uuid4

import httpx
import psycopg

from porchlight.app import Porchlight
from porchlight.features.angels.page_meta import service_head
from porchlight.features.listings.page_meta import listing_head
from porchlight.features.profiles.page_meta import profile_head
from porchlight.web.page_meta import with_head
from porchlight.web.sitemap import Sitemap
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import bearer_header
from tests.porchlight.plans.grants import grant_plan
from tests.porchlight.search.api_client import sign_up_user as _sign_up

LISTING = {"formats": ["in_person"], "terms": ["price", "swap"], "priceCents": 2500, "radiusKm": 10, "days": ["sat"]}


async def test_listing_page_has_meta_tags_without_scripts(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    """Title, description, canonical URL, OpenGraph and JSON-LD are in the HTML, for clients without scripts."""
    unsafe_html = "</script><script>alert(1)</script> & “quotes”"
    token, user_id = await _sign_up(web, emulator, displayName="Ann <b>", skills={"offered": [], "wanted": []})
    grant_plan(database, user_id)
    created = await web.post(
        "/api/skills/offers",
        json=LISTING | {"title": "Ice & snow", "details": unsafe_html},
        headers=bearer_header(token),
    )
    assert created.status_code == 201, created.text
    (offer,) = created.json()["data"]["offers"]
    path = f"/listings/{offer['id']}"
    row = await listing_head(app.db, path, "https://porchlight.example", has_profiles=True)
    assert row is not None
    assert row.title == "Ice & snow with Ann <b> · Porchlight"
    assert row.description.startswith("Ann <b> teaches Ice & snow. $25/hr, skill swap. </script>")
    page = with_head(b"<html><head><title>x</title></head><body></body></html>", row).decode()
    assert "<script>alert" not in page
    assert f'<link rel="canonical" href="https://porchlight.example{path}" />' in page
    assert '<meta property="og:title" content="Ice &amp; snow with Ann &lt;b&gt; · Porchlight" />' in page
    island = json.loads(page.split('<script type="application/ld+json">')[1].split("</script>")[0])
    assert (island["@type"], island["name"]) == ("Service", "Ice & snow")
    assert island["offers"] == {"@type": "Offer", "price": "25.00", "priceCurrency": "USD"}
    unlinked = await listing_head(app.db, path, "https://porchlight.example", has_profiles=False)
    assert unlinked is not None
    assert ("/u/" in row.more, "/u/" in unlinked.more) == (True, False)
    for other in ("/listings/nothing", f"/listings/{uuid4()}"):
        assert await listing_head(app.db, other, "https://porchlight.example", has_profiles=True) is None


async def test_sitemap_lists_services_and_visible_listings(
    app: Porchlight, web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    token, user_id = await _sign_up(web, emulator, skills={"offered": [], "wanted": []})
    grant_plan(database, user_id)
    for title in ("Igloo building", "Sled repair"):
        response = await web.post("/api/skills/offers", json=LISTING | {"title": title}, headers=bearer_header(token))
    ids = {offer["title"]: offer["id"] for offer in response.json()["data"]["offers"]}
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE skill_offers SET visible = false WHERE id = %s", [ids["Sled repair"]])
    sitemap = Sitemap(app.db, partial(app.flags.on, "skillListing"))
    xml = await sitemap.xml("https://porchlight.example", ["/", "/about", "/login"])
    paths = set(re.findall(r"<loc>https://porchlight\.example([^<]*)</loc>", xml))
    assert {"/", "/about", "/angels-list/pet-sitting", f"/listings/{ids['Igloo building']}"} <= paths
    assert not {"/login", f"/listings/{ids['Sled repair']}"} & paths


async def test_service_and_profile_have_meta_tags(app: Porchlight, web: httpx.AsyncClient, emulator: Emulator) -> None:
    origin = "https://porchlight.example"
    service = await service_head(app.db, "/angels-list/pet-sitting", origin)
    assert service is not None
    assert service.title == "Pet Sitting · Angel's List · Porchlight"
    assert f'<link rel="canonical" href="{origin}/angels-list/pet-sitting" />' in service.more
    assert f'<meta property="og:image" content="{origin}/social/angels-list/pet-sitting.png" />' in service.more
    assert await service_head(app.db, "/angels-list/juggling", origin) is None

    token, _id = await _sign_up(
        web, emulator, displayName="Ann <b>", skills={"offered": ["Ice carving"], "wanted": ["Unicycling"]}
    )
    profile = (await web.get("/api/auth/profile", headers=bearer_header(token))).json()["data"]
    head = await profile_head(app.db, f"/u/{profile['handle']}", origin)
    assert head is not None
    assert (head.title, head.description) == (
        "Ann <b> · Porchlight",
        "Ann <b> teaches Ice carving in Denver, Colorado.",
    )
    assert '<meta property="og:title" content="Ann &lt;b&gt; · Porchlight" />' in head.more
    skills = {"offered": ["Ice carving", "Igloo building", "Skiing", "Sled repair"], "wanted": []}
    token, _id = await _sign_up(web, emulator, displayName="Bo", skills=skills)
    handle = (await web.get("/api/auth/profile", headers=bearer_header(token))).json()["data"]["handle"]
    assert (head := await profile_head(app.db, f"/u/{handle}", origin)) is not None
    assert head.description == "Bo teaches Ice carving, Igloo building, Skiing in Denver, Colorado."
    for unknown in ("/u/unknown-neighbor", "/u/", "/u/../admin"):
        assert await profile_head(app.db, unknown, origin) is None
