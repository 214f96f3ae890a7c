"""The site's texts and look, its overview, and previews of what is not saved."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from tenants.kit import clock
from tests.console.loud import loud
from tests.console.owner import WORDS, Owner
from tests.platform_.world import BASE, Answered, ask, until, visitor


async def _look(app: Porchlight, owner: Owner, address: str) -> Answered:
    parts = urlsplit(address)
    assert parts.netloc == owner.guru.host
    return await ask(app, f"{parts.path}?{parts.query}".encode(), parts.netloc)


async def test_the_overview_says_how_the_site_is_doing(rosa: Owner) -> None:
    overview = await rosa.call("GET", "/overview")
    assert overview["site"] == {
        "label": "alpha",
        "status": "active",
        "address": f"http://alpha.{BASE}",
        "newLeads": 2,
    }
    assert overview["posts"] == {"draft": 0, "scheduled": 0, "published": 5}
    assert overview["stats"] == {"totalPosts": 5, "totalViews": 55, "monthlyVisitors": 7, "totalLeads": 2}
    assert overview["ready"]["about"] is True


async def test_a_neighbour_without_a_guru_has_no_console(app: Porchlight, emulator: Any) -> None:
    _, _, token = emulator.sign_up()
    async with visitor(app, BASE) as web:
        headers = {"authorization": f"Bearer {token}"}
        mine = await web.get("/api/guru", headers=headers)
        assert mine.json() == {"success": True, "data": {"guru": None}}
        assert (await web.get("/api/guru/overview", headers=headers)).status_code == 404
        assert (await web.get("/api/guru")).status_code == 401
        assert (await web.get("/api/guru/site")).status_code == 401


async def test_texts_and_look_are_saved_and_shown(app: Porchlight, rosa: Owner) -> None:
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

    async def shown() -> bool:
        home = (await ask(app, b"/", rosa.guru.host)).body
        about = (await ask(app, b"/about", rosa.guru.host)).body
        return b"Bread, slowly" in home and b"<strong>bake</strong>" in about

    await until("the site shows it", shown)
    late = {"revision": site["revision"], "tagline": "From another tab"}
    assert (await rosa.call("PUT", "/site", late, expect=409))["code"] == "changed_elsewhere"
    assert (await rosa.call("GET", "/site"))["tagline"] == "Bread, slowly"
    for revision in ("", "yesterday", "2026-01-01", "9" * 60):
        await rosa.call("PUT", "/site", {"revision": revision, "tagline": "x"}, expect=409)


@pytest.mark.parametrize(
    "changes",
    [
        {"primaryColor": "red"},
        {"primaryColor": "#fff"},
        {"secondaryColor": "#12345g"},
        {"primaryColor": "#123456;}</style><script>"},
        {"icon": "skull"},
        {"character": ""},
        {"character": "   "},
        {"contactEmail": "nobody"},
        {"about": "x" * 20_001},
        {"seoTitle": "a\x01"},
        {"label": "taken"},
        {"status": "active"},
    ],
)
async def test_bad_fields_are_named(rosa: Owner, changes: dict[str, Any]) -> None:
    site = await rosa.call("GET", "/site")
    assert (await rosa.call("PUT", "/site", {"revision": site["revision"]} | changes, expect=422))["fields"]


async def test_a_preview_is_the_real_page_with_unsaved_changes(app: Porchlight, rosa: Owner) -> None:
    before = await rosa.call("GET", "/site")
    face = {"tagline": "Only in the preview", "primaryColor": "#ff00aa", "about": "A *preview*."}
    for page, words in (("/", "Only in the preview"), ("/about", "<em>preview</em>"), ("/services", "skill markalpha")):
        made = await rosa.call("POST", "/previews", {"page": page, "face": face}, expect=201)
        shown = await _look(app, rosa, made["address"])
        assert shown.status == 200
        if page != "/services":
            assert words in shown.body.decode()
        policy = shown.header("content-security-policy") or ""
        assert f"frame-ancestors http://{BASE}" == policy.rsplit("; ", 1)[1]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert shown.header("cache-control") == "no-store"
        assert shown.header("x-robots-tag") == "noindex"
        assert b"__NEXT_DATA__" not in shown.body
    assert (await rosa.call("GET", "/site")) == before
    assert b"Only in the preview" not in (await ask(app, b"/", rosa.guru.host)).body


async def test_a_post_is_previewed_as_its_page(app: Porchlight, rosa: Owner) -> None:
    made = await rosa.call("POST", "/previews", {"page": "/blog/[slug]", "post": WORDS}, expect=201)
    page = (await _look(app, rosa, made["address"])).body.decode()
    assert "A pot of beans" in page
    assert "<strong>overnight</strong>" in page
    await rosa.call("POST", "/previews", {"page": "/blog/[slug]"}, expect=422)
    await rosa.call("POST", "/previews", {"page": "/", "post": WORDS}, expect=422)


async def test_a_preview_opens_to_its_key_alone_and_not_for_long(
    app: Porchlight, rosa: Owner, theo: Owner, overseer: psycopg.Connection[Any]
) -> None:
    made = await rosa.call("POST", "/previews", {"page": "/"}, expect=201)
    parts = urlsplit(made["address"])
    key = parts.query.removeprefix("key=")
    target = f"/_preview?key={key}".encode()
    assert (await ask(app, target, rosa.guru.host)).status == 200
    for where, address in (
        (theo.guru.host, target),
        (BASE, target),
        (rosa.guru.host, target[:-1] + (b"x" if target[-1:] != b"x" else b"y")),
        (rosa.guru.host, b"/_preview"),
        (rosa.guru.host, b"/_preview?key=%ff%00"),
    ):
        answer = await ask(app, address, where)
        assert answer.status in (404, 200)
        assert b"markalpha" not in answer.body
    overseer.execute(
        "UPDATE site_previews SET created_at = %s WHERE tenant_id = %s",
        [clock.now() - timedelta(hours=1), rosa.guru.id],
    )
    assert (await ask(app, target, rosa.guru.host)).status == 404


async def test_previews_do_not_pile_up(rosa: Owner, overseer: psycopg.Connection[Any]) -> None:
    for _ in range(25):
        await rosa.call("POST", "/previews", {"page": "/"}, expect=201)
    (kept,) = overseer.execute("SELECT count(*) FROM site_previews WHERE tenant_id = %s", [rosa.guru.id]).fetchone()
    assert kept <= 20


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
async def test_whatever_is_sent_a_page_is_drawn_or_the_fields_are_named(
    app: Porchlight, rosa: Owner, face: dict[str, Any]
) -> None:
    try:
        answer = await rosa.web.post("/api/guru/previews", json={"page": "/about", "face": face})
    except UnicodeEncodeError:
        return  # no client can send it
    assert answer.status_code in (201, 400, 422), answer.text
    if answer.status_code == 201:
        page = await _look(app, rosa, answer.json()["data"]["address"])
        assert page.status == 200, page.body
        assert loud(page.body.decode()) == []
        scripts = re.findall(rb"<script[^>]*>", page.body)
        assert all(b'"application/ld+json"' in tag or b'src="/_preview.js"' in tag for tag in scripts), scripts
