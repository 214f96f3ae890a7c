"""Request and response schemas of the onboarding wizard (SPEC 3, 7.2)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from sites.guru_profile.skills import PrimarySkills
from sites.hours.service_settings import MAX_PLACE_LENGTH
from sites.services.defaults import DEFAULT_LABEL
from sites.services.limits import (
    MAX_DESCRIPTION_LENGTH,
    MAX_DURATION_LABEL_LENGTH,
    MAX_DURATION_MINUTES,
    MAX_FEATURE_LENGTH,
    MAX_FEATURES,
    MAX_PRICE_CENTS,
    MIN_DURATION_MINUTES,
)
from sites.services.limits import MAX_NAME_LENGTH as MAX_SERVICE_NAME_LENGTH
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_NAME_LENGTH = 80
MAX_CITY_LENGTH = 80
MAX_ZIP_LENGTH = 12
MAX_BIO_LENGTH = 2000
MAX_URL_LENGTH = 2000
MAX_SUBDOMAIN_LENGTH = 100  # longer than a valid label, so that the response can explain the rule
MAX_CATEGORIES = 40
MAX_SERVICES = 10
UPLOADED_PHOTO = re.compile(r"/api/photos/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp")
_ZIP = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 -]{1,10}[A-Za-z0-9])")
_WORD_CHARACTER = re.compile(r"\w")

WizardPlace = Literal["", "guru", "person", "online", "agreed"]
RequiredDocumentState = Literal["missing", "pending", "approved", "void"]


def _check_photo_url(url: str) -> str:
    """Check the URL of an external image or the path of an uploaded one.

    Browsers load it; the server never fetches it (docs/settled-questions.md).
    """
    if not url or UPLOADED_PHOTO.fullmatch(url):
        return url
    try:
        parts = urlsplit(url)
        good = parts.scheme == "https" and bool(parts.hostname) and not parts.username and parts.port in (None, 443)
    except ValueError:
        good = False
    if not good or not url.isascii() or re.search(r"[\s\"'<>\\`]", url):
        raise ValueError("must be a link that starts with https://")
    return url


def _check_zip(text: str) -> str:
    if not _ZIP.fullmatch(text):
        raise ValueError("doesn't look like a ZIP code")
    return text


def _check_not_blank(text: str) -> str:
    if not _WORD_CHARACTER.search(text):
        raise ValueError("This field is required.")
    return text


class WizardProfilePayload(Payload):
    """A complete profile step (SPEC 5)."""

    display_name: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH),
        ONE_LINE,
        AfterValidator(_check_not_blank),
    ]
    photo_url: Annotated[
        str, StringConstraints(max_length=MAX_URL_LENGTH), ONE_LINE, AfterValidator(_check_photo_url)
    ] = ""
    city: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_CITY_LENGTH),
        ONE_LINE,
        AfterValidator(_check_not_blank),
    ]
    zip: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_ZIP_LENGTH), ONE_LINE, AfterValidator(_check_zip)
    ]
    bio: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_BIO_LENGTH), PRINTABLE, AfterValidator(_check_not_blank)
    ]

    @field_validator("photo_url", mode="before")
    @classmethod
    def _null_to_empty(cls, value: Any) -> Any:
        return "" if value is None else value


class OnboardingDraftPayload(Payload):
    """Incomplete answers of the profile step, and the subdomain. Omitted fields do not change."""

    display_name: Annotated[str, StringConstraints(max_length=MAX_NAME_LENGTH), ONE_LINE] | None = None
    photo_url: Annotated[str, StringConstraints(max_length=MAX_URL_LENGTH), ONE_LINE] | None = None
    city: Annotated[str, StringConstraints(max_length=MAX_CITY_LENGTH), ONE_LINE] | None = None
    zip: Annotated[str, StringConstraints(max_length=MAX_ZIP_LENGTH), ONE_LINE] | None = None
    bio: Annotated[str, StringConstraints(max_length=MAX_BIO_LENGTH), PRINTABLE] | None = None
    subdomain: Annotated[str, StringConstraints(max_length=MAX_SUBDOMAIN_LENGTH, to_lower=True), ONE_LINE] | None = None


class CategoriesPayload(Payload):
    """The slugs of all categories the user offers; may be empty."""

    categories: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE]], Field(max_length=MAX_CATEGORIES)
    ]


class WizardServicePayload(Payload):
    """A service of the new site. `durationMinutes` null is for one by arrangement, with a label such as "Monthly".

    The label, the description and the points have defaults because earlier releases do not send them.
    """

    name: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_SERVICE_NAME_LENGTH),
        ONE_LINE,
        AfterValidator(_check_not_blank),
    ]
    price_cents: Annotated[int, Field(ge=0, le=MAX_PRICE_CENTS)]
    duration_minutes: Annotated[int, Field(ge=MIN_DURATION_MINUTES, le=MAX_DURATION_MINUTES)] | None
    duration_label: Annotated[str, StringConstraints(min_length=1, max_length=MAX_DURATION_LABEL_LENGTH), ONE_LINE] = (
        DEFAULT_LABEL
    )
    description: Annotated[str, StringConstraints(max_length=MAX_DESCRIPTION_LENGTH), PRINTABLE] = ""
    features: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=MAX_FEATURE_LENGTH), ONE_LINE]],
        Field(max_length=MAX_FEATURES),
    ] = Field(default_factory=list)


class WizardServicesPayload(Payload):
    """The services of the new site in their order, and where they take place.

    Without a place, as sent by earlier releases, the services of the new site are not open for booking.
    """

    services: Annotated[list[WizardServicePayload], Field(max_length=MAX_SERVICES)]
    place: WizardPlace = ""
    place_text: Annotated[str, StringConstraints(max_length=MAX_PLACE_LENGTH), PRINTABLE] = ""


class WizardSkillsPayload(Payload):
    """The primary skills of the new site, the most important one first."""

    skills: PrimarySkills


class SubdomainPayload(Payload):
    """A subdomain: the first label of the site's host."""

    subdomain: Annotated[str, StringConstraints(min_length=1, max_length=MAX_SUBDOMAIN_LENGTH, to_lower=True), ONE_LINE]


class PublishPayload(Payload):
    """The subdomain of a new site. Ignored when publishing again."""

    subdomain: (
        Annotated[str, StringConstraints(min_length=1, max_length=MAX_SUBDOMAIN_LENGTH, to_lower=True), ONE_LINE] | None
    ) = None


class WizardProfile(ResponseModel):
    """The profile step as last saved. `complete`: it is valid."""

    display_name: str
    photo_url: str
    city: str
    zip: str
    bio: str
    complete: bool


class WizardProfileResponse(ResponseModel):
    """The response of the profile step."""

    success: bool
    data: WizardProfile


class WizardSteps(ResponseModel):
    """Whether each step is complete (SPEC 3)."""

    profile_complete: bool
    categories_complete: bool
    requirements_complete: bool
    payout_connected: bool
    review_ready: bool


class StatusProfile(ResponseModel):
    """A summary of the profile (SPEC 3)."""

    display_name: str
    photo_url: str
    city: str
    zip: str
    bio: str


class StatusDocument(ResponseModel):
    """A summary of a document (SPEC 3)."""

    id: str
    type: str
    status: str
    category: str


class WizardCategory(ResponseModel):
    """A published category. `listed`: visitors see it; `verified`: its documents are approved.

    `overLimit`: it would be listed, but exceeds the plan.
    """

    slug: str
    name: str
    listed: bool
    over_limit: bool
    verified: bool
    needs_documents: bool


class WizardSite(ResponseModel):
    """The guru's site. `changed`: the wizard has answers that are not published yet."""

    subdomain: str
    url: str
    status: Literal["active", "unpublished", "suspended"]
    published_at: str | None
    changed: bool
    categories: list[WizardCategory]


class WizardService(ResponseModel):
    """A service of the new site. `durationLabel` ("Monthly") is for one without minutes."""

    name: str
    price_cents: int
    duration_minutes: int | None
    duration_label: str
    description: str
    features: list[str]


class ProposedHours(ResponseModel):
    """The hours that a new site starts with: on each of `weekdays` (Monday is 0), in minutes after midnight.

    `zone` is the IANA zone of the ZIP code.
    """

    zone: str
    weekdays: list[int]
    start: int
    end: int


class WizardServices(ResponseModel):
    """The services that a new site starts with: the default ones (SPEC 9) until the user has confirmed them.

    Neighbors can ask for times of those with minutes within `hours`. `place` is "" until the user has chosen one.
    """

    confirmed: bool
    services: list[WizardService]
    place: WizardPlace
    place_text: str
    hours: ProposedHours


class WizardServicesResponse(ResponseModel):
    """The response of PUT /api/onboarding/services."""

    success: bool
    data: WizardServices


class WizardSkills(ResponseModel):
    """The primary skills of a new site: proposed ones until the user has confirmed them."""

    confirmed: bool
    skills: list[str]


class WizardSkillsResponse(ResponseModel):
    """The response of PUT /api/onboarding/skills."""

    success: bool
    data: WizardSkills


class WizardStatus(ResponseModel):
    """The state of the wizard. `docs`: the newest documents by id; `site`: null until the site is published."""

    step: WizardSteps
    profile: StatusProfile
    picks: dict[str, bool]
    docs: dict[str, StatusDocument]
    skills: WizardSkills
    services: WizardServices
    subdomain: str
    site: WizardSite | None


class WizardStatusResponse(ResponseModel):
    """The response of GET /api/onboarding/status."""

    success: bool
    data: WizardStatus


class Requirements(ResponseModel):
    """The requirements of a category, with the field names of SPEC 3."""

    requires_license: bool = Field(alias="requires_license")
    requires_gl: bool = Field(alias="requires_gl")
    requires_auto_insurance: bool = Field(alias="requires_auto_insurance")
    notes: str


class NeededDocument(ResponseModel):
    """A document that a category requires. `state`: `void` means rejected or expired."""

    type: Literal["license", "insurance", "auto"]
    title: str
    state: RequiredDocumentState


class RequiredDocuments(ResponseModel):
    """A category and the documents it requires (SPEC 3, requirements item)."""

    slug: str
    name: str
    risk_level: Literal["low", "medium", "high", "extreme"]
    requirements: Requirements
    documents: list[NeededDocument]
    submitted: bool
    approved: bool


class WizardRequirements(ResponseModel):
    """All chosen categories, in the catalog's order."""

    needed: list[RequiredDocuments]


class WizardRequirementsResponse(ResponseModel):
    """The response of GET /api/onboarding/requirements."""

    success: bool
    data: WizardRequirements


class WizardCategories(ResponseModel):
    """The slugs of the chosen categories."""

    categories: list[str]


class WizardCategoriesResponse(ResponseModel):
    """The response of POST /api/onboarding/categories."""

    success: bool
    data: WizardCategories


class SkillProposals(ResponseModel):
    """Skills to choose from, the most fitting one first. None of them is on the site until the user chooses it."""

    skills: list[str]


class SkillProposalsResponse(ResponseModel):
    """The response of GET /api/onboarding/skill-proposals."""

    success: bool
    data: SkillProposals


class SubdomainData(ResponseModel):
    """Whether a subdomain is available. `reason`: why not; `suggestion`: an available one."""

    subdomain: str
    available: bool
    reason: str | None
    suggestion: str


class SubdomainResponse(ResponseModel):
    """The response of GET /api/onboarding/subdomain."""

    success: bool
    data: SubdomainData


class PublishData(ResponseModel):
    """The site after publishing, unpublishing or renaming. `made`: it was created."""

    subdomain: str
    url: str
    status: Literal["active", "unpublished"]
    made: bool


class PublishResponse(ResponseModel):
    """The response of routes that publish, unpublish or rename the site."""

    success: bool
    message: str
    data: PublishData
