"""Manifest of the feature `bookings`."""

from __future__ import annotations

from porchlight.features.bookings import admin_routes, models, routes
from porchlight.features.bookings.guru import routes as guru_routes
from porchlight.features.bookings.moves import guru_routes as proposal_routes
from porchlight.features.bookings.moves import routes as move_routes
from porchlight.features.bookings.series import routes as series_routes
from porchlight.features.bookings.waitlist import routes as waitlist_routes
from tenants.http.feature import Feature

FEATURE = Feature(
    name="bookings",
    routers=(
        routes.router,
        guru_routes.router,
        move_routes.router,
        series_routes.router,
        proposal_routes.router,
        waitlist_routes.router,
        admin_routes.router,
    ),
    models=(models,),
    jobs="porchlight.features.bookings.jobs",
    personal_data={
        "bookings": "your bookings with gurus",
        "booking_events": "the history of your bookings",
        "booking_emails": "the emails we sent about your bookings",
        "waitlist": "full sessions you wait for",
    },
    # A visitor who chooses another time gives up the first one.
    guru_host_paths=("/api/holds/",),
    private_pages=("/book", "/sessions"),
)
