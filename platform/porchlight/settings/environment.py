"""Settings from environment variables (docs/operations.md). Invalid settings stop the start with one sentence each."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from porchlight.settings import keys
from tenants.kit.email_addresses import EMAIL_ADDRESS, InvalidEmail, ascii_email, split_sender

REPOSITORY = Path(__file__).resolve().parents[3]


class Settings(BaseSettings):
    """All settings. Each `alias` is the environment variable, each text below a field its meaning in the documents."""

    model_config = SettingsConfigDict(
        extra="ignore", case_sensitive=False, populate_by_name=True, use_attribute_docstrings=True
    )

    database_url: str = Field(default="", alias="DATABASE_URL")
    """PostgreSQL as the role `porchlight_app`."""
    owner_database_url: str = Field(default="", alias="PORCHLIGHT_OWNER_DATABASE_URL")
    """The same database as `porchlight_owner`, for `porchlight migrate`."""
    overseer_database_url: str = Field(default="", alias="PORCHLIGHT_OVERSEER_DATABASE_URL")
    """The same database as the service role: admin area, worker, commands."""
    listen_database_url: str = Field(default="", alias="PORCHLIGHT_LISTEN_DATABASE_URL")
    """For LISTEN, which needs a session: bypasses a PgBouncer in transaction mode. Empty: `DATABASE_URL`."""
    env: Literal["development", "production"] = Field(default="production", alias="PORCHLIGHT_ENV")
    """`development` or `production`."""
    clock_offset_seconds: int = Field(default=0, alias="PORCHLIGHT_CLOCK_OFFSET_SECONDS")
    """Moves the clock of tests and demos; `porchlight.clock_offset` of the database has to agree. Not in production."""
    base_host: str = Field(default="porchlight.localhost", alias="PORCHLIGHT_BASE_HOST")
    """Host of the main platform; its subdomains are guru sites."""
    admin_key: str = Field(default="", alias="PORCHLIGHT_ADMIN_KEY")
    """The shared key of the admin area, at least 32 characters."""
    audit_key: str = Field(default="", alias="PORCHLIGHT_AUDIT_KEY")
    """Signs the audit log: one or more keys, the first signs. Empty: the service role's password."""
    waiver_keys: str = Field(default="", alias="PORCHLIGHT_WAIVER_KEYS")
    """Sign waivers: id:seed, separated by commas; the first signs. Development derives a key, production needs one."""
    secrets_key: str = Field(default="", alias="PORCHLIGHT_SECRETS_KEY")
    """Encrypts what gurus enter to connect calendars: id:key, with commas; the first encrypts. Empty: they cannot."""
    local_calendars: str = Field(default="", alias="PORCHLIGHT_LOCAL_CALENDARS")
    """Calendar servers on this machine that may be read over http, for tests: `host:port`, with commas."""
    push_key: str = Field(default="", alias="PORCHLIGHT_PUSH_KEY")
    """Sign notes to browsers (VAPID): base64url, with commas; browsers subscribe to the first key. Empty: no notes."""
    limits: Literal["on", "off"] = Field(default="on", alias="PORCHLIGHT_LIMITS")
    """`off` is for load tests. Production refuses to start with it."""
    page_cache: Literal["on", "off"] = Field(default="on", alias="PORCHLIGHT_PAGE_CACHE")
    """`off` turns off the response cache."""
    body_seconds: float = Field(default=15, gt=0, le=60, alias="PORCHLIGHT_BODY_SECONDS")
    """How long the body of a request may take, and an upload may stall."""
    trusted_proxies: str = Field(default="127.0.0.1", alias="PORCHLIGHT_TRUSTED_PROXIES")
    """Addresses whose X-Forwarded-For and X-Forwarded-Proto count, separated by commas."""
    smtp_url: str = Field(default="", alias="PORCHLIGHT_SMTP_URL")
    """SMTP server. Empty: email is stored in the database; `/_mail` shows it in development."""
    mail_from: str = Field(default="", alias="PORCHLIGHT_MAIL_FROM")
    """Sender of email. Empty: `notices@` the base host."""
    reply_domain: str = Field(default="", alias="PORCHLIGHT_REPLY_DOMAIN")
    """Domain whose email `porchlight receive-mail` takes: replies and answers to invitations. Empty: none."""
    reply_server: str = Field(default="", alias="PORCHLIGHT_REPLY_SERVER")
    """The id of your mail server in front of it, in the Authentication-Results that it adds. Empty: without one."""
    reply_port: int = Field(default=2525, ge=1, le=65535, alias="PORCHLIGHT_REPLY_PORT")
    """The port on which `porchlight receive-mail` listens. Your mail server or port 25 leads there."""
    reply_tls: str = Field(default="", alias="PORCHLIGHT_REPLY_TLS")
    """Certificate and key of that port, as two paths separated by a comma. Empty: no encryption."""
    main_url: str = Field(default="", alias="PORCHLIGHT_MAIN_URL")
    """URL of the main platform, with the port, for links in emails. Empty: https at the base host."""
    contact_email: str = Field(default="", alias="PORCHLIGHT_CONTACT_EMAIL")
    """Recipient of the contact form, shown on /about. Empty: `hello@` the base host."""
    operator_name: str = Field(default="", alias="PORCHLIGHT_OPERATOR_NAME")
    """The operator's name on /about."""
    operator_address: str = Field(default="", alias="PORCHLIGHT_OPERATOR_ADDRESS")
    """The operator's postal address on /about."""
    operator_phone: str = Field(default="", alias="PORCHLIGHT_OPERATOR_PHONE")
    """The operator's phone number on /about."""
    firebase_project_id: str = Field(default="", alias="FIREBASE_PROJECT_ID")
    """Firebase project. Empty: offline mode."""
    firebase_api_key: str = Field(default="", alias="FIREBASE_API_KEY")
    """Web API key of the Firebase project, for browsers."""
    firebase_auth_domain: str = Field(default="", alias="FIREBASE_AUTH_DOMAIN")
    """Host of the sign-in pages. Empty: `firebaseapp.com` of the project."""
    firebase_emulator_host: str = Field(default="", alias="FIREBASE_AUTH_EMULATOR_HOST")
    """The Auth emulator. Production refuses to start with it."""
    firebase_certs_url: str = Field(default="", alias="PORCHLIGHT_FIREBASE_CERTS_URL")
    """Keys that sign ID tokens. Empty: Google's."""
    firebase_credentials: str = Field(default="", alias="GOOGLE_APPLICATION_CREDENTIALS")
    """File of the Firebase service account."""
    files_url: str = Field(default=(REPOSITORY / ".state" / "files").as_uri(), alias="PORCHLIGHT_FILES_URL")
    """Uploaded files: `file:///…` or `s3+https://KEY:SECRET@host/bucket/folder?region=…`."""
    stripe_secret_key: str = Field(default="", alias="STRIPE_SECRET_KEY")
    """Stripe's key. Empty: payments are not set up."""
    stripe_webhook_secret: str = Field(default="", alias="STRIPE_WEBHOOK_SECRET")
    """Secret of the webhook of the platform's own events. During a rotation: the new and the old one, with a comma."""
    stripe_connect_webhook_secret: str = Field(default="", alias="STRIPE_CONNECT_WEBHOOK_SECRET")
    """The same for the webhook of connected accounts."""
    stripe_api_base: str = Field(default="", alias="STRIPE_API_BASE")
    """Another address of Stripe's API, such as the fake Stripe."""
    stripe_publishable_key: str = Field(default="", alias="STRIPE_PUBLISHABLE_KEY")
    """Stripe's key for browsers."""
    stripe_pricing_table_id: str = Field(default="", alias="STRIPE_PRICING_TABLE_ID")
    """The pricing table of /pricing."""
    stripe_pricing_table_url: str = Field(default="", alias="STRIPE_PRICING_TABLE_URL")
    """The script of the pricing table. Empty: Stripe's own."""
    skill_sharer_fee_bps: int = Field(default=1000, ge=0, le=10_000, alias="PORCHLIGHT_SKILL_SHARER_FEE_BPS")
    """The platform's fee on a session of a Skill Sharer, in basis points of the price."""
    premium_angel_fee_bps: int = Field(default=700, ge=0, le=10_000, alias="PORCHLIGHT_PREMIUM_ANGEL_FEE_BPS")
    """The same for a Premium Angel."""
    minimum_fee_cents: int = Field(default=50, ge=0, alias="PORCHLIGHT_MINIMUM_FEE_CENTS")
    """The least fee on a session."""
    money_live: Literal["on", "off"] = Field(default="off", alias="PORCHLIGHT_MONEY_LIVE")
    """Production starts with a live key of Stripe only if this is `on`."""
    instant_fee_bps: int = Field(default=150, ge=0, le=10_000, alias="PORCHLIGHT_INSTANT_FEE_BPS")
    """Price of an instant payout in basis points: that of Stripe's platform pricing tools."""
    instant_fee_minimum_cents: int = Field(default=50, ge=0, alias="PORCHLIGHT_INSTANT_FEE_MINIMUM_CENTS")
    """The least price of an instant payout."""
    instant_daily_count: int = Field(default=5, ge=0, alias="PORCHLIGHT_INSTANT_DAILY_COUNT")
    """Instant payouts of a guru per day (US Central)."""
    instant_daily_cents: int = Field(default=250_000, ge=0, alias="PORCHLIGHT_INSTANT_DAILY_CENTS")
    """Amount of a guru's instant payouts per day."""
    instant_platform_daily_cents: int = Field(default=5_000_000, ge=0, alias="PORCHLIGHT_INSTANT_PLATFORM_DAILY_CENTS")
    """Amount of all instant payouts per day."""
    instant_first_sale_days: int = Field(default=7, ge=0, alias="PORCHLIGHT_INSTANT_FIRST_SALE_DAYS")
    """Days from a guru's first sale to the first instant payout."""
    instant_change_hours: int = Field(default=72, ge=0, alias="PORCHLIGHT_INSTANT_CHANGE_HOURS")
    """Hours without instant payouts after a change of the bank account or card."""
    instant_sign_in_cents: int = Field(default=50_000, ge=0, alias="PORCHLIGHT_INSTANT_SIGN_IN_CENTS")
    """Above this amount, the last sign-in has to be recent."""
    instant_sign_in_minutes: int = Field(default=30, ge=1, alias="PORCHLIGHT_INSTANT_SIGN_IN_MINUTES")
    """How recent that sign-in is."""
    geocoder_url: str = Field(default="", alias="PORCHLIGHT_GEOCODER_URL")
    """Reverse-geocoding service. Empty: the gazetteer alone."""
    dns_servers: str = Field(default="", alias="PORCHLIGHT_DNS_SERVERS")
    """Name servers for checks of custom domains: addresses with optional ports. Empty: the system's."""
    embeddings_url: str = Field(default="", alias="PORCHLIGHT_EMBEDDINGS_URL")
    """An OpenAI-compatible embeddings endpoint, or `off`. Empty: the installed model."""
    embeddings_key: str = Field(default="", alias="PORCHLIGHT_EMBEDDINGS_KEY")
    """Key of that endpoint."""
    published_dir: Path | None = Field(default=None, alias="PORCHLIGHT_PUBLISHED_DIR")
    """Folder of published pages, which Caddy serves while the API is down."""
    https_port: int = Field(default=443, alias="PORCHLIGHT_HTTPS_PORT")
    """The public port. Only pages requested on this port are saved as snapshots."""
    guru_web_dir: Path = Field(default=REPOSITORY / "guru-web", alias="PORCHLIGHT_GURU_WEB_DIR")
    """Build of guru-web."""
    main_web_dir: Path = Field(default=REPOSITORY / "main-web" / "dist", alias="PORCHLIGHT_MAIN_WEB_DIR")
    """Build of main-web."""

    @field_validator("base_host", "reply_domain")
    @classmethod
    def _lower(cls, value: str) -> str:
        return value.strip().lower().removesuffix(".").split(":")[0]

    @property
    def production(self) -> bool:
        """Return whether this is a production installation."""
        return self.env == "production"

    @property
    def live_money(self) -> bool:
        """Return whether Stripe's key moves real money."""
        return self.stripe_secret_key.startswith(("sk_live", "rk_live"))

    @property
    def proxies(self) -> frozenset[str]:
        """Return the addresses of trusted proxies, whose X-Forwarded-For and -Proto count."""
        return frozenset(part.strip() for part in self.trusted_proxies.split(",") if part.strip())

    @property
    def local_calendar_servers(self) -> frozenset[str]:
        """Return the calendar servers that may be on this machine, never in production."""
        servers = "" if self.production else self.local_calendars
        return frozenset(part.strip() for part in servers.split(",") if part.strip())

    @property
    def address_secret(self) -> bytes:
        """Return the key of IP address hashes. It is stored nowhere: it is derived from a server secret."""
        return hashlib.sha256(b"porchlight addresses\0" + self.database_url.encode()).digest()

    @property
    def device_secret(self) -> bytes:
        """Return the key that signs the cookies of known admin devices. It is stored nowhere, either."""
        return hashlib.sha256(b"porchlight devices\0" + self.database_url.encode()).digest()

    @property
    def sign_in_secret(self) -> bytes:
        """Return the key of the digits of sign-in codes. It is stored nowhere, either."""
        return hashlib.sha256(b"porchlight sign-in codes\0" + self.database_url.encode()).digest()

    @property
    def main_origin(self) -> str:
        """Return the main platform's origin, for links in emails."""
        return self.main_url.rstrip("/") or f"https://{self.base_host}"

    @property
    def own_hosts(self) -> frozenset[str]:
        """Return the platform's own hosts, which no guru can add as a custom domain."""
        return frozenset({self.base_host, urlsplit(self.main_origin).hostname or self.base_host})

    @property
    def sender(self) -> str:
        """Return the sender of email: an address with an optional name."""
        return self.mail_from or f"Porchlight <notices@{self.base_host}>"

    @property
    def staff_address(self) -> str:
        """Return the recipient of the contact form."""
        return self.contact_email or f"hello@{self.base_host}"

    @property
    def auth_domain(self) -> str:
        """Return the host of Firebase's sign-in pages."""
        return self.firebase_auth_domain or f"{self.firebase_project_id}.firebaseapp.com"

    @property
    def emulator_url(self) -> str | None:
        """Return the Auth emulator's URL for browsers, or None without an emulator."""
        return f"http://{self.firebase_emulator_host}" if self.firebase_emulator_host else None

    @property
    def pricing_table_script(self) -> str:
        """Return the URL of the script of the pricing table."""
        return self.stripe_pricing_table_url or "https://js.stripe.com/v3/pricing-table.js"

    def problems(self) -> list[str]:
        """Return why these settings cannot be served, one sentence per problem."""
        problems: list[str] = []
        if not self.database_url:
            problems.append("DATABASE_URL is not set: give the URL of PostgreSQL with the role porchlight_app.")
        if self.production and self.limits == "off":
            problems.append("PORCHLIGHT_LIMITS=off is for load tests: production refuses to start with it.")
        if self.production and self.firebase_emulator_host:
            problems.append(
                "FIREBASE_AUTH_EMULATOR_HOST is set: the emulator's tokens are not signed, and production refuses to "
                "start with it."
            )
        if self.production and self.firebase_certs_url and not self.firebase_certs_url.startswith("https://"):
            problems.append("PORCHLIGHT_FIREBASE_CERTS_URL must be https:// in production.")
        if self.production and self.firebase_project_id and not self.firebase_api_key:
            problems.append("FIREBASE_API_KEY is not set: browsers need the web API key of the Firebase project.")
        if self.production and self.files_url.startswith("s3+http:"):
            problems.append(
                "PORCHLIGHT_FILES_URL must be s3+https:// in production: documents would travel unencrypted."
            )
        problems += self._stripe_problems()
        problems += keys.key_problems(self.admin_key) + keys.key_problems(self.audit_key, "PORCHLIGHT_AUDIT_KEY")
        problems += keys.seed_problems(self.waiver_keys)
        problems += keys.seed_problems(self.secrets_key, "PORCHLIGHT_SECRETS_KEY")
        problems += keys.push_key_problems(self.push_key)
        if self.production and self.local_calendars:
            problems.append("PORCHLIGHT_LOCAL_CALENDARS is for tests: production refuses to start with it.")
        if self.production and not self.waiver_keys.strip(", "):
            problems.append(
                "PORCHLIGHT_WAIVER_KEYS is not set: waivers cannot be signed. Create a key (see the operator's guide)."
            )
        return problems + self.email_problems() + self.clock_problems()

    def email_problems(self) -> list[str]:
        """Return why email cannot be sent with these settings."""
        problems: list[str] = []
        for name, address, example in (
            ("PORCHLIGHT_MAIL_FROM", self.mail_from, "Porchlight <notices@porchlight.example>"),
            ("PORCHLIGHT_CONTACT_EMAIL", self.contact_email, "hello@porchlight.example"),
        ):
            try:
                if address and not EMAIL_ADDRESS.fullmatch(ascii_email(split_sender(address)[1])):
                    problems.append(f"{name} must look like {example}.")
            except InvalidEmail:
                problems.append(f"{name} needs an address with only ASCII letters before the @.")
        if self.reply_domain and self.reply_domain == split_sender(self.sender)[1].rpartition("@")[2].lower():
            problems.append("PORCHLIGHT_REPLY_DOMAIN must not be the domain of PORCHLIGHT_MAIL_FROM.")
        return problems

    def clock_problems(self) -> list[str]:
        """Return why no process of the product may run with these settings."""
        if self.production and self.clock_offset_seconds:
            return ["PORCHLIGHT_CLOCK_OFFSET_SECONDS is for tests: production refuses to start with it."]
        return []

    def _stripe_problems(self) -> list[str]:
        problems: list[str] = []
        if self.stripe_secret_key and not self.stripe_webhook_secret:
            problems.append("STRIPE_WEBHOOK_SECRET is not set: without it, Stripe's webhooks cannot be verified.")
        if self.stripe_secret_key and not self.stripe_connect_webhook_secret:
            problems.append(
                "STRIPE_CONNECT_WEBHOOK_SECRET is not set: without it, events of connected accounts cannot be verified."
            )
        if self.production and self.stripe_secret_key.startswith(("sk_live_", "rk_live_")) and self.money_live != "on":
            problems.append(
                "STRIPE_SECRET_KEY is a live key: set PORCHLIGHT_MONEY_LIVE=on once you have read the operator's guide."
            )
        table = self.stripe_pricing_table_url
        if table and (not urlsplit(table).netloc or (self.production and not table.startswith("https://"))):
            problems.append("STRIPE_PRICING_TABLE_URL must be an https:// URL in production, or not be set.")
        if self.production and self.stripe_api_base and not self.stripe_api_base.startswith("https://"):
            problems.append("STRIPE_API_BASE must be https:// in production, or not be set.")
        return problems
