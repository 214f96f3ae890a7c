"""Documents made from the export: content, Content-Security-Policy, escaping, size."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any, get_args

import orjson
import pytest

from sites.guru import Typeface
from sites.rendering.renderer import RenderError
from sites.rendering.templates import GuruWeb, NotBuiltError
from sites.theme.palette import css
from tests.sites.rendering.page_props import CONTENT_PATHS, PLATFORM_REDIRECT_PATHS, Guru, extreme_guru, typical_guru

ORIGIN, MAIN = "https://cooking.example.org", "https://example.org"
PALETTE = css("#f97316", "#facc15", "dusk")


async def document(web: GuruWeb, path: str, guru: Guru | None = None) -> tuple[str, str]:
    page = (guru or Guru(typical_guru(), ORIGIN, MAIN)).page(path)
    assert page is not None
    name, props, query = page
    rendered = await web.page(name, props, query=query, palette_css=PALETTE, typeface="warm")
    return rendered.html.decode(), rendered.csp


def next_data(html: str) -> dict[str, object]:
    match = re.search(r'<script id="__NEXT_DATA__" type="application/json">(.*?)</script>', html, re.S)
    assert match is not None
    data: dict[str, object] = orjson.loads(match[1])
    return data


def test_every_exported_page_is_covered(web: GuruWeb) -> None:
    named = {
        page[0]
        for path in (*CONTENT_PATHS, *PLATFORM_REDIRECT_PATHS)
        if (page := Guru(typical_guru(), ORIGIN, MAIN).page(path))
    }
    assert named == set(web.pages) - {"/404"}


@pytest.mark.parametrize("path", CONTENT_PATHS)
async def test_page_data_matches_next_format(web: GuruWeb, path: str) -> None:
    guru = Guru(extreme_guru(), ORIGIN, MAIN)
    page = guru.page(path)
    assert page is not None
    name, props, query = page
    html, _ = await document(web, path, guru)
    data = next_data(html)

    assert data == {
        "props": {"pageProps": props, "__N_SSG": True},
        "page": name,
        "query": query,
        "buildId": web.build_id,
        "isFallback": False,
        "gsp": True,
        "scriptLoader": [],
    }
    assert orjson.loads(web.data(props)) == {"pageProps": props, "__N_SSG": True}


@pytest.mark.parametrize("guru", [typical_guru(), extreme_guru()])
@pytest.mark.parametrize("path", CONTENT_PATHS)
async def test_document_complies_with_its_csp(web: GuruWeb, path: str, guru: dict[str, object]) -> None:
    html, csp = await document(web, path, Guru(guru, ORIGIN, MAIN))
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.S)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert f"style-src 'self' 'sha256-{digest}'" in csp
    assert f"content=\"style-src 'self' 'sha256-{digest}'\"" in html
    assert style.endswith(PALETTE)
    assert "style=" not in html.replace(style, "")
    assert not re.search(r"<[^>]* on[a-z]+=", html)
    for script in re.findall(r"<script[^>]*>", html):
        assert 'src="/_next/static/' in script or "application/" in script
    assert "\u2028" not in html.split("__NEXT_DATA__")[1]
    assert '<link rel="stylesheet"' not in html
    for rule in ("default-src 'none'", "script-src 'self';", "base-uri 'none'", "frame-ancestors 'none'"):
        assert rule in csp


def test_frame_ancestors_are_configurable(web: GuruWeb) -> None:
    framed = GuruWeb(web.out_dir, web.out_dir.parent / "dist-ssr" / "server.js", frame_ancestors="https://example.org")
    assert framed.shell_csp().endswith("frame-ancestors https://example.org")


async def test_document_head_is_complete(web: GuruWeb) -> None:
    html, _ = await document(web, "/blog/crusty-bread-1")
    for part in (
        '<meta charset="utf-8"',
        '<title data-next-head="">Crusty bread without a special oven, part 1 · Chef Marisol</title>',
        f'<link rel="canonical" href="{ORIGIN}/blog/crusty-bread-1"',
        f'property="og:image" content="{ORIGIN}/og/blog/crusty-bread-1.png"',
        'property="og:type" content="article"',
        'name="twitter:card" content="summary_large_image"',
        '<link rel="icon" href="/favicon.svg"',
        '<link rel="apple-touch-icon" href="/apple-touch-icon.png"',
        '<link rel="alternate" href="/feed.xml" type="application/atom+xml"',
        '<link rel="alternate" href="/rss.xml" type="application/rss+xml"',
    ):
        assert part in html
    json_block = re.search(r'<script type="application/ld\+json"[^>]*>(.*?)</script>', html, re.S)
    assert json_block is not None
    assert orjson.loads(json_block[1])["@type"] == "BlogPosting"
    assert html.index("<meta charset") < 200


async def test_post_has_byline_and_share_button(web: GuruWeb) -> None:
    html, _ = await document(web, "/blog/crusty-bread-1")
    byline = html[html.index('<div class="byline">') : html.index('<div class="prose">')]
    assert re.search(r'By(<!-- -->)? <a class="byline-name" href="/about">Chef Marisol</a>', byline)
    assert re.search(r"<time [^>]+>", byline)
    # Without a script, the button is a link that starts an email.
    assert re.search(r'<div class="share"><a [^>]*href="mailto:\?', byline)


async def test_home_page_follows_display_rules(web: GuruWeb) -> None:
    # React separates adjacent texts by empty comments.
    html = (await document(web, "/"))[0].replace("<!-- -->", "")
    chips = re.search(r'<ul class="chips"[^>]*>(.*?)</ul>', html)
    assert chips is not None
    assert chips[1].count("<li>") == 5
    assert "Learn knife skills, sourdough and sauces at" in html
    assert "View All Resources" in html
    assert "48K+" in html
    assert "Monthly visitors" not in html
    assert "Inquiries" not in html
    facts = re.search(r'<ul class="icon-list guru-facts"[^>]*>(.*?)</ul>', html)
    assert facts is not None
    assert re.sub(r"<[^>]+>", "|", facts[1]).replace("||||", "").strip("|").split("||") == [
        "From $45",
        "38 sessions done",
        "Usually answers within 2 hours",
    ]
    assert "What neighbors say" in html
    assert "Chef Marisol replied" in html
    assert html.count("12 reviews)") == 3, "in the hero, on a service and above the newest reviews"
    assert "“Patient &amp; kind. Patient" not in html, "a review as an angel, until sessions have reviews"
    assert html.count("Book Now <span") == 3
    assert html.count(">Popular<") == 1
    assert "Join the Community" in html
    assert all(block.count("<li>") <= 3 for block in re.findall(r'<ul class="tags"[^>]*>(.*?)</ul>', html))


@pytest.mark.parametrize("is_on", [True, False])
async def test_pages_follow_flags_of_the_site(web: GuruWeb, is_on: bool) -> None:
    guru = Guru(typical_guru(), ORIGIN, MAIN)
    guru.site |= dict.fromkeys(["takesBookings", "takesReports", "takesMessages", "showsReviews"], is_on)
    unreviewed: dict[str, Any] = {"rating": None, "services": {}, "newest": []}
    home = guru.props(
        featuredPosts=[],
        gallery=guru.gallery,
        services=guru.services,
        stats=guru.stats,
        facts=guru.facts,
        reviews=unreviewed,
    )
    services = guru.props(services=guru.services, reviews=unreviewed)
    shown = {}
    contact = guru.props(services=[], form=None)
    for page, props in (("/", home), ("/services", services), ("/contact", contact)):
        html = (await web.page(page, props, query={}, palette_css=PALETTE, typeface="warm")).html.decode()
        shown[page] = html.partition('id="__NEXT_DATA__"')[0]
    assert ("Book Now" in shown["/"], "Book Now" in shown["/services"]) == (is_on, is_on)
    assert ("Book a session with" in shown["/services"]) is is_on
    assert ('href="/report"' in shown["/"]) is is_on
    assert (f'href="{MAIN}/messages/new?to=guru%3Acooking"' in shown["/contact"]) is is_on
    assert ('href="/reviews"' in shown["/"]) is is_on


async def test_home_page_of_empty_guru_renders(web: GuruWeb) -> None:
    guru = Guru({**typical_guru(), "primarySkills": [], "tagline": "", "city": ""}, ORIGIN, MAIN)
    nothing = {"totalPosts": 0, "totalViews": 0, "monthlyVisitors": 0, "totalLeads": 0}
    unknown = {"answerMinutes": None, "sessions": 0, "review": None}
    unreviewed: dict[str, Any] = {"rating": None, "services": {}, "newest": []}
    props = guru.props(
        featuredPosts=[],
        gallery={"hero": None, "pictures": []},
        services=[],
        stats=nothing,
        facts=unknown,
        reviews=unreviewed,
    )
    html = (await web.page("/", props, query={}, palette_css=PALETTE, typeface="warm")).html.decode()

    assert "Featured learning resources" not in html
    assert "View All Resources" not in html
    assert '<dl class="stats">' not in html
    assert "guru-facts" not in html.partition("<body>")[2]
    assert "All reviews" not in html
    assert "A look at the work" not in html
    assert '<ul class="chips"' not in html


async def test_notices_contain_no_scripts(web: GuruWeb) -> None:
    notice = (await web.notice("not-found", main_origin=MAIN)).html.decode()
    assert "<h1>Guru Not Found</h1>" in notice
    assert f'<a class="button" href="{MAIN}/">Go to Main Site</a>' in notice
    assert "<script" not in notice
    assert "This site is unavailable" in (await web.notice("suspended", main_origin=MAIN)).html.decode()


def test_shell_is_exported_page(web: GuruWeb) -> None:
    assert web.shell("/") == (web.out_dir / "index.html").read_bytes()
    assert next_data(web.shell("/blog/[slug]").decode())["props"] == {"pageProps": {"site": None}, "__N_SSG": True}
    assert "sha256" not in web.shell_csp()


async def test_palette_with_markup_raises(web: GuruWeb) -> None:
    guru = Guru(typical_guru(), ORIGIN, MAIN)
    with pytest.raises(ValueError, match="markup"):
        await web.page(
            "/contact", guru.props(services=[], form=None), query={}, palette_css="</style><script>", typeface="warm"
        )


async def test_invalid_props_raise_and_do_not_affect_next_page(web: GuruWeb) -> None:
    guru = Guru(typical_guru(), ORIGIN, MAIN)
    with pytest.raises(RenderError, match="/services"):
        await web.page("/services", guru.props(), query={}, palette_css=PALETTE, typeface="warm")
    assert "Chef Marisol" in (await document(web, "/services"))[0]
    with pytest.raises(KeyError):
        await web.page("/nowhere", guru.props(), query={}, palette_css=PALETTE, typeface="warm")


def test_missing_build_raises_with_instruction(tmp_path: Path) -> None:
    with pytest.raises(NotBuiltError, match="run `make setup`"):
        GuruWeb(tmp_path / "out", tmp_path / "server.js")


@pytest.mark.parametrize("typeface", get_args(Typeface))
def test_fonts_of_a_pair_are_within_size_budget(web: GuruWeb, typeface: Typeface) -> None:
    """A page in English loads the Latin fonts of its pair: at most 45 kB. None of them moves a text that is shown."""
    css = web.typefaces[typeface]
    faces = re.findall(r"@font-face\{[^}]*url\(([^)]+)\)[^}]*\}", css)
    latin = [face for face in faces if re.search(r"-latin-[0-9a-f]{16}\.woff2", face)]
    assert len(latin) in (1, 2)
    assert len(faces) == 2 * len(latin)
    assert css.count("font-display:optional") == len(faces)
    assert sum((web.out_dir / face.lstrip("/")).stat().st_size for face in latin) <= 45_000
    assert all("ascent-override" in face for face in re.findall(r"@font-face\{[^}]*local[^}]*\}", css))


async def test_home_page_is_within_size_budget(web: GuruWeb) -> None:
    """The compressed scripts of a page take at most 121 kB, the whole page at most 160 kB, its HTML one round trip."""
    import brotli

    html, _ = await document(web, "/")
    (boot, named) = re.findall(r'<script src="([^"]+)" defer data-scripts="([^"]+)"></script>', html)[0]
    named_by_boot = re.findall(r'"(/_next/static/[^"]+)"', (web.out_dir / boot.lstrip("/")).read_text(encoding="utf-8"))
    sources = [boot, *named.split(" "), *named_by_boot]
    sizes = {
        source: len(brotli.compress((web.out_dir / source.lstrip("/")).read_bytes(), quality=9)) for source in sources
    }
    assert len(sizes) >= 5
    scripts = sum(size for source, size in sizes.items() if source.endswith(".js"))
    assert scripts <= 121_000
    page = len(brotli.compress(html.encode(), quality=6))
    assert page <= 14_000
    assert sum(sizes.values()) + page <= 160_000
