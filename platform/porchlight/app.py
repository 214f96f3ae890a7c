"""The composition root: connects the parts, with the implementations of ports that `adapters.py` chooses.

A request passes, from the outside in: response cache, operator endpoints, request limits (id, body size, metrics),
tenant resolver, then the main site or a guru site.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

import orjson
from psycopg.types.json import set_json_loads

from porchlight import api, registry
from porchlight.adapters import embedder, geocoder, identity, payments, risk_classifier, skill_finder, stripe_api
from porchlight.auth.account_status import AccountStatusCache
from porchlight.auth.authenticator import Authenticator
from porchlight.auth.staff import AdminContext
from porchlight.auth.tokens import GOOGLE_CERTS_URL, Certificates, FirebaseTokens
from porchlight.catalog.catalog import open_skills, rated_categories
from porchlight.demo_data import connected_calendar
from porchlight.dependencies import AppContext, Flags, visitor_email
from porchlight.emails.mailbox import MailboxPage
from porchlight.embeddings.bio_skills import LimitedBioSkills
from porchlight.embeddings.query_relations import ModelRelations
from porchlight.features.admin.sessions import AdminKeyAuthenticator
from porchlight.features.angels import page_meta as angel_page_meta
from porchlight.features.bookings import page_meta as booking_page_meta
from porchlight.features.bookings import session_bookings
from porchlight.features.bookings.visitor_holds import VisitorHolds
from porchlight.features.domains.certificates import TlsServer
from porchlight.features.domains.resolver import DnsResolver
from porchlight.features.listings import page_meta as listing_page_meta
from porchlight.features.listings import queries as listing_queries
from porchlight.features.listings.cards import StoredCards
from porchlight.features.messages.stream.hub import Hub
from porchlight.features.money import admin_queries as books
from porchlight.features.profiles import page_meta as profile_page_meta
from porchlight.features.profiles.user_profiles import StoredProfiles
from porchlight.features.risk.assessor import RiskService
from porchlight.features.risk.decisions import RISK_DECISIONS_ID
from porchlight.features.waivers import queries as waiver_queries
from porchlight.flags.queries import FLAGS_ID, StoredFlags
from porchlight.settings.environment import Settings
from porchlight.settlement import inbox
from porchlight.settlement.rules import load_rules
from porchlight.storage.stores import create_store
from porchlight.web.exception_handlers import ErrorResponses
from porchlight.web.health import PATHS, OpsEndpoints
from porchlight.web.main_site import MainSite
from porchlight.web.page_meta import Head
from porchlight.web.request_limits import RequestLimitsMiddleware
from porchlight.web.sitemap import Sitemap
from sites.context import LEADS_PER_HOUR, SiteContext
from sites.hours.cache import FreeStartsCache
from sites.hours.holds import SiteBookings
from sites.rendering.router import GuruSite
from sites.rendering.snapshots import PageSnapshots
from sites.stats.views import ViewCounter
from tenants.db.change_listener import Listener
from tenants.db.clock_offset import require_same_clock
from tenants.db.pool import Database
from tenants.db.roles import require_least_privilege
from tenants.http.asgi import ASGIApp, Receive, Scope, Send, run_with_rest
from tenants.http.feature import Feature
from tenants.http.private_responses import PrivateResponses
from tenants.http.response_cache import ResponseCache
from tenants.kit import heap, logs
from tenants.tenancy.directory import Directory
from tenants.tenancy.middleware import TenantMiddleware

if TYPE_CHECKING:  # numpy is imported after its environment is set
    pass

set_json_loads(orjson.loads)


class Porchlight:
    """The product as one ASGI app, with its background tasks."""

    def __init__(self, settings: Settings, features: tuple[Feature, ...] = registry.FEATURES) -> None:
        self.settings = settings
        self.db = Database(settings.database_url)
        self.directory = Directory(self.db)
        self.views = ViewCounter(self.db)
        self.risk = RiskService(self.db, rated_categories(), risk_classifier(settings))
        self.flags = StoredFlags(self.db)
        self.context = compose(settings, self.db, self.risk, self.flags, features)
        self.site_context = SiteContext(
            self.db,
            self.directory,
            settings.base_host,
            settings.address_secret,
            None if settings.limits == "off" else LEADS_PER_HOUR,
            partial(self.context.flags.on, "systemReports"),
            partial(self.context.flags.on, "booking"),
            partial(self.context.flags.on, "certifications"),
            partial(self.context.flags.on, "messaging"),
            partial(self.context.flags.on, "reviews"),
            partial(visitor_email, self.context),
        )
        # Only admins read across tenants: with a pool of their own, and only where the service role is configured.
        self.service_db: Database | None = None
        if settings.overseer_database_url:
            self.service_db = Database(settings.overseer_database_url, reads=2, writes=2, force_custom_plan=True)
        self.api = api.build(
            self.site_context,
            self.context,
            admin_context(self.service_db, settings.admin_key),
            features,
        )
        self.message_hub = Hub(self.db, self.flags, settings.listen_database_url or settings.database_url)
        self.api.state.message_hub = self.message_hub
        private_api = PrivateResponses(self.api)
        error_responses = ErrorResponses(settings.base_host)
        resolver = TenantMiddleware(
            platform_app=MainSite(
                private_api,
                settings,
                mailbox=mailbox(settings),
                demo_files={connected_calendar.PATH: connected_calendar.family_calendar}
                if settings.local_calendar_servers
                else None,
                page_meta={
                    listing_page_meta.PREFIX: self._listing_head,
                    angel_page_meta.PREFIX: partial(angel_page_meta.service_head, self.db),
                    booking_page_meta.PREFIX: partial(booking_page_meta.hold_head, self.db),
                    profile_page_meta.PREFIX: self._profile_head,
                },
                sitemap=Sitemap(self.db, partial(self.context.flags.on, "skillListing")),
                private_pages=registry.private_pages(features),
                pictures=registry.pictures(features),
            ),
            site_app=GuruSite(
                private_api,
                self.site_context,
                SiteBookings(self.context.free_starts, VisitorHolds(self.db, settings.address_secret)),
                settings.guru_web_dir,
                registry.guru_host_paths(features),
            ),
            unknown_host_app=error_responses.unknown_host_app,
            error_app=error_responses.rejected,
            directory=self.directory,
            base_host=settings.base_host,
            loopback=not settings.production,
        )
        ops = OpsEndpoints(self.db, self.directory, settings.base_host)
        limited = RequestLimitsMiddleware(
            resolver, registry.max_body_bytes_of(features), registry.MAX_BODY_BYTES, settings.body_seconds
        )
        self.snapshots: PageSnapshots | None = None
        if settings.published_dir is not None:
            self.snapshots = PageSnapshots(
                settings.published_dir, self.db, settings.base_host, https_port=settings.https_port
            )
        self.response_cache = ResponseCache(
            _with_ops(ops, limited),
            trusted_proxies=settings.proxies,
            on_view=self.views.record_view,
            on_store=self.snapshots.on_store if self.snapshots else None,
            enabled=settings.page_cache == "on",
        )
        ops.response_cache = self.response_cache
        dsn = settings.listen_database_url or settings.database_url
        self.listener = Listener(dsn, on_change=self._on_change, on_connection_change=self._on_connection_change)

    async def _listing_head(self, path: str, origin: str) -> Head | None:
        if not await self.context.flags.on("skillListing"):
            return None
        has_profiles = await self.context.flags.on("userProfiles")
        return await listing_page_meta.listing_head(self.db, path, origin, has_profiles=has_profiles)

    async def _profile_head(self, path: str, origin: str) -> Head | None:
        if not await self.context.flags.on("userProfiles"):
            return None
        return await profile_page_meta.profile_head(self.db, path, origin)

    def _on_change(self, tenant_id: UUID, names: list[str]) -> None:
        if tenant_id == RISK_DECISIONS_ID:
            self.risk.decisions.on_change()
            return
        if tenant_id == FLAGS_ID:
            self.flags.on_change()
            return
        self.directory.invalidate_names(names)
        self.directory.invalidate_tenant(tenant_id)
        self.response_cache.invalidate(tenant_id)
        if self.snapshots is not None:
            self.snapshots.on_change(tenant_id, names)

    def _on_connection_change(self, connected: bool) -> None:
        self.directory.on_connection_change(connected)
        self.response_cache.on_connection_change(connected)
        self.risk.decisions.on_connection_change(connected)
        self.flags.on_change()
        if self.snapshots is not None:
            self.snapshots.on_connection_change(connected)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Porchlight]:
        """Open the pools and run the background tasks: listeners, view counter, page snapshots."""
        async with self.db, self.service_db or contextlib.nullcontext():
            background = (self.listener.run(), self.views.run(), self.message_hub.run())
            tasks = [asyncio.create_task(work) for work in background]
            if self.snapshots is not None:
                tasks.append(asyncio.create_task(self.snapshots.run()))
            try:
                yield self
            finally:
                self.message_hub.close()
                for task in tasks:
                    task.cancel()
                for task in tasks:
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
                if self.context.payments is not None:
                    await self.context.payments.close()
                if self.context.stripe is not None:
                    await self.context.stripe.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Dispatch an ASGI event: lifespan or an HTTP request."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await run_with_rest(self.response_cache, scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.running():
            heap.freeze_gc()
            await self.risk.load()
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def admin_context(service_db: Database | None, keys: str) -> AdminContext:
    """Create the context of admin routes, with the state of the books for the overview."""
    return AdminContext(service_db, keys, AdminKeyAuthenticator(keys), books)


def compose(
    settings: Settings,
    db: Database,
    risk: RiskService,
    flags: Flags,
    features: tuple[Feature, ...] = registry.FEATURES,
) -> AppContext:
    """Create the context of the main platform, with an adapter for every port."""
    tokens = None
    if settings.firebase_project_id:
        # The emulator does not sign its tokens. Where a certificate URL is set as well, only signed tokens count.
        unsigned = bool(settings.firebase_emulator_host) and not settings.firebase_certs_url
        certificates = None if unsigned else Certificates(settings.firebase_certs_url or GOOGLE_CERTS_URL)
        tokens = FirebaseTokens(settings.firebase_project_id, certificates)
    provider = identity(settings)
    profiles = StoredProfiles()
    return AppContext(
        db=db,
        settings=settings,
        authenticator=Authenticator(db, tokens, AccountStatusCache(provider), profiles),
        flags=flags,
        identity=provider,
        geocoder=geocoder(settings),
        files=create_store(settings.files_url),
        payments=payments(settings),
        stripe=stripe_api(settings),
        event_object=partial(inbox.object_of, load_rules(features)),
        listing_cards=StoredCards(db, risk),
        offer_counts=listing_queries,
        query_relations=ModelRelations(db, embedder(settings)),
        bio_skills=LimitedBioSkills(skill_finder(settings, open_skills())),
        risk=risk,
        profiles=profiles,
        waivers=waiver_queries,
        bookings=session_bookings,
        free_starts=FreeStartsCache(),
        resolver=DnsResolver(settings.dns_servers),
        certificates=TlsServer(settings.base_host, settings.https_port),
        personal_data=registry.personal_data(features),
    )


def mailbox(settings: Settings) -> MailboxPage | None:
    """Return the page that shows stored emails: in development, when no SMTP server is configured."""
    if settings.production or settings.smtp_url or not settings.overseer_database_url:
        return None
    return MailboxPage(settings.overseer_database_url, settings.reply_domain, settings.reply_port)


def _with_ops(ops: ASGIApp, rest: ASGIApp) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await (ops if scope["path"].startswith(PATHS) else rest)(scope, receive, send)

    return app


def create() -> Porchlight:
    """Create the app for a worker process of `porchlight serve`. Raises RuntimeError when the settings are invalid."""
    heap.limit_malloc_arenas()
    settings = Settings()
    logs.configure()
    for problem in settings.problems():
        raise RuntimeError(problem)
    require_least_privilege(settings.database_url)
    require_same_clock(settings.database_url)
    return Porchlight(settings)
