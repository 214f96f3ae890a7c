"""Response schemas of users for admins."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class UserRow(ResponseModel):
    """A user in the list. `guru`: the label of the user's site, or null."""

    id: str
    display_name: str
    handle: str
    email: str
    status: str
    guru: str | None
    created_at: str


class UserPage(ResponseModel):
    """A page of users, newest first."""

    items: list[UserRow]
    next_cursor: str | None


class UsersResponse(ResponseModel):
    """A page of users."""

    success: bool
    data: UserPage


class UserDetail(UserRow):
    """A user with all details."""

    email_verified: bool
    bio: str
    location: str
    skills_offered: list[str]
    skills_wanted: list[str]
    public_profile: bool
    open_sessions: int
    last_seen_at: str | None
    suspended_at: str | None
    suspended_reason: str
    site_status: str | None
    reports: int


class UserResponse(ResponseModel):
    """A user."""

    success: bool
    data: UserDetail
