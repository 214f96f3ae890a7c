"""A guru's console on the wire: the site itself, its overview and previews."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, Field, StringConstraints

from sites.guru import Icon, ThemeAnswer
from sites.names import SLUG, plain_name
from sites.previews.actions import PreviewPage
from sites.stats.queries import StatsAnswer
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

CHARACTER, TAGLINE, CITY, SKILL, SKILLS, ABOUT = 80, 160, 80, 40, 12, 20_000  # characters, or entries, at most
SEO_TITLE, SEO_DESCRIPTION, EMOJI = 120, 320, 16
TITLE, EXCERPT, CONTENT, TAG, TAGS = 200, 400, 40_000, 40, 12
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def _colour(text: str) -> str:
    if not _COLOUR.fullmatch(text):
        raise ValueError('must be "#" and six hexadecimal digits')
    return text.lower()


def _skills(skills: list[str]) -> list[str]:
    return list(dict.fromkeys(skill for skill in skills if skill))


def _mail(text: str) -> str:
    try:
        return validate_email(text, check_deliverability=False, test_environment=True).normalized if text else ""
    except EmailNotValidError:
        raise ValueError("must be an email address") from None


def _slug(text: str) -> str:
    if text and not SLUG.fullmatch(text):
        raise ValueError("may have small letters, digits and hyphens only")
    return text


def _tags(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(name for tag in tags if (name := plain_name(tag, TAG))))


Colour = Annotated[str, AfterValidator(_colour)]
Line = Annotated[str, ONE_LINE]
Skill = Annotated[str, StringConstraints(max_length=SKILL), ONE_LINE]
About = Annotated[str, StringConstraints(max_length=ABOUT), PRINTABLE]


class WordsPayload(Payload):
    """A post's words. An empty slug is made from the title; an empty excerpt is the content's beginning."""

    title: Annotated[str, StringConstraints(max_length=TITLE), ONE_LINE]
    slug: Annotated[str, AfterValidator(_slug)] = ""
    tags: Annotated[
        list[Annotated[str, StringConstraints(max_length=80), ONE_LINE]], Field(max_length=TAGS), AfterValidator(_tags)
    ] = Field(default_factory=list)
    excerpt: Annotated[str, StringConstraints(max_length=EXCERPT), ONE_LINE] = ""
    content: Annotated[str, StringConstraints(max_length=CONTENT, strip_whitespace=False), PRINTABLE]


class FaceChanges(Payload):
    """How a guru presents themselves; what is not named stays."""

    character: Annotated[str, StringConstraints(min_length=1, max_length=CHARACTER), ONE_LINE] | None = None
    tagline: Annotated[str, StringConstraints(max_length=TAGLINE), ONE_LINE] | None = None
    city: Annotated[str, StringConstraints(max_length=CITY), ONE_LINE] | None = None
    primary_skills: Annotated[list[Skill], Field(max_length=SKILLS), AfterValidator(_skills)] | None = None
    about: About | None = None
    primary_color: Colour | None = None
    secondary_color: Colour | None = None
    icon: Icon | None = None
    emoji: Annotated[str, StringConstraints(max_length=EMOJI), ONE_LINE] | None = None
    seo_title: Annotated[str, StringConstraints(max_length=SEO_TITLE), ONE_LINE] | None = None
    seo_description: Annotated[str, StringConstraints(max_length=SEO_DESCRIPTION), ONE_LINE] | None = None
    contact_email: Annotated[str, StringConstraints(max_length=254), ONE_LINE, AfterValidator(_mail)] | None = None


class FacePayload(FaceChanges):
    """Changes to save. `revision` is the one they began from."""

    revision: Annotated[str, StringConstraints(max_length=64), ONE_LINE]


class PreviewPayload(Payload):
    """A page to look at before anything of it is saved. `post` belongs to the page "/blog/[slug]" alone."""

    page: PreviewPage
    face: FaceChanges = Field(default_factory=FaceChanges)
    post: WordsPayload | None = None


class PreviewAnswer(Answer):
    """Where the page can be looked at, for a quarter of an hour, in a frame of the main platform."""

    address: str


class PreviewMade(Answer):
    """The answer of POST /api/guru/previews."""

    success: bool
    data: PreviewAnswer


class MySiteAnswer(Answer):
    """A guru's site in short. `status`: active, suspended (by staff) or unpublished (by its guru)."""

    label: str
    status: Literal["active", "suspended", "unpublished"]
    address: str
    new_leads: int


class MineAnswer(Answer):
    """The site of who is signed in; null for a neighbour without one."""

    guru: MySiteAnswer | None


class Mine(Answer):
    """The answer of GET /api/guru."""

    success: bool
    data: MineAnswer


class ReadinessAnswer(Answer):
    """What a site has that a good one has."""

    tagline: bool
    about: bool
    skills: bool
    seo: bool
    contact_email: bool
    services: bool
    posts: bool


class PostCountsAnswer(Answer):
    """How many posts stand how."""

    draft: int
    scheduled: int
    published: int


class OverviewAnswer(Answer):
    """The first page of the console."""

    site: MySiteAnswer
    character: str
    stats: StatsAnswer
    posts: PostCountsAnswer
    ready: ReadinessAnswer


class Overview(Answer):
    """The answer of GET /api/guru/overview."""

    success: bool
    data: OverviewAnswer


class SiteAnswer(Answer):
    """Everything a guru may change of their site's texts and look. Markdown as it was written."""

    revision: str
    character: str
    category: str
    tagline: str
    city: str
    primary_skills: list[str]
    about: str
    theme: ThemeAnswer
    seo_title: str
    seo_description: str
    contact_email: str


class Site(Answer):
    """The answer of calls about the site's texts and look."""

    success: bool
    data: SiteAnswer


class DeskDone(Answer):
    """Something was done; `message` says so."""

    success: bool
    message: str
