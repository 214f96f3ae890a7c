"""The site profile, its overview, and previews of unsaved changes."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from tenants.kit import clock
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.app_client import BASE_HOST, RawResponse, http_client, send_raw, wait_until
from tests.porchlight.owner import POST_TEXT, GuruOwner
from tests.porchlight.profiles.api_client import create_image
from tests.porchlight.unsafe_html import find_unsafe_html


async def _open_preview(app: Porchlight, owner: GuruOwner, address: str) -> RawResponse:
    parts = urlsplit(address)
    assert parts.netloc == owner.guru.host
    return await send_raw(app, f"{parts.path}?{parts.query}".encode(), parts.netloc)


async def test_overview_returns_site_statistics(rosa: GuruOwner) -> None:
    overview = await rosa.call("GET", "/overview")
    assert overview["site"] == {
        "label": "alpha",
        "status": "active",
        "address": f"http://alpha.{BASE_HOST}",
        "newLeads": 2,
        "suspension": None,
    }
    assert overview["posts"] == {"draft": 0, "scheduled": 0, "published": 5, "hidden": 0}
    assert overview["stats"] == {"totalPosts": 5, "totalViews": 55, "monthlyVisitors": 7, "totalLeads": 2}
    assert overview["ready"]["about"] is True


async def test_saved_hours_are_ready(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    service_db.execute("UPDATE calendars SET confirmed_at = NULL WHERE tenant_id = %s", [rosa.guru.id])
    assert (await rosa.call("GET", "/overview"))["ready"]["hours"] is False
    week = [{"weekdays": [1], "ranges": [{"start": 540, "end": 1020}]}]
    revision = (await rosa.call("GET", "/calendar"))["revision"]
    await rosa.call("PUT", "/hours", {"revision": revision, "week": week})
    assert (await rosa.call("GET", "/overview"))["ready"]["hours"] is True


async def test_site_with_a_picture_is_ready(rosa: GuruOwner) -> None:
    revision = (await rosa.call("GET", "/gallery"))["revision"]
    await rosa.call("PUT", "/gallery", {"revision": revision, "pictures": []})
    overview = await rosa.call("GET", "/overview")
    assert overview["ready"]["pictures"] is False
    png = {"content-type": "image/png"}
    image = await rosa.call("POST", "/images", expect=201, content=create_image("PNG"), headers=png)
    picture = {"place": "hero", "imageId": image["id"], "alt": "My kitchen"}
    revision = (await rosa.call("GET", "/gallery"))["revision"]
    await rosa.call("PUT", "/gallery", {"revision": revision, "pictures": [picture]})
    assert (await rosa.call("GET", "/overview"))["ready"]["pictures"] is True


async def test_town_of_site_has_to_be_clear(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    async def save(city: str) -> httpx.Response:
        revision = (await rosa.call("GET", "/site"))["revision"]
        return await rosa.web.put("/api/guru/site", json={"revision": revision, "city": city})

    for typed in ("boulder co", "St Louis, Missouri", ""):
        assert (await save(typed)).status_code == 200
        assert (await rosa.call("GET", "/site"))["city"] == typed
    for typed, words in {
        "Springfield": "There is more than one Springfield. Did you mean Springfield, Missouri",
        "80202": "leave out ZIP code and street. Did you mean Denver, Colorado?",
        "Xyzzy": "We couldn't find that place.",
    }.items():
        assert words in invalid_fields(await save(typed))["city"]
    service_db.execute("UPDATE gurus SET city = 'Hogwarts' WHERE id = %s", [rosa.guru.id])  # older than the check
    assert (await save("Hogwarts")).status_code == 200


async def test_console_without_guru_is_not_found(app: Porchlight, emulator: Any) -> None:
    _, _, token = emulator.sign_up()
    async with http_client(app, BASE_HOST) as web:
        headers = {"authorization": f"Bearer {token}"}
        mine = await web.get("/api/guru", headers=headers)
        assert mine.json() == {"success": True, "data": {"guru": None}}
        assert (await web.get("/api/guru/overview", headers=headers)).status_code == 404
        assert (await web.get("/api/guru")).status_code == 401
        assert (await web.get("/api/guru/site")).status_code == 401


async def test_about_text_names_what_is_not_shown(rosa: GuruOwner) -> None:
    revision = (await rosa.call("GET", "/site"))["revision"]
    about = "Hello.\n\n<iframe src='https://v.example'></iframe>"
    saved = await rosa.call("PUT", "/site", {"revision": revision, "about": about})
    assert (
        saved["aboutOmissions"]
        == ["Embedded content (<iframe>) isn't shown. Put a link to it instead."]
        == (await rosa.call("GET", "/site"))["aboutOmissions"]
    )
    saved = await rosa.call("PUT", "/site", {"revision": saved["revision"], "about": "Hello."})
    assert saved["aboutOmissions"] == []


async def test_site_profile_update_is_published(app: Porchlight, rosa: GuruOwner) -> None:
    site = await rosa.call("GET", "/site")
    changed = await rosa.call(
        "PUT",
        "/site",
        {
            "revision": site["revision"],
            "tagline": "Bread, slowly",
            "about": "# Me\n\nI **bake**.",
            "primaryColor": "#AA3300",
            "primarySkills": ["Bread", "Bread", ""],
        },
    )
    assert changed["theme"]["primaryColor"] == "#aa3300"
    assert changed["primarySkills"] == ["Bread"]
    assert changed["character"] == site["character"]

    async def is_shown() -> bool:
        home = (await send_raw(app, b"/", rosa.guru.host)).body
        about = (await send_raw(app, b"/about", rosa.guru.host)).body
        return b"Bread, slowly" in home and b"<strong>bake</strong>" in about

    await wait_until("the site shows it", is_shown)
    late = {"revision": site["revision"], "tagline": "From another tab"}
    assert (await rosa.call("PUT", "/site", late, expect=409))["code"] == "changed_elsewhere"
    assert (await rosa.call("GET", "/site"))["tagline"] == "Bread, slowly"
    for revision in ("", "yesterday", "2026-01-01", "9" * 60):
        await rosa.call("PUT", "/site", {"revision": revision, "tagline": "x"}, expect=409)


@pytest.mark.parametrize(
    ("appearance", "schemes"), [("day", ["light"]), ("dusk", ["dark"]), ("device", ["light", "dark"])]
)
async def test_site_appearance_update_is_published(
    app: Porchlight, rosa: GuruOwner, appearance: str, schemes: list[str]
) -> None:
    site = await rosa.call("GET", "/site")
    changed = await rosa.call("PUT", "/site", {"revision": site["revision"], "appearance": appearance})
    assert changed["theme"] == site["theme"] | {"appearance": appearance}

    async def is_shown() -> bool:
        home = (await send_raw(app, b"/", rosa.guru.host)).body.decode()
        return re.findall(r"(?<!html):root\{color-scheme:(light|dark);--bg", home) == schemes

    await wait_until("the site has the colors", is_shown)


@pytest.mark.parametrize(
    "changes",
    [
        {"primaryColor": "red"},
        {"primaryColor": "#fff"},
        {"secondaryColor": "#12345g"},
        {"primaryColor": "#123456;}</style><script>"},
        {"icon": "skull"},
        {"appearance": "night"},
        {"typeface": "comic"},
        {"character": ""},
        {"character": "   "},
        {"contactEmail": "not an email"},
        {"contactEmail": "zoë@example.com"},
        {"about": "x" * 20_001},
        {"seoTitle": "a\0"},
        {"label": "taken"},
        {"status": "active"},
    ],
)
async def test_site_profile_invalid_fields_are_named(rosa: GuruOwner, changes: dict[str, Any]) -> None:
    site = await rosa.call("GET", "/site")
    error = await rosa.call("PUT", "/site", {"revision": site["revision"]} | changes, expect=422)
    assert list(error["fields"]) == list(changes)
    assert await rosa.call("GET", "/site") == site


async def test_typeface_reaches_preview_and_site(app: Porchlight, rosa: GuruOwner) -> None:
    """A page names the fonts of the chosen pair and no others; a preview shows a pair that is not saved."""

    def fonts(html: bytes) -> set[str]:
        return {name.decode() for name in re.findall(rb"/_next/static/fonts/([a-z-]+)-latin-[0-9a-f]{16}\.woff2", html)}

    async def site_fonts() -> set[str]:
        return fonts((await send_raw(app, b"/", rosa.guru.host)).body)

    site = await rosa.call("GET", "/site")
    assert site["theme"]["typeface"] == "warm"
    assert await site_fonts() == {"fraunces", "figtree"}
    face = {"page": "/", "face": {"typeface": "clear"}}
    created = await rosa.call("POST", "/previews", face, expect=201)
    shown = await _open_preview(app, rosa, created["address"])
    assert fonts(shown.body) == {"bricolage-grotesque", "figtree"}
    assert await site_fonts() == {"fraunces", "figtree"}

    saved = await rosa.call("PUT", "/site", {"revision": site["revision"], "typeface": "bookish"})
    assert saved["theme"]["typeface"] == "bookish"

    async def is_shown() -> bool:
        return await site_fonts() == {"literata"}

    await wait_until("the site shows it", is_shown)


async def test_contact_address_has_the_form_of_accounts(rosa: GuruOwner) -> None:
    site = await rosa.call("GET", "/site")
    change = {"revision": site["revision"], "contactEmail": "rosa@bücher.example"}
    assert (await rosa.call("PUT", "/site", change))["contactEmail"] == "rosa@xn--bcher-kva.example"


async def test_preview_shows_page_with_unsaved_changes(app: Porchlight, rosa: GuruOwner) -> None:
    before = await rosa.call("GET", "/site")
    face = {"tagline": "Only in the preview", "primaryColor": "#ff00aa", "about": "A *preview*."}
    for page, words in (("/", "Only in the preview"), ("/about", "<em>preview</em>"), ("/services", "skill markalpha")):
        created = await rosa.call("POST", "/previews", {"page": page, "face": face}, expect=201)
        is_shown = await _open_preview(app, rosa, created["address"])
        assert is_shown.status == 200
        if page != "/services":
            assert words in is_shown.body.decode()
        policy = is_shown.header("content-security-policy") or ""
        assert f"frame-ancestors http://{BASE_HOST}" == policy.rsplit("; ", 1)[1]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert is_shown.header("cache-control") == "no-store"
        assert is_shown.header("x-robots-tag") == "noindex"
        assert b"__NEXT_DATA__" not in is_shown.body
    assert (await rosa.call("GET", "/site")) == before
    assert b"Only in the preview" not in (await send_raw(app, b"/", rosa.guru.host)).body


async def test_preview_of_post_shows_its_page(app: Porchlight, rosa: GuruOwner) -> None:
    created = await rosa.call("POST", "/previews", {"page": "/blog/[slug]", "post": POST_TEXT}, expect=201)
    page = (await _open_preview(app, rosa, created["address"])).body.decode()
    assert "A pot of beans" in page
    assert "<strong>overnight</strong>" in page
    await rosa.call("POST", "/previews", {"page": "/blog/[slug]"}, expect=422)
    await rosa.call("POST", "/previews", {"page": "/", "post": POST_TEXT}, expect=422)


async def test_preview_requires_unexpired_key(
    app: Porchlight, rosa: GuruOwner, theo: GuruOwner, service_db: psycopg.Connection[Any]
) -> None:
    created = await rosa.call("POST", "/previews", {"page": "/"}, expect=201)
    parts = urlsplit(created["address"])
    key = parts.query.removeprefix("key=")
    target = f"/_preview?key={key}".encode()
    assert (await send_raw(app, target, rosa.guru.host)).status == 200
    for where, address in (
        (theo.guru.host, target),
        (BASE_HOST, target),
        (rosa.guru.host, target[:-1] + (b"x" if target[-1:] != b"x" else b"y")),
        (rosa.guru.host, b"/_preview"),
        (rosa.guru.host, b"/_preview?key=%ff%00"),
    ):
        response = await send_raw(app, address, where)
        assert response.status in (404, 200)
        assert b"markalpha" not in response.body
    service_db.execute(
        "UPDATE site_previews SET created_at = %s WHERE tenant_id = %s",
        [clock.now() - timedelta(hours=1), rosa.guru.id],
    )
    assert (await send_raw(app, target, rosa.guru.host)).status == 404


async def test_preview_count_is_limited(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    for _ in range(25):
        await rosa.call("POST", "/previews", {"page": "/"}, expect=201)
    query = "SELECT count(*) FROM site_previews WHERE tenant_id = %s"
    row = service_db.execute(query, [rosa.guru.id]).fetchone()
    assert row is not None
    assert row[0] <= 20


TEXT = st.text(max_size=80)
FACES = st.fixed_dictionaries(
    {},
    optional={
        "character": TEXT,
        "tagline": TEXT,
        "city": TEXT,
        "primarySkills": st.lists(st.text(max_size=40), max_size=12),
        "about": st.text(max_size=400) | st.sampled_from(["</style><script>alert(1)</script>", "[x](javascript:1)"]),
        "emoji": st.text(max_size=16) | st.sampled_from(["<script>", '"><img onerror=x>']),
        "seoTitle": TEXT | st.sampled_from(["</title><script>alert(1)</script>", '"/><script>']),
        "seoDescription": TEXT,
        "primaryColor": st.from_regex(r"#[0-9a-fA-F]{6}", fullmatch=True) | TEXT,
        "secondaryColor": st.from_regex(r"#[0-9a-fA-F]{6}", fullmatch=True),
    },
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(face=FACES)
async def test_preview_random_input_is_safe(app: Porchlight, rosa: GuruOwner, face: dict[str, Any]) -> None:
    try:
        response = await rosa.web.post("/api/guru/previews", json={"page": "/about", "face": face})
    except UnicodeEncodeError:
        return  # not encodable as UTF-8
    assert response.status_code in (201, 400, 422), response.text
    if response.status_code == 201:
        page = await _open_preview(app, rosa, response.json()["data"]["address"])
        assert page.status == 200, page.body
        assert find_unsafe_html(page.body.decode()) == []
        scripts = re.findall(rb"<script[^>]*>", page.body)
        assert all(b'"application/ld+json"' in tag or b'src="/_preview.js"' in tag for tag in scripts), scripts
