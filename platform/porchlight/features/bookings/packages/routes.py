"""The packages of sessions that gurus gave to the user."""

from __future__ import annotations

from porchlight.dependencies import Context, CurrentUser
from porchlight.features.bookings.packages import queries
from porchlight.features.bookings.packages.schemas import OwnPackageResponse, OwnPackagesResponse
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import parse_id_or_404

router = FeatureRouter(prefix="/api/packages", tags=["bookings"], route_class=StrictRoute)


@router.get("", operation_id="list_own_packages", summary="List my packages")
async def list_own_packages(context: Context, user: CurrentUser) -> OwnPackagesResponse:
    """Return the user's packages of sessions: those with which they can book first."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        return OwnPackagesResponse(success=True, data=await queries.own_packages(session, user.user_id))


@router.get("/{grant_id}", operation_id="get_own_package", summary="Get my package")
async def get_own_package(context: Context, user: CurrentUser, grant_id: str) -> OwnPackageResponse:
    """Return a package of the user, with its history and its bookings."""
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        data = await queries.own_package(session, user.user_id, parse_id_or_404(grant_id))
    return OwnPackageResponse(success=True, data=data)
