"""The meta tags of a public profile, for search engines and link previews, which run no scripts."""

from __future__ import annotations

from porchlight.features.profiles import queries
from porchlight.web.page_meta import Head, preview_tags
from tenants.db.pool import Database
from tenants.kit.errors import NotFound

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
    image = {"": origin + photo if photo.startswith("/") else photo, ":alt": name} if photo else None
    title = f"{name} · Porchlight"  # as in main-web's page
    return Head(title, description, preview_tags(origin, PREFIX + profile.handle, title, description, image))
