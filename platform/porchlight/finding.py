"""The worker's tasks about finding each other: meaning, places, swap rings, search (see `jobs`)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

import psycopg
from procrastinate import App, JobContext, RetryStrategy

from porchlight.listings.placing import FOLLOW_TASK, PLACE_TASK, follow_profiles, place_neighbour
from porchlight.logs import log
from porchlight.matches.rings import RINGS_TASK, TELL_TASK, propose_rings
from porchlight.meaning.relating import RELATE_TASK, forget_other_methods, relate_waiting
from porchlight.notices.mail import Mailer
from porchlight.notices.rings import letters_about_ring
from porchlight.notices.searches import letter_of_search
from porchlight.ports import Embedder, Geocoder
from porchlight.search.alerts import ALERT_TASK, new_alerts
from porchlight.search.gathering import GATHER_TASK, gather_pages


@dataclass(frozen=True, slots=True)
class Helpers:
    """Whom these jobs need. `embedder` None: there is no model, and phrases are related by their words."""

    mailer: Mailer
    main_origin: str
    embedder: Embedder | None
    geocoder: Geocoder


def add_tasks(app: App, overseer_dsn: str, helpers: Helpers, retry: RetryStrategy) -> None:
    """Add them to the job app."""
    relating = asyncio.Lock()  # the model reads one batch at a time

    @app.task(name=RELATE_TASK, retry=retry, queueing_lock=RELATE_TASK)
    async def relate_phrases(tenant_id: str | None = None) -> None:
        async with relating:
            done = await asyncio.to_thread(relate_waiting, overseer_dsn, helpers.embedder)
        if done:
            log.info("phrases_related", phrases=done)

    @app.task(name=PLACE_TASK, retry=retry)
    async def place(tenant_id: str | None, user_id: str) -> None:
        await place_neighbour(overseer_dsn, UUID(user_id), helpers.geocoder)

    @app.task(name=FOLLOW_TASK, retry=retry)
    async def follow(tenant_id: str | None = None) -> None:
        await asyncio.to_thread(follow_profiles, overseer_dsn)

    @app.periodic(cron="* * * * *")
    @app.task(name=RINGS_TASK, pass_context=True, queueing_lock=RINGS_TASK)
    async def find_swap_rings(_context: JobContext, timestamp: int) -> None:
        made = await asyncio.to_thread(propose_rings, overseer_dsn)
        if made:
            log.info("swap_rings_proposed", rings=len(made))

    @app.task(name=TELL_TASK, retry=retry)
    async def tell_swap_ring(tenant_id: str | None, ring_id: str) -> None:
        def work() -> None:
            with psycopg.connect(overseer_dsn) as conn:
                letters = letters_about_ring(conn, UUID(ring_id), helpers.main_origin)
            for letter in letters:
                helpers.mailer.send(letter)

        await asyncio.to_thread(work)

    @app.periodic(cron="* * * * *")
    @app.task(name=GATHER_TASK, pass_context=True, queueing_lock=GATHER_TASK)
    async def gather(_context: JobContext, timestamp: int) -> None:
        await gather_pages(overseer_dsn, helpers.geocoder)

    @app.periodic(cron="*/10 * * * *")
    @app.task(name=ALERT_TASK, pass_context=True, queueing_lock=ALERT_TASK)
    async def alert_searches(_context: JobContext, timestamp: int) -> None:
        for alert in await new_alerts(overseer_dsn, helpers.geocoder):
            found = [(hit.title, hit.who) for hit in alert.hits]
            letter = letter_of_search(alert.key, alert.email, alert.name, alert.words, found, helpers.main_origin)
            await asyncio.to_thread(helpers.mailer.send, letter)


def begin(overseer_dsn: str, embedder: Embedder | None) -> None:
    """A worker starts: phrases that another model related are to be related anew."""
    with psycopg.connect(overseer_dsn) as conn:
        if forget_other_methods(conn, embedder):
            conn.execute("SELECT app.enqueue(%s, '{}', %s)", [RELATE_TASK, RELATE_TASK])
