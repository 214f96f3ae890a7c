"""Neighbors and their sessions as staff see them, under the flags that govern them (DESIGN 11)."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query

from porchlight.admin import actions, people
from porchlight.admin.schemas import Done, ExchangesAnswer, NeededReasonPayload, PeopleAnswer, PersonAnswer
from porchlight.staff import Overseer, TheStaff, needs_flag
from sites.parts import StrictRoute
from tenants.kit.ids import known_id

router = APIRouter(tags=["admin"], route_class=StrictRoute)

_PROFILES = [Depends(needs_flag("userProfiles"))]


@router.get(
    "/users", response_model=PeopleAnswer, operation_id="admin_users", summary="All neighbors", dependencies=_PROFILES
)
async def read_people(
    overseer: Overseer,
    _staff: TheStaff,
    search: Annotated[str, Query(max_length=100, description="Part of an email, a name or a handle.")] = "",
    status: Annotated[Literal["active", "suspended"] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=36)] = None,
) -> PeopleAnswer:
    """Neighbors, the newest first."""
    page = await people.people(overseer, search=search, status=status, cursor=cursor)
    return PeopleAnswer.model_validate({"success": True, "data": page})


@router.get(
    "/users/{user_id}",
    response_model=PersonAnswer,
    operation_id="admin_user",
    summary="One neighbor",
    dependencies=_PROFILES,
)
async def read_person(overseer: Overseer, _staff: TheStaff, user_id: str) -> PersonAnswer:
    """What staff need to know of one neighbor."""
    return PersonAnswer.model_validate({"success": True, "data": await people.person(overseer, user_id)})


@router.post(
    "/users/{user_id}/suspension",
    response_model=Done,
    operation_id="suspend_user",
    summary="Shut a neighbor out",
    dependencies=_PROFILES,
)
async def suspend(overseer: Overseer, staff: TheStaff, user_id: str, payload: NeededReasonPayload) -> Done:
    """Every sign-in ends at once, in all workers; the site of a guru goes down with its owner."""
    wanted = known_id(user_id)
    await asyncio.to_thread(actions.suspend_user, overseer.dsn, staff.key_name, wanted, payload.reason)
    return Done(success=True)


@router.delete(
    "/users/{user_id}/suspension",
    response_model=Done,
    operation_id="restore_user",
    summary="Let a neighbor in again",
    dependencies=_PROFILES,
)
async def restore(overseer: Overseer, staff: TheStaff, user_id: str) -> Done:
    """They may sign in again; a site that went down with them is back."""
    await asyncio.to_thread(actions.restore_user, overseer.dsn, staff.key_name, known_id(user_id))
    return Done(success=True)


@router.get(
    "/sessions",
    response_model=ExchangesAnswer,
    operation_id="admin_sessions",
    summary="Exchange sessions",
    dependencies=[Depends(needs_flag("booking"))],
)
async def read_sessions(_staff: TheStaff) -> ExchangesAnswer:
    """Sessions that neighbors booked with each other. Nothing can be booked yet, so nobody has one."""
    return ExchangesAnswer.model_validate({"success": True, "data": {"items": [], "nextCursor": None}})
