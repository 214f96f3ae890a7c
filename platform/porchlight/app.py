"""The composition root: every part is chosen and joined here.

A request passes, from outside in: the edge (ready bytes), the operator's paths, the guard (ids, limits, measurements),
the tenant resolver, then the main platform or a guru's site.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from uuid import UUID

import orjson
from psycopg.types.json import set_json_loads

import porchlight.tables  # noqa: F401 - every table is known before the first is asked for by its foreign key
from porchlight import api, logs, memory
from porchlight.accounts.door import FrontDoor
from porchlight.accounts.firebase import FirebaseIdentity
from porchlight.accounts.standing import Standings
from porchlight.accounts.tokens import GOOGLE_CERTS, Certificates, FirebaseTokens
from porchlight.admin.sessions import KeyDoor
from porchlight.answers import Refusals
from porchlight.files.stores import store_at
from porchlight.flags.queries import StoredFlags
from porchlight.guard import Guard
from porchlight.listings import pages as listing_pages
from porchlight.listings.cards import StoredCards
from porchlight.notices.mailbox import MailboxPage
from porchlight.onboarding.ownership import StoredOwnership
from porchlight.ops import PATHS, Ops
from porchlight.pages import Head
from porchlight.parts import PlatformParts
from porchlight.payouts.queries import StoredPayouts
from porchlight.places.gazetteer import Gazetteer
from porchlight.places.service import GeocodingService
from porchlight.ports import Embedder, Geocoder, Identity, Payouts
from porchlight.settings import Settings
from porchlight.skills.decisions import CHANGED as RISK_DECIDED
from porchlight.skills.judging import Judge
from porchlight.staff import StaffParts
from porchlight.webs import MainWeb
from sites.limits import UNLIMITED, LeadLimits
from sites.pages.site import GuruSite
from sites.parts import SiteParts
from sites.stats.counting import ViewCounter
from tenants.directory import Directory
from tenants.edge import App, Edge, Receive, Scope, Send
from tenants.kit.db import Database
from tenants.listener import Listener
from tenants.middleware import TenantMiddleware
from tenants.published import Published
from tenants.roles import refuse_privilege

set_json_loads(orjson.loads)


class Porchlight:
    """The whole product as one ASGI app, with what runs beside the requests."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.db = Database(settings.database_url)
        self.directory = Directory(self.db)
        self.views = ViewCounter(self.db)
        limits = UNLIMITED if settings.limits == "off" else LeadLimits()
        self.judge = Judge(self.db)
        self.platform = compose(settings, self.db, self.judge)
        takes_reports = partial(self.platform.flags.on, "systemReports")
        self.parts = SiteParts(
            self.db, self.directory, settings.base_host, settings.address_secret, limits, takes_reports
        )
        refusals = Refusals(settings.base_host)
        # Staff alone read across tenants: with a pool of their own, and only where an overseer is configured.
        overseer = settings.overseer_database_url
        self.overseer = (
            Database(overseer, reads=2, writes=2, plans_anew=True) if overseer and settings.admin_key else None
        )
        self.api = api.build(
            self.parts, self.platform, StaffParts(self.overseer, settings.admin_key, KeyDoor(settings.admin_key))
        )
        resolver = TenantMiddleware(
            platform=MainWeb(self.api, settings, mailbox(settings), {listing_pages.PREFIX: self._listing_head}),
            site=GuruSite(self.api, self.parts, settings.guru_web_dir, api.ON_GURU_HOSTS),
            nobody=refusals.nobody,
            refused=refusals.refused,
            directory=self.directory,
            base_host=settings.base_host,
            loopback=not settings.production,
        )
        ops = Ops(self.db, self.directory, settings.base_host)
        self._inner = _first(ops, Guard(resolver))
        self.published: Published | None = None
        if settings.published_dir is not None:
            self.published = Published(settings.published_dir, self.db, https_port=settings.https_port)
        self.edge = Edge(
            self._inner,
            trusted=settings.proxies,
            seen=self.views.seen,
            stored=self.published.page if self.published else None,
            enabled=settings.page_cache == "on",
        )
        ops.edge = self.edge
        dsn = settings.listen_database_url or settings.database_url
        self.listener = Listener(dsn, changed=self._changed, heard=self._heard)

    async def _listing_head(self, path: str, origin: str) -> Head | None:
        if not await self.platform.flags.on("skillListing"):
            return None
        return await listing_pages.listing_head(self.db, path, origin)

    def _changed(self, tenant_id: UUID, names: list[str]) -> None:
        if tenant_id == RISK_DECIDED:
            self.judge.decisions.changed()
            return
        self.directory.forget(names)
        self.directory.forget_tenant(tenant_id)
        self.edge.outdate(tenant_id)
        if self.published is not None:
            self.published.changed(tenant_id, names)

    def _heard(self, listening: bool) -> None:
        self.directory.heard(listening)
        self.edge.heard(listening)
        self.judge.decisions.heard(listening)
        if self.published is not None:
            self.published.heard(listening)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Porchlight]:
        """Open the pools and run what runs beside the requests: the listener, views, copies for outages."""
        async with self.db, self.overseer or contextlib.nullcontext():
            beside = [asyncio.create_task(self.listener.run()), asyncio.create_task(self.views.run())]
            if self.published is not None:
                beside.append(asyncio.create_task(self.published.run()))
            try:
                yield self
            finally:
                for task in beside:
                    task.cancel()
                for task in beside:
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
                if self.platform.payments is not None:
                    await self.platform.payments.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self.edge(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.running():
            memory.settle()
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def identity(settings: Settings) -> Identity | None:
    """The identity service's accounts; None when they cannot be asked about."""
    if not settings.firebase_project_id or not (settings.firebase_emulator_host or settings.firebase_credentials):
        return None
    return FirebaseIdentity(settings.firebase_project_id, settings.firebase_emulator_host)


def payments(settings: Settings) -> Payouts | None:
    """The payment provider; None when none is configured."""
    if not settings.stripe_secret_key:
        return None
    from porchlight.payouts.stripe import StripePayouts  # its SDK takes half a second to load

    return StripePayouts(settings.stripe_secret_key, settings.stripe_webhook_secret, settings.stripe_api_base)


def compose(settings: Settings, db: Database, judge: Judge) -> PlatformParts:
    """The parts of the main platform, each vendor behind its protocol."""
    tokens = None
    if settings.firebase_project_id:
        # The emulator does not sign. Where certificates are named besides, only signed tokens count.
        unsigned = bool(settings.firebase_emulator_host) and not settings.firebase_certs_url
        certificates = None if unsigned else Certificates(settings.firebase_certs_url or GOOGLE_CERTS)
        tokens = FirebaseTokens(settings.firebase_project_id, certificates)
    accounts = identity(settings)
    door = FrontDoor(db, tokens, Standings(accounts))
    return PlatformParts(
        db=db,
        settings=settings,
        door=door,
        flags=StoredFlags(db),
        ownership=StoredOwnership(db),
        identity=accounts,
        geocoder=geocoder(settings),
        files=store_at(settings.files_url),
        payments=payments(settings),
        payouts=StoredPayouts(db),
        listing_cards=StoredCards(db, judge),
        risk=judge,
    )


def geocoder(settings: Settings) -> Geocoder:
    """What names places: the gazetteer, with the service an operator named in front of it."""
    gazetteer = Gazetteer()
    return GeocodingService(settings.geocoder_url, gazetteer) if settings.geocoder_url else gazetteer


def embedder(settings: Settings) -> Embedder | None:
    """What reads the meaning of phrases, for the worker alone; None where there is no model."""
    # Read once, when numpy comes in: threads of arithmetic that wait for one another spin, and requests need the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported here: the model's arithmetic has no place in the memory of a process that answers requests.
    from porchlight.meaning.endpoint import EmbeddingEndpoint
    from porchlight.meaning.minilm import DIMENSIONS, MiniLM, model_folder

    if settings.embeddings_url == "off":
        return None
    if settings.embeddings_url:
        return EmbeddingEndpoint(settings.embeddings_url, settings.embeddings_key, DIMENSIONS)
    folder = model_folder()
    return MiniLM(folder) if folder is not None else None


def mailbox(settings: Settings) -> MailboxPage | None:
    """The page of mail that was kept instead of sent: in development, where no mail server is named."""
    if settings.production or settings.smtp_url or not settings.overseer_database_url:
        return None
    return MailboxPage(settings.overseer_database_url)


def _first(ops: App, rest: App) -> App:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await (ops if scope["path"].startswith(PATHS) else rest)(scope, receive, send)

    return app


def create() -> Porchlight:
    """What a worker of `porchlight serve` runs. Raises RuntimeError with one sentence when it must not."""
    memory.few_arenas()
    settings = Settings()
    logs.configure()
    for fault in settings.faults():
        raise RuntimeError(fault)
    refuse_privilege(settings.database_url)
    return Porchlight(settings)
