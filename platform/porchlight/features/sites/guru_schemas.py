"""Request and response schemas of the site profile, its overview and previews."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from sites.guru import Appearance, Icon, SiteThemeResponse, Typeface
from sites.guru_profile.skills import PrimarySkills
from sites.posts.schemas import PostCounts, PostTextPayload
from sites.previews.actions import PreviewPage
from sites.stats.queries import StatsResponse
from tenants.kit.email_addresses import wire_email
from tenants.kit.schemas import EMAIL, ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_CHARACTER_LENGTH = 80
MAX_TAGLINE_LENGTH = 160
MAX_CITY_LENGTH = 80
MAX_ABOUT_LENGTH = 20_000
MAX_SEO_TITLE_LENGTH = 120
MAX_SEO_DESCRIPTION_LENGTH = 320
MAX_EMOJI_LENGTH = 16
MAX_EMAIL_LENGTH = 254
MAX_REVISION_LENGTH = 64
_HEX_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


def _check_color(text: str) -> str:
    if not _HEX_COLOR.fullmatch(text):
        raise ValueError("must be a hex color, such as #22c55e")
    return text.lower()


Color = Annotated[str, AfterValidator(_check_color)]
About = Annotated[str, StringConstraints(max_length=MAX_ABOUT_LENGTH), PRINTABLE]
# In the form of the owner's account, with which it is compared.
ContactEmail = Annotated[
    str, StringConstraints(max_length=MAX_EMAIL_LENGTH), ONE_LINE, EMAIL, AfterValidator(wire_email)
]


class SiteProfileUpdate(Payload):
    """Changes to the site profile. Omitted fields do not change."""

    character: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARACTER_LENGTH), ONE_LINE] | None = None
    tagline: Annotated[str, StringConstraints(max_length=MAX_TAGLINE_LENGTH), ONE_LINE] | None = None
    city: Annotated[str, StringConstraints(max_length=MAX_CITY_LENGTH), ONE_LINE] | None = None
    primary_skills: PrimarySkills | None = None
    about: About | None = None
    primary_color: Color | None = None
    secondary_color: Color | None = None
    icon: Icon | None = None
    emoji: Annotated[str, StringConstraints(max_length=MAX_EMOJI_LENGTH), ONE_LINE] | None = None
    appearance: Appearance | None = None
    typeface: Typeface | None = None
    seo_title: Annotated[str, StringConstraints(max_length=MAX_SEO_TITLE_LENGTH), ONE_LINE] | None = None
    seo_description: Annotated[str, StringConstraints(max_length=MAX_SEO_DESCRIPTION_LENGTH), ONE_LINE] | None = None
    contact_email: ContactEmail | None = None


class SiteProfilePayload(SiteProfileUpdate):
    """Changes to save. `revision`: the revision that the changes are based on."""

    revision: Annotated[str, StringConstraints(max_length=MAX_REVISION_LENGTH), ONE_LINE]


class PreviewPayload(Payload):
    """A page to preview with unsaved changes. `post` is only for the page "/blog/[slug]"."""

    page: PreviewPage
    face: SiteProfileUpdate = Field(default_factory=SiteProfileUpdate)
    post: PostTextPayload | None = None


class SitePreviewUrl(ResponseModel):
    """The preview's URL. It works for 15 minutes, only in a frame of the main platform."""

    address: str


class SitePreviewResponse(ResponseModel):
    """The response of POST /api/guru/previews."""

    success: bool
    data: SitePreviewUrl


class SiteSuspension(ResponseModel):
    """The suspension of a site by an admin. `reason` is empty when none was given."""

    reason: str
    since: str


class MySite(ResponseModel):
    """A summary of the user's site. `status`: suspended by an admin, or unpublished by its guru."""

    label: str
    status: Literal["active", "suspended", "unpublished"]
    address: str
    new_leads: int
    suspension: SiteSuspension | None


class MyGuru(ResponseModel):
    """The signed-in user's site, or null."""

    guru: MySite | None


class MyGuruResponse(ResponseModel):
    """The response of GET /api/guru."""

    success: bool
    data: MyGuru


class SiteReadiness(ResponseModel):
    """Whether each part of a complete site is present. `hours`: the guru has saved the weekly hours."""

    tagline: bool
    about: bool
    skills: bool
    seo: bool
    contact_email: bool
    services: bool
    pictures: bool
    hours: bool
    posts: bool


class DailyVisitors(ResponseModel):
    """The number of visitors on a day (UTC)."""

    day: str
    visitors: int


class SiteVisits(ResponseModel):
    """The visitors of the last `days`, as many as the owner's plan shows.

    `daily`: the days with visitors, oldest first. `hasFile`: the plan includes the file with all days.
    """

    days: int
    visitors: int
    daily: list[DailyVisitors]
    has_file: bool


class SiteOverview(ResponseModel):
    """The first page of the console."""

    site: MySite
    character: str
    stats: StatsResponse
    visits: SiteVisits
    posts: PostCounts
    ready: SiteReadiness


class SiteOverviewResponse(ResponseModel):
    """The response of GET /api/guru/overview."""

    success: bool
    data: SiteOverview


class PresetColors(ResponseModel):
    """A pair of colors that every plan includes."""

    primary_color: str
    secondary_color: str


class SiteProfile(ResponseModel):
    """The texts and theme that a guru may edit. `about` is Markdown.

    `about_omissions` has a sentence for everything in it that the page does not show as typed.
    """

    revision: str
    character: str
    category: str
    tagline: str
    city: str
    primary_skills: list[str]
    about: str
    about_omissions: list[str]
    theme: SiteThemeResponse
    seo_title: str
    seo_description: str
    contact_email: str
    preset_colors: list[PresetColors]


class SiteProfileResponse(ResponseModel):
    """The response of GET and PUT /api/guru/site."""

    success: bool
    data: SiteProfile
