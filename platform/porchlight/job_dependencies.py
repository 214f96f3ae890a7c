"""The database and the adapters that jobs use. Apart from `dependencies.py`, so that the worker needs no FastAPI."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from porchlight.ports import (
    CertificateReader,
    Embedder,
    FileStore,
    Geocoder,
    Identity,
    Mailer,
    Payouts,
    Resolver,
    StripeApi,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDependencies:
    """The database and the adapters that jobs use. None: not configured; such a job logs a warning."""

    app_dsn: str  # of the app role
    mailer: Mailer
    staff_address: str
    main_origin: str  # for links in emails
    base_host: str
    sender_address: str  # from which emails come
    geocoder: Geocoder
    identity: Identity | None = None
    files: FileStore | None = None
    payments: Payouts | None = None
    stripe: StripeApi | None = None
    embedder: Embedder | None = None
    resolver: Resolver | None = None
    certificates: CertificateReader | None = None

    def guru_origin(self, label: str) -> str:
        """Return the origin of a guru's site, for links in emails: scheme and port are the main platform's."""
        main = urlsplit(self.main_origin)
        port = f":{main.port}" if main.port else ""
        return f"{main.scheme}://{label}.{self.base_host}{port}"
