"""Manifest of the feature `bookings`."""

from __future__ import annotations

from porchlight.features.bookings import models
from porchlight.features.bookings.disputes import models as dispute_models
from porchlight.features.bookings.feeds import models as feed_models
from porchlight.features.bookings.guru.clients import models as client_models
from porchlight.features.bookings.packages import models as package_models
from porchlight.features.bookings.payments import models as payment_models
from porchlight.features.bookings.payments.invoices import models as invoice_models
from tenants.http.feature import Feature

FEATURE = Feature(
    name="bookings",
    routers=(
        "porchlight.features.bookings.routes:router",
        "porchlight.features.bookings.guru.routes:router",
        "porchlight.features.bookings.guru.clients.routes:router",
        "porchlight.features.bookings.passes.routes:router",
        "porchlight.features.bookings.passes.guru_routes:router",
        "porchlight.features.bookings.customers.routes:router",
        "porchlight.features.bookings.customers.guru_routes:router",
        "porchlight.features.bookings.moves.routes:router",
        "porchlight.features.bookings.questions.routes:router",
        "porchlight.features.bookings.participants.routes:router",
        "porchlight.features.bookings.participants.guru_routes:router",
        "porchlight.features.bookings.series.routes:router",
        "porchlight.features.bookings.moves.guru_routes:router",
        "porchlight.features.bookings.following.routes:router",
        "porchlight.features.bookings.following.guru_routes:router",
        "porchlight.features.bookings.waitlist.routes:router",
        "porchlight.features.bookings.feeds.routes:router",
        "porchlight.features.bookings.packages.routes:router",
        "porchlight.features.bookings.packages.guru_routes:router",
        "porchlight.features.bookings.payments.routes:router",
        "porchlight.features.bookings.payments.guru_routes:router",
        "porchlight.features.bookings.payments.invoices.routes:router",
        "porchlight.features.bookings.payments.invoices.guru_routes:router",
        "porchlight.features.bookings.refunds.guru_routes:router",
        "porchlight.features.bookings.refunds.admin_routes:router",
        "porchlight.features.bookings.disputes.guru_routes:router",
        "porchlight.features.bookings.tips.routes:router",
        "porchlight.features.bookings.admin_routes:router",
    ),
    models=(models, feed_models, package_models, client_models, payment_models, dispute_models, invoice_models),
    jobs="porchlight.features.bookings.jobs",
    settlement="porchlight.features.bookings.payments.settlement.rules",
    personal_data={
        "bookings": "your bookings with gurus",
        "booking_events": "the history of your bookings",
        "participants": "who took part in your bookings, and whose waiver was signed",
        "booking_emails": "the emails we sent about your bookings",
        "waitlist": "full sessions you wait for",
        "calendar_feeds": "the links with which your calendar shows your sessions, without their secrets",
        "package_grants": "packages of sessions that gurus gave you",
        "package_events": "the history of your packages",
        "payments": "what you paid by card",
        "refunds": "what was returned to your card",
        "invoices": "invoices with your company's name",
        "company_details": "the company that your invoices are made out to",
    },
    # A visitor who chooses another time gives up the first one.
    guru_host_paths=("/api/holds/",),
    private_pages=("/book", "/booked", "/packages", "/sessions", "/calendar/"),
)
