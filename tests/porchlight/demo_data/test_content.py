"""Every file in `demo_data/content` has the format that the loader reads and the pages show."""

from __future__ import annotations

import colorsys
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import porchlight

CONTENT_DIR = Path(porchlight.__file__).parent / "demo_data" / "content"
LABELS = sorted(folder.name for folder in CONTENT_DIR.iterdir() if folder.is_dir())
POST_FILES = sorted(CONTENT_DIR.glob("*/posts/*"))

ICONS = {
    *("utensils", "music", "laptop", "leaf", "camera", "hammer"),
    *("dumbbell", "languages", "palette", "book", "heart", "star"),
}
# SPEC 3: the three gurus whose names and categories are fixed.
FIXED_GURUS = {
    "cooking": ("Chef Guru", "culinary"),
    "music": ("Music Guru", "audio"),
    "tech": ("Tech Guru", "technology"),
}
# SPEC 9: name, cents, minutes (None is "Monthly"), popular.
DEFAULT_SERVICES = [
    ("One-on-One Consultation", 7500, 60, True),
    ("Group Workshop", 4500, 90, False),
    ("Monthly Mentorship", 20000, None, False),
]
SESSION_MINUTES = range(30, 241)  # SPEC 9: sessions last 30 to 240 minutes
LEAD_STATUSES = {"new", "read", "answered", "archived"}
GURU_PAGES = {"/", "/about", "/blog", "/services", "/contact"}
TAG = re.compile(r"[a-z0-9-]+")
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
COLOR = re.compile(r"#[0-9a-f]{6}")
EMAIL = re.compile(r"[a-z]+(?:[.-][a-z]+)*@example\.com")
PHONE = re.compile(r"\((?:303|720)\) 555-01\d\d")  # a block of unassigned numbers
FILLER = re.compile(r"lorem|ipsum|\bTBD\b|\bcoming soon\b", re.IGNORECASE)


@dataclass(frozen=True)
class Post:
    guru: str
    file: Path
    front_matter: dict[str, Any]
    body: str


def read_guru(label: str) -> dict[str, Any]:
    return tomllib.loads((CONTENT_DIR / label / "guru.toml").read_text(encoding="utf-8"))


def read_post(file: Path) -> Post:
    """Split a post into its TOML head, between two lines of `+++`, and its Markdown body."""
    match = re.fullmatch(r"\+\+\+\n(.*?)\n\+\+\+\n(.*)", file.read_text(encoding="utf-8"), re.DOTALL)
    assert match, f"{file.name}: no front matter between lines of +++"
    return Post(file.parts[-3], file, tomllib.loads(match[1]), match[2])


def posts_of(label: str) -> list[Post]:
    return [read_post(file) for file in POST_FILES if file.parts[-3] == label]


def word_count(markdown: str) -> int:
    return len(markdown.split())


def parse(markdown: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(markdown)


def inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or []]


def hue_gap(first: str, second: str) -> float:
    """Degrees between two "#rrggbb" colors on the color wheel, 0 to 180."""
    hues = [colorsys.rgb_to_hsv(*(int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)))[0] * 360 for c in (first, second)]
    gap = abs(hues[0] - hues[1])
    return min(gap, 360 - gap)


def test_demo_content_has_named_gurus() -> None:
    assert set(LABELS) == {"cooking", "music", "tech", "garden", "woodwork", "spanish", "fitness", "photo"}
    for label, expected in FIXED_GURUS.items():
        guru = read_guru(label)
        assert (guru["character"], guru["category"]) == expected


def test_demo_gurus_differ_from_each_other() -> None:
    gurus = [read_guru(label) for label in LABELS]
    for field in ("character", "category", "tagline"):
        assert len({guru[field] for guru in gurus}) == len(gurus), field
    for field in ("primary_color", "secondary_color", "emoji", "icon"):
        assert len({guru["theme"][field] for guru in gurus}) == len(gurus), field
    for first, second in combinations(gurus, 2):
        gap = hue_gap(first["theme"]["primary_color"], second["theme"]["primary_color"])
        assert gap >= 20, f"{first['label']} and {second['label']} look alike: {gap:.0f} degrees apart"


def test_demo_gurus_are_met_by_day_and_at_dusk() -> None:
    appearances = Counter(read_guru(label)["theme"]["appearance"] for label in LABELS)
    assert appearances == {"day": 5, "dusk": 3}


def test_demo_slugs_and_owners_are_unique() -> None:
    front_matters = [read_post(file).front_matter for file in POST_FILES]
    for field in ("slug", "title"):
        duplicates = [
            value
            for value, count in Counter(front_matter[field] for front_matter in front_matters).items()
            if count > 1
        ]
        assert duplicates == [], field
    owners = Counter(read_guru(label)["owner"]["email"] for label in LABELS)
    assert max(owners.values()) == 1


def test_demo_posts_vary_in_age_and_views() -> None:
    front_matters = [read_post(file).front_matter for file in POST_FILES]
    days = [front_matter["days_ago"] for front_matter in front_matters]
    assert min(days) <= 7
    assert max(days) >= 300
    views = [front_matter["views"] for front_matter in front_matters]
    assert min(views) == 0
    assert any(0 < count < 1000 for count in views)
    assert max(views) > 20_000


@pytest.mark.parametrize("label", LABELS)
def test_demo_guru_is_valid(label: str) -> None:
    guru = read_guru(label)
    assert set(guru) - {"waiver_text"} == {
        *("label", "character", "category", "primary_skills", "tagline", "city"),
        *("owner", "theme", "seo", "calendar", "services", "leads"),
    }
    assert guru["label"] == label
    assert guru["character"].endswith("Guru")
    assert re.fullmatch(r"[a-z]+", guru["category"])
    assert 4 <= len(guru["primary_skills"]) <= 7
    assert len(set(guru["primary_skills"])) == len(guru["primary_skills"])
    assert all(0 < len(skill) <= 40 for skill in guru["primary_skills"])
    assert 20 <= len(guru["tagline"]) <= 140
    assert guru["city"] in {"Denver, Colorado", "Boulder, Colorado"}
    assert set(guru["owner"]) == {"first_name", "last_name", "email"}
    assert EMAIL.fullmatch(guru["owner"]["email"])
    assert set(guru["theme"]) == {"primary_color", "secondary_color", "icon", "emoji", "appearance", "typeface"}
    assert COLOR.fullmatch(guru["theme"]["primary_color"])
    assert COLOR.fullmatch(guru["theme"]["secondary_color"])
    assert guru["theme"]["icon"] in ICONS
    assert not guru["theme"]["emoji"].isascii()
    assert set(guru["seo"]) == {"title", "description"}
    assert 20 <= len(guru["seo"]["title"]) <= 60
    assert 60 <= len(guru["seo"]["description"]) <= 155


@pytest.mark.parametrize("label", LABELS)
def test_demo_services_are_valid(label: str) -> None:
    services = read_guru(label)["services"]
    # Each guru has prices of their own.
    assert [(item["name"], item.get("duration_minutes"), item["popular"]) for item in services[:3]] == [
        (name, minutes, popular) for name, _, minutes, popular in DEFAULT_SERVICES
    ]
    assert 4 <= len(services) <= 6
    assert len({item["name"] for item in services}) == len(services)
    for item in services:
        optional = {"duration_minutes", "duration_label", "capacity", "fixed_start", "approval", "waiver", "bring"} | {
            "questions"
        }
        assert set(item) - optional == {"name", "description", "price_cents", "popular", "features"}, item["name"]
        assert 0 < len(item["name"]) <= 60
        assert 60 <= len(item["description"]) <= 240, item["name"]
        assert isinstance(item["price_cents"], int)
        assert 1000 <= item["price_cents"] <= 60_000
        assert item["price_cents"] % 100 == 0
        if "duration_label" in item:
            assert item["duration_label"] == "Monthly"
            assert "duration_minutes" not in item
        else:
            assert item["duration_minutes"] in SESSION_MINUTES
        assert 3 <= len(item["features"]) <= 5, item["name"]
        assert all(0 < len(feature) <= 80 for feature in item["features"])


@pytest.mark.parametrize("label", LABELS)
def test_demo_leads_are_valid(label: str) -> None:
    guru = read_guru(label)
    names = {item["name"] for item in guru["services"]}
    assert 3 <= len(guru["leads"]) <= 8
    for lead in guru["leads"]:
        optional = {"phone", "service", "reply", "answered_after", "address"}
        assert set(lead) - optional == {"name", "email", "message", "days_ago", "status"}
        assert ("reply" in lead) == ("answered_after" in lead)
        assert "reply" not in lead or lead["status"] == "answered"
        assert lead["name"]
        assert EMAIL.fullmatch(lead["email"]), lead["email"]
        assert lead.get("address", "confirmed") in ("confirmed", "blocked")
        assert "phone" not in lead or PHONE.fullmatch(lead["phone"])
        assert 20 <= len(lead["message"]) <= 500
        assert 0 <= lead["days_ago"] <= 365
        assert lead["status"] in LEAD_STATUSES
        assert "service" not in lead or lead["service"] in names, lead.get("service")
    assert any(lead["status"] == "new" for lead in guru["leads"])


@pytest.mark.parametrize("label", LABELS)
def test_demo_about_is_valid(label: str) -> None:
    text = (CONTENT_DIR / label / "about.md").read_text(encoding="utf-8")
    assert 250 <= word_count(text) <= 400
    assert re.search(r"\bI\b", text), "an about page speaks in the first person"
    assert not FILLER.search(text)
    tokens = parse(text)
    assert tokens[0].type == "paragraph_open"
    assert "h1" not in {token.tag for token in tokens}
    assert not [token for token in tokens + inline(tokens) if token.type.startswith("html_")]


@pytest.mark.parametrize("label", LABELS)
def test_demo_guru_has_consistent_posts(label: str) -> None:
    posts = posts_of(label)
    assert 6 <= len(posts) <= 7
    assert [post.file.name for post in posts] == [
        f"{number:02d}-{post.front_matter['slug']}.md" for number, post in enumerate(posts, start=1)
    ]
    without = [post.front_matter["slug"] for post in posts if "excerpt" not in post.front_matter]
    assert len(without) == 1, "one post of every guru shows the fallback excerpt (SPEC 5)"
    assert len({post.front_matter["days_ago"] for post in posts}) == len(posts)
    tags = Counter(tag for post in posts for tag in post.front_matter["tags"])
    assert max(tags.values()) >= 2, "a tag page should hold more than one post"


@pytest.mark.parametrize("file", POST_FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_demo_post_is_valid(file: Path) -> None:
    post = read_post(file)
    front_matter = post.front_matter
    assert set(front_matter) - {"excerpt", "cover_alt"} == {"slug", "title", "tags", "days_ago", "views"}
    assert SLUG.fullmatch(front_matter["slug"])
    assert len(front_matter["slug"]) <= 80
    assert 10 <= len(front_matter["title"]) <= 80
    assert 2 <= len(front_matter["tags"]) <= 5
    assert len(set(front_matter["tags"])) == len(front_matter["tags"])
    assert all(TAG.fullmatch(tag) for tag in front_matter["tags"])
    assert "excerpt" not in front_matter or 60 <= len(front_matter["excerpt"]) <= 200
    assert 0 <= front_matter["days_ago"] <= 365
    assert 0 <= front_matter["views"] <= 24_000

    assert 350 <= word_count(post.body) <= 650
    assert not FILLER.search(post.body)
    tokens = parse(post.body)
    assert tokens[0].type == "paragraph_open", "a post begins with a paragraph"
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    assert headings.count("h2") >= 2
    assert set(headings) <= {"h2", "h3"}
    assert not [token for token in tokens + inline(tokens) if token.type.startswith("html_")]


@pytest.mark.parametrize("label", LABELS)
def test_demo_links_resolve_to_pages(label: str) -> None:
    """A link in a story opens a page of the same guru's site, or one of the example hosts."""
    posts = posts_of(label)
    pages = GURU_PAGES | {f"/blog/{post.front_matter['slug']}" for post in posts}
    pages |= {f"/blog/tag/{tag}" for post in posts for tag in post.front_matter["tags"]}
    texts = {post.file.name: post.body for post in posts}
    texts["about.md"] = (CONTENT_DIR / label / "about.md").read_text(encoding="utf-8")
    for name, text in texts.items():
        for token in inline(parse(text)):
            assert token.type != "image", f"{name}: stories carry no pictures"
            if token.type == "link_open":
                target = str(token.attrs["href"])
                assert target in pages or re.match(r"https://example\.(?:com|org)(?:/|$)", target), f"{name}: {target}"
