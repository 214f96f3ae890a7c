"""The implementation of `contracts.UserProfiles`, through which others create, read and complete profiles."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import ProfileCard, ProfileParts
from porchlight.features.profiles.actions import create_empty_profile, fill_in_profile
from porchlight.features.profiles.queries import profile_card


class StoredProfiles:
    """Profiles in the database."""

    async def create_empty(self, session: AsyncSession, user_id: UUID, name: str) -> None:
        """Create the profile of a new account. Raises Conflict if no handle is free."""
        await create_empty_profile(session, user_id, name)

    async def card(self, session: AsyncSession, user_id: UUID) -> ProfileCard | None:
        """Return a user's own name and photo, or None if the account was deleted."""
        return await profile_card(session, user_id)

    async def fill_in(self, session: AsyncSession, user_id: UUID, parts: ProfileParts) -> None:
        """Fill in what the profile lacks. What it has stays."""
        await fill_in_profile(session, user_id, parts)
