"""The wizard on the wire (SPEC 3, 7.2)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

NAME, CITY, ZIP, BIO, URL, PICKS = 80, 80, 12, 2000, 2000, 40  # characters; picks: entries
_ZIP = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 -]{1,10}[A-Za-z0-9])")
_VISIBLE = re.compile(r"\w")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # a name must not rearrange the words around it

DocumentState = Literal["missing", "pending", "approved", "void"]


def _web_address(url: str) -> str:
    """A picture elsewhere: shown by browsers, never fetched by us (DESIGN 11)."""
    if not url:
        return url
    try:
        parts = urlsplit(url)
        good = parts.scheme == "https" and bool(parts.hostname) and not parts.username and parts.port in (None, 443)
    except ValueError:
        good = False
    if not good or not url.isascii() or re.search(r"[\s\"'<>\\`]", url):
        raise ValueError("must be an https address")
    return url


def _zip(text: str) -> str:
    if not _ZIP.fullmatch(text):
        raise ValueError("does not look like a ZIP code")
    return text


def _says_something(text: str) -> str:
    if not _VISIBLE.search(text):
        raise ValueError("field is required")
    return text


def _reads_one_way(text: str) -> str:
    if _TURNING.search(text):
        raise ValueError("has characters that turn the direction of the text")
    return text


class WizardProfilePayload(Payload):
    """The profile step, as it must be to go on (SPEC 5)."""

    display_name: Annotated[
        str,
        StringConstraints(min_length=1, max_length=NAME),
        ONE_LINE,
        AfterValidator(_says_something),
        AfterValidator(_reads_one_way),
    ]
    photo_url: Annotated[str, StringConstraints(max_length=URL), ONE_LINE, AfterValidator(_web_address)] = ""
    city: Annotated[
        str,
        StringConstraints(min_length=1, max_length=CITY),
        ONE_LINE,
        AfterValidator(_says_something),
        AfterValidator(_reads_one_way),
    ]
    zip: Annotated[str, StringConstraints(min_length=1, max_length=ZIP), ONE_LINE, AfterValidator(_zip)]
    bio: Annotated[str, StringConstraints(min_length=1, max_length=BIO), PRINTABLE, AfterValidator(_says_something)]

    @field_validator("photo_url", mode="before")
    @classmethod
    def _absent(cls, value: Any) -> Any:
        return "" if value is None else value


class DraftPayload(Payload):
    """What was typed so far, of the profile step and of the address at the review; what is not named stays."""

    display_name: Annotated[str, StringConstraints(max_length=NAME), ONE_LINE] | None = None
    photo_url: Annotated[str, StringConstraints(max_length=URL), ONE_LINE] | None = None
    city: Annotated[str, StringConstraints(max_length=CITY), ONE_LINE] | None = None
    zip: Annotated[str, StringConstraints(max_length=ZIP), ONE_LINE] | None = None
    bio: Annotated[str, StringConstraints(max_length=BIO), PRINTABLE] | None = None
    subdomain: Annotated[str, StringConstraints(max_length=100, to_lower=True), ONE_LINE] | None = None


class CategoriesPayload(Payload):
    """Every category somebody offers, by slug; an empty list while they cannot decide."""

    categories: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE]], Field(max_length=PICKS)
    ]


class SubdomainPayload(Payload):
    """A site address: the first label of its host."""

    subdomain: Annotated[str, StringConstraints(min_length=1, max_length=100, to_lower=True), ONE_LINE]


class PublishPayload(Payload):
    """What to publish under. Left out when publishing again: the address then stays as it is."""

    subdomain: Annotated[str, StringConstraints(min_length=1, max_length=100, to_lower=True), ONE_LINE] | None = None


class WizardProfile(Answer):
    """The profile step as it was last saved; `complete` when it may go on as it stands."""

    display_name: str
    photo_url: str
    city: str
    zip: str
    bio: str
    complete: bool


class OnboardingProfile(Answer):
    """The answer of calls about the profile step."""

    success: bool
    data: WizardProfile


class StepAnswer(Answer):
    """Which steps are done (SPEC 3)."""

    profile_complete: bool
    categories_complete: bool
    requirements_complete: bool
    payout_connected: bool
    review_ready: bool


class StatusProfile(Answer):
    """The profile in short (SPEC 3)."""

    display_name: str
    photo_url: str
    city: str
    zip: str
    bio: str


class StatusDocument(Answer):
    """A document in short (SPEC 3)."""

    id: str
    type: str
    status: str
    category: str


class WizardCategory(Answer):
    """A published category. Visitors see it while it is listed; `verified` once its documents were approved."""

    slug: str
    name: str
    listed: bool
    verified: bool
    needs_documents: bool


class WizardSite(Answer):
    """The guru's site. `url` is where it is; `changed`: the wizard has something the site does not show yet."""

    subdomain: str
    url: str
    status: Literal["active", "unpublished", "suspended"]
    published_at: str | None
    changed: bool
    categories: list[WizardCategory]


class WizardStatus(Answer):
    """How far somebody is. `docs` holds their newest documents by id; `site` is null before the first publishing."""

    step: StepAnswer
    profile: StatusProfile
    picks: dict[str, bool]
    docs: dict[str, StatusDocument]
    subdomain: str
    site: WizardSite | None


class OnboardingStatus(Answer):
    """The answer of GET /api/onboarding/status."""

    success: bool
    data: WizardStatus


class Requirements(Answer):
    """What a category wants, named as SPEC 3 names it."""

    requires_license: bool = Field(alias="requires_license")
    requires_gl: bool = Field(alias="requires_gl")
    requires_auto_insurance: bool = Field(alias="requires_auto_insurance")
    notes: str


class NeededDocument(Answer):
    """A document that a category wants, and how it stands: `void` was sent, but does not count (any more)."""

    type: Literal["license", "insurance", "auto"]
    title: str
    state: DocumentState


class NeededAnswer(Answer):
    """A category and what it wants (SPEC 3, requirements item)."""

    slug: str
    name: str
    risk_level: Literal["low", "medium", "high", "extreme"]
    requirements: Requirements
    documents: list[NeededDocument]
    submitted: bool
    approved: bool


class NeededData(Answer):
    """Every chosen category, in the catalogue's order."""

    needed: list[NeededAnswer]


class OnboardingRequirements(Answer):
    """The answer of GET /api/onboarding/requirements."""

    success: bool
    data: NeededData


class PicksData(Answer):
    """The categories as they are kept."""

    categories: list[str]


class OnboardingCategories(Answer):
    """The answer of POST /api/onboarding/categories."""

    success: bool
    data: PicksData


class SubdomainData(Answer):
    """Whether an address can be had. `reason` says why not; `suggestion` is one that can."""

    subdomain: str
    available: bool
    reason: str | None
    suggestion: str


class SubdomainAnswer(Answer):
    """The answer of GET /api/onboarding/subdomain."""

    success: bool
    data: SubdomainData


class PublishData(Answer):
    """The site after publishing, renaming or taking it down. `made`: it is new."""

    subdomain: str
    url: str
    status: Literal["active", "unpublished"]
    made: bool


class PublishAnswer(Answer):
    """The answer of calls that change the site as a whole."""

    success: bool
    message: str
    data: PublishData
