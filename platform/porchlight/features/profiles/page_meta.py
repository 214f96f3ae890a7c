"""The meta tags of a public profile, for search engines and link previews, which run no scripts."""

from __future__ import annotations

from functools import partial

from porchlight.contracts import PROFILE_PHOTO_PATH
from porchlight.features.profiles import queries
from porchlight.features.profiles.actions import PHOTO_SIZE_PIXELS
from porchlight.web.first_texts import FirstTexts
from porchlight.web.page_meta import Head, photo_properties, preview_tags
from tenants.db.pool import Database
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id

PREFIX = "/u/"
MAX_SKILLS = 3


async def profile_head(db: Database, path: str, origin: str) -> Head | None:
    """Return the head of the page at `path`, or None for an unknown or private profile."""
    handle = path.removeprefix(PREFIX).rstrip("/")
    try:
        profile = await queries.public_profile(db, handle)
    except NotFound:
        return None
    name = profile.display_name
    skills = ", ".join(skill.name for skill in profile.skills.offered[:MAX_SKILLS])
    where = f" in {profile.location}" if profile.location else ""
    description = f"{name} teaches {skills}{where}." if skills else f"{name} is a neighbor on Porchlight{where}."
    photo = profile.photo_url
    path = PREFIX + profile.handle
    title = f"{name} · Porchlight"  # as in main-web's page
    first = FirstTexts(name, profile.bio or f"{name} hasn't added a bio yet.")  # as in main-web's page
    photo_id = parse_id(photo.removeprefix(PROFILE_PHOTO_PATH).removesuffix(".webp"))
    if photo_id is None:  # a photo at another service, or none
        image = {"": photo, ":alt": name} if photo else None
        return Head(title, description, preview_tags(origin, path, title, description, image), first=first)
    stored = photo_properties(origin, path, PHOTO_SIZE_PIXELS, PHOTO_SIZE_PIXELS, name)
    tags = preview_tags(origin, path, title, description, stored)
    return Head(title, description, tags, partial(queries.photo, db, photo_id, None), first=first)
