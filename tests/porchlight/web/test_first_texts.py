"""The first texts of pages whose address names their subject."""

from __future__ import annotations

from pathlib import Path

import httpx

from porchlight.settings.environment import Settings
from porchlight.web.first_texts import FirstPicture, FirstTexts, with_first_texts
from porchlight.web.main_site import MainSite
from porchlight.web.page_meta import Head
from porchlight_dev.environment import ROOT
from tenants.http.asgi import Receive, Scope, Send

PAGE = (
    '<html><head><title>{{lead}}</title><style>h1{}</style></head><body><a href="/?pet=name-of-this-page"></a>'
    '<h1>{{heading}}</h1><picture class="large">'
    '<img src="{{picture}}" width="{{picture-width}}" height="{{picture-height}}"/>'
    "</picture><p>{{lead}}</p></body></html>"
)


def test_first_texts_are_escaped_and_filled_in_once() -> None:
    page = with_first_texts(PAGE.encode(), FirstTexts("<b>Tom</b> & {{lead}}", "Purrs"), "tom").decode()
    assert "<title>{{lead}}</title>" in page
    assert "<h1>&lt;b&gt;Tom&lt;/b&gt; &amp; {{lead}}</h1><p>Purrs</p>" in page


def test_first_picture_has_its_size() -> None:
    page = with_first_texts(PAGE.encode(), FirstTexts("Tom", "", FirstPicture('/tom.webp"', 640, 480)), "tom").decode()
    assert '<picture class="large"><img src="/tom.webp&quot;" width="640" height="480"/></picture>' in page


async def _no_api(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError(scope["path"])


async def _pet_head(path: str, _origin: str) -> Head | None:
    return Head("Tom", "", "", first=FirstTexts("Tom", "Purrs")) if path.startswith("/pets/tom") else None


async def test_named_page_is_prerendered_for_new_visitors(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the common page")
    for folder, page in (("entrances", "<h1>Files of pets</h1>"), ("prerendered", PAGE)):
        (tmp_path / folder / "pets").mkdir(parents=True)
        (tmp_path / folder / "pets" / "any.html").write_text(page)
    site = MainSite(_no_api, Settings(main_web_dir=tmp_path), page_meta={"/pets/": _pet_head})
    transport = httpx.ASGITransport(app=site)
    async with httpx.AsyncClient(transport=transport, base_url="https://porchlight.localhost") as client:
        new = await client.get("/pets/tom", headers={"accept-encoding": "br"})
        known = await client.get("/pets/tom", headers={"cookie": "__session=1"})
        searching = await client.get("/pets/tom?near=Denver")
        odd = await client.get("/pets/tom%22")
        unknown = await client.get("/pets/rex")
    assert '<a href="/?pet=tom"></a><h1>Tom</h1><p>Purrs</p>' in new.text
    assert new.headers["content-encoding"] == "br"
    assert new.headers["vary"] == known.headers["vary"] == "Accept-Encoding, Cookie"
    assert "'sha256-" in new.headers["content-security-policy"]
    assert "'sha256-" not in known.headers["content-security-policy"]
    assert known.text == searching.text == odd.text == unknown.text == "<h1>Files of pets</h1>"
    assert [known.status_code, unknown.status_code] == [200, 404]


def test_built_pages_have_places_for_first_texts() -> None:
    for name, places in (
        ("listings", ("heading", "lead", "picture")),
        ("u", ("heading", "lead")),
        ("angels-list", ("heading", "lead")),
    ):
        page = (ROOT / "main-web/dist/prerendered" / name / "any.html").read_text()
        for place in places:
            assert page.count(f"{{{{{place}}}}}") == 1, (name, place)
