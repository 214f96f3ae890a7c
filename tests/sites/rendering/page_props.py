"""Page props of two gurus: a typical one, and one with extreme values."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

Props = dict[str, Any]

PARAGRAPH = (
    "<p>Salt early, taste often, and let the pan get properly hot before anything goes in. "
    "A recipe is a conversation: it tells you where it was going, and you decide when to leave.</p>"
)
PREVIEW = "fed9a7c43b21" + "8648648648ff" + "000f00f0a00f"  # 4 by 3 colors
CONTENT = (
    PARAGRAPH * 3
    + "<h2>What to buy</h2><ul><li>Flour, the cheap one</li><li>A scale</li></ul>"
    + "<blockquote><p>Patience is an ingredient.</p></blockquote><h3>Numbers</h3>"
    + "<table><thead><tr><th>Bread</th><th>Water</th></tr></thead>"
    + "<tbody><tr><td>Rye</td><td>80%</td></tr></tbody></table>"
    + '<pre><code>if hungry and "<" in "</script>": bake()</code></pre>'
    + '<p>See <a href="/services">the workshops</a> and <code>python -m bake</code>.</p>'
)


def typical_guru() -> Props:
    """Return a typical guru."""
    return {
        "subdomain": "cooking",
        "character": "Chef Marisol",
        "category": "culinary",
        "primarySkills": ["knife skills", "sourdough", "sauces", "meal planning", "grilling", "preserving"],
        "tagline": "Weeknight cooking with the confidence of a Sunday.",
        "city": "Denver",
        "photoUrl": "",
        "categories": [{"slug": "practical", "name": "Practical", "verified": True}],
        "verified": True,
        "theme": {
            "primaryColor": "#f97316",
            "secondaryColor": "#facc15",
            "icon": "utensils",
            "emoji": "🍳",
            "appearance": "dusk",
            "typeface": "warm",
        },
        "seo": {
            "title": "Chef Marisol: cooking lessons in Denver",
            "description": "Cooking lessons for real kitchens.",
        },
    }


def extreme_guru() -> Props:
    """Return a guru with long names, markup in every text, a black theme and an unknown icon."""
    return {
        "subdomain": "long",
        "character": 'Professor Maximilian-Alexander Featherstonehaugh & <b>Søns</b> </script>"',
        "category": "languages & <i>letters</i>",
        "primarySkills": ["Donaudampfschifffahrtsgesellschaftskapitän", "<img src=x onerror=alert(1)>"],
        "tagline": "Ünïcödé \u2028 lines, 日本語 and “quotes” — all of it </style><script>alert(1)</script>",
        "city": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
        "photoUrl": 'https://pictures.example/"><script>alert(1)</script>.png',
        "categories": [{"slug": "odd", "name": "<b>Odd & ends</b> " + "and more " * 9, "verified": False}],
        "verified": False,
        "theme": {
            "primaryColor": "#000000",
            "secondaryColor": "#1e40af",
            "icon": "unknown-icon",
            "emoji": "★",
            "appearance": "day",
            "typeface": "bookish",
        },
        "seo": {"title": "Words & <b>letters</b>", "description": 'The "whole" alphabet & more </title>'},
    }


def card(number: int) -> Props:
    """Return a post in a list."""
    return {
        "id": f"post-{number}",
        "slug": f"crusty-bread-{number}",
        "title": f"Crusty bread without a special oven, part {number}",
        "tags": [{"slug": name, "name": name} for name in ("bread", "baking", "weeknight", "flour")]
        if number % 2
        else [{"slug": "c-plus-plus-and-rye", "name": "C++ & rye"}],
        "excerpt": "A heavy pot, a hot oven and a little patience give you the loaf that bakeries charge for.",
        "publishedAt": "2026-10-03T09:00:00Z",
        "views": 0 if number == 2 else 12345,
        "readTime": "4 min read",
        "cover": None
        if number % 2
        else {
            "path": "/images/loaf.webp",
            "thumbnail": "/images/loaf-640.webp",
            "srcset": "/images/loaf-320.avif 320w, /images/loaf-480.avif 480w, /images/loaf-640.avif 600w",
            "alt": "A dark loaf",
            "preview": PREVIEW,
        },
    }


def picture(name: str, alt: str, **changes: Any) -> Props:
    """Return a picture of 1600 by 1200 pixels."""
    sizes = ", ".join(f"/images/{name}-{width}.avif {width}w" for width in (320, 480, 640, 960, 1280))
    return {
        "path": f"/images/{name}.webp",
        "src": f"/images/{name}-640.webp",
        "srcset": sizes,
        "width": 1600,
        "height": 1200,
        "alt": alt,
        "focusX": 50,
        "focusY": 50,
        "preview": PREVIEW,
    } | changes


def typical_gallery() -> Props:
    """Return a picture at the top and five in the gallery."""
    names = ("kneading", "oven", "knives", "market", "table")
    return {
        "hero": picture("kitchen", "Two people at a stove", focusX=30, focusY=78),
        "pictures": [picture(name, f"The {name} & more") for name in names],
    }


def extreme_gallery() -> Props:
    """Return pictures with markup in their words, odd sizes, and no words, no preview or no larger size."""
    hostile = '"><script>alert(1)</script>'
    small = {"width": 16, "height": 2400, "srcset": "/images/thin-320.avif 16w", "preview": ""}
    return {
        "hero": picture("thin", hostile, focusX=0, focusY=100, **small),
        "pictures": [
            picture("long", "Donaudampfschifffahrtsgesellschaftskapitän " * 6, width=2400, height=16),
            picture("silent", ""),
            *(picture(f"many-{number}", hostile, preview="") for number in range(10)),
        ],
    }


def service(
    name: str, price: int, minutes: int | None, *, popular: bool = False, pictures: tuple[Props, ...] = ()
) -> Props:
    """Return a service."""
    return {
        "id": name.lower().replace(" ", "-"),
        "name": name,
        "description": "A calm hour about what you want to learn next.",
        "price": price,
        "currency": "USD",
        "duration": f"{minutes} minutes" if minutes else "Monthly",
        "durationMinutes": minutes,
        "popular": popular,
        "features": ["A plan of your own", "Notes to keep"] if popular else [],
        "bookable": minutes is not None,
        "pictures": list(pictures),
    }


def free_times() -> Props:
    """Return the free times of March 2027: two days with times for groups of up to six."""
    starts = [
        {"startsAt": f"2027-03-{day:02}T{hour}:00:00Z", "seats": hour - 15} for day in (2, 5) for hour in (16, 17, 21)
    ]
    return {
        "success": True,
        "zone": "America/Denver",
        "minutes": 90,
        "capacity": 6,
        "partyMax": 4,
        "approval": "request",
        "place": "guru",
        "freeUntilMinutes": 1440,
        "latePercent": 0,
        "missedPercent": 50,
        "payment": "in_person",
        "depositPercent": 20,
        "today": "2027-03-01",
        "lastDay": "2027-05-01",
        "firstDay": "2027-03-01",
        "days": 34,
        "starts": starts,
        "full": ["2027-03-03T17:00:00Z"],
        "next": starts[0],
        "message": "",
    }


class Guru:
    """The pages of one guru, by public path."""

    def __init__(self, guru: Props, origin: str, main_origin: str) -> None:
        self.guru = guru
        self.site = {
            "guru": guru,
            "origin": origin,
            "mainOrigin": main_origin,
            "returnOrigin": main_origin,
            "takesReports": True,
            "takesMessages": True,
            "showsReviews": True,
            "hasPosts": True,
            "takesBookings": True,
        }
        self.services = [
            service(
                "One-on-One Consultation",
                75,
                60,
                popular=True,
                pictures=(picture("class", "A class at a table"), picture("dough", "Dough")),
            ),
            service("Group Workshop", 45, 90, pictures=(extreme_gallery()["hero"],)),
            service("Monthly Mentorship", 1200, None),
        ]
        self.gallery = extreme_gallery() if guru["subdomain"] == "long" else typical_gallery()
        self.stats = {"totalPosts": 12, "totalViews": 48210, "monthlyVisitors": 0, "totalLeads": 3}
        self.facts = {
            "answerMinutes": 95,
            "sessions": 38,
            "review": {"words": "Patient & kind. " * 20, "rating": 5, "service": "Pet Sitting", "handle": "chef"},
        }

    def _review(self, number: int, **changes: Any) -> Props:
        texts = {"body": "Clear, patient & funny. " * 5, "author": "Ada", "service": "Group Workshop", "reply": ""}
        return (
            {"id": f"review-{number}", "stars": 1 + number % 5, "date": "2027-01-12", "removedWhy": ""}
            | texts
            | changes
        )

    @property
    def reviews(self) -> Props:
        """Return the reviews on home and services."""
        rating = {"average": 4.7, "reviews": 12}
        return {
            "rating": rating,
            "services": {self.services[0]["id"]: rating},
            "newest": [self._review(4, reply="Thank you!"), self._review(3, author=""), self._review(2)],
        }

    def reviews_page(self, cursor: str | None) -> Props:
        """Return the props of a page of reviews."""
        removed = self._review(9, stars=None, body="", author="", removedWhy="It names a child.")
        return self.props(
            rating=self.reviews["rating"],
            counts=[0, 0, 1, 2, 9],
            services=[{"serviceId": "service-1", "name": "Group Workshop", "rating": self.reviews["rating"]}] * 2,
            reviews=[*(self._review(number) for number in range(3)), removed],
            olderCursor=None if cursor else "older",
            newer=cursor is not None,
        )

    def props(self, **more: Any) -> Props:
        """Return page props: the site and the given values."""
        return {"site": self.site, **more}

    def blog(self, tag: str | None, cursor: str | None) -> Props:
        """Return the props of a blog page."""
        numbers = range(7, 10) if cursor else range(1, 7)
        return self.props(
            posts=[card(number) for number in numbers],
            tags=[
                {"slug": "bread", "name": "bread", "count": 4},
                {"slug": "c-plus-plus-and-rye", "name": "C++ & rye", "count": 5},
            ],
            tag=tag,
            olderCursor=None if cursor else "b2xkZXI",
            newer=cursor is not None,
        )

    def page(self, path: str) -> tuple[str, Props, dict[str, str]] | None:  # noqa: C901 - one branch per page
        """Return Next's name of the page at a path, its props, and the values of its parameters."""
        contact = [{"id": one["id"], "name": one["name"]} for one in self.services]
        match path.strip("/").split("/"):
            case [""]:
                cards = [card(number) for number in (1, 2, 3)]
                return (
                    "/",
                    self.props(
                        featuredPosts=cards,
                        gallery=self.gallery,
                        services=self.services,
                        stats=self.stats,
                        facts=self.facts,
                        reviews=self.reviews,
                    ),
                    {},
                )
            case ["about"]:
                return (
                    "/about",
                    self.props(
                        about=PARAGRAPH * 4,
                        gallery=self.gallery,
                        stats=self.stats,
                        facts=self.facts,
                        services=self.services,
                    ),
                    {},
                )
            case ["services"]:
                return "/services", self.props(services=self.services, reviews=self.reviews), {}
            case ["reviews"]:
                return "/reviews", self.reviews_page(None), {}
            case ["reviews", "older", cursor]:
                return "/reviews/older/[cursor]", self.reviews_page(cursor), {"cursor": cursor}
            case ["contact"]:
                return "/contact", self.props(services=contact, form=None), {}
            case ["blog"]:
                return "/blog", self.blog(None, None), {}
            case ["blog", "older", cursor]:
                return "/blog/older/[cursor]", self.blog(None, cursor), {"cursor": cursor}
            case ["blog", "tag", tag]:
                return "/blog/tag/[tag]", self.blog(tag, None), {"tag": tag}
            case ["blog", "tag", tag, "older", cursor]:
                return "/blog/tag/[tag]/older/[cursor]", self.blog(tag, cursor), {"tag": tag, "cursor": cursor}
            case ["blog", slug] if slug.startswith("crusty-bread-"):
                post = {**card(int(slug.removeprefix("crusty-bread-"))), "content": CONTENT}
                post["updatedAt"] = post["publishedAt"]
                return "/blog/[slug]", self.props(post=post, related=[card(8), card(9)]), {"slug": slug}
            case ["services", name, "times"]:
                found = next(one for one in self.services if one["id"] == name)
                props = self.props(service=found, times=free_times(), day="2027-03-02", formKey="key", form=None)
                return "/services/[service]/times", props, {"service": name}
            case ["report"]:
                about = {"title": self.guru["character"], "slug": None}
                return "/report", self.props(about=about, form=None), {}
            case ["report", "blog", slug]:
                about = {"title": card(1)["title"], "slug": slug}
                return "/report/blog/[slug]", self.props(about=about, form=None), {"slug": slug}
            case ["login" | "signup" | "dashboard" | "skills" | "angels-list" as name]:
                return f"/{name}", self.props(), {}
        return None


CONTENT_PATHS = (
    "/",
    "/about",
    "/blog",
    "/blog/crusty-bread-1",
    f"/blog/tag/{quote('c++ & rye')}",
    "/blog/older/b2xkZXI",
    "/blog/tag/bread/older/b2xkZXI",
    "/services",
    "/reviews",
    "/reviews/older/older",
    "/services/group-workshop/times",
    "/contact",
    "/report",
    "/report/blog/crusty-bread-1",
)
PLATFORM_REDIRECT_PATHS = ("/login", "/signup", "/dashboard", "/skills", "/angels-list")
