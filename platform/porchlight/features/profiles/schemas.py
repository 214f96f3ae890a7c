"""Request and response schemas of profiles (SPEC 3, 7.2)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from porchlight.contracts import PROFILE_PHOTO_PATH
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

# Lengths are in characters.
MAX_NAME_LENGTH = 60
MAX_DISPLAY_NAME_LENGTH = 120
MAX_EMAIL_LENGTH = 254
MAX_BIO_LENGTH = 2000
MAX_LOCATION_LENGTH = 120
MAX_AVAILABILITY_LENGTH = 500
MAX_SKILL_LENGTH = 60
MAX_LANGUAGE_LENGTH = 40
MAX_URL_LENGTH = 2000
MAX_OFFERS, MAX_WANTS = 250, 30
MAX_LANGUAGES = 20
HANDLE = re.compile(r"[a-z0-9](?:-?[a-z0-9]){2,39}")

Level = Literal["beginner", "intermediate", "advanced", "expert"]


def _check_photo_url(url: str) -> str:
    """Accept an uploaded photo or an https URL, which only browsers load (docs/settled-questions.md)."""
    if not url or url.startswith(PROFILE_PHOTO_PATH):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError("must be a link that starts with https://") from None
    if parts.scheme != "https" or not parts.hostname or parts.username or not url.isascii() or " " in url:
        raise ValueError("must be a link that starts with https://")
    return url


def _check_handle(text: str) -> str:
    if not HANDLE.fullmatch(text):
        raise ValueError("must be 3 to 40 lowercase letters, numbers and single hyphens")
    return text


Name = Annotated[str, StringConstraints(max_length=MAX_NAME_LENGTH), ONE_LINE]
DisplayName = Annotated[str, StringConstraints(max_length=MAX_DISPLAY_NAME_LENGTH), ONE_LINE]
Email = Annotated[str, StringConstraints(max_length=MAX_EMAIL_LENGTH), ONE_LINE]
PhotoUrl = Annotated[str, StringConstraints(max_length=MAX_URL_LENGTH), ONE_LINE, AfterValidator(_check_photo_url)]
SkillName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_SKILL_LENGTH), ONE_LINE]
Language = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LANGUAGE_LENGTH), ONE_LINE]


class SkillPayload(Payload):
    """A skill with its level. A plain string is a skill without a level."""

    name: SkillName
    level: Level | None = None


Skills = list[SkillPayload | SkillName]


class SkillsPayload(Payload):
    """The skills that a user offers and wants to learn."""

    offered: Annotated[Skills, Field(max_length=MAX_OFFERS)] = Field(default_factory=list)
    wanted: Annotated[Skills, Field(max_length=MAX_WANTS)] = Field(default_factory=list)


class RegisterPayload(Payload):
    """The profile fields that the client has right after sign-up (SPEC 7.2).

    The ID token identifies the user; `email` is accepted because SPEC 7.2 lists it, and ignored.
    """

    email: Email = ""
    first_name: Name = ""
    last_name: Name = ""
    display_name: DisplayName | None = ""
    skills: SkillsPayload = Field(default_factory=SkillsPayload)
    location: Annotated[str, StringConstraints(max_length=MAX_LOCATION_LENGTH), ONE_LINE] | None = ""
    photo_url: PhotoUrl | None = Field(default=None, alias="photoURL")


class PrivacyPayload(Payload):
    """The parts of the profile that other users can see."""

    public_profile: bool | None = None
    show_location: bool | None = None
    show_skills: bool | None = None
    show_availability: bool | None = None


class ProfilePayload(Payload):
    """The profile fields to update. `email` may be present but must be the current one: it has its own route."""

    email: Email | None = None
    handle: Annotated[str, AfterValidator(_check_handle)] | None = None
    first_name: Name | None = None
    last_name: Name | None = None
    display_name: (
        Annotated[str, StringConstraints(min_length=1, max_length=MAX_DISPLAY_NAME_LENGTH), ONE_LINE] | None
    ) = None
    bio: Annotated[str, StringConstraints(max_length=MAX_BIO_LENGTH), PRINTABLE] | None = None
    location: Annotated[str, StringConstraints(max_length=MAX_LOCATION_LENGTH), ONE_LINE] | None = None
    photo_url: PhotoUrl | None = Field(default=None, alias="photoURL")
    skills: SkillsPayload | None = None
    languages: Annotated[list[Language], Field(max_length=MAX_LANGUAGES)] | None = None
    availability: Annotated[str, StringConstraints(max_length=MAX_AVAILABILITY_LENGTH), PRINTABLE] | None = None
    privacy: PrivacyPayload | None = None

    @field_validator("location", "bio", "availability", mode="before")
    @classmethod
    def _null_to_empty(cls, value: Any) -> Any:
        return "" if value is None else value


class ProfileSkillResponse(ResponseModel):
    """A skill and its level."""

    name: str
    level: Level | None


class ProfileSkillsResponse(ResponseModel):
    """Skills offered and wanted."""

    offered: list[ProfileSkillResponse]
    wanted: list[ProfileSkillResponse]


class PrivacyResponse(ResponseModel):
    """The parts of the profile that other users can see."""

    public_profile: bool
    show_location: bool
    show_skills: bool
    show_availability: bool


class ProfileResponse(ResponseModel):
    """The user's own profile. `photo_url` is "" without a photo."""

    id: str
    handle: str
    email: str
    email_verified: bool
    first_name: str
    last_name: str
    display_name: str
    bio: str
    location: str
    photo_url: str = Field(alias="photoURL")
    skills: ProfileSkillsResponse
    languages: list[str]
    availability: str
    privacy: PrivacyResponse
    created_at: str


class OwnProfile(ResponseModel):
    """The user's own profile."""

    success: bool
    data: ProfileResponse


class PublicProfileResponse(ResponseModel):
    """The public part of a profile. Hidden fields are empty."""

    handle: str
    display_name: str
    bio: str
    location: str
    photo_url: str = Field(alias="photoURL")
    skills: ProfileSkillsResponse
    languages: list[str]
    availability: str
    member_since: str


class PublicProfile(ResponseModel):
    """The response of GET /api/users/{handle}."""

    success: bool
    data: PublicProfileResponse
