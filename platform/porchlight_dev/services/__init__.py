"""The services of one run, in the order in which they start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from porchlight_dev.environment import DevEnvironment
from porchlight_dev.services.api import api_service
from porchlight_dev.services.auth_emulator import auth_emulator_service
from porchlight_dev.services.caddy import caddy_service
from porchlight_dev.services.fake_stripe import fake_stripe_service
from porchlight_dev.services.mail_receiver import mail_receiver_service
from porchlight_dev.services.postgres import postgres_service
from porchlight_dev.services.web_servers import next_service, vite_service
from porchlight_dev.services.worker import worker_service
from porchlight_dev.supervisor import DevService


@dataclass(frozen=True, slots=True)
class StartStep:
    """One step of the start: its title in the output, and its service (None: not part of this run)."""

    title: str
    service: Callable[[DevEnvironment], DevService | None]


DATABASE_STEP = StartStep("Database", postgres_service)
# Services that need no database. They start beside it.
PAYMENTS_STEP = StartStep("Payments", fake_stripe_service)
SIGN_IN_STEP = StartStep("Sign-in", auth_emulator_service)
# Services that need the migrated database. The steps of one group start at the same time.
PRODUCT_STEPS: tuple[tuple[StartStep, ...], ...] = (
    (StartStep("API", api_service),),
    (
        # After the API: it would run the queued jobs while the API starts.
        StartStep("Worker", worker_service),
        StartStep("Email", mail_receiver_service),
        StartStep("TLS", caddy_service),
        StartStep("Vite", vite_service),
        StartStep("Next.js", next_service),
    ),
)
