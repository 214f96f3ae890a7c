"""The database and the adapters that jobs use. Apart from `dependencies.py`, so that the worker needs no FastAPI."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from porchlight.payment_ports import Payouts, StripeApi
from porchlight.ports import CertificateReader, Embedder, FileStore, Geocoder, Identity, Mailer, PushSender, Resolver
from porchlight.settings.secret_box import SecretBox
from tenants.db.rows import Connection
from tenants.tenancy.directory import read_site
from tenants.tenancy.main_address import origin_at


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDependencies:
    """The database and the adapters that jobs use. None: not configured; such a job logs a warning."""

    app_dsn: str  # of the app role
    mailer: Mailer
    staff_address: str
    main_origin: str  # for links in emails
    base_host: str
    sender_address: str  # from which emails come
    sign_in_secret: bytes = b""  # from which the digits of sign-in codes are derived
    reply_domain: str = ""  # at which we receive email, "" if we receive none
    geocoder: Geocoder
    identity: Identity | None = None
    files: FileStore | None = None
    payments: Payouts | None = None
    push: PushSender | None = None
    stripe: StripeApi | None = None
    embedder: Embedder | None = None
    resolver: Resolver | None = None
    certificates: CertificateReader | None = None
    secret_box: SecretBox | None = None
    local_calendars: frozenset[str] = frozenset()  # servers on this machine, in tests

    def site_origin(self, conn: Connection, label: str) -> str:
        """Return the origin of a site's main address, for links in emails: scheme and port are the main platform's."""
        main = urlsplit(self.main_origin)
        site = read_site(conn, label)
        host = site.main_host(self.base_host) if site else f"{label}.{self.base_host}"
        return origin_at(main.scheme, host, main.port)
