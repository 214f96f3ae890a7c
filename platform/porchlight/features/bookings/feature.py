"""Manifest of the feature `bookings`."""

from __future__ import annotations

from porchlight.features.bookings import models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="bookings",
    routers=(
        "porchlight.features.bookings.routes:router",
        "porchlight.features.bookings.guru.routes:router",
        "porchlight.features.bookings.customers.routes:router",
        "porchlight.features.bookings.customers.guru_routes:router",
        "porchlight.features.bookings.moves.routes:router",
        "porchlight.features.bookings.participants.routes:router",
        "porchlight.features.bookings.participants.guru_routes:router",
        "porchlight.features.bookings.series.routes:router",
        "porchlight.features.bookings.moves.guru_routes:router",
        "porchlight.features.bookings.following.routes:router",
        "porchlight.features.bookings.following.guru_routes:router",
        "porchlight.features.bookings.waitlist.routes:router",
        "porchlight.features.bookings.admin_routes:router",
    ),
    models=(models,),
    jobs="porchlight.features.bookings.jobs",
    personal_data={
        "bookings": "your bookings with gurus",
        "booking_events": "the history of your bookings",
        "participants": "who took part in your bookings, and whose waiver was signed",
        "booking_emails": "the emails we sent about your bookings",
        "waitlist": "full sessions you wait for",
    },
    # A visitor who chooses another time gives up the first one.
    guru_host_paths=("/api/holds/",),
    private_pages=("/book", "/booked", "/sessions"),
)
