"""Accounts on the wire (SPEC 3, 7.2)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

NAME, DISPLAY, BIO, LOCATION, AVAILABILITY, SKILL, LANGUAGE, URL = 60, 120, 2000, 120, 500, 60, 40, 2000  # characters
SKILLS, LANGUAGES = 30, 20  # entries at most
HANDLE = re.compile(r"[a-z0-9](?:-?[a-z0-9]){2,39}")
EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
OWN_PHOTOS = "/api/photos/"

Level = Literal["beginner", "intermediate", "advanced", "expert"]


def _https(url: str) -> str:
    """A picture elsewhere: shown by the browser, never fetched by us (DESIGN 11)."""
    if not url or url.startswith(OWN_PHOTOS):
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError("must be an https address") from None
    if parts.scheme != "https" or not parts.hostname or parts.username or not url.isascii() or " " in url:
        raise ValueError("must be an https address")
    return url


def _coarse(text: str) -> str:
    """A city and state, no street: others see it."""
    if any(character.isdigit() for character in text):
        raise ValueError("should be a city and state, without street or number")
    return text


def _handle(text: str) -> str:
    if not HANDLE.fullmatch(text):
        raise ValueError("has 3 to 40 small letters, digits and single hyphens")
    return text


def _address(text: str) -> str:
    if not EMAIL.fullmatch(text):
        raise ValueError("Email is invalid")
    return text.lower()


Name = Annotated[str, StringConstraints(max_length=NAME), ONE_LINE]
DisplayName = Annotated[str, StringConstraints(max_length=DISPLAY), ONE_LINE]
PhotoUrl = Annotated[str, StringConstraints(max_length=URL), ONE_LINE, AfterValidator(_https)]


class SkillPayload(Payload):
    """A skill with how well it is known; a bare name is one without a level."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=SKILL), ONE_LINE]
    level: Level | None = None


SkillName = Annotated[str, StringConstraints(min_length=1, max_length=SKILL), ONE_LINE]
Skills = Annotated[list[SkillPayload | SkillName], Field(max_length=SKILLS)]


class SkillsPayload(Payload):
    """What somebody teaches and what they would learn."""

    offered: Skills = Field(default_factory=list)
    wanted: Skills = Field(default_factory=list)


class RegisterPayload(Payload):
    """What the client knows right after sign-up (SPEC 7.2).

    Who it is comes from the ID token alone; `email` is taken for SPEC's sake and not believed.
    """

    email: Annotated[str, StringConstraints(max_length=254), ONE_LINE] = ""
    first_name: Name = ""
    last_name: Name = ""
    display_name: DisplayName | None = ""
    skills: SkillsPayload = Field(default_factory=SkillsPayload)
    location: Annotated[str, StringConstraints(max_length=LOCATION), ONE_LINE] | None = ""
    photo_url: PhotoUrl | None = Field(default=None, alias="photoURL")


class PrivacyPayload(Payload):
    """What others may see."""

    public_profile: bool | None = None
    show_location: bool | None = None
    show_skills: bool | None = None
    show_availability: bool | None = None


class ProfilePayload(Payload):
    """Profile fields to change; what is not named stays. `email` may be repeated but is changed elsewhere."""

    email: Annotated[str, StringConstraints(max_length=254), ONE_LINE] | None = None
    handle: Annotated[str, AfterValidator(_handle)] | None = None
    first_name: Name | None = None
    last_name: Name | None = None
    display_name: Annotated[str, StringConstraints(min_length=1, max_length=DISPLAY), ONE_LINE] | None = None
    bio: Annotated[str, StringConstraints(max_length=BIO), PRINTABLE] | None = None
    location: Annotated[str, StringConstraints(max_length=LOCATION), ONE_LINE, AfterValidator(_coarse)] | None = None
    photo_url: PhotoUrl | None = Field(default=None, alias="photoURL")
    skills: SkillsPayload | None = None
    languages: (
        Annotated[
            list[Annotated[str, StringConstraints(min_length=1, max_length=LANGUAGE), ONE_LINE]],
            Field(max_length=LANGUAGES),
        ]
        | None
    ) = None
    availability: Annotated[str, StringConstraints(max_length=AVAILABILITY), PRINTABLE] | None = None
    privacy: PrivacyPayload | None = None

    @field_validator("location", "bio", "availability", mode="before")
    @classmethod
    def _absent(cls, value: Any) -> Any:
        return "" if value is None else value  # null empties a text


class SessionPayload(Payload):
    """An ID token to be exchanged for a cookie session."""

    id_token: Annotated[str, StringConstraints(min_length=1, max_length=8192)]


class EmailChangePayload(Payload):
    """The address one would have from now on."""

    email: Annotated[str, StringConstraints(min_length=3, max_length=254), ONE_LINE, AfterValidator(_address)]


class SkillAnswer(Answer):
    """A skill and its level."""

    name: str
    level: Level | None


class SkillsAnswer(Answer):
    """Skills offered and wanted."""

    offered: list[SkillAnswer]
    wanted: list[SkillAnswer]


class PrivacyAnswer(Answer):
    """What others may see."""

    public_profile: bool
    show_location: bool
    show_skills: bool
    show_availability: bool


class ProfileAnswer(Answer):
    """One's own profile. `photo_url` is "" without a picture."""

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
    skills: SkillsAnswer
    languages: list[str]
    availability: str
    privacy: PrivacyAnswer
    created_at: str


class OwnProfile(Answer):
    """The answer of calls about one's own profile."""

    success: bool
    data: ProfileAnswer


class PublicProfileAnswer(Answer):
    """What others see of a neighbour. What is hidden is empty."""

    handle: str
    display_name: str
    bio: str
    location: str
    photo_url: str = Field(alias="photoURL")
    skills: SkillsAnswer
    languages: list[str]
    availability: str
    member_since: str


class PublicProfile(Answer):
    """The answer of GET /api/users/{handle}."""

    success: bool
    data: PublicProfileAnswer


class SessionUser(Answer):
    """Who is signed in, as every host of ours may know it."""

    id: str
    handle: str
    display_name: str
    photo_url: str = Field(alias="photoURL")


class SessionState(Answer):
    """The person signed in, or null."""

    user: SessionUser | None


class SessionAnswer(Answer):
    """The answer of the session calls."""

    success: bool
    data: SessionState


class OpenSession(Answer):
    """A place where one is signed in. `device` is what its browser says of itself, in a few words."""

    id: str
    device: str
    user_agent: str
    authenticated_at: str
    created_at: str
    last_seen_at: str
    expires_at: str
    current: bool


class OpenSessions(Answer):
    """Every place where one is signed in, the newest first."""

    sessions: list[OpenSession]


class SessionsAnswer(Answer):
    """The answer of GET /api/auth/sessions."""

    success: bool
    data: OpenSessions


class Done(Answer):
    """It is done."""

    success: bool
    message: str
