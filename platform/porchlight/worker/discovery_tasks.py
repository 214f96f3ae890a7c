"""Tasks of search, matches, listings and embeddings."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, RetryStrategy

from porchlight.embeddings import relations_job as embeddings
from porchlight.embeddings.relations_job import RELATE_TASK, requeue_other_methods
from porchlight.features.listings.geocode_profiles import GEOCODE_TASK, SYNC_PROFILES_TASK, geocode_user, sync_profiles
from porchlight.features.matches.emails import swap_ring_emails
from porchlight.features.matches.rings import NOTIFY_TASK, RINGS_TASK, propose_rings
from porchlight.features.search.alerts import ALERT_TASK, new_alerts
from porchlight.features.search.emails import search_alert_email
from porchlight.features.search.indexer import INDEX_TASK, reindex
from porchlight.ports import Embedder, Geocoder, Mailer
from tenants.db.jobs import enqueue_as_service
from tenants.kit.logs import log


@dataclass(frozen=True, slots=True)
class DiscoveryDependencies:
    """The adapters of these jobs. `embedder` None: without a model, phrases are related by their words."""

    mailer: Mailer
    main_origin: str
    embedder: Embedder | None
    geocoder: Geocoder


def add_tasks(app: App, service_dsn: str, dependencies: DiscoveryDependencies, retry: RetryStrategy) -> None:
    """Add the tasks to the app."""
    relating = asyncio.Lock()  # the model reads one batch at a time

    @app.task(name=RELATE_TASK, retry=retry, queueing_lock=RELATE_TASK)
    async def relate_phrases(tenant_id: str | None = None) -> None:
        async with relating:
            done = await asyncio.to_thread(embeddings.relate_phrases, service_dsn, dependencies.embedder)
        if done:
            log.info("phrases_related", phrases=done)

    @app.task(name=GEOCODE_TASK, retry=retry)
    async def place(tenant_id: str | None, user_id: str) -> None:
        await geocode_user(service_dsn, UUID(user_id), dependencies.geocoder)

    @app.task(name=SYNC_PROFILES_TASK, retry=retry)
    async def follow(tenant_id: str | None = None) -> None:
        await asyncio.to_thread(sync_profiles, service_dsn)

    @app.periodic(cron="* * * * *")
    @app.task(name=RINGS_TASK, pass_context=True, queueing_lock=RINGS_TASK)
    async def find_swap_rings(_context: JobContext, timestamp: int) -> None:
        made = await asyncio.to_thread(propose_rings, service_dsn)
        if made:
            log.info("swap_rings_proposed", rings=len(made))

    @app.task(name=NOTIFY_TASK, retry=retry)
    async def tell_swap_ring(tenant_id: str | None, ring_id: str) -> None:
        def work() -> None:
            with psycopg.connect(service_dsn) as conn:
                messages = swap_ring_emails(conn, UUID(ring_id), dependencies.main_origin)
            for message in messages:
                dependencies.mailer.send(message)

        await asyncio.to_thread(work)

    @app.periodic(cron="* * * * *")
    @app.task(name=INDEX_TASK, pass_context=True, queueing_lock=INDEX_TASK)
    async def gather(_context: JobContext, timestamp: int) -> None:
        await reindex(service_dsn, dependencies.geocoder)

    @app.periodic(cron="*/10 * * * *")
    @app.task(name=ALERT_TASK, pass_context=True, queueing_lock=ALERT_TASK)
    async def alert_searches(_context: JobContext, timestamp: int) -> None:
        for alert in await new_alerts(service_dsn, dependencies.geocoder):
            hits = [(hit.title, hit.who) for hit in alert.hits]
            origin = dependencies.main_origin
            message = search_alert_email(alert.key, alert.email, alert.name, alert.words, hits, origin)
            await asyncio.to_thread(dependencies.mailer.send, message)


def requeue_outdated_phrases(service_dsn: str, embedder: Embedder | None) -> None:
    """Enqueue the phrases that another model related. Called when a worker starts."""
    with psycopg.connect(service_dsn) as conn:
        if requeue_other_methods(conn, embedder):
            enqueue_as_service(conn, RELATE_TASK, lock=RELATE_TASK)
